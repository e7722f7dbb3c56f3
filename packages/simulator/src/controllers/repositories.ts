import { createHash } from 'node:crypto';
import type { Project } from '../gitlab/model';
import type { GitLabState } from '../gitlab/state';

/** The project that a repository URL names, by its path; undefined for foreign repositories. */
export function projectOfRepository(
  gitlab: GitLabState,
  repoURL: string,
): Project | undefined {
  const path = repoURL
    .replace(/^(https?:\/\/[^/]+|ssh:\/\/[^/]+|[^@/]+@[^:/]+:)\/?/, '')
    .replace(/\.git$/, '');
  const found = gitlab.findProject(path);
  if (found) {
    return found;
  }
  const basePath = new URL(gitlab.externalUrl).pathname.replace(/^\//, '');
  return basePath && path.startsWith(`${basePath}/`)
    ? gitlab.findProject(path.slice(basePath.length + 1))
    : undefined;
}

/**
 * The commit (or chart version) that Argo CD resolves a source to. Undefined when the revision does
 * not exist. Repositories that GitLab does not have are taken to exist.
 */
export function resolveSource(
  gitlab: GitLabState,
  source: { repoURL?: string; targetRevision?: string; chart?: string },
): string | undefined {
  const revision = source.targetRevision ?? 'HEAD';
  if (source.chart) {
    return revision;
  }
  const project = projectOfRepository(gitlab, source.repoURL ?? '');
  if (project) {
    return gitlab.resolveRevision(project, revision);
  }
  return /^[0-9a-f]{40}$/.test(revision)
    ? revision
    : createHash('sha1').update(`${source.repoURL} ${revision}`).digest('hex');
}
