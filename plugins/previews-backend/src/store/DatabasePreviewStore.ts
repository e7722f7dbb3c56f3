import { DatabaseService } from '@backstage/backend-plugin-api';
import {
  CheckSeverity,
  EntityChecks,
  Finding,
  FindingSeverity,
  FindingType,
  Phase,
  SourceState,
  Transition,
  TierState,
} from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
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
import { applyMigrations } from './migrations';
import { acquireLease } from './operations/acquireLease';
import { admitRefresh } from './operations/admitRefresh';
import { applyChanges } from './operations/applyChanges';
import { applyEntityChecks } from './operations/applyEntityChecks';
import { applyFindings } from './operations/applyFindings';
import { applyIssuances } from './operations/applyIssuances';
import { countByPhase } from './operations/countByPhase';
import { countFindings } from './operations/countFindings';
import { deleteEndedBefore } from './operations/deleteEndedBefore';
import { getPreview } from './operations/getPreview';
import { insertGaps } from './operations/insertGaps';
import { insertSpans } from './operations/insertSpans';
import {
  countFindingsBySeverity,
  getFinding,
  listFindings,
} from './operations/listFindings';
import { listPreviews } from './operations/listPreviews';
import { applyTiers, readAllTiers, readTiers } from './operations/entityTiers';
import { loadActive } from './operations/loadActive';
import { loadByKeys } from './operations/loadByKeys';
import { loadFindings } from './operations/loadFindings';
import { readClaim } from './operations/readClaim';
import {
  countChecks,
  readCheckedEntities,
  readEntityChecks,
} from './operations/readEntityChecks';
import { readEntityRefs } from './operations/readEntityRefs';
import { readGaps } from './operations/readGaps';
import {
  readIssuancePreviews,
  readIssuances,
} from './operations/readIssuances';
import { readRecentTransitions } from './operations/readRecentTransitions';
import { readSignalSecret } from './operations/readSignalSecret';
import { readSources } from './operations/readSources';
import { readSpans } from './operations/readSpans';
import { readTimeline } from './operations/readTimeline';
import { readTimelines } from './operations/readTimelines';
import { releaseLease } from './operations/releaseLease';
import { renewLease } from './operations/renewLease';
import { replaceEntityClaims } from './operations/replaceEntityClaims';
import { replaceSourceStates } from './operations/replaceSourceStates';
import { readWebhooks, writeWebhooks } from './operations/webhookMemory';
import { takeVersions } from './operations/takeVersions';
import { readUnreadSince, writeUnreadSince } from './operations/unreadSince';
import { withLease } from './operations/withLease';
import { writeSetting } from './operations/writeSetting';
import {
  EntityClaim,
  FindingPage,
  FindingQuery,
  FindingView,
  LeaseTerm,
  PreviewPage,
  PreviewQuery,
  PreviewStore,
  SpanQuery,
  StoredEntityChecks,
  UnreadSince,
  Visibility,
} from './PreviewStore';
import { SETTING_RECONCILED_AT } from './tables';
import { VersionReserve } from './VersionReserve';

/** The store over Knex, on SQLite or PostgreSQL; each method is one operation. */
export class DatabasePreviewStore implements PreviewStore {
  /** Brings the schema up to date, unless the database is configured not to be. */
  static async create(options: {
    database: DatabaseService;
  }): Promise<DatabasePreviewStore> {
    const { database } = options;
    const knex = await database.getClient();
    if (!database.migrations?.skip) {
      await applyMigrations(knex);
    }
    return new DatabasePreviewStore(knex);
  }

  readonly #knex: Knex;
  readonly #versions: VersionReserve;

  private constructor(knex: Knex) {
    this.#knex = knex;
    this.#versions = new VersionReserve((term, count) =>
      withLease(knex, term, transaction => takeVersions(transaction, count)),
    );
  }

  acquireLease(options: {
    holder: string;
    durationSeconds: number;
  }): Promise<LeaseTerm | undefined> {
    return acquireLease(this.#knex, options);
  }

  renewLease(
    term: LeaseTerm,
    options: { durationSeconds: number },
  ): Promise<boolean> {
    return renewLease(this.#knex, term, options);
  }

  releaseLease(term: LeaseTerm): Promise<void> {
    return releaseLease(this.#knex, term);
  }

  loadActive(): Promise<StoredPreview[]> {
    return loadActive(this.#knex);
  }

  loadByKeys(keys: readonly MergeRequestKey[]): Promise<StoredPreview[]> {
    return loadByKeys(this.#knex, keys);
  }

  async apply(
    term: LeaseTerm,
    changes: readonly PreviewChange[],
    options: { spans?: readonly Span[] } = {},
  ): Promise<void> {
    const firstVersion = await this.#versions.give(term, changes.length);
    await withLease(this.#knex, term, async transaction => {
      await applyChanges(transaction, changes, { firstVersion });
      await insertSpans(transaction, options.spans ?? []);
    });
  }

  applyFindings(term: LeaseTerm, changes: FindingChanges): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      applyFindings(transaction, changes),
    );
  }

  applyIssuances(term: LeaseTerm, changes: IssuanceChanges): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      applyIssuances(transaction, changes),
    );
  }

  applyGaps(term: LeaseTerm, gaps: readonly ObservationGap[]): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      insertGaps(transaction, gaps),
    );
  }

  applySources(
    term: LeaseTerm,
    states: readonly SourceState[],
    options: { readAt: string },
  ): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      replaceSourceStates(transaction, states, options),
    );
  }

  applyReconciled(term: LeaseTerm, at: string): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      writeSetting(transaction, { name: SETTING_RECONCILED_AT, value: at }),
    );
  }

  applyClaims(term: LeaseTerm, claims: readonly EntityClaim[]): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      replaceEntityClaims(transaction, claims),
    );
  }

  deleteEndedBefore(term: LeaseTerm, time: string): Promise<number> {
    return withLease(this.#knex, term, transaction =>
      deleteEndedBefore(transaction, time),
    );
  }

  list(query: PreviewQuery, visibility: Visibility): Promise<PreviewPage> {
    return listPreviews(this.#knex, query, visibility);
  }

  get(
    id: string,
    visibility: Visibility,
  ): Promise<
    { preview: StoredPreview['preview']; version: number } | undefined
  > {
    return getPreview(this.#knex, id, visibility);
  }

  timeline(
    id: string,
    options: { limit: number; cursor?: string },
  ): Promise<{ items: Transition[]; nextCursor?: string }> {
    return readTimeline(this.#knex, id, options);
  }

  recentTransitions(limit: number): Promise<Transition[]> {
    return readRecentTransitions(this.#knex, limit);
  }

  timelines(ids: readonly string[]): Promise<Map<string, Transition[]>> {
    return readTimelines(this.#knex, ids);
  }

  spans(query: SpanQuery, visibility: Visibility): Promise<Span[]> {
    return readSpans(this.#knex, query, visibility);
  }

  gaps(): Promise<ObservationGap[]> {
    return readGaps(this.#knex);
  }

  issuances(): Promise<{ records: IssuanceRecord[]; memory?: BudgetMemory }> {
    return readIssuances(this.#knex);
  }

  issuancePreviews(
    query: { entityRef?: string },
    visibility: Visibility,
  ): Promise<Set<string>> {
    return readIssuancePreviews(this.#knex, query, visibility);
  }

  loadFindings(): Promise<{
    findings: StoredFinding[];
    sets: GeneratedSet[];
  }> {
    return loadFindings(this.#knex);
  }

  findings(query: FindingQuery, view: FindingView): Promise<FindingPage> {
    return listFindings(this.#knex, query, view);
  }

  finding(id: string, view: FindingView): Promise<Finding | undefined> {
    return getFinding(this.#knex, id, view);
  }

  findingsBySeverity(
    query: Pick<FindingQuery, 'entityRef'>,
    view: FindingView,
  ): Promise<Partial<Record<FindingSeverity, number>>> {
    return countFindingsBySeverity(this.#knex, query, view);
  }

  countFindings(): Promise<Partial<Record<FindingType, number>>> {
    return countFindings(this.#knex);
  }

  countByPhase(): Promise<Partial<Record<Phase, number>>> {
    return countByPhase(this.#knex);
  }

  checksOf(entityRef: string): Promise<EntityChecks | undefined> {
    return readEntityChecks(this.#knex, entityRef);
  }

  checkedEntities(): Promise<string[]> {
    return readCheckedEntities(this.#knex);
  }

  countChecks(): Promise<Record<CheckSeverity, number>> {
    return countChecks(this.#knex);
  }

  applyChecks(
    term: LeaseTerm,
    changes: {
      put: readonly StoredEntityChecks[];
      removed: readonly string[];
    },
  ): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      applyEntityChecks(transaction, changes),
    );
  }

  tiersOf(entityRef: string): Promise<TierState[]> {
    return readTiers(this.#knex, entityRef);
  }

  allTiers(): Promise<StoredTiers[]> {
    return readAllTiers(this.#knex);
  }

  applyTiers(term: LeaseTerm, changes: readonly StoredTiers[]): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      applyTiers(transaction, changes),
    );
  }

  webhooks(): Promise<WebhookMemory | undefined> {
    return readWebhooks(this.#knex);
  }

  applyWebhooks(term: LeaseTerm, memory: WebhookMemory): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      writeWebhooks(transaction, memory),
    );
  }

  unreadSince(): Promise<UnreadSince> {
    return readUnreadSince(this.#knex);
  }

  applyUnreadSince(term: LeaseTerm, unread: UnreadSince): Promise<void> {
    return withLease(this.#knex, term, transaction =>
      writeUnreadSince(transaction, unread),
    );
  }

  claimOf(entityRef: string): Promise<EntityClaim | undefined> {
    return readClaim(this.#knex, entityRef);
  }

  entityRefs(): Promise<string[]> {
    return readEntityRefs(this.#knex);
  }

  sources(): ReturnType<PreviewStore['sources']> {
    return readSources(this.#knex);
  }

  admitRefresh(options: {
    previewId: string;
    caller: string;
    perPreviewSeconds: number;
    perCallerPerMinute: number;
  }): Promise<
    { admitted: true } | { admitted: false; retryAfterSeconds: number }
  > {
    return admitRefresh(this.#knex, options);
  }

  /** The key that signal channels are named with, shared by all replicas. */
  signalSecret(): Promise<string> {
    return readSignalSecret(this.#knex);
  }
}
