import { field, isRefName } from './fields';
import { ancestorsOf } from './history';
import type { Commit, Project } from './model';
import { mayPush } from './protection';
import {
  badRequest,
  readableProject,
  refused,
  type GitLabRequest,
} from './request';
import {
  changedPaths,
  EMPTY_TREE,
  FileActionError,
  type FileAction,
} from './trees';

/** A file action with the commit that its caller believes to be the file's last. */
export interface ExpectedAction {
  action: FileAction;
  lastCommitId?: string;
}

/** Whether a commit changes a path or what is below it; a merge does where no parent has it so. */
function changes(project: Project, commit: Commit, path: string): boolean {
  const trees =
    commit.parents.length === 0
      ? [EMPTY_TREE]
      : commit.parents.map(
          parent => project.commits.get(parent)?.tree ?? EMPTY_TREE,
        );
  return trees.every(
    before =>
      before !== commit.tree &&
      changedPaths(before, commit.tree).some(
        changed => changed === path || changed.startsWith(`${path}/`),
      ),
  );
}

/** Those of some commits that change a path or what is below it. */
export function changesOf(
  project: Project,
  commits: Commit[],
  path: string,
): Commit[] {
  const below = path.replace(/\/$/, '');
  return commits.filter(commit => changes(project, commit, below));
}

/** The latest commit that changed a path or what is below it. */
export function lastChange(
  project: Project,
  commit: Commit,
  path: string,
): Commit | undefined {
  return ancestorsOf({ commits: project.commits, sha: commit.sha }).find(
    candidate => changes(project, candidate, path),
  );
}

/** The text that a body holds, plain or in base64. */
export function decoded(content: unknown, encoding: unknown): string {
  return encoding === 'base64'
    ? Buffer.from(String(content), 'base64').toString('utf8')
    : String(content);
}

function actionOf(given: Record<string, unknown>, at: string): ExpectedAction {
  const needed = (name: string): string => {
    const value = given[name];
    if (value === undefined || value === null) {
      throw badRequest(`${at}[${name}] is missing`);
    }
    return String(value);
  };
  const kind = needed('action');
  const path = needed('file_path');
  const content = () => decoded(needed('content'), given.encoding);
  const lastCommitId = given.last_commit_id
    ? String(given.last_commit_id)
    : undefined;
  switch (kind) {
    case 'create':
      // GitLab makes an empty file where a new one has no content.
      return {
        action: {
          action: kind,
          path,
          content: decoded(given.content ?? '', given.encoding),
        },
      };
    case 'update':
      return {
        action: { action: kind, path, content: content() },
        lastCommitId,
      };
    case 'delete':
      return { action: { action: kind, path }, lastCommitId };
    case 'chmod':
      needed('execute_filemode');
      return { action: { action: kind, path }, lastCommitId };
    case 'move':
      return {
        action: {
          action: kind,
          path,
          previousPath: needed('previous_path'),
          ...(given.content !== undefined &&
            given.content !== null && { content: content() }),
        },
        lastCommitId,
      };
    default:
      throw badRequest(`${at}[action] does not have a valid value`);
  }
}

/** The actions of a body; a refusal names the one that is wrong. */
export function actionsOf(request: GitLabRequest): ExpectedAction[] {
  const { actions } = request.fields;
  if (actions === undefined || actions === null) {
    throw badRequest('actions is missing');
  }
  if (!Array.isArray(actions)) {
    throw badRequest('actions is invalid');
  }
  return actions.map((given: unknown, index) => {
    if (typeof given !== 'object' || given === null) {
      throw badRequest(`actions[${index}] is invalid`);
    }
    return actionOf(given as Record<string, unknown>, `actions[${index}]`);
  });
}

/**
 * Commits to a branch, which is made at `start_branch` or `start_sha` where it is new.
 *
 * @throws GitLabAnswer in GitLab's words, where it may not or cannot be done.
 */
export function commitFiles(
  request: GitLabRequest,
  options: {
    branch: string;
    message: string;
    actions: readonly ExpectedAction[];
    /** What GitLab says of a file that has another last commit than expected. */
    changedText: (path: string) => string;
  },
): { project: Project; commit: Commit } {
  const { state } = request;
  const project = readableProject(request);
  const { branch, actions } = options;
  const head = project.branches.get(branch);
  const startBranch =
    field(request, 'start_branch') ?? field(request, 'start_sha');
  if (head && startBranch !== undefined && startBranch !== branch) {
    throw refused(
      400,
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    );
  }
  const start =
    head ??
    (startBranch === undefined
      ? undefined
      : state.resolveRevision(project, startBranch));
  if (start === undefined) {
    throw refused(
      400,
      'You can only create or edit files when you are on a branch',
    );
  }
  if (!head && !isRefName(branch)) {
    throw refused(400, 'Branch name is invalid');
  }
  const before = project.commits.get(start);
  for (const { action, lastCommitId } of actions) {
    const path = action.action === 'move' ? action.previousPath : action.path;
    const last =
      before && lastCommitId && lastChange(project, before, path)?.sha;
    if (last && last !== lastCommitId) {
      throw refused(400, options.changedText(path));
    }
  }
  try {
    const commit = state.commit({
      project: project.id,
      branch,
      message: options.message,
      by: request.token.user.username,
      startBranch,
      actions: actions.map(({ action }) => action),
    });
    return { project, commit };
  } catch (error) {
    if (error instanceof FileActionError) {
      throw refused(400, error.message);
    }
    throw error;
  }
}

/** What GitLab says of a branch that nobody may commit to; its routes put it in other answers. */
export const PUSH_REFUSED = 'You are not allowed to push into this branch';

/** Refuses, with the answer given, what a protected branch keeps from everybody. */
export function requirePush(
  request: GitLabRequest,
  branch: string,
  answer: Error,
): void {
  if (!mayPush(readableProject(request), branch)) {
    throw answer;
  }
}
