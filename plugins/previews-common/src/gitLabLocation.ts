/** GitLab separates a project's path from its pages by `/-/`; no other forge does. */
const GITLAB_PAGE = /^\/(.+?)\/-\/(?:tree|blob)\//;

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * The URL of a catalog location when it is a file or folder in a GitLab, told
 * by its form alone.
 */
export function gitLabLocationUrl(
  location: string | undefined,
): string | undefined {
  if (!location?.startsWith('url:')) {
    return undefined;
  }
  const url = parseUrl(location.slice('url:'.length));
  return url &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    GITLAB_PAGE.test(url.pathname)
    ? url.href
    : undefined;
}

/**
 * Full path of the project that a GitLab file or folder belongs to; undefined
 * when the location is not below the instance's base URL.
 *
 * @public
 */
export function projectSlugFromLocation(options: {
  /** Such as `https://gitlab.example.com/group/project/-/blob/main/catalog-info.yaml`. */
  locationUrl: string;
  /** Base URL of the instance, with its subpath where it has one. */
  baseUrl: string;
}): string | undefined {
  const location = parseUrl(options.locationUrl);
  const base = parseUrl(options.baseUrl);
  if (!location || !base || location.host !== base.host) {
    return undefined;
  }
  const page = GITLAB_PAGE.exec(location.pathname);
  const mount = base.pathname.replace(/\/+$/, '');
  if (!page || !location.pathname.startsWith(`${mount}/`)) {
    return undefined;
  }
  const path = `/${page[1]}`.slice(mount.length + 1);
  let slug: string;
  try {
    slug = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  return /^[^/]+(\/[^/]+)+$/.test(slug) ? slug : undefined;
}
