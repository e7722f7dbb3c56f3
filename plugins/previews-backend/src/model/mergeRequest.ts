/** Identity of a merge request over renames: one preview each. */
export interface MergeRequestKey {
  /** Host of the GitLab instance as configured, lower case, with the port if any. */
  host: string;
  projectId: number;
  iid: number;
}

export interface PipelineFact {
  id: number;
  /** GitLab's own word. */
  status: string;
  sha: string;
  /** It runs for what the MR would be once merged: its commit is GitLab's own, and never the head. */
  ofMergedResult?: true;
  /** Parents of that commit, one of which is the head; absent while they are not known. */
  parents?: readonly string[];
  /** `push`, `merge_request_event` and so on, where GitLab says so. */
  source?: string;
  webUrl?: string;
  createdAt?: string;
  startedAt?: string;
  finishedAt?: string;
}

/** Whether a pipeline runs for a commit, or for what would become of it once merged. */
export function ranFor(
  { sha, parents = [] }: PipelineFact,
  head: string,
): boolean {
  return sha === head || parents.includes(head);
}

export interface MergeRequestFact {
  key: MergeRequestKey;
  title: string;
  /** As GitLab sent it; checked against the configured origin before it is shown. */
  webUrl?: string;
  author: { username: string; name?: string };
  sourceBranch: string;
  targetBranch: string;
  sourceProjectId?: number;
  fork: boolean;
  draft: boolean;
  labels: string[];
  state: 'opened' | 'locked' | 'merged' | 'closed';
  /** Full SHA; absent when the source branch is gone. */
  headSha?: string;
  createdAt: string;
  updatedAt: string;
  mergedAt?: string;
  closedAt?: string;
}

/** Whether anybody has approved an MR. */
export interface ApprovalsFact {
  /** Somebody's approval stands. */
  approved: boolean;
  /**
   * ISO: when the first of the approvals that stand was given. Absent when none
   * stands, and where GitLab does not tell.
   */
  firstAt?: string;
}

export interface ProjectFact {
  id: number;
  /** Full path, such as `group/subgroup/project`. */
  path: string;
  /**
   * Other paths that a set or an entity names it by, in lower case, where GitLab leads
   * from them to it: it was moved or renamed. Absent where there are none.
   */
  formerPaths?: readonly string[];
  webUrl?: string;
  /** `registry.example.com/group/project`, where the instance has a registry. */
  registryPath?: string;
  httpUrl?: string;
  sshUrl?: string;
}
