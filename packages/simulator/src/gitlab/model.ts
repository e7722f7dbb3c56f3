import type { Tree } from './trees';

/** The things a GitLab instance stores, as the simulator keeps them. Times are ISO 8601 UTC. */

/** A person or bot with an account. */
export interface User {
  id: number;
  username: string;
  name: string;
}

/** A group or subgroup. */
export interface Group {
  id: number;
  name: string;
  path: string;
  fullPath: string;
  parentId?: number;
  hooks: Hook[];
}

/** One commit of a project. */
export interface Commit {
  sha: string;
  parents: string[];
  title: string;
  /** With the title as its first line; absent where the title is all. */
  message?: string;
  author: User;
  createdAt: string;
  /** Paths that the commit changes. */
  changedPaths: string[];
  /** All files at this commit. */
  tree: Tree;
}

/** A container image tag. */
export interface RegistryTag {
  name: string;
  digest: string;
  createdAt: string;
}

/** A repository of a project's container registry; `name` is empty for the project's own path. */
export interface RegistryRepository {
  id: number;
  name: string;
  path: string;
  createdAt: string;
  tags: Map<string, RegistryTag>;
}

/** Where and how webhooks are delivered. */
export interface Hook {
  id: number;
  uuid: string;
  url: string;
  /** Sent as `X-Gitlab-Token`. */
  token?: string;
  /** `whsec_…`: deliveries are also signed as Standard Webhooks. */
  signingSecret?: string;
  mergeRequestsEvents: boolean;
  pipelineEvents: boolean;
  createdAt: string;
}

export type PipelineStatus =
  | 'created'
  | 'pending'
  | 'running'
  | 'success'
  | 'failed'
  | 'canceled';

/** One CI run for one commit. */
export interface Pipeline {
  id: number;
  iid: number;
  projectId: number;
  sha: string;
  ref: string;
  source: 'push' | 'merge_request_event';
  status: PipelineStatus;
  createdAt: string;
  updatedAt: string;
  startedAt?: string;
  finishedAt?: string;
  user: User;
}

export type MergeRequestState = 'opened' | 'closed' | 'merged' | 'locked';

/** A merge request of its target project. */
export interface MergeRequest {
  id: number;
  iid: number;
  /** The target project, which the merge request belongs to. */
  projectId: number;
  /** Another project for a fork; stays when the fork is deleted. */
  sourceProjectId: number;
  title: string;
  description: string;
  state: MergeRequestState;
  draft: boolean;
  author: User;
  labels: string[];
  sourceBranch: string;
  targetBranch: string;
  /** Null once the source branch is deleted while the merge request is open. */
  sha: string | null;
  /** Commit the source branch left the target branch at. */
  baseSha: string;
  mergeCommitSha?: string;
  createdAt: string;
  updatedAt: string;
  mergedAt?: string;
  mergedBy?: User;
  closedAt?: string;
  closedBy?: User;
  approvals: { user: User; createdAt: string }[];
  /** Those that GitLab writes by itself, the oldest first. */
  systemNotes: SystemNote[];
}

/** What GitLab notes below a merge request when somebody does something to it. */
export interface SystemNote {
  id: number;
  /** English, whatever language the reader has chosen. */
  body: string;
  author: User;
  createdAt: string;
}

/** GitLab's number of a role; 0 is nobody. */
export type AccessLevel = 0 | 30 | 40 | 60;

/** Who may change a protected branch. */
export interface ProtectedBranch {
  id: number;
  /** By committing to it. */
  push: AccessLevel;
  /** By merging into it. */
  merge: AccessLevel;
}

/** Who may create tags of a protected name. */
export interface ProtectedTag {
  create: AccessLevel;
}

/** A project: repository, merge requests, pipelines and registry. */
export interface Project {
  id: number;
  name: string;
  path: string;
  pathWithNamespace: string;
  /** Absent for the project of a user. */
  groupId?: number;
  ownerUsername?: string;
  forkedFromId?: number;
  description: string;
  visibility: 'private' | 'internal' | 'public';
  defaultBranch: string;
  archived: boolean;
  createdAt: string;
  lastActivityAt: string;
  branches: Map<string, string>;
  /** Commits by the name of their tag. */
  tags: Map<string, string>;
  commits: Map<string, Commit>;
  protectedBranches: Map<string, ProtectedBranch>;
  /** Names or patterns of tags that not everybody may create. */
  protectedTags: Map<string, ProtectedTag>;
  mergeRequests: Map<number, MergeRequest>;
  nextMergeRequestIid: number;
  pipelines: Pipeline[];
  registry: RegistryRepository[];
  hooks: Hook[];
}

/** An access token of the REST API. */
export interface AccessToken {
  id: number;
  name: string;
  value: string;
  user: User;
  scopes: string[];
  /** `YYYY-MM-DD`; the token ends at the start of that day. */
  expiresAt?: string;
  revoked: boolean;
  createdAt: string;
  /** Projects it may see; absent for all. */
  projectIds?: Set<number>;
}
