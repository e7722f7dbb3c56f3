/**
 * What a module is told of a preview. Times are ISO 8601 UTC. What upstreams sent
 * is in it as they sent it: texts may hold anything.
 *
 * @public
 */
export interface PreviewsSubject {
  /** Opaque and stable over renames of the project. */
  id: string;
  mergeRequest: {
    /** Host of the GitLab instance, as configured. */
    host: string;
    /** Full path of the target project. */
    project: string;
    projectId: number;
    iid: number;
    title: string;
    /** Login. */
    author: string;
    sourceBranch: string;
    targetBranch: string;
    labels: readonly string[];
    draft: boolean;
    state: 'opened' | 'locked' | 'merged' | 'closed' | 'deleted';
    /** Full SHA; absent when the source branch is gone. */
    headSha?: string;
    createdAt: string;
    updatedAt: string;
    mergedAt?: string;
    closedAt?: string;
    /** The first of the approvals that stand, where GitLab tells. */
    approvedAt?: string;
  };
  /** What ready pods run, as a tag or a revision, where that is known. */
  runningCommit?: string;
  urls: readonly string[];
  applications: readonly {
    cluster: string;
    namespace: string;
    name: string;
  }[];
  namespaces: readonly { cluster: string; name: string }[];
  /** The plugin's own conditions, in the order of a preview's life. */
  conditions: readonly {
    type: string;
    status: 'True' | 'False' | 'Unknown';
    reason: string;
  }[];
}
