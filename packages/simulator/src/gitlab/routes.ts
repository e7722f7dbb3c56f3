import type { MergeRequest, Project, RegistryRepository } from './model';
import { queryMergeRequests } from './mergeRequestQuery';
import {
  renderApprovals,
  renderCommit,
  renderDiffs,
  renderGroup,
  renderHook,
  renderMergeRequest,
  renderPipeline,
  renderPipelineSummary,
  renderProject,
  renderRegistryRepository,
  renderRegistryTag,
  renderRegistryTagDetail,
  renderSingleMergeRequest,
  renderSystemNote,
  renderToken,
  renderUser,
} from './render';
import {
  badRequest,
  GitLabAnswer,
  isExpired,
  mayRead,
  notFound,
  readableProject,
  refused,
  type GitLabRequest,
} from './request';
import { commitsBetween } from './history';
import { mayMerge } from './protection';
import { protectionRoutes } from './protectionRoutes';
import { repositoryRoutes } from './repositoryRoutes';
import {
  json,
  list,
  read,
  READ,
  WRITE,
  type Route,
  type RouteResult,
} from './route';

function mergeRequestOf(request: GitLabRequest): MergeRequest {
  const mergeRequest = readableProject(request).mergeRequests.get(
    Number(request.parameters.iid),
  );
  if (!mergeRequest) {
    throw notFound();
  }
  return mergeRequest;
}

function mergeRequestList(
  request: GitLabRequest,
  projects: Project[],
): RouteResult {
  const candidates = projects.flatMap(project => [
    ...project.mergeRequests.values(),
  ]);
  return list(queryMergeRequests(request, candidates), mergeRequest =>
    renderMergeRequest(request.state, mergeRequest),
  );
}

function readableGroup(request: GitLabRequest) {
  const { state, token } = request;
  const group = state.findGroup(request.parameters.id);
  if (
    !group ||
    (token.projectIds !== undefined &&
      !state
        .projectsOf(group, { includeSubgroups: true })
        .some(project => mayRead(token, project)))
  ) {
    throw notFound('Group');
  }
  return group;
}

function listedProjects(request: GitLabRequest, projects: Project[]) {
  const search = request.query.get('search')?.toLowerCase();
  const archived = request.query.get('archived');
  const orderBy = request.query.get('order_by') || 'created_at';
  const key = (project: Project): string | number =>
    ({
      id: project.id,
      name: project.name,
      path: project.path,
      updated_at: project.lastActivityAt,
      last_activity_at: project.lastActivityAt,
    }[orderBy] ?? project.createdAt);
  const direction = request.query.get('sort') === 'asc' ? 1 : -1;
  const idAfter = Number(request.query.get('id_after') ?? 0);
  return projects
    .filter(
      project =>
        mayRead(request.token, project) &&
        project.id > idAfter &&
        (!search || project.pathWithNamespace.toLowerCase().includes(search)) &&
        (archived === null || String(project.archived) === archived),
    )
    .sort((left, right) => {
      const [leftKey, rightKey] = [key(left), key(right)];
      if (leftKey === rightKey) {
        return direction * (left.id - right.id);
      }
      return leftKey < rightKey ? -direction : direction;
    });
}

function groupProjects(request: GitLabRequest, includeSubgroups: boolean) {
  return request.state
    .projectsOf(readableGroup(request), { includeSubgroups })
    .filter(project => !request.faults.isHiddenFromGroups(project.id));
}

function repositoryOf(request: GitLabRequest): RegistryRepository {
  const repository = readableProject(request).registry.find(
    candidate => candidate.id === Number(request.parameters.repository),
  );
  if (!repository) {
    throw notFound('Registry Repository');
  }
  return repository;
}

function labelsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : String(value).split(','))
    .map(label => String(label).trim())
    .filter(Boolean);
}

function updateMergeRequest(request: GitLabRequest): RouteResult {
  const { state, fields } = request;
  const mergeRequest = mergeRequestOf(request);
  const reference = {
    project: mergeRequest.projectId,
    iid: mergeRequest.iid,
  };
  const labels = new Set(
    fields.labels === undefined ? mergeRequest.labels : labelsOf(fields.labels),
  );
  labelsOf(fields.add_labels ?? '').forEach(label => labels.add(label));
  labelsOf(fields.remove_labels ?? '').forEach(label => labels.delete(label));
  if ([...labels].sort().join() !== mergeRequest.labels.join()) {
    state.setLabels({ ...reference, labels: [...labels] });
  }
  if (fields.description !== undefined) {
    mergeRequest.description = String(fields.description);
  }
  if (fields.title !== undefined || fields.target_branch !== undefined) {
    state.edit({
      ...reference,
      title: fields.title === undefined ? undefined : String(fields.title),
      targetBranch:
        fields.target_branch === undefined
          ? undefined
          : String(fields.target_branch),
    });
  }
  const by = request.token.user.username;
  if (fields.state_event === 'close') {
    state.close({ ...reference, by });
  } else if (fields.state_event === 'reopen') {
    state.reopen({ ...reference, by });
  }
  return json(renderSingleMergeRequest(state, mergeRequest));
}

function createMergeRequest(request: GitLabRequest): RouteResult {
  const { state, fields, token } = request;
  const source = readableProject(request);
  for (const name of ['source_branch', 'target_branch', 'title']) {
    if (fields[name] === undefined || fields[name] === '') {
      throw badRequest(`${name} is missing`);
    }
  }
  const sourceBranch = String(fields.source_branch);
  const targetBranch = String(fields.target_branch);
  if (!source.branches.has(targetBranch)) {
    throw refused(422, 'Target branch does not exist');
  }
  if (!source.branches.has(sourceBranch)) {
    throw refused(422, 'Source branch does not exist');
  }
  const title = String(fields.title);
  const draft = /^draft: /i.test(title);
  const mergeRequest = state.openMergeRequest({
    project: source.id,
    sourceBranch,
    targetBranch,
    title: draft ? title.slice('Draft: '.length) : title,
    draft,
    author: token.user.username,
    description: String(fields.description ?? ''),
    labels: labelsOf(fields.labels ?? ''),
  });
  return json(renderSingleMergeRequest(state, mergeRequest), 201);
}

function acceptMergeRequest(request: GitLabRequest): RouteResult {
  const { state, fields } = request;
  const mergeRequest = mergeRequestOf(request);
  if (!mayMerge(readableProject(request), mergeRequest.targetBranch)) {
    throw refused(401, '401 Unauthorized');
  }
  if (
    mergeRequest.state !== 'opened' ||
    mergeRequest.draft ||
    mergeRequest.sha === null
  ) {
    throw refused(405, '405 Method Not Allowed');
  }
  if (state.previewMerge(mergeRequest).conflicts.length > 0) {
    throw refused(422, 'Branch cannot be merged');
  }
  if (fields.sha !== undefined && fields.sha !== mergeRequest.sha) {
    throw refused(409, 'SHA does not match HEAD of source branch');
  }
  state.merge({
    project: mergeRequest.projectId,
    iid: mergeRequest.iid,
    by: request.token.user.username,
  });
  return json(renderSingleMergeRequest(state, mergeRequest));
}

/** The routes, in the order in which they are tried. */
export const routes: Route[] = [
  read('/version', () =>
    json({ version: '18.4.1-ee', revision: 'a1b2c3d4e5f' }),
  ),
  read('/metadata', request =>
    json({
      version: '18.4.1-ee',
      revision: 'a1b2c3d4e5f',
      kas: { enabled: false, externalUrl: null, version: null },
      enterprise: true,
      url: request.state.externalUrl,
    }),
  ),
  read(
    '/user',
    request => json(renderUser(request.state, request.token.user)),
    [...READ, 'read_user'],
  ),
  read('/users', request => {
    const username = request.query.get('username');
    return list(
      [...request.state.users.values()].filter(
        user => !username || user.username === username,
      ),
      user => renderUser(request.state, user),
    );
  }),
  read(
    '/personal_access_tokens/self',
    request =>
      json(
        renderToken(
          request.token,
          !request.token.revoked && !isExpired(request.token, request.now),
        ),
      ),
    // Any valid token may ask about itself.
    ['api', 'read_api', 'read_user', 'read_repository', 'read_registry'],
  ),
  read('/groups', request => {
    const search = request.query.get('search')?.toLowerCase();
    return list(
      [...request.state.groups.values()].filter(
        group => !search || group.fullPath.includes(search),
      ),
      group => renderGroup(request.state, group),
    );
  }),
  read('/groups/:id', request =>
    json(renderGroup(request.state, readableGroup(request))),
  ),
  read('/groups/:id/subgroups', request => {
    const group = readableGroup(request);
    return list(
      [...request.state.groups.values()].filter(
        candidate => candidate.parentId === group.id,
      ),
      subgroup => renderGroup(request.state, subgroup),
    );
  }),
  read('/groups/:id/descendant_groups', request => {
    const prefix = `${readableGroup(request).fullPath}/`;
    return list(
      [...request.state.groups.values()].filter(candidate =>
        candidate.fullPath.startsWith(prefix),
      ),
      subgroup => renderGroup(request.state, subgroup),
    );
  }),
  read('/groups/:id/projects', request =>
    list(
      listedProjects(
        request,
        groupProjects(
          request,
          request.query.get('include_subgroups') === 'true',
        ),
      ),
      project => renderProject(request.state, project),
    ),
  ),
  read('/groups/:id/merge_requests', request =>
    mergeRequestList(
      request,
      groupProjects(request, true).filter(project =>
        mayRead(request.token, project),
      ),
    ),
  ),
  read('/merge_requests', request => {
    const projects = [...request.state.projects.values()].filter(project =>
      mayRead(request.token, project),
    );
    const scope = request.query.get('scope') ?? 'created_by_me';
    const result = mergeRequestList(request, projects);
    if (scope === 'all' || result.kind !== 'list') {
      return result;
    }
    return {
      ...result,
      items: (result.items as MergeRequest[]).filter(
        mergeRequest =>
          scope.startsWith('created') &&
          mergeRequest.author.id === request.token.user.id,
      ),
    };
  }),
  read('/projects', request =>
    list(
      listedProjects(request, [...request.state.projects.values()]),
      project => renderProject(request.state, project),
    ),
  ),
  read('/projects/:id', request =>
    json(renderProject(request.state, readableProject(request))),
  ),
  read('/projects/:id/languages', request => {
    readableProject(request);
    return json({ TypeScript: 100 });
  }),
  read('/projects/:id/merge_requests', request =>
    mergeRequestList(request, [readableProject(request)]),
  ),
  {
    method: 'POST',
    path: '/projects/:id/merge_requests',
    scopes: WRITE,
    handle: createMergeRequest,
  },
  {
    method: 'PUT',
    path: '/projects/:id/merge_requests/:iid/merge',
    scopes: WRITE,
    handle: acceptMergeRequest,
  },
  read('/projects/:id/merge_requests/:iid', request =>
    json(renderSingleMergeRequest(request.state, mergeRequestOf(request))),
  ),
  {
    method: 'PUT',
    path: '/projects/:id/merge_requests/:iid',
    scopes: WRITE,
    handle: updateMergeRequest,
  },
  read('/projects/:id/merge_requests/:iid/pipelines', request => {
    const mergeRequest = mergeRequestOf(request);
    const source = request.state.findProject(mergeRequest.sourceProjectId);
    return list(
      source ? request.state.pipelinesOf(mergeRequest) : [],
      pipeline =>
        renderPipelineSummary(request.state, source as Project, pipeline),
    );
  }),
  read('/projects/:id/merge_requests/:iid/approvals', request =>
    json(
      renderApprovals(request.state, mergeRequestOf(request), {
        withTimes: !request.faults.approvalsWithoutTimes,
      }),
    ),
  ),
  read('/projects/:id/merge_requests/:iid/notes', request => {
    const mergeRequest = mergeRequestOf(request);
    const notes = [...mergeRequest.systemNotes];
    return list(
      request.query.get('sort') === 'asc' ? notes : notes.reverse(),
      note => renderSystemNote(request.state, mergeRequest, note),
    );
  }),
  read('/projects/:id/merge_requests/:iid/commits', request => {
    const mergeRequest = mergeRequestOf(request);
    const project = readableProject(request);
    const source =
      request.state.findProject(mergeRequest.sourceProjectId) ?? project;
    const commits = mergeRequest.sha
      ? commitsBetween({
          commits: source.commits,
          from: mergeRequest.baseSha,
          to: mergeRequest.sha,
        }).reverse()
      : [];
    return list(commits, commit =>
      renderCommit(request.state, project, commit),
    );
  }),
  read('/projects/:id/merge_requests/:iid/diffs', request => {
    const mergeRequest = mergeRequestOf(request);
    const source = request.state.findProject(mergeRequest.sourceProjectId);
    return list(
      source ? renderDiffs(request.state, source, mergeRequest) : [],
      diff => diff,
    );
  }),
  read('/projects/:id/merge_requests/:iid/changes', request => {
    const mergeRequest = mergeRequestOf(request);
    const source = request.state.findProject(mergeRequest.sourceProjectId);
    return json({
      ...renderSingleMergeRequest(request.state, mergeRequest),
      changes: source ? renderDiffs(request.state, source, mergeRequest) : [],
      overflow: false,
    });
  }),
  read('/projects/:id/pipelines', request => {
    const project = readableProject(request);
    const sha = request.query.get('sha');
    const ref = request.query.get('ref');
    const status = request.query.get('status');
    const updatedAfter = request.query.get('updated_after');
    return list(
      project.pipelines
        .filter(
          pipeline =>
            (!sha || pipeline.sha === sha) &&
            (!ref || pipeline.ref === ref) &&
            (!status || pipeline.status === status) &&
            (!updatedAfter ||
              Date.parse(pipeline.updatedAt) >= Date.parse(updatedAfter)),
        )
        .reverse(),
      pipeline => renderPipelineSummary(request.state, project, pipeline),
    );
  }),
  read('/projects/:id/pipelines/:pipeline', request => {
    const project = readableProject(request);
    const pipeline = project.pipelines.find(
      candidate => candidate.id === Number(request.parameters.pipeline),
    );
    if (!pipeline) {
      throw notFound();
    }
    return json(renderPipeline(request.state, project, pipeline));
  }),
  read('/projects/:id/registry/repositories', request => {
    const project = readableProject(request);
    return list(project.registry, repository =>
      renderRegistryRepository(request.state, project, repository),
    );
  }),
  read('/projects/:id/registry/repositories/:repository/tags', request => {
    const repository = repositoryOf(request);
    return list(
      [...repository.tags.values()].sort((left, right) =>
        left.name < right.name ? -1 : 1,
      ),
      tag => renderRegistryTag(request.state, repository, tag),
    );
  }),
  read('/projects/:id/registry/repositories/:repository/tags/:tag', request => {
    const repository = repositoryOf(request);
    const tag = repository.tags.get(request.parameters.tag);
    if (!tag) {
      throw notFound('Tag');
    }
    return json(renderRegistryTagDetail(request.state, repository, tag));
  }),
  ...repositoryRoutes,
  ...protectionRoutes,
  read(
    '/projects/:id/hooks',
    request => {
      const project = readableProject(request);
      return list(project.hooks, hook => renderHook(hook, project.id));
    },
    READ,
  ),
  {
    method: 'POST',
    path: '/projects/:id/hooks',
    scopes: WRITE,
    handle: request => {
      const project = readableProject(request);
      const { url, token } = request.fields;
      if (typeof url !== 'string' || url === '') {
        throw badRequest('url is missing');
      }
      if (!URL.canParse(url)) {
        throw new GitLabAnswer({
          status: 422,
          body: { error: 'Invalid url given' },
        });
      }
      const hook = request.state.addHook({
        project: project.id,
        url,
        token: token === undefined ? undefined : String(token),
        mergeRequestsEvents: isTrue(request.fields.merge_requests_events),
        pipelineEvents: isTrue(request.fields.pipeline_events),
      });
      return json(renderHook(hook, project.id), 201);
    },
  },
  {
    method: 'DELETE',
    path: '/projects/:id/hooks/:hook',
    scopes: WRITE,
    handle: request => {
      const project = readableProject(request);
      const index = project.hooks.findIndex(
        hook => hook.id === Number(request.parameters.hook),
      );
      if (index < 0) {
        throw notFound('Hook');
      }
      project.hooks.splice(index, 1);
      return json(undefined, 204);
    },
  },
];

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
