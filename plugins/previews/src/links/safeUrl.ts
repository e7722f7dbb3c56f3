/**
 * The address if it may become a link: absolute, `http:` or `https:`, and
 * without a user name in it, which could pass another host off as a known one.
 * Every link of the plugin goes through here, because titles, annotations and
 * routes are written by anyone who can open a merge request.
 */
export function safeUrl(value: string | undefined): string | undefined {
  if (!value) {
    return undefined;
  }
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return undefined;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return undefined;
  }
  return url.username || url.password ? undefined : url.href;
}
