import anyAscii from 'any-ascii';

const MAX_LENGTH = 50;

const SUBSTITUTIONS: Record<string, string> = { '&': 'and', '@': 'at' };

/**
 * The `branch_slug` of Argo CD's pull request generator: transliterated, lower
 * case, dashes for everything but letters, digits, `-` and `_`, at most 50
 * characters, cut at a dash where there is one. It is not GitLab's
 * `CI_COMMIT_REF_SLUG`.
 */
export function argoSlug(text: string): string {
  const spelled = text
    .trim()
    .replace(/_/g, '-')
    .replace(/[&@]/g, character => SUBSTITUTIONS[character]);
  const collapsed = anyAscii(spelled)
    .toLowerCase()
    .replace(/[^a-z0-9\-_]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  if (collapsed.length <= MAX_LENGTH) {
    return collapsed;
  }
  const lastDash = collapsed.lastIndexOf('-', MAX_LENGTH);
  return lastDash > 0
    ? collapsed.slice(0, lastDash)
    : collapsed.slice(0, MAX_LENGTH);
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
    .replace(/^[-_.]+|[-_.]+$/g, '');
}
