import anyAscii from 'any-ascii';

const MAX_LENGTH = 50;

/** What the slug library of Argo CD writes for English instead of transliterating. */
const SUBSTITUTIONS: Record<string, string> = {
  '&': 'and',
  '@': 'at',
  '"': '',
  "'": '',
  '\u2019': '',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
};

const SUBSTITUTED = /[&@"'\u2019\u2012-\u2015]/g;

/**
 * The `branch_slug` of Argo CD's pull request generator: transliterated, lower
 * case, dashes for everything but letters, digits, `-` and `_`, at most 50
 * characters, cut at a dash where there is one. It is not GitLab's
 * `CI_COMMIT_REF_SLUG`.
 */
export function argoSlug(text: string): string {
  return cutAtDash(collapse(spell(text)), MAX_LENGTH);
}

/**
 * Argo CD's template function `slugify`: of a valid name, cut hard before
 * anything is replaced, or at a dash where that is asked for.
 */
export function slugifyName(
  text: string,
  { maximum = MAX_LENGTH, atDash = false } = {},
): string {
  const spelled = spell(normalizeName(text));
  return atDash
    ? cutAtDash(collapse(spelled), maximum)
    : collapse(spelled.slice(0, Math.max(maximum, 0)));
}

function spell(text: string): string {
  const substituted = text
    .trim()
    .replace(/_/g, '-')
    .replace(SUBSTITUTED, character => SUBSTITUTIONS[character]);
  return anyAscii(substituted).toLowerCase();
}

function collapse(text: string): string {
  return text
    .replace(/[^a-z0-9\-_]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
}

function cutAtDash(text: string, maximum: number): string {
  if (maximum <= 0 || text.length <= maximum) {
    return text;
  }
  const lastDash = text.lastIndexOf('-', maximum);
  return text.slice(0, lastDash > 0 ? lastDash : maximum);
}

/**
 * The slug of Argo CD before its slug library: only `[^a-z0-9]` outside dots is
 * replaced, dots stay, and the cut is hard.
 */
export function formerArgoSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.\-]/g, '-')
    .replace(/-+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** Argo CD's template function `normalize`: a valid DNS name of at most 253 characters. */
export function normalizeName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(0, 253)
    .replace(/^[-.]+|[-.]+$/g, '');
}
