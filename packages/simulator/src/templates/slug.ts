import anyAscii from 'any-ascii';

const DEFAULT_LENGTH = 50;

/**
 * The slug of a branch as the pull request generator makes it: transliterated, lower case, at most
 * `length` characters, cut at the last dash before that where there is one.
 */
export function branchSlug(
  text: string,
  options: { length?: number; smart?: boolean } = {},
): string {
  const length = options.length ?? DEFAULT_LENGTH;
  const slug = anyAscii(
    text.trim().replace(/_/g, '-').replace(/&/g, ' and ').replace(/@/g, ' at '),
  )
    .toLowerCase()
    .replace(/[^a-z0-9-_]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  if (slug.length <= length) {
    return slug;
  }
  const lastDash = slug.lastIndexOf('-', length);
  return (options.smart ?? true) && lastDash > 0
    ? slug.slice(0, lastDash)
    : slug.slice(0, length).replace(/[-_]+$/, '');
}

/** Argo CD's `normalize`: what a name of Kubernetes may hold, cut to 253 characters. */
export function normalizeName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(0, 253)
    .replace(/^[-.]+|[-.]+$/g, '');
}
