import { createHash } from 'node:crypto';
import { ancestorsOf, commitsBetween } from './history';
import type { Commit, Project } from './model';
import { packArchive } from './archive';
import {
  renderBranch,
  renderCommit,
  renderFileDiffs,
  renderMergeRequest,
  renderTag,
} from './render';
import {
  badRequest,
  forbidden,
  GitLabAnswer,
  notFound,
  readableProject,
  refused,
  type GitLabRequest,
} from './request';
import { json, list, read, READ, WRITE, type Route } from './route';
import { EMPTY_TREE, FileActionError, type FileAction } from './trees';

const READ_FILES = [...READ, 'read_repository'];

const NOBODY = 0;

function text(value: unknown): string | undefined {
  return value === undefined || value === null || value === ''
    ? undefined
    : String(value);
}

/** Of the body, or as GitLab's own clients sometimes send it, of the query. */
function field(request: GitLabRequest, name: string): string | undefined {
  return text(request.fields[name]) ?? text(request.query.get(name));
}

function requiredField(request: GitLabRequest, name: string): string {
  const value = field(request, name);
  if (value === undefined) {
    throw badRequest(`${name} is missing`);
  }
  return value;
}

function commitAt(
  request: GitLabRequest,
  project: Project,
  revision: string,
): Commit {
  const sha = request.state.resolveRevision(project, revision);
  const commit = project.commits.get(sha ?? '');
  if (!commit) {
    throw notFound('Commit');
  }
  return commit;
}

function fileOf(request: GitLabRequest): {
  project: Project;
  commit: Commit;
  path: string;
  content: string;
} {
  const project = readableProject(request);
  const commit = commitAt(request, project, request.query.get('ref') || 'HEAD');
  const { path } = request.parameters;
  const content = commit.tree.get(path);
  if (content === undefined) {
    throw notFound('File');
  }
  return { project, commit, path, content };
}

/** Git's name of a text. */
function blobId(content: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');
}

/** The latest commit that changed a path or what is below it. */
function lastChange(
  project: Project,
  commit: Commit,
  path: string,
): Commit | undefined {
  return changesOf(project, commit, path)[0];
}

function changesOf(project: Project, commit: Commit, path: string): Commit[] {
  const isMeant = (candidate: string) =>
    candidate === path || candidate.startsWith(`${path}/`);
  return ancestorsOf({ commits: project.commits, sha: commit.sha }).filter(
    candidate => {
      const before =
        project.commits.get(candidate.parents[0] ?? '')?.tree ?? EMPTY_TREE;
      return [...new Set([...before.keys(), ...candidate.tree.keys()])].some(
        file => isMeant(file) && before.get(file) !== candidate.tree.get(file),
      );
    },
  );
}

interface TreeEntry {
  name: string;
  path: string;
  type: 'tree' | 'blob';
  content?: string;
}

/** What is in a folder, folders first, as GitLab lists it. */
function entriesOf(request: GitLabRequest, commit: Commit): TreeEntry[] {
  const folder = (request.query.get('path') ?? '').replace(/\/$/, '');
  const recursive = request.query.get('recursive') === 'true';
  const prefix = folder === '' ? '' : `${folder}/`;
  const entries = new Map<string, TreeEntry>();
  for (const [path, content] of commit.tree) {
    if (path.startsWith(prefix)) {
      const parts = path.slice(prefix.length).split('/');
      const depth = recursive ? parts.length : 1;
      for (let count = 1; count <= depth; count++) {
        const own = prefix + parts.slice(0, count).join('/');
        const isFile = count === parts.length;
        entries.set(own, {
          name: parts[count - 1],
          path: own,
          type: isFile ? 'blob' : 'tree',
          ...(isFile && { content }),
        });
      }
    }
  }
  if (folder !== '' && entries.size === 0) {
    throw notFound('invalid revision or path');
  }
  const order = ({ type, path }: TreeEntry) =>
    `${type === 'tree' ? 0 : 1} ${path}`;
  return [...entries.values()].sort((left, right) =>
    order(left) < order(right) ? -1 : 1,
  );
}

const ACTIONS = ['create', 'update', 'delete', 'move', 'chmod'];

function actionsOf(request: GitLabRequest): FileAction[] {
  const { actions } = request.fields;
  if (!Array.isArray(actions)) {
    throw badRequest('actions is missing');
  }
  return actions.map(value => {
    const given = value as Record<string, unknown>;
    const action = String(given.action);
    if (!ACTIONS.includes(action)) {
      throw badRequest('actions[0][action] does not have a valid value');
    }
    const path = text(given.file_path);
    if (path === undefined) {
      throw badRequest('actions[0][file_path] is missing');
    }
    const content =
      given.encoding === 'base64'
        ? Buffer.from(String(given.content ?? ''), 'base64').toString('utf8')
        : String(given.content ?? '');
    if (action === 'delete') {
      return { action, path };
    }
    if (action === 'move') {
      return {
        action,
        path,
        previousPath: String(given.previous_path),
        ...(given.content !== undefined && { content }),
      };
    }
    return { action: action === 'create' ? 'create' : 'update', path, content };
  });
}

/** Refuses what a protected branch keeps from everybody. */
function requirePush(project: Project, branch: string): void {
  if (project.protectedBranches.get(branch)?.push === NOBODY) {
    throw forbidden('You are not allowed to push into this branch');
  }
}

/** Refuses an action on a file that has changed since the caller read it. */
function requireUnchanged(
  request: GitLabRequest,
  project: Project,
  sha: string | undefined,
): void {
  const commit = project.commits.get(sha ?? '');
  for (const value of request.fields.actions as Record<string, unknown>[]) {
    const expected = text(value.last_commit_id);
    const actual =
      commit && lastChange(project, commit, String(value.file_path))?.sha;
    if (expected !== undefined && actual !== expected) {
      throw refused(
        400,
        'You are attempting to update a file that has changed since you started editing it.',
      );
    }
  }
}

function commitFiles(
  request: GitLabRequest,
  options: { branch: string; message: string; actions: FileAction[] },
): { project: Project; commit: Commit } {
  const { state } = request;
  const project = readableProject(request);
  const { branch } = options;
  const head = project.branches.get(branch);
  const startBranch =
    field(request, 'start_branch') ?? field(request, 'start_sha');
  if (head && startBranch !== undefined && startBranch !== branch) {
    throw refused(
      400,
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    );
  }
  if (
    !head &&
    (startBranch === undefined || !state.resolveRevision(project, startBranch))
  ) {
    throw refused(
      400,
      'You can only create or edit files when you are on a branch',
    );
  }
  requirePush(project, branch);
  try {
    const commit = state.commit({
      project: project.id,
      branch,
      message: options.message,
      by: request.token.user.username,
      startBranch,
      actions: options.actions,
    });
    return { project, commit };
  } catch (error) {
    if (error instanceof FileActionError) {
      throw refused(400, error.message);
    }
    throw error;
  }
}

function compare(request: GitLabRequest) {
  const { state } = request;
  const project = readableProject(request);
  const [fromName, toName] = ['from', 'to'].map(name =>
    requiredField(request, name),
  );
  const from = commitAt(request, project, fromName);
  const to = commitAt(request, project, toName);
  const commits = commitsBetween({
    commits: project.commits,
    from: from.sha,
    to: to.sha,
  });
  const last = commits[commits.length - 1];
  return json({
    commit: last ? renderCommit(state, project, last) : null,
    commits: commits.map(commit => renderCommit(state, project, commit)),
    diffs: renderFileDiffs(from.tree, to.tree),
    compare_timeout: false,
    compare_same_ref: from.sha === to.sha,
    web_url: `${state.externalUrl}/${project.pathWithNamespace}/-/compare/${from.sha}...${to.sha}`,
  });
}

function write(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  handle: Route['handle'],
): Route {
  return { method, path, scopes: WRITE, handle };
}

const accessLevel = (level: number) => [
  {
    id: 1,
    access_level: level,
    access_level_description:
      { 0: 'No one', 30: 'Developers + Maintainers', 40: 'Maintainers' }[
        level
      ] ?? 'Administrators',
    user_id: null,
    group_id: null,
  },
];

/** Routes of a project's repository: its files, commits, branches and tags. */
export const repositoryRoutes: Route[] = [
  read(
    '/projects/:id/repository/branches',
    request => {
      const project = readableProject(request);
      const search = request.query.get('search');
      return list(
        [...project.branches.keys()].filter(
          name => !search || name.includes(search.replace(/^\^/, '')),
        ),
        name => renderBranch(request.state, project, name),
      );
    },
    READ_FILES,
  ),
  write('POST', '/projects/:id/repository/branches', request => {
    const { state } = request;
    const project = readableProject(request);
    const branch = requiredField(request, 'branch');
    const revision = requiredField(request, 'ref');
    if (project.branches.has(branch)) {
      throw refused(400, 'Branch already exists');
    }
    if (!state.resolveRevision(project, revision)) {
      throw refused(400, `Invalid reference name: ${revision}`);
    }
    state.addBranch({
      project: project.id,
      branch,
      revision,
      by: request.token.user.username,
    });
    return json(renderBranch(state, project, branch), 201);
  }),
  read(
    '/projects/:id/repository/branches/:branch',
    request => {
      const project = readableProject(request);
      if (!project.branches.has(request.parameters.branch)) {
        throw notFound('Branch');
      }
      return json(
        renderBranch(request.state, project, request.parameters.branch),
      );
    },
    READ_FILES,
  ),
  write('DELETE', '/projects/:id/repository/branches/:branch', request => {
    const project = readableProject(request);
    const { branch } = request.parameters;
    if (!project.branches.has(branch)) {
      throw notFound('Branch');
    }
    if (project.protectedBranches.has(branch)) {
      throw forbidden('Protected branch cant be removed');
    }
    project.branches.delete(branch);
    return json(undefined, 204);
  }),
  read('/projects/:id/protected_branches', request => {
    const project = readableProject(request);
    return list([...project.protectedBranches], ([name, protection]) => ({
      id: protection.id,
      name,
      push_access_levels: accessLevel(protection.push),
      merge_access_levels: accessLevel(protection.merge),
      allow_force_push: false,
    }));
  }),
  read('/projects/:id/protected_tags', request => {
    const project = readableProject(request);
    return list([...project.protectedTags], ([name, { create }]) => ({
      name,
      create_access_levels: accessLevel(create),
    }));
  }),
  read(
    '/projects/:id/repository/tags',
    request => {
      const project = readableProject(request);
      return list([...project.tags.keys()].reverse(), name =>
        renderTag(request.state, project, name),
      );
    },
    READ_FILES,
  ),
  write('POST', '/projects/:id/repository/tags', request => {
    const { state } = request;
    const project = readableProject(request);
    const name = requiredField(request, 'tag_name');
    const revision = requiredField(request, 'ref');
    if (project.tags.has(name)) {
      throw refused(400, `Tag ${name} already exists`);
    }
    if (!state.resolveRevision(project, revision)) {
      throw refused(400, `Target ${revision} is invalid`);
    }
    state.tag({ project: project.id, name, revision });
    return json(renderTag(state, project, name), 201);
  }),
  read(
    '/projects/:id/repository/tags/:tag',
    request => {
      const project = readableProject(request);
      if (!project.tags.has(request.parameters.tag)) {
        throw notFound('Tag');
      }
      return json(renderTag(request.state, project, request.parameters.tag));
    },
    READ_FILES,
  ),
  read(
    '/projects/:id/repository/commits',
    request => {
      const project = readableProject(request);
      const sha = request.state.resolveRevision(
        project,
        request.query.get('ref_name') || 'HEAD',
      );
      const commit = project.commits.get(sha ?? '');
      if (!commit) {
        return list([], item => item);
      }
      const path = request.query.get('path');
      const since = request.query.get('since');
      const commits = path
        ? changesOf(project, commit, path)
        : ancestorsOf({ commits: project.commits, sha: commit.sha });
      return list(
        commits.filter(
          ({ createdAt }) =>
            !since || Date.parse(createdAt) >= Date.parse(since),
        ),
        item => renderCommit(request.state, project, item),
      );
    },
    READ_FILES,
  ),
  write('POST', '/projects/:id/repository/commits', request => {
    const branch = requiredField(request, 'branch');
    const message = requiredField(request, 'commit_message');
    const actions = actionsOf(request);
    const project = readableProject(request);
    requireUnchanged(request, project, project.branches.get(branch));
    const { commit } = commitFiles(request, { branch, message, actions });
    return json(renderCommit(request.state, project, commit), 201);
  }),
  read(
    '/projects/:id/repository/commits/:sha',
    request => {
      const project = readableProject(request);
      return json(
        renderCommit(
          request.state,
          project,
          commitAt(request, project, request.parameters.sha),
        ),
      );
    },
    READ_FILES,
  ),
  read('/projects/:id/repository/commits/:sha/merge_requests', request => {
    const { state } = request;
    const project = readableProject(request);
    const commit = commitAt(request, project, request.parameters.sha);
    const found = [...project.mergeRequests.values()].filter(
      mergeRequest =>
        mergeRequest.mergeCommitSha === commit.sha ||
        (mergeRequest.sha !== null &&
          commitsBetween({
            commits: project.commits,
            from: mergeRequest.baseSha,
            to: mergeRequest.sha,
          }).includes(commit)),
    );
    return list(found, item => renderMergeRequest(state, item));
  }),
  read(
    '/projects/:id/repository/commits/:sha/diff',
    request => {
      const project = readableProject(request);
      const commit = commitAt(request, project, request.parameters.sha);
      const parent = project.commits.get(commit.parents[0] ?? '');
      return list(
        renderFileDiffs(parent?.tree ?? EMPTY_TREE, commit.tree),
        diff => diff,
      );
    },
    READ_FILES,
  ),
  read('/projects/:id/repository/compare', compare, READ_FILES),
  read(
    '/projects/:id/repository/tree',
    request => {
      const project = readableProject(request);
      const sha = request.state.resolveRevision(
        project,
        request.query.get('ref') || 'HEAD',
      );
      const commit = project.commits.get(sha ?? '');
      if (!commit) {
        throw notFound('Tree');
      }
      return list(entriesOf(request, commit), entry => ({
        id: blobId(entry.content ?? entry.path),
        name: entry.name,
        type: entry.type,
        path: entry.path,
        mode: entry.type === 'tree' ? '040000' : '100644',
      }));
    },
    READ_FILES,
  ),
  read(
    '/projects/:id/repository/files/:path',
    request => {
      const { project, commit, path, content } = fileOf(request);
      return json({
        file_name: path.split('/').pop(),
        file_path: path,
        size: Buffer.byteLength(content),
        encoding: 'base64',
        content: Buffer.from(content).toString('base64'),
        content_sha256: createHash('sha256').update(content).digest('hex'),
        ref: request.query.get('ref') || 'HEAD',
        blob_id: blobId(content),
        commit_id: commit.sha,
        last_commit_id: lastChange(project, commit, path)?.sha ?? commit.sha,
        execute_filemode: false,
      });
    },
    READ_FILES,
  ),
  read(
    '/projects/:id/repository/files/:path/raw',
    request => ({ kind: 'text', body: fileOf(request).content }),
    READ_FILES,
  ),
  ...(['POST', 'PUT'] as const).map(method =>
    write(method, '/projects/:id/repository/files/:path', request => {
      const { path } = request.parameters;
      const content = String(request.fields.content ?? '');
      const branch = requiredField(request, 'branch');
      commitFiles(request, {
        branch,
        message: requiredField(request, 'commit_message'),
        actions: [
          {
            action: method === 'POST' ? 'create' : 'update',
            path,
            content:
              request.fields.encoding === 'base64'
                ? Buffer.from(content, 'base64').toString('utf8')
                : content,
          },
        ],
      });
      return json({ file_path: path, branch }, method === 'POST' ? 201 : 200);
    }),
  ),
  ...[
    '/projects/:id/repository/archive',
    '/projects/:id/repository/archive.tar.gz',
  ].map(path =>
    read(
      path,
      request => {
        const project = readableProject(request);
        const sha = request.state.resolveRevision(
          project,
          request.query.get('sha') || 'HEAD',
        );
        const commit = project.commits.get(sha ?? '');
        if (!commit) {
          throw notFound('File');
        }
        const folder = request.query.get('path') ?? undefined;
        const name = [project.path, request.query.get('sha'), commit.sha]
          .filter(Boolean)
          .join('-')
          .replace(/\//g, '-');
        return {
          kind: 'file',
          type: 'application/octet-stream',
          name: `${name}.tar.gz`,
          body: packArchive({ tree: commit.tree, name, folder }),
        };
      },
      READ_FILES,
    ),
  ),
];

/** The answer to a merge that GitLab refuses. */
export function mergeRefusal(state: string): GitLabAnswer {
  return state === 'conflict'
    ? refused(422, 'Branch cannot be merged')
    : refused(405, '405 Method Not Allowed');
}
