import { LoggerService } from '@backstage/backend-plugin-api';
import { randomUUID } from 'node:crypto';
import { SourceState } from '@previews/backstage-plugin-previews-common';
import { MergeRequestKey, TierName } from '../model';
import { ClaimPolicy, DecisionSettings } from '../reconcile';
import { AcmeLimits, letsEncryptLimits } from '../stats';
import { LeaseLostError, LeaseTerm, PreviewStore } from '../store';
import { Alarm } from './Alarm';
import { ChangeListener } from './ChangeListener';
import { ChecksSchedule } from './ChecksKeeper';
import { Hints } from './Hints';
import { mergeRequestsBuilt } from './mergeRequestsBuilt';
import { allSources, Sources } from './world';
import { WriterElection } from './WriterElection';
import { WriterTerm } from './WriterTerm';

/** Hints that come within this are answered by one pass. */
const SETTLE_MILLISECONDS = 150;

export interface PreviewEngineOptions {
  store: PreviewStore;
  sources: Sources;
  /** Sources that are configured in a way that cannot be read, shown as they are. */
  unreadableSources?: readonly SourceState[];
  settings: DecisionSettings;
  isClaimAllowed: ClaimPolicy;
  /** Limits of ACME servers; default those of Let's Encrypt. */
  acmeLimits?: AcmeLimits;
  /** Absent where set-ups are not checked. */
  checks?: ChecksSchedule;
  /** Names of tiers, in the order in which a release passes them; absent where none is looked for. */
  tiers?: readonly TierName[];
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
  readonly #hints = new Hints();
  readonly #abort = new AbortController();
  #running?: Promise<void>;
  #isWriter = false;
  #term?: WriterTerm;

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

  /** Reads one MR again, or those that a pipeline was run for; no others. */
  async refresh(key: {
    host?: string;
    projectId: number;
    iid?: number;
    /** What a pipeline of the project was run for. */
    built?: { sha?: string; branch?: string };
    approvals?: boolean;
    /** GitLab itself tells of it. */
    webhook?: boolean;
  }): Promise<void> {
    if (!this.#isWriter) {
      return;
    }
    const { projectId, iid, built } = key;
    const hosts = this.#options.sources.gitlab.filter(
      ({ host }) => key.host === undefined || host === key.host,
    );
    for (const { host } of key.webhook ? hosts : []) {
      this.#term?.noteWebhook({ host, projectId });
    }
    const named = hosts.flatMap(source => {
      const { host } = source;
      const keys: MergeRequestKey[] =
        iid === undefined
          ? mergeRequestsBuilt(source.reading(), { projectId, ...built })
          : [{ host, projectId, iid }];
      return keys.map(preview => ({ source, preview }));
    });
    await Promise.all(
      named.map(({ source, preview }) =>
        source.refreshMergeRequest({
          projectId: preview.projectId,
          iid: preview.iid,
          ...(key.approvals && { approvals: true }),
        }),
      ),
    );
    if (named.length > 0) {
      named.forEach(({ preview }) => this.#hints.addPreview(preview));
      this.#alarm.ring();
    }
  }

  async #write(term: LeaseTerm, signal: AbortSignal): Promise<void> {
    const { sources, unreadableSources = [] } = this.#options;
    // What was said to another term is of no use to this one.
    this.#hints.addEverything();
    const writer = await WriterTerm.begin({
      acmeLimits: letsEncryptLimits,
      ...this.#options,
      term,
      unreadableSources,
      clock: this.#clock,
      alarm: this.#alarm,
      hints: this.#hints,
    });
    const unsubscribe = [...this.#listen(), writer.listen(signal)];
    writer.followStored();
    allSources(sources).forEach(source => source.start({ signal }));
    this.#term = writer;
    this.#isWriter = true;
    try {
      await writer.run(signal);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) {
        throw error;
      }
    } finally {
      // One that waited in vain for the database may end after the next began.
      if (this.#term === writer) {
        this.#isWriter = false;
        this.#term = undefined;
      }
      unsubscribe.forEach(stop => stop());
    }
  }

  /** Returns the unsubscriptions. */
  #listen(): (() => void)[] {
    const { gitlab, clusters, catalog, dns, reachability, tokens, extensions } =
      this.#options.sources;
    const hear = <Change>(take: (change: Change) => void) => {
      return (change?: Change) => {
        if (change) {
          take(change);
        } else {
          this.#hints.addEverything();
        }
        this.#alarm.ring();
      };
    };
    return [
      ...gitlab.map(source =>
        source.onChange(
          hear(change => this.#hints.addProjects(source, change)),
        ),
      ),
      ...clusters.map(source =>
        source.onChange(hear(change => this.#hints.addObjects(source, change))),
      ),
      catalog.onChange(hear(() => {})),
      ...(dns ?? []).map(source => source.onChange(hear(() => {}))),
      ...(reachability
        ? [
            reachability.onChange(
              hear(change => this.#hints.addHosts(reachability, change)),
            ),
          ]
        : []),
      ...(tokens ? [tokens.onChange(hear(() => {}))] : []),
      ...(extensions?.sources ?? []).map(source =>
        source.onChange(hear(() => {})),
      ),
    ];
  }
}
