import { LoggerService } from '@backstage/backend-plugin-api';
import { PipelineFact } from '../../model';
import { GitLabClient } from './GitLabClient';
import { GitLabDemand } from './GitLabDemand';
import { GitLabMemory, LocalKey, localKeyOf } from './GitLabMemory';
import { toGitLabRequestError } from './GitLabRequestError';
import { inTurns } from './inTurns';
import { isOvertaken } from './isOvertaken';
import { endedPipelineOf, pipelinesDue } from './pipelines';
import { RegistryLookup } from './RegistryLookup';

const MINUTE = 60 * 1000;

/** Pipelines that could not be read are tried again after this. */
const PIPELINES_RETRY = 5 * MINUTE;

/** A tag that no pipeline is about to push is looked for at least this often. */
const TAG_RETRY = 5 * MINUTE;

/** MRs that are looked after at the same time. */
const AT_A_TIME = 4;

/** A reading of what was built. */
export interface BuildReading {
  /** Whether what is known already is read again where it can have changed. */
  whole: boolean;
  /** Most MRs whose pipelines are read though the newest one has ended. */
  settledAtMost: number;
  /** Whether it is time to stop; what is left is for the next reading. */
  isOver: () => boolean;
}

/** What a reader of pipelines and tags works with. */
export interface BuildReaderOptions {
  client: GitLabClient;
  memory: GitLabMemory;
  demand: GitLabDemand;
  clock: () => Date;
  logger: LoggerService;
}

/** Reads what was built for MRs: their pipelines, and their tags in the registry. */
export class BuildReader {
  readonly #client: GitLabClient;
  readonly #memory: GitLabMemory;
  readonly #demand: GitLabDemand;
  readonly #clock: () => Date;
  readonly #logger: LoggerService;
  readonly #registry: RegistryLookup;
  readonly #failed = new Map<
    string,
    { headSha?: string; at: number; isRefused: boolean }
  >();
  /** Pipelines of merged results whose commits cannot be read, the newest of each MR. */
  readonly #untold = new Map<string, number>();
  /** Since when a tag is missing, though nothing builds it. */
  readonly #idleSince = new Map<string, { tag: string; at: number }>();

  private constructor(options: BuildReaderOptions) {
    this.#client = options.client;
    this.#memory = options.memory;
    this.#demand = options.demand;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#registry = RegistryLookup.create({
      client: options.client,
      clock: options.clock,
    });
  }

  static create(options: BuildReaderOptions): BuildReader {
    return new BuildReader(options);
  }

  /**
   * Reads what is due; of what has settled only a few, those that were read the
   * longest ago. Never rejects.
   */
  async readDue(reading: BuildReading): Promise<void> {
    const { whole } = reading;
    const keys = this.#memory.mergeRequestKeys();
    if (whole) {
      this.#forgetAllBut(new Set(keys.map(localKeyOf)));
    }
    const due = keys.map(key => ({
      key,
      pipelines: this.#pipelinesDue(key, { whole }),
      readAt: this.#memory.mergeRequest(key)?.pipelines?.readAt ?? '',
    }));
    const settled = due
      .filter(({ pipelines }) => pipelines === 'settled')
      .sort((left, right) => (left.readAt < right.readAt ? -1 : 1))
      .slice(0, reading.settledAtMost);
    const postponed = new Set(due.filter(item => item.pipelines === 'settled'));
    settled.forEach(item => postponed.delete(item));
    await inTurns(
      due,
      async item => {
        if (item.pipelines && !postponed.has(item)) {
          await this.readPipelines(item.key);
        }
        await this.readTag(item.key, { again: whole });
      },
      { atATime: AT_A_TIME, isOver: reading.isOver },
    );
  }

  /** Never rejects. */
  async readPipelines(key: LocalKey): Promise<void> {
    const forHead = this.#memory.mergeRequest(key)?.fact.headSha;
    const readAt = this.#clock().toISOString();
    try {
      const items = await this.#withParents(
        key,
        await this.#client.pipelines(key),
      );
      this.#failed.delete(localKeyOf(key));
      this.#memory.changeMergeRequest(key, reading =>
        // The head may have moved on while GitLab answered.
        reading.fact.headSha === forHead &&
        !this.#isOvertaken(reading.pipelines?.readAt, readAt)
          ? {
              ...reading,
              pipelines: { items, ...(forHead && { forHead }), readAt },
            }
          : reading,
      );
    } catch (error) {
      const { reason } = toGitLabRequestError(error);
      this.#failed.set(localKeyOf(key), {
        headSha: forHead,
        at: this.#clock().getTime(),
        isRefused: reason === 'Forbidden' || reason === 'NotFound',
      });
      this.#logger.debug('Cannot read pipelines', {
        reason,
        mergeRequest: localKeyOf(key),
      });
    }
  }

  /**
   * Asks whether the newest pipeline is of this head, where it is one of a merged
   * result: only the parents of its commit tell. Those before it are of no newer head.
   */
  async #withParents(
    key: LocalKey,
    listed: readonly PipelineFact[],
  ): Promise<PipelineFact[]> {
    const { fact, pipelines } = this.#memory.mergeRequest(key) ?? {};
    const known = new Map(
      (pipelines?.items ?? []).map(({ id, parents }) => [id, parents]),
    );
    const items = listed.map(item => {
      const parents = known.get(item.id);
      return parents ? { ...item, parents } : item;
    });
    const index = items.findIndex(
      ({ sha, ofMergedResult }) => sha === fact?.headSha || ofMergedResult,
    );
    const newest = items[index];
    const isUntold = newest?.ofMergedResult && !newest.parents;
    if (isUntold && this.#untold.get(localKeyOf(key)) !== newest.id) {
      const parents = await this.#parentsOf(key, newest);
      if (parents) {
        items[index] = { ...newest, parents };
      }
    }
    return items;
  }

  /** Undefined where the token may not see the commit, which is not asked for again. */
  async #parentsOf(
    key: LocalKey,
    { id, sha }: PipelineFact,
  ): Promise<string[] | undefined> {
    try {
      return await this.#client.parents(key.projectId, sha);
    } catch (error) {
      const { reason } = toGitLabRequestError(error);
      if (reason !== 'Forbidden' && reason !== 'NotFound') {
        throw error;
      }
      this.#untold.set(localKeyOf(key), id);
      return undefined;
    }
  }

  /** Never rejects. Not `again`: only if it was never looked for. */
  async readTag(
    key: LocalKey,
    options: { again: boolean; force?: boolean },
  ): Promise<void> {
    const wanted = this.#demand.tagOf(key);
    const reading = this.#memory.mergeRequest(key);
    if (!wanted || !reading) {
      return;
    }
    const isKnown = reading.tag?.tag === wanted.tag;
    if (
      isKnown &&
      (reading.tag?.state === 'found' ||
        !options.again ||
        (!options.force && !this.#isTagDue(key, wanted.tag)))
    ) {
      return;
    }
    // As known before the registry is asked: what a pipeline pushes while it answers
    // is not missing.
    const afterPipeline = endedPipelineOf(reading);
    const found = await this.#registry.find(wanted);
    const tag =
      found.state === 'missing' && afterPipeline !== undefined
        ? { ...found, afterPipeline }
        : found;
    this.#memory.changeMergeRequest(key, current => {
      const known =
        current.tag?.tag === tag.tag ? current.tag.readAt : undefined;
      return current.fact.headSha === reading.fact.headSha &&
        !this.#isOvertaken(known, tag.readAt)
        ? { ...current, tag }
        : current;
    });
  }

  #isOvertaken(known: string | undefined, askedAt: string): boolean {
    return isOvertaken({ known, askedAt, now: this.#clock() });
  }

  #forgetAllBut(read: ReadonlySet<string>): void {
    for (const notes of [this.#failed, this.#untold, this.#idleSince]) {
      for (const key of notes.keys()) {
        if (!read.has(key)) {
          notes.delete(key);
        }
      }
    }
  }

  #pipelinesDue(
    key: LocalKey,
    options: { whole: boolean },
  ): 'awaited' | 'settled' | undefined {
    const reading = this.#memory.mergeRequest(key);
    if (!reading) {
      return undefined;
    }
    const now = this.#clock();
    const isKnown = reading.pipelines?.forHead === reading.fact.headSha;
    if (isKnown && !options.whole) {
      return undefined;
    }
    const due = pipelinesDue(reading, {
      now,
      headSeenAt: this.#memory.headSeenAt(key) ?? now,
    });
    const failed = this.#failed.get(localKeyOf(key));
    if (!due || !failed || failed.headSha !== reading.fact.headSha) {
      return due;
    }
    if (now.getTime() - failed.at < PIPELINES_RETRY) {
      return undefined;
    }
    return failed.isRefused ? 'settled' : due;
  }

  /** In every reading while something may push it; the longer nothing does, the less often. */
  #isTagDue(key: LocalKey, tag: string): boolean {
    const reading = this.#memory.mergeRequest(key)!;
    const now = this.#clock();
    const isUnderWay =
      pipelinesDue(reading, {
        now,
        headSeenAt: this.#memory.headSeenAt(key) ?? now,
      }) === 'awaited';
    const since = this.#idleSince.get(localKeyOf(key));
    if (isUnderWay || since?.tag !== tag) {
      this.#idleSince.set(localKeyOf(key), { tag, at: now.getTime() });
      return true;
    }
    const lookedAt = Date.parse(reading.tag?.readAt ?? '');
    const pause = Math.min(TAG_RETRY, (lookedAt - since.at) / 2);
    return now.getTime() - lookedAt >= pause;
  }
}
