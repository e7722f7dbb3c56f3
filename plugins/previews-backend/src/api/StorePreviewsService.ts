import { InputError, NotFoundError } from '@backstage/errors';
import {
  CertificateBudgets,
  EntitySummaryResponse,
  Finding,
  FindingResponse,
  FindingType,
  ListFindingsRequest,
  ListFindingsResponse,
  ListPreviewsRequest,
  ListPreviewsResponse,
  Phase,
  Preview,
  PreviewResponse,
  RefreshResponse,
  HealthResponse,
  SourcesResponse,
  SourceState,
  StatsRequest,
  StatsResponse,
  TimelineResponse,
} from '@previews/backstage-plugin-previews-common';
import {
  AcmeLimits,
  certificateBudgets,
  letsEncryptLimits,
  summariseSpans,
} from '../stats';
import { FindingView, PreviewStore } from '../store';
import { CallerView } from './CallerView';
import {
  agedStates,
  confirmedAt,
  isWriterSilent,
  oldestReading,
} from './freshness';
import { narrowSources, sourceIdsOf } from './narrowSources';
import { RefreshPort, Versioned } from './PreviewsService';
import { SignalHints } from './SignalHints';
import { TooManyRequestsError } from './TooManyRequestsError';
import { versionOf, withoutReadTimes } from './version';
import { withoutAccounts } from './withoutAccounts';

const DEFAULT_LIMIT = 50;
const LATEST_SHOWN = 3;
/** More than these of one preview or entity nobody reads. */
const FINDINGS_SHOWN = 50;
const DEFAULT_STATS_MILLISECONDS = 90 * 86_400_000;
const REFRESH_LIMITS = { perPreviewSeconds: 10, perCallerPerMinute: 10 };

/** What a page warns of above everything else. */
const alarmTypes: readonly FindingType[] = ['GeneratedSetShrank'];

/** Phases whose next step is a person's. */
const attentionPhases: readonly Phase[] = ['Failed', 'Degraded', 'Orphaned'];

/** What a reader of findings would see change. */
function essenceOf(findings: readonly Finding[]): unknown {
  return findings.map(
    ({ id, since, resolvedAt, params, cause, previewIds }) => [
      id,
      since,
      resolvedAt,
      params,
      cause,
      previewIds,
    ],
  );
}

function notFound(id: string): NotFoundError {
  return new NotFoundError(`No preview with id '${id}'`);
}

/** The format allows a leap second, which `Date` does not know. */
function timeOf(name: 'from' | 'to', text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new InputError(`${name}: must be a time without a leap second`);
  }
  return time;
}

/**
 * Answers from the store, for a view that was worked out before: it checks no
 * permission, and reads nothing without the view's visibility.
 */
export class StorePreviewsService {
  readonly #store: PreviewStore;
  readonly #refresh: RefreshPort;
  readonly #signals?: SignalHints;
  readonly #acmeLimits: AcmeLimits;
  readonly #clock: () => Date;

  constructor(options: {
    store: PreviewStore;
    refresh: RefreshPort;
    signals?: SignalHints;
    /** Default: those of Let's Encrypt. */
    acmeLimits?: AcmeLimits;
    /** Default: the machine's clock. */
    clock?: () => Date;
  }) {
    this.#store = options.store;
    this.#refresh = options.refresh;
    this.#signals = options.signals;
    this.#acmeLimits = options.acmeLimits ?? letsEncryptLimits;
    this.#clock = options.clock ?? (() => new Date());
  }

  async list(
    request: ListPreviewsRequest,
    view: CallerView,
  ): Promise<Versioned<ListPreviewsResponse>> {
    const { phase, q, sort, limit, ...filters } = request;
    const page = await this.#store.list(
      {
        ...filters,
        phases: phase,
        // What has ended is counted only for those who ask for it: it grows for ever.
        includeEnded: phase?.includes('Gone') ? undefined : false,
        text: q,
        sort: sort ?? 'attention',
        limit: limit ?? DEFAULT_LIMIT,
      },
      view.visibility,
    );
    const items = await this.#shown(page.items, view);
    const { states, readAt } = await this.#sourcesBehind(items, {
      entityRef: request.entityRef,
      view,
    });
    const signal = await this.#signalFor(
      request.entityRef ? [request.entityRef] : [],
      view,
    );
    const { totalItems, nextCursor, phaseCounts, authors } = page;
    return {
      body: {
        items,
        totalItems,
        ...(nextCursor && { nextCursor }),
        phaseCounts,
        authors,
        sources: states,
        ...(readAt && { readAt }),
        ...(signal && { signal }),
      },
      version: versionOf([
        page.versionTag,
        items.map(item => [item.id, item.entityRefs]),
        nextCursor,
        phaseCounts,
        authors,
        withoutReadTimes(states),
        signal,
      ]),
      readAt,
    };
  }

  async get(id: string, view: CallerView): Promise<Versioned<PreviewResponse>> {
    const found = await this.#store.get(id, view.visibility);
    if (!found) {
      throw notFound(id);
    }
    const [preview] = await this.#shown([found.preview], view);
    const { states, readAt } = await this.#sourcesBehind([preview], { view });
    const signal = await this.#signalFor(preview.entityRefs, view);
    const { items: findings } = await this.#store.findings(
      { previewId: id, limit: FINDINGS_SHOWN },
      { everything: false, visibility: view.visibility },
    );
    return {
      body: {
        preview,
        findings,
        sources: states,
        ...(readAt && { readAt }),
        ...(signal && { signal }),
      },
      version: versionOf([
        id,
        found.version,
        preview.entityRefs,
        essenceOf(findings),
        withoutReadTimes(states),
        signal,
      ]),
      readAt,
    };
  }

  async timeline(
    id: string,
    request: { limit?: number; cursor?: string },
    view: CallerView,
  ): Promise<Versioned<TimelineResponse>> {
    await this.#requireVisible(id, view);
    const timeline = await this.#store.timeline(id, {
      limit: request.limit ?? DEFAULT_LIMIT,
      cursor: request.cursor,
    });
    return {
      body: timeline,
      // Transitions are only ever added, and removed from the old end.
      version: versionOf([
        timeline.items.map(item => item.id),
        timeline.nextCursor,
      ]),
    };
  }

  async refresh(id: string, view: CallerView): Promise<RefreshResponse> {
    const { mergeRequest } = await this.#requireVisible(id, view);
    const admission = await this.#store.admitRefresh({
      previewId: id,
      caller: view.caller,
      ...REFRESH_LIMITS,
    });
    if (!admission.admitted) {
      throw new TooManyRequestsError({
        message: `It was asked for a moment ago; try again in ${admission.retryAfterSeconds} s`,
        retryAfterSeconds: admission.retryAfterSeconds,
      });
    }
    const { host, projectId, iid } = mergeRequest;
    await this.#refresh.requestRefresh({ host, projectId, iid });
    return { accepted: true };
  }

  async summary(
    entityRef: string,
    view: CallerView,
    options: { seesAccounts: boolean },
  ): Promise<Versioned<EntitySummaryResponse>> {
    const query = { entityRef, includeEnded: false } as const;
    const findingView = { everything: false, visibility: view.visibility };
    const [claim, urgent, active, live, findingCounts, alarms, stored, tiers] =
      await Promise.all([
        this.#store.claimOf(entityRef),
        this.#store.list(
          { ...query, phases: attentionPhases, sort: 'attention', limit: 1 },
          view.visibility,
        ),
        // Twice as many as are shown leaves enough when the live ones are taken out.
        this.#store.list(
          { ...query, sort: '-activity', limit: 2 * LATEST_SHOWN },
          view.visibility,
        ),
        this.#store.list(
          {
            ...query,
            phases: ['Live'],
            sort: '-activity',
            limit: LATEST_SHOWN,
          },
          view.visibility,
        ),
        this.#store.findingsBySeverity({ entityRef }, findingView),
        this.#store.findings(
          { entityRef, types: alarmTypes, limit: FINDINGS_SHOWN },
          findingView,
        ),
        this.#store.checksOf(entityRef),
        this.#store.tiersOf(entityRef),
      ]);
    const latest = await this.#shown(
      [
        ...live.items,
        ...active.items.filter(item => item.phase !== 'Live'),
      ].slice(0, LATEST_SHOWN),
      view,
    );
    const [attention] = await this.#shown(urgent.items, view);
    const { states, readAt } = await this.#sourcesBehind(
      [...latest, ...(attention ? [attention] : [])],
      { entityRef, view },
    );
    const signal = await this.#signalFor([entityRef], view);
    const checks =
      stored && (options.seesAccounts ? stored : withoutAccounts(stored));
    const summary = {
      entityRef,
      // What was not read yet is no reason to say that it leads nowhere.
      onboarded: Boolean(
        claim?.project || claim?.applicationSets.length || claim?.unread,
      ),
      ...(claim?.project && { project: claim.project.path }),
      applicationSets: claim?.applicationSets ?? [],
      phaseCounts: active.phaseCounts,
      problems: claim?.problems ?? [],
      findingCounts,
      ...(signal && { signal }),
    };
    return {
      body: {
        ...summary,
        alarms: alarms.items,
        latest,
        ...(attention && { attention }),
        ...(tiers.length > 0 && { tiers }),
        ...(checks && { checks }),
        sources: states,
        ...(readAt && { readAt }),
      },
      version: versionOf([
        summary,
        checks && { ...checks, checkedAt: undefined },
        tiers,
        essenceOf(alarms.items),
        // Each list has a tag of its own: one may have been read before a change, and
        // another after it.
        [urgent, active, live].map(({ versionTag }) => versionTag),
        [...latest, ...(attention ? [attention] : [])].map(item => [
          item.id,
          item.entityRefs,
        ]),
        withoutReadTimes(states),
      ]),
      readAt,
    };
  }

  async stats(
    request: StatsRequest,
    view: CallerView,
  ): Promise<Versioned<StatsResponse>> {
    const to =
      request.to === undefined ? this.#clock() : timeOf('to', request.to);
    const from =
      request.from === undefined
        ? new Date(to.getTime() - DEFAULT_STATS_MILLISECONDS)
        : timeOf('from', request.from);
    if (from > to) {
      throw new InputError("'from' must not be later than 'to'");
    }
    const range = { from: from.toISOString(), to: to.toISOString() };
    const spans = await this.#store.spans(
      {
        ...range,
        ...(request.entityRef !== undefined && {
          entityRef: request.entityRef,
        }),
      },
      view.visibility,
    );
    const summary = {
      ...summariseSpans(spans),
      certificateBudget: await this.#certificateBudget(request, view),
    };
    return {
      body: { ...range, ...summary },
      // Without the range: the default one moves with every call.
      version: versionOf([summary]),
    };
  }

  async findings(
    request: ListFindingsRequest,
    view: FindingView,
  ): Promise<Versioned<ListFindingsResponse>> {
    const { type, limit, ...query } = request;
    const page = await this.#store.findings(
      { ...query, types: type, limit: limit ?? DEFAULT_LIMIT },
      view,
    );
    const { items, totalItems, nextCursor } = page;
    return {
      body: page,
      version: versionOf([essenceOf(items), totalItems, nextCursor]),
    };
  }

  async finding(
    id: string,
    view: FindingView,
  ): Promise<Versioned<FindingResponse>> {
    const finding = await this.#store.finding(id, view);
    if (!finding) {
      throw new NotFoundError(`No finding with id '${id}'`);
    }
    return { body: { finding }, version: versionOf([essenceOf([finding])]) };
  }

  async sources(): Promise<Versioned<SourcesResponse>> {
    const told = await this.#store.sources();
    const states = agedStates(told.items, {
      confirmedAt: confirmedAt(told),
      now: this.#clock(),
    });
    return {
      body: { items: states },
      version: versionOf([withoutReadTimes(states)]),
      readAt: oldestReading(states),
    };
  }

  async health(): Promise<HealthResponse> {
    const told = await this.#store.sources();
    const { reconciledAt } = told;
    const now = this.#clock();
    const sources = agedStates(told.items, {
      confirmedAt: confirmedAt(told),
      now,
    })
      .filter(({ status }) => status !== 'fresh')
      .map(({ id, status }) => ({ id, status }));
    let status: HealthResponse['status'] =
      sources.length > 0 ? 'degraded' : 'ok';
    if (isWriterSilent(reconciledAt, now)) {
      status = 'down';
    }
    return { status, ...(reconciledAt && { reconciledAt }), sources };
  }

  /**
   * A domain is shared by all that have certificates of it, and so is what is left of
   * its limit; which names it was used for is told of visible previews only.
   */
  async #certificateBudget(
    { entityRef }: StatsRequest,
    view: CallerView,
  ): Promise<CertificateBudgets> {
    const [{ records, memory }, gaps, visible] = await Promise.all([
      this.#store.issuances(),
      this.#store.gaps(),
      view.seesEverything && entityRef === undefined
        ? undefined
        : this.#store.issuancePreviews({ entityRef }, view.visibility),
    ]);
    return certificateBudgets({
      records,
      gaps,
      limits: this.#acmeLimits,
      now: this.#clock().toISOString(),
      ...(memory && { memory }),
      ...(visible && { visible }),
    });
  }

  async #requireVisible(id: string, view: CallerView): Promise<Preview> {
    const found = await this.#store.get(id, view.visibility);
    if (!found) {
      throw notFound(id);
    }
    return found.preview;
  }

  /** Previews as the caller sees them: of the entities that claim one, only those they may read. */
  async #shown(
    previews: readonly Preview[],
    view: CallerView,
  ): Promise<Preview[]> {
    const readable = await view.readable([
      ...new Set(previews.flatMap(preview => preview.entityRefs)),
    ]);
    return previews.map(preview => ({
      ...preview,
      entityRefs: preview.entityRefs.filter(ref => readable.has(ref)),
    }));
  }

  async #sourcesBehind(
    previews: readonly Preview[],
    options: { entityRef?: string; view: CallerView },
  ): Promise<{ states: SourceState[]; readAt?: string }> {
    const { entityRef, view } = options;
    const [told, claim] = await Promise.all([
      this.#store.sources(),
      entityRef !== undefined && (await view.readable([entityRef])).size > 0
        ? this.#store.claimOf(entityRef)
        : undefined,
    ]);
    const ids = sourceIdsOf(previews);
    const projects = new Set(
      previews.map(preview => preview.mergeRequest.project),
    );
    for (const source of claim?.sources ?? []) {
      ids.add(source);
    }
    if (claim?.project) {
      projects.add(claim.project.path);
    }
    const states = narrowSources(
      agedStates(told.items, {
        confirmedAt: confirmedAt(told),
        now: this.#clock(),
      }),
      { ids, projects },
    );
    const oldest = oldestReading(states);
    return { states, ...(oldest && { readAt: oldest }) };
  }

  /**
   * The channel of the first entity whose previews the caller may see, or that of
   * all previews for callers from whom nothing is hidden: even an empty message tells
   * that something happened.
   */
  async #signalFor(
    entityRefs: readonly string[],
    view: CallerView,
  ): Promise<{ channel: string } | undefined> {
    if (!this.#signals) {
      return undefined;
    }
    const readable = await view.readable(entityRefs);
    const [entityRef] = entityRefs.filter(
      ref => readable.has(ref) && view.allows(ref),
    );
    if (entityRef !== undefined) {
      return { channel: await this.#signals.channelFor({ entityRef }) };
    }
    return view.seesEverything && entityRefs.length === 0
      ? { channel: await this.#signals.channelFor('all') }
      : undefined;
  }
}
