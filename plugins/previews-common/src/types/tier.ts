import { PreviewUrl } from './preview';

/**
 * A field of a resource that somebody changed past Argo CD, from the managed
 * fields of the object. Kept when it was seen: self-heal erases the trace.
 *
 * @public
 */
export interface HandChange {
  /** Name of the tool, as the API server noted it, such as `kubectl-edit`. */
  manager: string;
  /** ISO 8601 UTC: when the API server noted the change. */
  at: string;
  /** Such as `spec.replicas`; at most ten. */
  fields: string[];
  /** ISO 8601 UTC: since when the resource is in sync again; absent while it is not. */
  restoredAt?: string;
}

/**
 * A resource of a tier that is not, or lately was not, as Argo CD wants it.
 *
 * @public
 */
export interface DriftedResource {
  group: string;
  kind: string;
  namespace?: string;
  name: string;
  /** As Argo CD says now. */
  status: 'OutOfSync' | 'Synced' | 'Unknown';
  /** The latest first; absent where no change by hand was seen. */
  changes?: HandChange[];
}

/**
 * Who brought a revision to a tier, and when.
 *
 * @public
 */
export interface Release {
  /** ISO 8601 UTC: when Argo CD deployed it; absent where nothing differed, so that it had nothing to deploy. */
  deployedAt?: string;
  /** Login in Argo CD; absent where Argo CD synced by itself. */
  initiatedBy?: string;
  automated: boolean;
  /** Of the commit that moved the tier; absent where GitLab does not have it. */
  commit?: {
    sha: string;
    title: string;
    author: string;
    /** ISO 8601 UTC. */
    committedAt: string;
    webUrl?: string;
    /** Merge request that brought it. */
    mergeRequest?: {
      iid: number;
      title: string;
      author: string;
      mergedBy?: string;
      webUrl: string;
    };
  };
}

/**
 * How far a tier is behind the tier before it, or dev behind its branch.
 *
 * @public
 */
export interface CommitDistance {
  /** `main`, or name of the tier that it is compared with. */
  from: string;
  /** Number of commits; at least so many where `atLeast` is set. */
  behind: number;
  atLeast?: boolean;
  /** Full path of the project of GitLab that they are counted in. */
  project?: string;
  /** GitLab's page of the comparison. */
  webUrl?: string;
}

/**
 * A long-lived environment of an entity beside its previews.
 *
 * @public
 */
export interface TierState {
  /** `dev`, `prod`, or what the label `previews/tier` says. */
  tier: string;
  /** Application that deploys it. */
  application: {
    cluster: string;
    namespace: string;
    name: string;
    webUrl?: string;
  };
  /** As the Application asks for: a branch, a tag or a commit. */
  targetRevision?: string;
  /** Commit that is synced, in full. */
  revision?: string;
  /**
   * Project of a configured GitLab that the revision is of, which need not be the
   * service's own; absent where Argo CD reads another place.
   */
  repository?: {
    host: string;
    /** Full path. */
    project: string;
    /** GitLab's page of it, `http:` or `https:`. */
    webUrl?: string;
  };
  /** First image of the service that the Application deploys, as `tag` or `tag@digest`. */
  image?: string;
  sync: 'Synced' | 'OutOfSync' | 'Unknown';
  health:
    | 'Healthy'
    | 'Progressing'
    | 'Degraded'
    | 'Suspended'
    | 'Missing'
    | 'Unknown';
  urls: PreviewUrl[];
  /** Absent where it is not known. */
  distance?: CommitDistance;
  /** The revision that runs; absent before Argo CD deployed any. */
  release?: Release;
  /** Revision deployed before, for a revert; absent where there is none. */
  previousRevision?: string;
  /** What a release changes: answers that the promotion template is filled in with. */
  pin?: {
    line: 'targetRevision' | 'newTag';
    /** Full path of the GitLab project that Argo CD reads. */
    repository: string;
    /** Host of GitLab. */
    host: string;
    /** File in that repository, where it is known. */
    path?: string;
    branch?: string;
  };
  drift: DriftedResource[];
  /** Ids of sources whose facts are older than they should be. */
  stale: string[];
}
