/**
 * The project of a configured GitLab that a repository's URL means, over HTTPS or
 * SSH; undefined for any other place.
 */
export function projectOfRepository(
  url: string,
  instances: readonly { host: string; webUrl: string }[],
): { host: string; path: string } | undefined {
  for (const { host, webUrl } of instances) {
    const path = pathBelow(url, webUrl) ?? pathOverSsh(url, host);
    if (path !== undefined && /^[^/\s]+(\/[^/\s]+)+$/.test(path)) {
      return { host, path };
    }
  }
  return undefined;
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '').replace(/\.git$/, '');
}

function pathBelow(url: string, webUrl: string): string | undefined {
  if (!URL.canParse(url) || !URL.canParse(webUrl)) {
    return undefined;
  }
  const found = new URL(url);
  const base = new URL(webUrl);
  const below = `${base.pathname.replace(/\/+$/, '')}/`;
  return found.host === base.host &&
    /^https?:$/.test(found.protocol) &&
    found.pathname.startsWith(below)
    ? trimmed(found.pathname.slice(below.length))
    : undefined;
}

function pathOverSsh(url: string, host: string): string | undefined {
  const [hostname] = host.split(':');
  const match = /^(?:ssh:\/\/)?[^@/\s]+@([^:/\s]+)(?::\d+\/|[:/])(\S+)$/.exec(
    url,
  );
  return match?.[1].toLowerCase() === hostname ? trimmed(match[2]) : undefined;
}
