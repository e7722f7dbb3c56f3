import { LoggerService } from '@backstage/backend-plugin-api';
import { SourceState } from '@previews/backstage-plugin-previews-common';
import { MergeRequestKey, TierName, World } from '../model';
import {
  byHostOf,
  ClaimPolicy,
  Decision,
  DecisionSettings,
  Demand,
  isEnded,
  keyString,
  NarrowResult,
  subjectOf,
  WorldChanges,
} from '../reconcile';
import { LeaseLostError, LeaseTerm, PreviewStore } from '../store';
import { AcmeLimits, serviceOfPreview, UsualDurations } from '../stats';
import { Alarm } from './Alarm';
import { BudgetKeeper } from './BudgetKeeper';
import { ChangeListener } from './ChangeListener';
import { ChecksKeeper, ChecksSchedule } from './ChecksKeeper';
import { Decider } from './Decider';
import { FindingsKeeper } from './FindingsKeeper';
import { Hints } from './Hints';
import { Observations } from './Observations';
import { PreviewMemory } from './PreviewMemory';
import { SourceReporter } from './SourceReporter';
import { TiersKeeper } from './TiersKeeper';
import { UpdatesLog } from './UpdatesLog';
import { WebhookLog } from './WebhookLog';
import { isDirectable, isSettled, Sources, worldOf } from './world';

/** How soon it is tried again after a pass that failed or decided too little. */
const RETRY_MILLISECONDS = 10_000;
const UNSETTLED_RETRY_MILLISECONDS = 500;
/** How long a first pass waits for sources that neither answer nor fail. */
const SETTLE_PATIENCE_MILLISECONDS = 30_000;
const WRITE_CHUNK = 200;
const RETENTION_EVERY_MILLISECONDS = 3_600_000;
/** What the usual durations are taken from after a start. */
const TRANSITIONS_REMEMBERED = 5_000;

export interface WriterTermOptions {
  term: LeaseTerm;
  store: PreviewStore;
  sources: Sources;
  unreadableSources: readonly SourceState[];
  settings: DecisionSettings;
  isClaimAllowed: ClaimPolicy;
  acmeLimits: AcmeLimits;
  /** Absent where set-ups are not checked. */
  checks?: ChecksSchedule;
  /** Names of tiers, in the order in which a release passes them; absent where none is looked for. */
  tiers?: readonly TierName[];
  retentionMilliseconds: number;
  listener: ChangeListener;
  logger: LoggerService;
  clock: () => Date;
  alarm: Alarm;
  /** Where to look since the last pass. */
  hints: Hints;
}

/** What is stored, as far as the next pass goes on from it. */
interface Remembered {
  memory: PreviewMemory;
  observations: Observations;
  budgets: BudgetKeeper;
  findings: FindingsKeeper;
}

/** What it does no harm to write again. */
interface Keepers {
  usual: UsualDurations;
  reporter: SourceReporter;
  updates: UpdatesLog;
  webhooks: WebhookLog;
  checks?: ChecksKeeper;
  tiers?: TiersKeeper;
}

/** All that one term of the writer remembers, and its passes one after another. */
export class WriterTerm {
  static async begin(options: WriterTermOptions): Promise<WriterTerm> {
    const { store, term, sources } = options;
    const usual = new UsualDurations();
    usual.add(
      await store.recentTransitions(TRANSITIONS_REMEMBERED),
      serviceOfPreview,
    );
    const webhooks = await WebhookLog.create({
      store,
      term,
      now: options.clock(),
    });
    const keepers: Keepers = {
      usual,
      updates: await UpdatesLog.create({ store, term }),
      webhooks,
      reporter: new SourceReporter({
        store,
        term,
        sources,
        unreadable: options.unreadableSources,
        logger: options.logger,
      }),
      ...(options.checks && {
        checks: await ChecksKeeper.create({
          ...options,
          schedule: options.checks,
          webhooks,
        }),
      }),
      ...(options.tiers && {
        tiers: await TiersKeeper.create({ ...options, names: options.tiers }),
      }),
    };
    return new WriterTerm(options, keepers, await remember(options));
  }

  readonly #options: WriterTermOptions;
  readonly #keepers: Keepers;
  readonly #startedAt: number;
  #remembered: Remembered;
  #decider: Decider;
  /** A pass failed, and whether what it wrote was committed is not known. */
  #isInDoubt = false;
  #isSettled = false;
  /** The sources were told once what to read. */
  #hasDirected = false;
  #retentionAt = 0;

  private constructor(
    options: WriterTermOptions,
    keepers: Keepers,
    remembered: Remembered,
  ) {
    this.#options = options;
    this.#keepers = keepers;
    this.#startedAt = options.clock().getTime();
    this.#remembered = remembered;
    this.#decider = this.#deciderOn(remembered);
  }

  #deciderOn({ memory, findings }: Remembered): Decider {
    const { settings, isClaimAllowed, sources } = this.#options;
    return new Decider({
      memory,
      usual: this.#keepers.usual,
      settings,
      isClaimAllowed,
      frozenSets: () => findings.frozenSets,
      further: sources.extensions?.policies ?? [],
    });
  }

  /**
   * Remembered previews are read from the beginning, before a set names their
   * projects; modules are asked about all that have not ended.
   */
  followStored(): void {
    for (const source of this.#options.sources.extensions?.sources ?? []) {
      source.previewsFrom(() =>
        [...this.#remembered.memory.stored.values()]
          .filter(preview => !isEnded(preview))
          .map(({ preview }) => subjectOf(preview)),
      );
    }
    this.#keepers.updates.resume(this.#options.sources.gitlab);
    for (const source of this.#options.sources.gitlab) {
      const keys = [...this.#remembered.memory.stored.values()]
        .map(({ key }) => key)
        .filter(({ host }) => host === source.host);
      const ids = new Set(keys.map(({ projectId }) => projectId));
      source.trackProjects([...ids].map(id => ({ id })));
      source.followMergeRequests(
        keys.map(({ projectId, iid }) => ({ projectId, iid })),
      );
    }
  }

  /** Hears of what is not to wait for a pass. Returns the unsubscription. */
  listen(signal: AbortSignal): () => void {
    return this.#keepers.tiers?.listen(signal) ?? (() => {});
  }

  /**
   * Passes until the signal aborts.
   * @throws LeaseLostError
   */
  async run(signal: AbortSignal): Promise<void> {
    const { alarm, clock, hints, listener, logger } = this.#options;
    let waitMilliseconds = 0;
    for (;;) {
      await alarm.next(signal, { latestAfterMilliseconds: waitMilliseconds });
      if (signal.aborted) {
        await this.#keepers.checks?.idle();
        await this.#keepers.tiers?.idle();
        return;
      }
      // The time of day may be set, and is too coarse for what changes little.
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1000;
      const changes = hints.take();
      this.#hurryVisits(changes);
      let over: 'changes' | 'everything' = 'everything';
      try {
        await this.#leaveDoubt();
        const now = clock();
        const narrow = this.#isSettled
          ? this.#decider.decideChanged(changes, now)
          : undefined;
        over = narrow ? 'changes' : 'everything';
        const lookAgainAt = narrow
          ? await this.#narrowPass(narrow, now)
          : await this.#fullPass(now, signal);
        waitMilliseconds = this.#isSettled
          ? this.#decider.waitFrom(now, lookAgainAt)
          : UNSETTLED_RETRY_MILLISECONDS;
        if (this.#isSettled) {
          listener.passEnded?.({ seconds: seconds(), outcome: 'done', over });
        }
      } catch (error) {
        if (error instanceof LeaseLostError) {
          throw error;
        }
        waitMilliseconds = RETRY_MILLISECONDS;
        this.#isInDoubt = true;
        listener.passEnded?.({ seconds: seconds(), outcome: 'failed', over });
        logger.error(
          'A pass over the previews failed and is tried again',
          error as Error,
        );
      }
    }
  }

  /**
   * A connection that breaks during a commit leaves open whether it took place:
   * deciding on what was known before would then tell everything twice.
   */
  async #leaveDoubt(): Promise<void> {
    if (this.#isInDoubt) {
      this.#remembered = await remember(this.#options);
      this.#decider = this.#deciderOn(this.#remembered);
      this.#isInDoubt = false;
    }
  }

  /** Writes what follows from a few changes; all that is of the whole is left to full passes. */
  async #narrowPass(
    { decisions, heads, lookAgainAt }: NarrowResult,
    now: Date,
  ): Promise<string | undefined> {
    for (const source of this.#options.sources.gitlab) {
      this.#readHeads(
        source,
        heads.filter(({ host }) => host === source.host),
      );
    }
    await this.#apply(decisions, now);
    return lookAgainAt;
  }

  /** A webhook of a project came. */
  noteWebhook(project: { host: string; projectId: number }): void {
    this.#keepers.webhooks.note(project, this.#options.clock());
  }

  async #fullPass(now: Date, signal: AbortSignal): Promise<string | undefined> {
    const { sources, listener } = this.#options;
    const { reporter, updates } = this.#keepers;
    const { memory, observations, budgets, findings } = this.#remembered;
    const unread = updates.said(sources.gitlab);
    const world = worldOf(sources);
    if (!this.#isSettled && !this.#isWorthDeciding(world, now)) {
      await reporter.report(undefined, now);
      return undefined;
    }
    const read = keysRead(world);
    // Decided once more without its MR, what has ended would become unknown.
    memory.letGoOfEnded(read);
    await memory.loadReturning(read);
    const result = this.#decider.decideAll(world, now);
    this.#direct(result.demand);
    if (!this.#isSettled) {
      this.#follow(result.demand);
    }
    this.#hasDirected = true;
    // What was decided on, and what that made the sources read since.
    this.#isSettled ||=
      (isSettled(world, result.demand.projects) &&
        isSettled(worldOf(sources), result.demand.projects)) ||
      this.#isOutOfPatience(now);
    await reporter.report(
      this.#isSettled && world.catalog.state !== 'pending'
        ? result.links
        : undefined,
      now,
    );
    if (!this.#isSettled) {
      return undefined;
    }
    await observations.observe(world, now.toISOString());
    await this.#apply(result.decisions, now);
    const concerned = await findings.keep(
      result,
      now.toISOString(),
      await budgets.keep(result, now.toISOString()),
    );
    this.#follow(result.demand);
    if (concerned.length > 0) {
      listener.previewsChanged(concerned);
    }
    this.#keepers.checks?.consider(result, { world, now, signal });
    this.#keepers.tiers?.consider(result, { world, now, signal });
    await this.#retain(now);
    await reporter.reconciled(now);
    await updates.write(unread, now);
    return result.lookAgainAt;
  }

  /**
   * After a start a source tells of every page of its first reading, and nothing
   * that is decided on the way is written. It is decided once when the sets and the
   * catalog are known, for what GitLab should read, and then when that is read.
   */
  #isWorthDeciding(world: World, now: Date): boolean {
    return (
      this.#isOutOfPatience(now) ||
      (this.#hasDirected ? isSettled(world) : isDirectable(world))
    );
  }

  #isOutOfPatience(now: Date): boolean {
    return now.getTime() - this.#startedAt > SETTLE_PATIENCE_MILLISECONDS;
  }

  async #retain(now: Date): Promise<void> {
    if (now.getTime() < this.#retentionAt) {
      return;
    }
    const { store, term, retentionMilliseconds } = this.#options;
    this.#retentionAt = now.getTime() + RETENTION_EVERY_MILLISECONDS;
    const before = new Date(
      now.getTime() - retentionMilliseconds,
    ).toISOString();
    await store.deleteEndedBefore(term, before);
    this.#remembered.memory.forgetEndedBefore(before);
    this.#remembered.observations.forgetBefore(before);
  }

  #direct({ projects, tags, heads, paths, isDnsAwaited, probes }: Demand) {
    const { dns = [], reachability } = this.#options.sources;
    reachability?.visit(probes);
    if (isDnsAwaited) {
      dns.forEach(source => source.readSoon());
    }
    for (const source of this.#options.sources.gitlab) {
      source.trackProjects(projects.get(source.host) ?? []);
      source.lookForTags(tags.get(source.host) ?? []);
      source.lookForPaths(paths.get(source.host) ?? []);
      this.#readHeads(source, heads.get(source.host) ?? []);
    }
  }

  /**
   * Sources let go of what has ended and is followed no more: not before all that was
   * decided of it is written, since nobody would read it again.
   */
  #follow({ mergeRequests }: Demand) {
    const { findings } = this.#remembered;
    const awaited = byHostOf(findings.awaited);
    const past = byHostOf(findings.past);
    for (const source of this.#options.sources.gitlab) {
      source.followMergeRequests([
        ...(mergeRequests.get(source.host) ?? []),
        ...(awaited.get(source.host) ?? []),
      ]);
      source.lookForPast(past.get(source.host) ?? []);
    }
  }

  /** Whoever asks for a preview, or tells of its MR, wants to know what is so now. */
  #hurryVisits(changes: WorldChanges | undefined) {
    const { reachability } = this.#options.sources;
    if (!reachability || !changes) {
      return;
    }
    const hosts = changes.previews.flatMap(key => {
      const stored = this.#remembered.memory.stored.get(keyString(key));
      return (stored?.preview.probes ?? []).map(({ host }) => host);
    });
    reachability.hurry(hosts);
  }

  #readHeads(
    source: Sources['gitlab'][number],
    heads: readonly { projectId: number; iid: number }[],
  ) {
    for (const { projectId, iid } of heads) {
      // Not awaited: what comes of it rings the alarm like any other reading.
      source.refreshMergeRequest({ projectId, iid }).catch(error => {
        this.#options.logger.warn(
          `!${iid} of project ${projectId} could not be read again; the next poll will`,
          error,
        );
      });
    }
  }

  /** Writes what differs, and tells of it. */
  async #apply(
    decisions: ReadonlyMap<string, Decision>,
    now: Date,
  ): Promise<void> {
    const { store, term, listener } = this.#options;
    const { usual } = this.#keepers;
    const { memory, observations } = this.#remembered;
    const changes = [...decisions.values()]
      .filter(({ unchanged }) => !unchanged)
      .map(({ change }) => change);
    for (let start = 0; start < changes.length; start += WRITE_CHUNK) {
      const chunk = changes.slice(start, start + WRITE_CHUNK);
      const { spans, troubled, nearEnd } = await observations.measure(
        chunk,
        now.toISOString(),
      );
      await store.apply(term, chunk, { spans });
      usual.add(
        chunk.flatMap(({ transitions }) => transitions),
        serviceOfPreview,
      );
      const entityRefs = new Set(
        chunk.flatMap(change => memory.remember(change)),
      );
      listener.previewsChanged([...entityRefs]);
      listener.spansEnded?.(spans);
      listener.previewsTroubled?.(troubled);
      listener.previewsNearEnd?.(nearEnd);
    }
  }
}

async function remember(options: WriterTermOptions): Promise<Remembered> {
  const { store, term, settings, acmeLimits, listener, logger } = options;
  return {
    memory: await PreviewMemory.load(store),
    observations: await Observations.create({
      store,
      term,
      noticedWithinSeconds: settings.gitlabStaleAfterSeconds,
    }),
    budgets: await BudgetKeeper.create({
      store,
      term,
      limits: acmeLimits,
      listener,
      logger,
    }),
    findings: await FindingsKeeper.create({ store, term, settings, logger }),
  };
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
