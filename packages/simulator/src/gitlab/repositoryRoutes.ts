import { createHash } from 'node:crypto';
import { packArchive } from './archive';
import {
  actionsOf,
  changesOf,
  commitFiles,
  decoded,
  lastChange,
  PUSH_REFUSED,
  requirePush,
} from './commitFiles';
import { field, isRefName, requiredField, searched } from './fields';
import { ancestorsOf, commitsBetween, mergeBaseOf } from './history';
import type { Commit, Project } from './model';
import { isBranchProtected, mayTag } from './protection';
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
  notFound,
  readableProject,
  refused,
  type GitLabRequest,
} from './request';
import { json, list, read, READ, WRITE, type Route } from './route';
import { EMPTY_TREE } from './trees';

const READ_FILES = [...READ, 'read_repository'];

function commitAt(
  request: GitLabRequest,
  project: Project,
  revision: string,
  what = 'Commit',
): Commit {
  const sha = request.state.resolveRevision(project, revision);
  const commit = project.commits.get(sha ?? '');
  if (!commit) {
    throw notFound(what);
  }
  return commit;
}

/**
 * Commits of a revision, or of a range such as `v1..v2`, the latest first. No branch or tag can have two
 * dots in its name; a side that is left out is HEAD. Of what does not exist there are none.
 */
function commitsOf(
  request: GitLabRequest,
  project: Project,
  reference: string,
): Commit[] {
  const { commits } = project;
  const shaOf = (revision: string) => {
    const sha = request.state.resolveRevision(project, revision || 'HEAD');
    return sha !== undefined && commits.has(sha) ? sha : undefined;
  };
  const [, first, dots, second] = /^(.*?)(\.{2,3})(.*)$/.exec(reference) ?? [];
  if (dots === undefined) {
    const sha = shaOf(reference);
    return sha === undefined ? [] : ancestorsOf({ commits, sha });
  }
  const [from, to] = [shaOf(first), shaOf(second)];
  if (from === undefined || to === undefined) {
    return [];
  }
  const added = commitsBetween({ commits, from, to }).reverse();
  return dots === '..'
    ? added
    : // With three dots, what either side has and the other lacks.
      [...added, ...commitsBetween({ commits, from: to, to: from }).reverse()];
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

function compare(request: GitLabRequest) {
  const { state } = request;
  const project = readableProject(request);
  const [from, to] = ['from', 'to'].map(name =>
    commitAt(request, project, requiredField(request, name), 'Ref'),
  );
  const { commits: known } = project;
  // With three dots, as by default: what `to` did since the two parted.
  const base =
    request.query.get('straight') === 'true'
      ? from.sha
      : mergeBaseOf({
          ours: { commits: known, sha: from.sha },
          theirs: { commits: known, sha: to.sha },
        });
  const commits = commitsBetween({
    commits: project.commits,
    from: from.sha,
    to: to.sha,
  });
  const last = commits[commits.length - 1];
  return json({
    commit: last ? renderCommit(state, project, last) : null,
    commits: commits.map(commit => renderCommit(state, project, commit)),
    diffs: renderFileDiffs(state.filesAt(project, base ?? ''), to.tree),
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

/** Routes of a project's repository: its files, commits, branches and tags. */
export const repositoryRoutes: Route[] = [
  read(
    '/projects/:id/repository/branches',
    request => {
      const project = readableProject(request);
      return list(
        searched(
          [...project.branches.keys()].sort(),
          request.query.get('search'),
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
    if (!isRefName(branch)) {
      throw refused(400, 'Branch name is invalid');
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
    if (branch === project.defaultBranch) {
      throw refused(400, 'The default branch of a project cannot be deleted.');
    }
    if (isBranchProtected(project, branch)) {
      throw forbidden('Protected branch cant be removed');
    }
    project.branches.delete(branch);
    return json(undefined, 204);
  }),
  read(
    '/projects/:id/repository/tags',
    request => {
      const project = readableProject(request);
      return list(
        searched(
          [...project.tags.keys()].reverse(),
          request.query.get('search'),
        ),
        name => renderTag(request.state, project, name),
      );
    },
    READ_FILES,
  ),
  write('POST', '/projects/:id/repository/tags', request => {
    const { state } = request;
    const project = readableProject(request);
    const name = requiredField(request, 'tag_name');
    const revision = requiredField(request, 'ref');
    if (!isRefName(name)) {
      throw refused(400, 'Tag name invalid');
    }
    if (!mayTag(project, name)) {
      throw forbidden(
        'You are not allowed to create this tag as it is protected.',
      );
    }
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
      const path = request.query.get('path');
      const since = request.query.get('since');
      const commits = commitsOf(
        request,
        project,
        request.query.get('ref_name') || 'HEAD',
      );
      return list(
        (path ? changesOf(project, commits, path) : commits).filter(
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
    requirePush(request, branch, forbidden(`403 Forbidden - ${PUSH_REFUSED}`));
    const { project, commit } = commitFiles(request, {
      branch,
      message,
      actions,
      changedText: path =>
        `The file has changed since you started editing it: ${path}`,
    });
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
  ...(['POST', 'PUT', 'DELETE'] as const).map(method =>
    write(method, '/projects/:id/repository/files/:path', request => {
      const { path } = request.parameters;
      const branch = requiredField(request, 'branch');
      const message = requiredField(request, 'commit_message');
      const { content, encoding } = request.fields;
      if (method !== 'DELETE' && content === undefined) {
        throw badRequest('content is missing');
      }
      requirePush(request, branch, refused(400, PUSH_REFUSED));
      commitFiles(request, {
        branch,
        message,
        actions: [
          {
            action:
              method === 'DELETE'
                ? { action: 'delete', path }
                : {
                    action: method === 'POST' ? 'create' : 'update',
                    path,
                    content: decoded(content, encoding),
                  },
            lastCommitId:
              method === 'POST' ? undefined : field(request, 'last_commit_id'),
          },
        ],
        changedText: () =>
          'You are attempting to update a file that has changed since you started editing it.',
      });
      return method === 'DELETE'
        ? json(undefined, 204)
        : json({ file_path: path, branch }, method === 'POST' ? 201 : 200);
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
        const folder =
          request.query.get('path')?.replace(/\/$/, '') || undefined;
        const name = [
          project.path,
          request.query.get('sha') || project.defaultBranch,
          commit.sha,
          ...(folder ? [folder] : []),
        ]
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
