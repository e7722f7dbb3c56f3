import { CheckSeverity } from '../checks';
import { CheckResult } from './check';
import { TierState } from './tier';
import { FindingSeverity } from '../findings';
import { Finding } from './finding';
import { Phase } from './phase';
import { Preview, Transition } from './preview';
import { SourceState } from './source';

/** @public */
export type PreviewSort =
  | 'attention'
  | '-attention'
  | 'activity'
  | '-activity'
  | 'created'
  | '-created'
  | 'iid'
  | '-iid';

/** @public */
export interface ListPreviewsRequest {
  entityRef?: string;
  phase?: Phase[];
  /** Full project path. */
  project?: string;
  /** GitLab username. */
  author?: string;
  cluster?: string;
  /** Free text over title, branch, author, iid (`!7`), SHA prefix and host. */
  q?: string;
  draft?: boolean;
  /** Default `attention`: what needs a person first, then latest activity. */
  sort?: PreviewSort;
  /** 1 to 200, default 50. */
  limit?: number;
  cursor?: string;
}

/**
 * A signal channel of the previews API; messages carry nothing, clients refetch.
 *
 * @public
 */
export interface SignalHint {
  channel: string;
}

/** @public */
export interface ListPreviewsResponse {
  items: Preview[];
  totalItems: number;
  nextCursor?: string;
  /** Counts of all matching previews by phase (ignoring the `phase` filter). */
  phaseCounts: Partial<Record<Phase, number>>;
  /** Authors of all matching previews (ignoring the `author` filter), sorted, at most 200. */
  authors: string[];
  /** States of the sources behind the entity's rows. */
  sources: SourceState[];
  /** When the facts were last read; also header `Previews-Read-At`. */
  readAt?: string;
  signal?: SignalHint;
}

/** @public */
export interface PreviewResponse {
  preview: Preview;
  /** Those that concern it and are not over, the newest first, at most 50. */
  findings: Finding[];
  sources: SourceState[];
  readAt?: string;
  signal?: SignalHint;
}

/** @public */
export interface TimelineResponse {
  items: Transition[];
  nextCursor?: string;
}

/** @public */
export interface RefreshResponse {
  accepted: true;
}

/**
 * Something about the entity's own annotations that keeps previews from being
 * shown.
 *
 * @public
 */
export interface AnnotationProblem {
  annotation: string;
  /** A name with a sentence in the catalogue of problems. */
  reason:
    | 'Malformed'
    | 'UnknownHost'
    | 'ProjectNotFound'
    | 'ProjectClaimedFromElsewhere'
    | 'ApplicationSetNotFound';
  params: Record<string, string | number>;
  message: string;
}

/** @public */
export interface EntitySummaryResponse {
  entityRef: string;
  /** Whether the entity's annotations lead to a project at all. */
  onboarded: boolean;
  /** Full path of the project, when known. */
  project?: string;
  /** ApplicationSets that generate from the project, as `cluster:namespace/name`. */
  applicationSets: string[];
  phaseCounts: Partial<Record<Phase, number>>;
  /** The three with the latest activity, live ones first. */
  latest: Preview[];
  /** First row that needs a person. */
  attention?: Preview;
  problems: AnnotationProblem[];
  /** Findings that concern its previews and are not over. */
  findingCounts: Partial<Record<FindingSeverity, number>>;
  /** Those of them that everybody should know of: a set lost many Applications at once. */
  alarms: Finding[];
  /** Long-lived environments, in the order in which a release passes them; absent where none is found. */
  tiers?: TierState[];
  /** Absent where nothing could be checked, such as before the first complete reading. */
  checks?: EntityChecks;
  sources: SourceState[];
  readAt?: string;
  signal?: SignalHint;
}

/**
 * What the readiness checks find on the live objects of an entity's set-up.
 *
 * @public
 */
export interface EntityChecks {
  /** The worst first, at most 50. */
  results: CheckResult[];
  /** Of all results, by severity. */
  counts: Partial<Record<CheckSeverity, number>>;
  /** ISO 8601 UTC: when they ran. */
  checkedAt: string;
  /** Ids of sources that were not complete and fresh then, whose objects were left out. */
  incomplete: string[];
}

/**
 * Whether previews are kept up to date, for monitoring.
 *
 * @public
 */
export interface HealthResponse {
  /**
   * `ok`; `degraded`: some source is not fresh; `down`: no replica has reconciled
   * for a minute, which is answered with 503.
   */
  status: 'ok' | 'degraded' | 'down';
  /** ISO 8601 UTC: when a replica reconciled last; absent when none ever did. */
  reconciledAt?: string;
  /** Those that are not fresh. */
  sources: Pick<SourceState, 'id' | 'status'>[];
}

/** @public */
export interface SourcesResponse {
  items: SourceState[];
}
