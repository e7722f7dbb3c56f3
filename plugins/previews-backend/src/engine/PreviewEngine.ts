import { LoggerService } from '@backstage/backend-plugin-api';
import { randomUUID } from 'node:crypto';
import { SourceState } from '@previews/backstage-plugin-previews-common';
import {
  MergeRequestKey,
  PreviewChange,
  Span,
  StoredPreview,
  World,
} from '../model';
import {
  ClaimPolicy,
  decideAll,
  DecisionCache,
  HeadChecks,
  DecisionSettings,
  Demand,
  isEnded,
  keyString,
  PassResult,
} from '../reconcile';
import { LeaseLostError, LeaseTerm, PreviewStore } from '../store';
import { serviceOfPreview, UsualDurations } from '../stats';
import { Alarm } from './Alarm';
import { FindingsKeeper } from './FindingsKeeper';
import { Observations } from './Observations';
import { SourceReporter } from './SourceReporter';
import { allSources, isSettled, Sources, worldOf } from './world';
import { WriterElection } from './WriterElection';

/** Longest time between two passes: time alone changes what is fresh. */
const IDLE_MILLISECONDS = 10_000;
const SETTLE_MILLISECONDS = 150;
/** How long a first pass waits for sources that neither answer nor fail. */
const SETTLE_PATIENCE_MILLISECONDS = 30_000;
const WRITE_CHUNK = 200;
/** What the usual durations are taken from after a start. */
const TRANSITIONS_REMEMBERED = 5_000;
const RETENTION_EVERY_MILLISECONDS = 3_600_000;

/** Told by the writer of what it did; signals, metrics and notifications begin there. */
export interface ChangeListener {
  /** Rows were written, of these entities. */
  previewsChanged(entityRefs: readonly string[]): void;
  /** Spans were written. */
  spansEnded?(spans: readonly Span[]): void;
  /** These previews fail or are degraded now, for the first time on their head. */
  previewsTroubled?(previews: readonly StoredPreview[]): void;
  /** A pass is over, from reading what is known to the last row. */
  passEnded?(pass: { seconds: number; outcome: 'done' | 'failed' }): void;
}

export interface PreviewEngineOptions {
  store: PreviewStore;
  sources: Sources;
  /** Sources that are configured in a way that cannot be read, shown as they are. */
  unreadableSources?: readonly SourceState[];
  settings: DecisionSettings;
  isClaimAllowed: ClaimPolicy;
  retentionMilliseconds: number;
  listener: ChangeListener;
  logger: LoggerService;
  clock?: () => Date;
}

/**
 * The writer: gathers from all sources, decides and applies, on one replica at a
 * time. Level-based: every pass decides from what is known now, so a hint that
 * was lost costs time and nothing else.
 */
export class PreviewEngine {
  static create(options: PreviewEngineOptions): PreviewEngine {
    return new PreviewEngine(options);
  }

  readonly #options: PreviewEngineOptions;
  readonly #clock: () => Date;
  readonly #election: WriterElection;
  readonly #alarm = new Alarm({ settleMilliseconds: SETTLE_MILLISECONDS });
  readonly #abort = new AbortController();
  #running?: Promise<void>;
  #isWriter = false;

  private constructor(options: PreviewEngineOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
    const { store, logger } = options;
    this.#election = new WriterElection({
      store,
      logger,
      holder: randomUUID(),
    });
  }

  /** Begins to take part in the election of the writer; returns at once. */
  start(): void {
    this.#running ??= this.#election.run(this.#abort.signal, (term, signal) =>
      this.#write(term, signal),
    );
  }

  /** Stops and gives the lease back, so that another replica takes over at once. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  /** Whether this instance writes now; hints matter only then. */
  get isWriter(): boolean {
    return this.#isWriter;
  }

  /** Reads one MR again, and the clusters' objects as they come by their watches. */
  async refresh(key: {
    host?: string;
    projectId: number;
    iid?: number;
    approvals?: boolean;
  }): Promise<void> {
    if (!this.#isWriter) {
      return;
    }
    const hosts = this.#options.sources.gitlab.filter(
      ({ host }) => key.host === undefined || host === key.host,
    );
    await Promise.all(
      hosts.map(source =>
        key.iid === undefined
          ? source.refresh()
          : source.refreshMergeRequest({
              projectId: key.projectId,
              iid: key.iid,
              ...(key.approvals && { approvals: true }),
            }),
      ),
    );
    this.#alarm.ring();
  }

  async #write(term: LeaseTerm, signal: AbortSignal): Promise<void> {
    const { store, sources } = this.#options;
    const stored = new Map<string, StoredPreview>();
    for (const preview of await store.loadActive()) {
      if (!isEnded(preview)) {
        stored.set(keyString(preview.key), preview);
      }
    }
    const usual = new UsualDurations();
    usual.add(
      await store.recentTransitions(TRANSITIONS_REMEMBERED),
      serviceOfPreview,
    );
    const all = allSources(sources);
    const unsubscribe = all.map(source =>
      source.onChange(() => this.#alarm.ring()),
    );
    this.#followStored(stored);
    all.forEach(source => source.start({ signal }));
    this.#isWriter = true;
    try {
      await this.#passes({ term, signal, stored, usual });
    } catch (error) {
      if (!(error instanceof LeaseLostError)) {
        throw error;
      }
    } finally {
      this.#isWriter = false;
      unsubscribe.forEach(stop => stop());
    }
  }

  /** Remembered previews are read from the beginning, before a set names their projects. */
  #followStored(stored: ReadonlyMap<string, StoredPreview>) {
    for (const source of this.#options.sources.gitlab) {
      const keys = [...stored.values()]
        .map(({ key }) => key)
        .filter(({ host }) => host === source.host);
      const ids = new Set(keys.map(({ projectId }) => projectId));
      source.trackProjects([...ids].map(id => ({ id })));
      source.followMergeRequests(
        keys.map(({ projectId, iid }) => ({ projectId, iid })),
      );
    }
  }

  async #passes(context: {
    term: LeaseTerm;
    signal: AbortSignal;
    stored: Map<string, StoredPreview>;
    usual: UsualDurations;
  }): Promise<void> {
    const { signal, stored, term, usual } = context;
    const { store, sources, settings, isClaimAllowed, listener, logger } =
      this.#options;
    const observations = await Observations.create({
      store,
      term,
      noticedWithinSeconds: settings.gitlabStaleAfterSeconds,
    });
    const reporter = new SourceReporter({
      store,
      term,
      sources,
      unreadable: this.#options.unreadableSources ?? [],
    });
    const findings = await FindingsKeeper.create({
      store,
      term,
      settings,
      logger,
    });
    const startedAt = this.#clock().getTime();
    const cache = new DecisionCache();
    const headChecks = new HeadChecks();
    let settled = false;
    let retentionAt = 0;
    let waitMilliseconds = 0;
    while (!signal.aborted) {
      await this.#alarm.next(signal, {
        latestAfterMilliseconds: waitMilliseconds,
      });
      if (signal.aborted) {
        return;
      }
      waitMilliseconds = IDLE_MILLISECONDS;
      const now = this.#clock();
      const world = worldOf(sources);
      try {
        const read = keysRead(world);
        await this.#loadReturning(read, stored);
        const result = decideAll({
          world,
          stored,
          settings,
          isClaimAllowed,
          usualOf: id => usual.of(serviceOfPreview(id)),
          cache,
          headChecks,
          frozenSets: findings.frozenSets,
          now: now.toISOString(),
        });
        this.#direct(result.demand);
        // What was decided on, and what that made the sources read since.
        settled ||=
          (isSettled(world) && isSettled(worldOf(sources))) ||
          now.getTime() - startedAt > SETTLE_PATIENCE_MILLISECONDS;
        await reporter.report(
          settled && world.catalog.state !== 'pending'
            ? result.links
            : undefined,
          now,
        );
        if (!settled) {
          waitMilliseconds = 500;
          continue;
        }
        await observations.observe(world, now.toISOString());
        await this.#apply({
          term,
          observations,
          now,
          result,
          stored,
          readIds: new Set(read.keys()),
          usual,
        });
        const concerned = await findings.keep(result, now.toISOString());
        if (concerned.length > 0) {
          listener.previewsChanged(concerned);
        }
        if (result.lookAgainAt) {
          waitMilliseconds = Math.min(
            IDLE_MILLISECONDS,
            Math.max(0, Date.parse(result.lookAgainAt) - now.getTime()),
          );
        }
        if (now.getTime() >= retentionAt) {
          retentionAt = now.getTime() + RETENTION_EVERY_MILLISECONDS;
          const before = new Date(
            now.getTime() - this.#options.retentionMilliseconds,
          ).toISOString();
          await store.deleteEndedBefore(term, before);
          observations.forgetBefore(before);
        }
        listener.passEnded?.({
          seconds: this.#secondsSince(now),
          outcome: 'done',
        });
      } catch (error) {
        if (error instanceof LeaseLostError) {
          throw error;
        }
        listener.passEnded?.({
          seconds: this.#secondsSince(now),
          outcome: 'failed',
        });
        logger.error(
          'A pass over the previews failed and is tried again',
          error as Error,
        );
      }
    }
  }

  /** A preview that had ended is decided on its own history when its MR comes back. */
  async #loadReturning(
    keys: ReadonlyMap<string, MergeRequestKey>,
    stored: Map<string, StoredPreview>,
  ): Promise<void> {
    const missing = [...keys]
      .filter(([id]) => !stored.has(id) && !this.#unstored.has(id))
      .map(([, key]) => key);
    if (missing.length === 0) {
      return;
    }
    for (const preview of await this.#options.store.loadByKeys(missing)) {
      stored.set(keyString(preview.key), preview);
    }
    missing
      .filter(key => !stored.has(keyString(key)))
      .forEach(key => this.#unstored.add(keyString(key)));
  }

  /** MRs that the store is known to have nothing of. */
  readonly #unstored = new Set<string>();

  #direct({ projects, mergeRequests, tags, heads, paths }: Demand) {
    for (const source of this.#options.sources.gitlab) {
      source.trackProjects(projects.get(source.host) ?? []);
      source.followMergeRequests(mergeRequests.get(source.host) ?? []);
      source.lookForTags(tags.get(source.host) ?? []);
      source.lookForPaths(paths.get(source.host) ?? []);
      for (const key of heads.get(source.host) ?? []) {
        // Not awaited: what comes of it rings the alarm like any other reading.
        source.refreshMergeRequest(key).catch(error => {
          this.#options.logger.warn(
            `!${key.iid} of project ${key.projectId} could not be read again; the next poll will`,
            error,
          );
        });
      }
    }
  }

  #secondsSince(time: Date): number {
    return (this.#clock().getTime() - time.getTime()) / 1000;
  }

  async #apply(pass: {
    term: LeaseTerm;
    observations: Observations;
    now: Date;
    result: PassResult;
    stored: Map<string, StoredPreview>;
    readIds: ReadonlySet<string>;
    usual: UsualDurations;
  }): Promise<void> {
    const { term, observations, now, result, stored, readIds, usual } = pass;
    const { store, listener } = this.#options;
    const changes = [...result.decisions.values()]
      .filter(({ unchanged }) => !unchanged)
      .map(({ change }) => change);
    for (let start = 0; start < changes.length; start += WRITE_CHUNK) {
      const chunk = changes.slice(start, start + WRITE_CHUNK);
      const { spans, troubled } = await observations.measure(
        chunk,
        stored,
        now.toISOString(),
      );
      await store.apply(term, chunk, { spans });
      usual.add(
        chunk.flatMap(({ transitions }) => transitions),
        serviceOfPreview,
      );
      const entityRefs = new Set(
        chunk.flatMap(change => this.#remember(change, stored)),
      );
      listener.previewsChanged([...entityRefs]);
      listener.spansEnded?.(spans);
      listener.previewsTroubled?.(troubled);
    }
    for (const [id, preview] of stored) {
      if (isEnded(preview) && !readIds.has(id)) {
        stored.delete(id);
      }
    }
  }

  /** The refs of entities that gained, kept or lost the row. */
  #remember(
    { stored: preview }: PreviewChange,
    stored: Map<string, StoredPreview>,
  ): string[] {
    const id = keyString(preview.key);
    const before = stored.get(id)?.preview.entityRefs ?? [];
    stored.set(id, preview);
    this.#unstored.delete(id);
    return [...before, ...preview.preview.entityRefs];
  }
}

/** The MRs that the sources hold now, by key string. */
function keysRead(world: World): Map<string, MergeRequestKey> {
  const keys = new Map<string, MergeRequestKey>();
  for (const { projects } of world.gitlab) {
    for (const { mergeRequests } of projects.values()) {
      for (const { fact } of mergeRequests.values()) {
        keys.set(keyString(fact.key), fact.key);
      }
    }
  }
  return keys;
}
