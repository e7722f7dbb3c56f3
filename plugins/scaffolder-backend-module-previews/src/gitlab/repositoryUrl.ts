import { InputError } from '@backstage/errors';
import { plainText } from './plainText';

/** A project of a GitLab host. */
export interface RepositoryReference {
  host: string;
  /** Full path, without slashes at its ends. */
  path: string;
}

/** One text of the RepoUrlPicker, such as `gitlab.example.com?owner=web&repo=shop`. */
export function formatRepositoryUrl(repository: RepositoryReference): string {
  const { host, path } = repository;
  const end = path.lastIndexOf('/');
  const query = new URLSearchParams({
    owner: path.slice(0, end),
    repo: path.slice(end + 1),
  });
  return `${host}?${query}`;
}

/**
 * Reads what the RepoUrlPicker writes.
 *
 * @throws InputError where it names no project
 */
export function parseRepositoryUrl(text: string): RepositoryReference {
  const [host, query, ...rest] = text.split('?');
  const parameters = new URLSearchParams(query);
  const path = [parameters.get('owner'), parameters.get('repo')]
    .map(part => part?.replace(/^\/+|\/+$/g, ''))
    .filter(Boolean)
    .join('/');
  if (
    rest.length > 0 ||
    !/^[A-Za-z0-9.-]+(:\d+)?$/.test(host) ||
    !/^[\w.-]+(\/[\w.-]+)+$/.test(path)
  ) {
    throw new InputError(
      `"${plainText(
        text,
      )}" is no repository such as gitlab.example.com?owner=group&repo=project`,
    );
  }
  return { host: host.toLocaleLowerCase('en-US'), path };
}
