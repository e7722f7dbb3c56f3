import {
  CheckSeverity,
  EntityChecks,
  Finding,
  FindingSeverity,
  FindingType,
  Phase,
  Preview,
  PreviewSort,
  SourceState,
  Transition,
  TierState,
} from '@previews/backstage-plugin-previews-common';
import { AnnotationProblem } from '@previews/backstage-plugin-previews-common';
import {
  BudgetMemory,
  FindingChanges,
  GeneratedSet,
  IssuanceChanges,
  IssuanceRecord,
  MergeRequestKey,
  ObservationGap,
  PreviewChange,
  Span,
  StoredFinding,
  StoredPreview,
  StoredTiers,
  WebhookMemory,
} from '../model';

/** By GitLab host, ISO: since when updates of MRs may be unread. */
export type UnreadSince = Readonly<Record<string, string>>;

/**
 * Which rows a caller may see, as the store applies it in SQL before anything is
 * counted, sorted, searched or paged.
 */
export interface Visibility {
  /**
   * Rows of these entities only. `undefined` means all rows that have an entity.
   */
  entityRefs?: readonly string[];
  /** Also rows that no entity claims. */
  withoutEntity: boolean;
  /** Condition of the permission policy, as nested criteria over entity refs. */
  criteria?: VisibilityCriteria;
}

export type VisibilityCriteria =
  | { allOf: VisibilityCriteria[] }
  | { anyOf: VisibilityCriteria[] }
  | { not: VisibilityCriteria }
  | { entityRefs: readonly string[] };

export interface PreviewQuery {
  entityRef?: string;
  phases?: readonly Phase[];
  project?: string;
  author?: string;
  cluster?: string;
  draft?: boolean;
  text?: string;
  sort: PreviewSort;
  limit: number;
  cursor?: string;
  /**
   * Also `Gone` ones and closed ones that were never selected; implied by `phases`
   * naming them. `phaseCounts` count them unless this is `false`.
   */
  includeEnded?: boolean;
}

export interface PreviewPage {
  items: Preview[];
  totalItems: number;
  nextCursor?: string;
  /** Of all matching rows, ignoring the filter by phase. */
  phaseCounts: Partial<Record<Phase, number>>;
  /** Of all matching rows, ignoring the filter by author; sorted, at most 200. */
  authors: string[];
  /** Changes whenever a row that the query and visibility select changes. */
  versionTag: string;
}

/** What an entity's summary needs beyond its rows. */
export interface EntityClaim {
  entityRef: string;
  project?: { host: string; path: string; id: number };
  applicationSets: string[];
  /** The annotations name a project or a set that was not read yet, and nothing is known to be wrong with them. */
  unread?: true;
  /** Source ids behind its rows. */
  sources: string[];
  problems: AnnotationProblem[];
}

/** What the readiness checks found on an entity's set-up. */
export interface StoredEntityChecks {
  entityRef: string;
  checks: EntityChecks;
}

/** Spans that ended from one time, included, to another; ISO. */
export interface SpanQuery {
  entityRef?: string;
  from: string;
  to: string;
}

/** Whose findings, and with what of them. */
export interface FindingView {
  /** All findings, whole; else those of visible previews, without the parts of hidden ones. */
  everything: boolean;
  visibility: Visibility;
}

export interface FindingQuery {
  /** Only those that concern a preview of this entity. */
  entityRef?: string;
  previewId?: string;
  types?: readonly FindingType[];
  /** Default `open`. */
  state?: 'open' | 'resolved' | 'all';
  limit: number;
  cursor?: string;
}

export interface FindingPage {
  /** The newest first. */
  items: Finding[];
  totalItems: number;
  nextCursor?: string;
}

/** The writer's right to write. */
export interface LeaseTerm {
  holder: string;
  epoch: number;
}

/** The one store of previews. Readers may be any replica; writers hold the lease. */
export interface PreviewStore {
  /**
   * Takes the lease when it is free, expired or already held by `holder`; the
   * epoch grows with every change of holder. Expiry is in database time.
   */
  acquireLease(options: {
    holder: string;
    durationSeconds: number;
  }): Promise<LeaseTerm | undefined>;
  /** False when the lease was lost, which is a normal result. */
  renewLease(
    term: LeaseTerm,
    options: { durationSeconds: number },
  ): Promise<boolean>;
  releaseLease(term: LeaseTerm): Promise<void>;

  /**
   * All previews that a decision may still change, for the writer's start: none that
   * is `Gone`, nor one whose MR was closed without ever having an environment.
   */
  loadActive(): Promise<StoredPreview[]>;
  /** Stored previews by key, ended ones included. */
  loadByKeys(keys: readonly MergeRequestKey[]): Promise<StoredPreview[]>;
  /**
   * Writes all changes, with the spans that end with them, in one transaction, or
   * none. Verifies under a row lock that the term is still the lease's. There is one
   * change of a preview at most, and its `before` is what is stored.
   * @throws LeaseLostError when it is not; nothing was written then.
   */
  apply(
    term: LeaseTerm,
    changes: readonly PreviewChange[],
    options?: { spans?: readonly Span[] },
  ): Promise<void>;
  /** Writes what a pass changed of the findings, and what it remembers of the sets, or nothing. */
  applyFindings(term: LeaseTerm, changes: FindingChanges): Promise<void>;
  /** Writes what a pass changed of what ACME servers issued and refused, or nothing. */
  applyIssuances(term: LeaseTerm, changes: IssuanceChanges): Promise<void>;
  /** Records times in which something was not observed. */
  applyGaps(term: LeaseTerm, gaps: readonly ObservationGap[]): Promise<void>;
  /** Replaces the states of all sources and the claims of all entities, when they differ. */
  applySources(
    term: LeaseTerm,
    states: readonly SourceState[],
    options: { readAt: string },
  ): Promise<void>;
  applyClaims(term: LeaseTerm, claims: readonly EntityClaim[]): Promise<void>;
  /** Everything was decided at the time, and is written. */
  applyReconciled(term: LeaseTerm, at: string): Promise<void>;
  /**
   * Deletes timelines, ended previews and findings that were over before the
   * time; returns how many rows went. Spans stay.
   */
  deleteEndedBefore(term: LeaseTerm, time: string): Promise<number>;

  list(query: PreviewQuery, visibility: Visibility): Promise<PreviewPage>;
  get(
    id: string,
    visibility: Visibility,
  ): Promise<{ preview: Preview; version: number } | undefined>;
  timeline(
    id: string,
    options: { limit: number; cursor?: string },
  ): Promise<{ items: Transition[]; nextCursor?: string }>;
  /** The newest transitions of all previews, in the order in which they happened. */
  recentTransitions(limit: number): Promise<Transition[]>;
  /** Whole timelines by preview id, in the order in which things happened. */
  timelines(ids: readonly string[]): Promise<Map<string, Transition[]>>;
  /** Spans of the previews that the caller may see, also after they are deleted; oldest first. */
  spans(query: SpanQuery, visibility: Visibility): Promise<Span[]>;
  /** All recorded gaps, oldest first. */
  gaps(): Promise<ObservationGap[]>;
  /** All that is remembered of what ACME servers issued and refused, oldest first. */
  issuances(): Promise<{ records: IssuanceRecord[]; memory?: BudgetMemory }>;
  /** Ids of previews with a certificate of their own among them that the caller may see. */
  issuancePreviews(
    query: { entityRef?: string },
    visibility: Visibility,
  ): Promise<Set<string>>;
  /** Findings that are not over and what is remembered of the sets, for the writer's start. */
  loadFindings(): Promise<{ findings: StoredFinding[]; sets: GeneratedSet[] }>;
  findings(query: FindingQuery, view: FindingView): Promise<FindingPage>;
  /** One finding, also after it is over. */
  finding(id: string, view: FindingView): Promise<Finding | undefined>;
  /** Of those that are not over. */
  findingsBySeverity(
    query: Pick<FindingQuery, 'entityRef'>,
    view: FindingView,
  ): Promise<Partial<Record<FindingSeverity, number>>>;
  /** Findings that are not over, of all previews, for metrics. */
  countFindings(): Promise<Partial<Record<FindingType, number>>>;
  /** Of all previews, for metrics. */
  countByPhase(): Promise<Partial<Record<Phase, number>>>;
  /** What the readiness checks found; undefined where they have not run. */
  checksOf(entityRef: string): Promise<EntityChecks | undefined>;
  /** Entities whose checks are stored. */
  checkedEntities(): Promise<string[]>;
  /** Results of all entities, by severity. */
  countChecks(): Promise<Record<CheckSeverity, number>>;
  /** Replaces results of entities, and forgets those of others. */
  applyChecks(
    term: LeaseTerm,
    changes: {
      put: readonly StoredEntityChecks[];
      removed: readonly string[];
    },
  ): Promise<void>;
  /** Long-lived environments of an entity. */
  tiersOf(entityRef: string): Promise<TierState[]>;
  allTiers(): Promise<StoredTiers[]>;
  /** Replaces the tiers of entities; those without any are forgotten. */
  applyTiers(term: LeaseTerm, changes: readonly StoredTiers[]): Promise<void>;
  webhooks(): Promise<WebhookMemory | undefined>;
  applyWebhooks(term: LeaseTerm, memory: WebhookMemory): Promise<void>;
  /** Nothing of a host of which nothing was ever read. */
  unreadSince(): Promise<UnreadSince>;
  applyUnreadSince(term: LeaseTerm, unread: UnreadSince): Promise<void>;
  claimOf(entityRef: string): Promise<EntityClaim | undefined>;
  /** Entity refs of all claims and previews: what a caller's visibility is asked of the catalog about. */
  entityRefs(): Promise<string[]>;
  /**
   * What the writer told of its sources, and when.
   *
   * - `readAt`: ISO, when it told so last.
   * - `reconciledAt`: ISO, when it last decided everything and had written it.
   */
  sources(): Promise<{
    items: SourceState[];
    readAt?: string;
    reconciledAt?: string;
  }>;

  /**
   * Counts a refresh against the limits over all replicas; the result says
   * whether it may happen, and else after how many seconds.
   */
  admitRefresh(options: {
    previewId: string;
    caller: string;
    perPreviewSeconds: number;
    perCallerPerMinute: number;
  }): Promise<
    { admitted: true } | { admitted: false; retryAfterSeconds: number }
  >;
}
