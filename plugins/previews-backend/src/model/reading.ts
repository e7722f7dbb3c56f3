import {
  AnnotationProblem,
  SourceError,
  TimeToLive,
} from '@previews/backstage-plugin-previews-common';
import { DnsZoneReading } from './dns';
import { FurtherReading } from './further';
import {
  ApprovalsFact,
  MergeRequestFact,
  PipelineFact,
  ProjectFact,
} from './mergeRequest';
import { KindFacts, KindName } from './objects';
import { ReachabilityReading } from './probe';
import { TokenReading } from './token';

/**
 * State of one reading:
 * - `pending`: never read completely; nothing can be concluded from absence;
 * - `ready`: the last complete reading stands;
 * - `failing`: it was read before, and the newest try failed; the objects are
 *   those of the last complete reading;
 * - `notInstalled`: the cluster has no such kind, so there are none;
 * - `forbidden`: the cluster denies it;
 * - `notObserved`: the source does not carry this kind, as the API of Argo CD
 *   carries no Pods: neither presence nor absence is known.
 */
export type ReadingState =
  | 'pending'
  | 'ready'
  | 'failing'
  | 'notInstalled'
  | 'forbidden'
  | 'notObserved';

export interface KindReading<T> {
  state: ReadingState;
  /** ISO: last time that the objects were known to be complete and current. */
  completeAt?: string;
  error?: SourceError;
  /**
   * ISO: the last time, if ever, in which something changed and nobody was told: a
   * watch seemed to live and was dead, until the objects were listed again.
   */
  missed?: { from: string; to: string };
  /** By `namespace/name`, or `name` for cluster-scoped kinds. */
  objects: ReadonlyMap<string, T>;
}

/** What is known of one cluster, or of what one Argo CD deploys. */
export interface ClusterReading {
  /** Id of the source: `cluster:<name>` or `argocd:<name>`. */
  sourceId: string;
  /** Name of the cluster or of the Argo CD as configured; no two are the same. */
  cluster: string;
  /** Normalised server URLs and Argo CD names of destinations that mean this cluster. */
  destinations: readonly string[];
  /** Whether this is the cluster that `https://kubernetes.default.svc` means for its own Applications. Always true today. */
  kinds: { readonly [K in KindName]: KindReading<KindFacts[K]> };
}

/** What was asked of the registry for the head of an MR. */
export type TagReading =
  | { state: 'found'; tag: string; readAt: string }
  /** Not there; `near` are tags of the same commit with another length. */
  | {
      state: 'missing';
      tag: string;
      near: string[];
      /** The newest pipeline of the head, if it had ended before the tag was looked for. */
      afterPipeline?: number;
      readAt: string;
    }
  /** Could not be read. */
  | { state: 'unreadable'; tag: string; status?: number; readAt: string };

/** Which of the paths that somebody asked for an MR touches. */
export interface TouchedPathsReading {
  forHead: string;
  /** Paths that were looked for. */
  asked: readonly string[];
  /** Those of them that a changed file is, or lies below. */
  touched: readonly string[];
  readAt: string;
}

export interface MergeRequestReading {
  fact: MergeRequestFact;
  /** ISO: when GitLab was asked what it last answered of this MR, in a list or alone. */
  readAt: string;
  /**
   * Newest pipelines of the MR, newest first; undefined when they have not been
   * read for the current head yet.
   */
  pipelines?: { items: PipelineFact[]; forHead?: string; readAt: string };
  tag?: TagReading;
  /** Undefined while they have never been read. `forUpdate` is the MR's `updatedAt` then. */
  approvals?: { fact: ApprovalsFact; forUpdate: string; readAt: string };
  /** Undefined while nobody asked, or it could not be read. */
  touchedPaths?: TouchedPathsReading;
  /** Its own GET answered 404 while the project and its list answered 200. */
  deletedAt?: string;
}

/** When an MR began and ended that nobody follows; empty where GitLab has none of that number. */
export interface PastMergeRequest {
  /** ISO. */
  createdAt?: string;
  /** ISO: when it was merged or closed. */
  endedAt?: string;
}

export interface ProjectReading {
  fact: ProjectFact;
  state: Exclude<ReadingState, 'notInstalled' | 'notObserved'>;
  completeAt?: string;
  error?: SourceError;
  /** HTTP status of the failed reading, where there was an answer. */
  status?: number;
  /** By iid. Remembered ones stay until the engine lets them go. */
  mergeRequests: ReadonlyMap<number, MergeRequestReading>;
  /**
   * Followed MRs that were never read, since they were deleted before: by iid,
   * when their own GET first answered 404 while the project answered 200. ISO.
   */
  missing?: ReadonlyMap<number, string>;
  /** MRs that nobody follows, and that GitLab was asked about since something may be left of them, by iid. */
  past?: ReadonlyMap<number, PastMergeRequest>;
}

/** A project that was asked for and could never be read, by what it was asked as. */
export interface UnreadableProject {
  reference: string;
  error: SourceError;
  status?: number;
}

/** What is known of one GitLab instance. */
export interface GitLabReading {
  host: string;
  /** Origin with subpath, such as `https://gitlab.example.com/gitlab`; no trailing slash. */
  webUrl: string;
  /** By project id. */
  projects: ReadonlyMap<number, ProjectReading>;
  unreadable: readonly UnreadableProject[];
}

/** A catalog entity that could have previews. */
export interface EntityFact {
  entityRef: string;
  /** Claimed project, by path or id; undefined when only an ApplicationSet is named. */
  project?: { host: string; path?: string; id?: number };
  /** Top-level group of the entity's own GitLab location, with its host. */
  ownGroup?: { host: string; group: string };
  applicationSets: { cluster?: string; namespace: string; name: string }[];
  /** `previews/enabled: "true"` or `previews/application-set`: the project is read even when no set names it. */
  explicit: boolean;
  /** `backstage.io/kubernetes-cluster`. */
  cluster?: string;
  /** `previews/path`: only MRs that touch it; without slashes around it. */
  path?: string;
  /** `previews/ttl`; absent where the configuration applies. */
  timeToLive?: TimeToLive;
  /** What is wrong with its annotations, by the annotations alone. */
  problems: AnnotationProblem[];
}

export interface CatalogReading {
  state: 'pending' | 'ready' | 'failing';
  completeAt?: string;
  entities: readonly EntityFact[];
}

/** Everything that the writer knows, from all sources. */
export interface World {
  gitlab: readonly GitLabReading[];
  clusters: readonly ClusterReading[];
  catalog: CatalogReading;
  /** The zones of DNS that are configured. */
  dns?: readonly DnsZoneReading[];
  /** What modules of the backend read. */
  further?: readonly FurtherReading[];
  /** Undefined where no host is visited. */
  reachability?: ReachabilityReading;
  /** Tokens that are named for checking. */
  tokens?: readonly TokenReading[];
}
