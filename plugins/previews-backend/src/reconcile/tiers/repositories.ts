import { GitLabReading, ProjectFact } from '../../model';

/** A project of a configured GitLab. */
export interface Repository {
  host: string;
  /** Full path, as the URL has it. */
  path: string;
}

type Instance = Pick<GitLabReading, 'host' | 'webUrl'>;

function trimmed(path: string): string {
  return path.replace(/\/+$/, '').replace(/\.git$/, '');
}

function pathBelow(url: string, webUrl: string): string | undefined {
  if (!URL.canParse(url) || !URL.canParse(webUrl)) {
    return undefined;
  }
  const [found, base] = [new URL(url), new URL(webUrl)];
  const below = `${base.pathname.replace(/\/+$/, '')}/`;
  return /^https?:$/.test(found.protocol) &&
    found.host === base.host &&
    found.pathname.startsWith(below)
    ? trimmed(found.pathname.slice(below.length))
    : undefined;
}

function pathOverSsh(url: string, host: string): string | undefined {
  const match =
    /^(?:ssh:\/\/)?[^@/\s]{1,64}@([^:/\s]{1,253})(?::\d{1,5}\/|[:/])(\S+)$/.exec(
      url,
    );
  return match?.[1].toLowerCase() === host.split(':')[0]
    ? trimmed(match[2])
    : undefined;
}

/** The project that a repository's URL means; undefined for any place that is not configured. */
export function repositoryOf(
  url: string | undefined,
  instances: Iterable<Instance>,
): Repository | undefined {
  for (const { host, webUrl } of instances) {
    const path =
      url === undefined
        ? undefined
        : pathBelow(url, webUrl) ?? pathOverSsh(url, host);
    if (path !== undefined && /^[\w.-]+(\/[\w.-]+)+$/.test(path)) {
      return { host, path };
    }
  }
  return undefined;
}

/** GitLab's page of a project; undefined where none is known that may be led to. */
export function pageOf(
  { host, path }: Repository,
  instances: Iterable<Instance>,
): string | undefined {
  const webUrl = [...instances].find(one => one.host === host)?.webUrl ?? '';
  return /^https?:\/\//i.test(webUrl) ? `${webUrl}/${path}` : undefined;
}

export function isSameRepository(
  left: Repository | undefined,
  right: Repository | undefined,
): boolean {
  return (
    left !== undefined &&
    left.host === right?.host &&
    left.path.toLowerCase() === right.path.toLowerCase()
  );
}

/** The images of a list that lie in a project's registry. */
export function imagesOf(
  images: readonly string[],
  project: ProjectFact | undefined,
): string[] {
  const registry = project?.registryPath?.toLowerCase();
  return registry === undefined
    ? []
    : images.filter(image => {
        const name = image.toLowerCase();
        return ['/', ':', '@'].some(next => name.startsWith(registry + next));
      });
}
