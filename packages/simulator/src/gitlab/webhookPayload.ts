import type { MergeRequest, Pipeline, Project, User } from './model';
import { mergeRequestWebUrl, pipelineDuration, projectWebUrl } from './render';
import { stateId, type GitLabEvent, type GitLabState } from './state';

const APPROVAL_ACTIONS = new Set<string>(['approved', 'unapproved']);

/** Webhook payloads write times so, unlike the REST API. */
function webhookTime(timestamp: string): string {
  return `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;
}

function projectPayload(state: GitLabState, project: Project) {
  const webUrl = projectWebUrl(state, project);
  const ssh = `git@${new URL(state.externalUrl).hostname}:${
    project.pathWithNamespace
  }.git`;
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    web_url: webUrl,
    avatar_url: null,
    git_ssh_url: ssh,
    git_http_url: `${webUrl}.git`,
    namespace: project.pathWithNamespace.split('/').at(-2),
    visibility_level: { private: 0, internal: 10, public: 20 }[
      project.visibility
    ],
    path_with_namespace: project.pathWithNamespace,
    default_branch: project.defaultBranch,
    ci_config_path: '',
    homepage: webUrl,
    url: ssh,
    ssh_url: ssh,
    http_url: `${webUrl}.git`,
  };
}

function userPayload(user: User) {
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    avatar_url: null,
    email: '[REDACTED]',
  };
}

function labelPayload(project: Project, title: string) {
  let id = 0;
  for (const character of title) {
    id = (id * 31 + (character.codePointAt(0) as number)) % 1_000_000;
  }
  return {
    id,
    title,
    color: '#428bca',
    project_id: project.id,
    created_at: webhookTime(project.createdAt),
    updated_at: webhookTime(project.createdAt),
    template: false,
    description: null,
    type: 'ProjectLabel',
    group_id: null,
  };
}

function lastCommitPayload(
  state: GitLabState,
  project: Project | undefined,
  sha: string | null,
) {
  const commit = sha ? project?.commits.get(sha) : undefined;
  return (
    commit &&
    project && {
      id: commit.sha,
      message: commit.title,
      title: commit.title,
      timestamp: commit.createdAt,
      url: `${projectWebUrl(state, project)}/-/commit/${commit.sha}`,
      author: { name: commit.author.name, email: '[REDACTED]' },
    }
  );
}

function mergeRequestPayload(
  state: GitLabState,
  event: Extract<GitLabEvent, { type: 'mergeRequest' }>,
) {
  const { project, mergeRequest, changes } = event;
  const source = state.findProject(mergeRequest.sourceProjectId);
  const labels = mergeRequest.labels.map(label => labelPayload(project, label));
  const labelChange = changes.labels && {
    labels: {
      previous: (changes.labels.previous as string[]).map(label =>
        labelPayload(project, label),
      ),
      current: (changes.labels.current as string[]).map(label =>
        labelPayload(project, label),
      ),
    },
  };
  const head = state
    .pipelinesOf(mergeRequest)
    .find(pipeline => pipeline.sha === mergeRequest.sha);
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: userPayload(event.user),
    project: projectPayload(state, project),
    object_attributes: {
      assignee_id: null,
      author_id: mergeRequest.author.id,
      created_at: webhookTime(mergeRequest.createdAt),
      description: mergeRequest.description,
      draft: mergeRequest.draft,
      head_pipeline_id: head?.id ?? null,
      id: mergeRequest.id,
      iid: mergeRequest.iid,
      last_edited_at: null,
      last_edited_by_id: null,
      merge_commit_sha: mergeRequest.mergeCommitSha ?? null,
      merge_error: null,
      merge_params: { force_remove_source_branch: '1' },
      merge_status: 'can_be_merged',
      merge_user_id: mergeRequest.mergedBy?.id ?? null,
      merge_when_pipeline_succeeds: false,
      milestone_id: null,
      source_branch: mergeRequest.sourceBranch,
      source_project_id: mergeRequest.sourceProjectId,
      state_id: stateId(mergeRequest.state),
      target_branch: mergeRequest.targetBranch,
      target_project_id: mergeRequest.projectId,
      time_estimate: 0,
      title: mergeRequest.title,
      updated_at: webhookTime(mergeRequest.updatedAt),
      updated_by_id: event.user.id,
      prepared_at: webhookTime(mergeRequest.createdAt),
      assignee_ids: [],
      blocking_discussions_resolved: true,
      detailed_merge_status:
        mergeRequest.state === 'opened' ? 'mergeable' : 'not_open',
      first_contribution: false,
      human_time_change: null,
      human_time_estimate: null,
      human_total_time_spent: null,
      labels,
      last_commit: lastCommitPayload(state, source, mergeRequest.sha),
      reviewer_ids: [],
      source: source ? projectPayload(state, source) : null,
      state: mergeRequest.state,
      target: projectPayload(state, project),
      time_change: 0,
      total_time_spent: 0,
      url: mergeRequestWebUrl(state, mergeRequest),
      work_in_progress: mergeRequest.draft,
      approval_rules: [],
      action: event.action,
      ...(event.oldrev && { oldrev: event.oldrev }),
    },
    labels,
    // An approval is no change of the merge request itself; its note is written
    // after the hook was built.
    changes: APPROVAL_ACTIONS.has(event.action)
      ? {}
      : {
          ...changes,
          ...labelChange,
          updated_at: {
            previous: webhookTime(mergeRequest.createdAt),
            current: webhookTime(mergeRequest.updatedAt),
          },
        },
    repository: {
      name: project.name,
      url: projectPayload(state, project).git_ssh_url,
      description: project.description,
      homepage: projectWebUrl(state, project),
    },
  };
}

function pipelineMergeRequest(
  state: GitLabState,
  mergeRequest: MergeRequest | undefined,
) {
  return (
    mergeRequest && {
      id: mergeRequest.id,
      iid: mergeRequest.iid,
      title: mergeRequest.title,
      source_branch: mergeRequest.sourceBranch,
      source_project_id: mergeRequest.sourceProjectId,
      target_branch: mergeRequest.targetBranch,
      target_project_id: mergeRequest.projectId,
      state: mergeRequest.state,
      merge_status: 'can_be_merged',
      detailed_merge_status: 'mergeable',
      url: mergeRequestWebUrl(state, mergeRequest),
    }
  );
}

function pipelinePayload(
  state: GitLabState,
  project: Project,
  pipeline: Pipeline,
  mergeRequest: MergeRequest | undefined,
) {
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: pipeline.id,
      iid: pipeline.iid,
      name: null,
      ref: pipeline.ref,
      tag: false,
      sha: pipeline.sha,
      before_sha: '0000000000000000000000000000000000000000',
      source: pipeline.source,
      status: pipeline.status,
      detailed_status:
        pipeline.status === 'success' ? 'passed' : pipeline.status,
      stages: ['build'],
      created_at: webhookTime(pipeline.createdAt),
      finished_at: pipeline.finishedAt
        ? webhookTime(pipeline.finishedAt)
        : null,
      duration: pipelineDuration(pipeline),
      queued_duration: pipeline.startedAt ? 1 : null,
      protected_ref: false,
      variables: [],
      url: `${projectWebUrl(state, project)}/-/pipelines/${pipeline.id}`,
    },
    // GitLab names the merge request of pipelines that were created for one alone.
    merge_request:
      (pipeline.source === 'merge_request_event' &&
        pipelineMergeRequest(state, mergeRequest)) ||
      null,
    user: userPayload(pipeline.user),
    project: projectPayload(state, project),
    commit: lastCommitPayload(state, project, pipeline.sha) ?? null,
    builds: [],
  };
}

/** A delivery's body and the value of its `X-Gitlab-Event` header. */
export interface WebhookPayload {
  event: 'Merge Request Hook' | 'Pipeline Hook';
  body: unknown;
}

/** The payload that GitLab would send for an event, if it sends any. */
export function webhookPayload(
  state: GitLabState,
  event: GitLabEvent,
): WebhookPayload | undefined {
  switch (event.type) {
    case 'mergeRequest':
      return {
        event: 'Merge Request Hook',
        body: mergeRequestPayload(state, event),
      };
    case 'pipeline':
      return {
        event: 'Pipeline Hook',
        body: pipelinePayload(
          state,
          event.project,
          event.pipeline,
          event.mergeRequest,
        ),
      };
    default:
      return undefined;
  }
}
