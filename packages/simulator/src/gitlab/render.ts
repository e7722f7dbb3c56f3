import { commitsBetween } from './history';
import { changedPaths, type Tree } from './trees';
import type {
  AccessToken,
  Commit,
  Group,
  Hook,
  MergeRequest,
  Pipeline,
  Project,
  RegistryRepository,
  RegistryTag,
  SystemNote,
  User,
} from './model';
import { isBranchProtected, isTagProtected } from './protection';
import type { GitLabState } from './state';

/** A JSON object of the REST API. */
export type Json = Record<string, unknown>;

/** Shapes of GitLab's REST API v4, with the fields that GitLab 18 sends. */

export function renderUser(state: GitLabState, user: User): Json {
  return {
    id: user.id,
    username: user.username,
    public_email: null,
    name: user.name,
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: `${state.externalUrl}/${user.username}`,
  };
}

export function renderGroup(state: GitLabState, group: Group): Json {
  return {
    id: group.id,
    web_url: `${state.externalUrl}/groups/${group.fullPath}`,
    name: group.name,
    path: group.path,
    description: '',
    visibility: 'private',
    share_with_group_lock: false,
    require_two_factor_authentication: false,
    project_creation_level: 'developer',
    subgroup_creation_level: 'maintainer',
    emails_disabled: false,
    lfs_enabled: true,
    archived: false,
    avatar_url: null,
    request_access_enabled: true,
    full_name: group.fullPath.split('/').join(' / '),
    full_path: group.fullPath,
    parent_id: group.parentId ?? null,
    organization_id: 1,
  };
}

export function projectWebUrl(state: GitLabState, project: Project): string {
  return `${state.externalUrl}/${project.pathWithNamespace}`;
}

function sshUrl(state: GitLabState, project: Project): string {
  return `git@${new URL(state.externalUrl).hostname}:${
    project.pathWithNamespace
  }.git`;
}

export function renderProject(state: GitLabState, project: Project): Json {
  const webUrl = projectWebUrl(state, project);
  const namespacePath = project.pathWithNamespace.slice(
    0,
    -project.path.length - 1,
  );
  const group =
    project.groupId === undefined
      ? undefined
      : state.groups.get(project.groupId);
  const forkedFrom =
    project.forkedFromId === undefined
      ? undefined
      : state.projects.get(project.forkedFromId);
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: project.pathWithNamespace.split('/').join(' / '),
    path: project.path,
    path_with_namespace: project.pathWithNamespace,
    created_at: project.createdAt,
    default_branch: project.defaultBranch,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: sshUrl(state, project),
    http_url_to_repo: `${webUrl}.git`,
    web_url: webUrl,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: project.lastActivityAt,
    visibility: project.visibility,
    namespace: {
      id: group?.id ?? state.user(project.ownerUsername ?? '').id,
      name: group?.name ?? namespacePath,
      path: group?.path ?? namespacePath,
      kind: group ? 'group' : 'user',
      full_path: namespacePath,
      parent_id: group?.parentId ?? null,
      avatar_url: null,
      web_url: group
        ? `${state.externalUrl}/groups/${group.fullPath}`
        : `${state.externalUrl}/${namespacePath}`,
    },
    container_registry_image_prefix: `${state.registryHost}/${project.pathWithNamespace}`,
    _links: {
      self: `${state.externalUrl}/api/v4/projects/${project.id}`,
      merge_requests: `${state.externalUrl}/api/v4/projects/${project.id}/merge_requests`,
      repo_branches: `${state.externalUrl}/api/v4/projects/${project.id}/repository/branches`,
    },
    empty_repo: project.branches.size === 0,
    archived: project.archived,
    issues_enabled: true,
    merge_requests_enabled: true,
    jobs_enabled: true,
    container_registry_enabled: true,
    container_registry_access_level: 'enabled',
    builds_access_level: 'enabled',
    merge_method: 'merge',
    squash_option: 'default_off',
    only_allow_merge_if_pipeline_succeeds: false,
    ci_config_path: '',
    ...(forkedFrom && {
      forked_from_project: {
        id: forkedFrom.id,
        name: forkedFrom.name,
        path: forkedFrom.path,
        path_with_namespace: forkedFrom.pathWithNamespace,
        web_url: projectWebUrl(state, forkedFrom),
      },
    }),
  };
}

export function mergeRequestWebUrl(
  state: GitLabState,
  mergeRequest: MergeRequest,
): string {
  const project = state.project(mergeRequest.projectId);
  return `${projectWebUrl(state, project)}/-/merge_requests/${
    mergeRequest.iid
  }`;
}

function detailedMergeStatus(
  mergeRequest: MergeRequest,
  hasConflicts: boolean,
): string {
  if (mergeRequest.state !== 'opened') {
    return 'not_open';
  }
  if (!mergeRequest.sha) {
    return 'commits_status';
  }
  if (mergeRequest.draft) {
    return 'draft_status';
  }
  return hasConflicts ? 'conflict' : 'mergeable';
}

/** A merge request as it appears in lists. */
export function renderMergeRequest(
  state: GitLabState,
  mergeRequest: MergeRequest,
): Json {
  const project = state.project(mergeRequest.projectId);
  const optionalUser = (user: User | undefined) =>
    user ? renderUser(state, user) : null;
  const hasConflicts =
    mergeRequest.state === 'opened' &&
    state.previewMerge(mergeRequest).conflicts.length > 0;
  const status = detailedMergeStatus(mergeRequest, hasConflicts);
  return {
    id: mergeRequest.id,
    iid: mergeRequest.iid,
    project_id: mergeRequest.projectId,
    title: mergeRequest.title,
    description: mergeRequest.description,
    state: mergeRequest.state,
    created_at: mergeRequest.createdAt,
    updated_at: mergeRequest.updatedAt,
    merged_by: optionalUser(mergeRequest.mergedBy),
    merge_user: optionalUser(mergeRequest.mergedBy),
    merged_at: mergeRequest.mergedAt ?? null,
    closed_by: optionalUser(mergeRequest.closedBy),
    closed_at: mergeRequest.closedAt ?? null,
    target_branch: mergeRequest.targetBranch,
    source_branch: mergeRequest.sourceBranch,
    // System notes do not count.
    user_notes_count: 0,
    upvotes: 0,
    downvotes: 0,
    author: renderUser(state, mergeRequest.author),
    assignees: [],
    assignee: null,
    reviewers: [],
    source_project_id: mergeRequest.sourceProjectId,
    target_project_id: mergeRequest.projectId,
    labels: mergeRequest.labels,
    draft: mergeRequest.draft,
    imported: false,
    imported_from: 'none',
    work_in_progress: mergeRequest.draft,
    milestone: null,
    merge_when_pipeline_succeeds: false,
    merge_status: status === 'mergeable' ? 'can_be_merged' : 'cannot_be_merged',
    detailed_merge_status: status,
    merge_after: null,
    sha: mergeRequest.sha,
    merge_commit_sha: mergeRequest.mergeCommitSha ?? null,
    squash_commit_sha: null,
    discussion_locked: null,
    should_remove_source_branch: null,
    force_remove_source_branch: true,
    prepared_at: mergeRequest.createdAt,
    reference: `!${mergeRequest.iid}`,
    references: {
      short: `!${mergeRequest.iid}`,
      relative: `!${mergeRequest.iid}`,
      full: `${project.pathWithNamespace}!${mergeRequest.iid}`,
    },
    web_url: mergeRequestWebUrl(state, mergeRequest),
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    squash: false,
    squash_on_merge: false,
    task_completion_status: { count: 0, completed_count: 0 },
    has_conflicts: hasConflicts,
    blocking_discussions_resolved: true,
    approvals_before_merge: null,
  };
}

/** A merge request as its own GET shows it: with `head_pipeline`, which lists leave out. */
export function renderSingleMergeRequest(
  state: GitLabState,
  mergeRequest: MergeRequest,
): Json {
  const pipelines = state.pipelinesOf(mergeRequest);
  const head = pipelines.find(pipeline => pipeline.sha === mergeRequest.sha);
  const project = state.findProject(mergeRequest.sourceProjectId);
  return {
    ...renderMergeRequest(state, mergeRequest),
    subscribed: false,
    changes_count: project
      ? String(renderDiffs(state, project, mergeRequest).length)
      : null,
    latest_build_started_at: head?.startedAt ?? null,
    latest_build_finished_at: head?.finishedAt ?? null,
    first_deployed_to_production_at: null,
    pipeline:
      head && project ? renderPipelineSummary(state, project, head) : null,
    head_pipeline:
      head && project ? renderPipeline(state, project, head) : null,
    diff_refs: {
      base_sha: mergeRequest.baseSha,
      head_sha: mergeRequest.sha,
      start_sha: mergeRequest.baseSha,
    },
    merge_error: null,
    first_contribution: false,
    user: { can_merge: false },
  };
}

/** A pipeline as it appears in lists. */
export function renderPipelineSummary(
  state: GitLabState,
  project: Project,
  pipeline: Pipeline,
): Json {
  return {
    id: pipeline.id,
    iid: pipeline.iid,
    project_id: pipeline.projectId,
    sha: pipeline.sha,
    ref: pipeline.ref,
    status: pipeline.status,
    source: pipeline.source,
    created_at: pipeline.createdAt,
    updated_at: pipeline.updatedAt,
    web_url: `${projectWebUrl(state, project)}/-/pipelines/${pipeline.id}`,
    name: null,
  };
}

export function pipelineDuration(pipeline: Pipeline): number | null {
  return pipeline.startedAt && pipeline.finishedAt
    ? Math.round(
        (Date.parse(pipeline.finishedAt) - Date.parse(pipeline.startedAt)) /
          1000,
      )
    : null;
}

/** A pipeline whole. */
export function renderPipeline(
  state: GitLabState,
  project: Project,
  pipeline: Pipeline,
): Json {
  return {
    ...renderPipelineSummary(state, project, pipeline),
    before_sha: '0000000000000000000000000000000000000000',
    tag: false,
    yaml_errors: null,
    user: renderUser(state, pipeline.user),
    started_at: pipeline.startedAt ?? null,
    finished_at: pipeline.finishedAt ?? null,
    committed_at: null,
    duration: pipelineDuration(pipeline),
    queued_duration: pipeline.startedAt ? 1 : null,
    coverage: null,
    detailed_status: {
      icon: `status_${pipeline.status}`,
      text: pipeline.status,
      label: pipeline.status,
      group: pipeline.status,
      tooltip: pipeline.status,
      has_details: true,
      details_path: `/${project.pathWithNamespace}/-/pipelines/${pipeline.id}`,
      illustration: null,
      favicon: '',
    },
  };
}

export function renderCommit(
  state: GitLabState,
  project: Project,
  commit: Commit,
): Json {
  return {
    id: commit.sha,
    short_id: commit.sha.slice(0, 8),
    created_at: commit.createdAt,
    parent_ids: commit.parents,
    title: commit.title,
    message: commit.message ?? commit.title,
    author_name: commit.author.name,
    author_email: `${commit.author.username}@example.com`,
    authored_date: commit.createdAt,
    committer_name: commit.author.name,
    committer_email: `${commit.author.username}@example.com`,
    committed_date: commit.createdAt,
    trailers: {},
    extended_trailers: {},
    web_url: `${projectWebUrl(state, project)}/-/commit/${commit.sha}`,
  };
}

export function renderBranch(
  state: GitLabState,
  project: Project,
  name: string,
): Json {
  const commit = project.commits.get(project.branches.get(name) ?? '');
  return {
    name,
    commit: commit ? renderCommit(state, project, commit) : null,
    merged: false,
    protected: isBranchProtected(project, name),
    developers_can_push: false,
    developers_can_merge: false,
    can_push: false,
    default: name === project.defaultBranch,
    web_url: `${projectWebUrl(state, project)}/-/tree/${name}`,
  };
}

export function renderRegistryRepository(
  state: GitLabState,
  project: Project,
  repository: RegistryRepository,
): Json {
  return {
    id: repository.id,
    name: repository.name,
    path: repository.path,
    project_id: project.id,
    location: `${state.registryHost}/${repository.path}`,
    created_at: repository.createdAt,
    cleanup_policy_started_at: null,
    status: null,
  };
}

export function renderRegistryTag(
  state: GitLabState,
  repository: RegistryRepository,
  tag: RegistryTag,
): Json {
  return {
    name: tag.name,
    path: `${repository.path}:${tag.name}`,
    location: `${state.registryHost}/${repository.path}:${tag.name}`,
  };
}

export function renderRegistryTagDetail(
  state: GitLabState,
  repository: RegistryRepository,
  tag: RegistryTag,
): Json {
  const revision = tag.digest.slice('sha256:'.length);
  return {
    ...renderRegistryTag(state, repository, tag),
    revision,
    short_revision: revision.slice(0, 9),
    digest: tag.digest,
    created_at: tag.createdAt,
    total_size: 48_234_496,
  };
}

/** As the free tier has it; only newer versions tell when somebody approved. */
export function renderApprovals(
  state: GitLabState,
  mergeRequest: MergeRequest,
  options: { withTimes: boolean },
): Json {
  return {
    user_has_approved: false,
    user_can_approve: false,
    approved: mergeRequest.approvals.length > 0,
    approved_by: mergeRequest.approvals.map(approval => ({
      user: renderUser(state, approval.user),
      ...(options.withTimes && { approved_at: approval.createdAt }),
    })),
  };
}

export function renderSystemNote(
  state: GitLabState,
  mergeRequest: MergeRequest,
  note: SystemNote,
): Json {
  return {
    id: note.id,
    type: null,
    body: note.body,
    author: renderUser(state, note.author),
    created_at: note.createdAt,
    updated_at: note.createdAt,
    system: true,
    noteable_id: mergeRequest.id,
    noteable_type: 'MergeRequest',
    project_id: mergeRequest.projectId,
    resolvable: false,
    confidential: false,
    internal: false,
    imported: false,
    imported_from: 'none',
    noteable_iid: mergeRequest.iid,
    commands_changes: {},
  };
}

/** What a merge request changes, file by file. */
export function renderDiffs(
  state: GitLabState,
  project: Project,
  mergeRequest: MergeRequest,
): Json[] {
  const base = state.filesAt(
    state.project(mergeRequest.projectId),
    mergeRequest.baseSha,
  );
  const head = mergeRequest.sha && state.filesAt(project, mergeRequest.sha);
  if (head && head !== base) {
    return renderFileDiffs(base, head);
  }
  const commits = mergeRequest.sha
    ? commitsBetween({
        commits: project.commits,
        from: mergeRequest.baseSha,
        to: mergeRequest.sha,
      })
    : [];
  const paths = new Set(commits.flatMap(commit => commit.changedPaths));
  return [...paths]
    .sort()
    .map(path => renderDiff(path, { before: 'before', after: 'after' }));
}

/** What differs between two trees, file by file. */
export function renderFileDiffs(before: Tree, after: Tree): Json[] {
  return changedPaths(before, after).map(path =>
    renderDiff(path, { before: before.get(path), after: after.get(path) }),
  );
}

/** One hunk that replaces all lines: valid, if not the shortest. */
function renderDiff(
  path: string,
  content: { before?: string; after?: string },
): Json {
  const lines = (text: string | undefined) =>
    text ? text.replace(/\n$/, '').split('\n') : [];
  const [before, after] = [lines(content.before), lines(content.after)];
  const range = (count: number) => `${count === 0 ? 0 : 1},${count}`;
  const hunk = [
    `@@ -${range(before.length)} +${range(after.length)} @@`,
    ...before.map(line => `-${line}`),
    ...after.map(line => `+${line}`),
  ];
  return {
    old_path: path,
    new_path: path,
    a_mode: content.before === undefined ? '0' : '100644',
    b_mode: content.after === undefined ? '0' : '100644',
    new_file: content.before === undefined,
    renamed_file: false,
    deleted_file: content.after === undefined,
    generated_file: false,
    collapsed: false,
    too_large: false,
    diff: `${hunk.join('\n')}\n`,
  };
}

/** A tag as its own GET and the list show it. */
export function renderTag(
  state: GitLabState,
  project: Project,
  name: string,
): Json {
  const sha = project.tags.get(name) ?? '';
  const commit = project.commits.get(sha);
  return {
    name,
    message: '',
    target: sha,
    commit: commit ? renderCommit(state, project, commit) : null,
    release: null,
    protected: isTagProtected(project, name),
    created_at: commit?.createdAt ?? null,
  };
}

export function renderHook(hook: Hook, projectId: number): Json {
  return {
    id: hook.id,
    url: hook.url,
    name: null,
    description: null,
    created_at: hook.createdAt,
    push_events: false,
    tag_push_events: false,
    merge_requests_events: hook.mergeRequestsEvents,
    pipeline_events: hook.pipelineEvents,
    repository_update_events: false,
    enable_ssl_verification: true,
    alert_status: 'executable',
    disabled_until: null,
    url_variables: [],
    push_events_branch_filter: null,
    branch_filter_strategy: 'wildcard',
    custom_webhook_template: null,
    custom_headers: [],
    project_id: projectId,
  };
}

export function renderToken(token: AccessToken, active: boolean): Json {
  return {
    id: token.id,
    name: token.name,
    revoked: token.revoked,
    created_at: token.createdAt,
    description: null,
    scopes: token.scopes,
    user_id: token.user.id,
    last_used_at: token.createdAt,
    active,
    expires_at: token.expiresAt ?? null,
  };
}
