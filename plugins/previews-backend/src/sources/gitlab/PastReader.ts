import { LoggerService } from '@backstage/backend-plugin-api';
import { MergeRequestFact } from '../../model';
import { GitLabClient } from './GitLabClient';
import { GitLabDemand } from './GitLabDemand';
import { GitLabMemory, LocalKey, localKeyOf } from './GitLabMemory';
import { toGitLabRequestError } from './GitLabRequestError';
import { inTurns } from './inTurns';

const MINUTE = 60 * 1000;

/** What GitLab failed to tell is asked for again after this, in milliseconds. */
const RETRY = 5 * MINUTE;

/** What GitLab did not find is asked for again after this: a token may have been given more. */
const ABSENT_RECHECK = 60 * MINUTE;

/** Projects that are asked at the same time. */
const AT_A_TIME = 4;

/** What a reader of past MRs works with. */
export interface PastReaderOptions {
  client: GitLabClient;
  memory: GitLabMemory;
  demand: GitLabDemand;
  clock: () => Date;
  logger: LoggerService;
}

/**
 * Finds out when MRs began and ended that are in no list of open ones and that nobody
 * follows. That stands once it is told: one that is opened again is in the list.
 */
export class PastReader {
  readonly #client: GitLabClient;
  readonly #memory: GitLabMemory;
  readonly #demand: GitLabDemand;
  readonly #clock: () => Date;
  readonly #logger: LoggerService;
  /** Those that were not found, or not told of. */
  readonly #askedAt = new Map<string, number>();

  private constructor(options: PastReaderOptions) {
    this.#client = options.client;
    this.#memory = options.memory;
    this.#demand = options.demand;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  static create(options: PastReaderOptions): PastReader {
    return new PastReader(options);
  }

  /** Whether there is an MR to ask for now. */
  get isAnyDue(): boolean {
    return this.#due().size > 0;
  }

  /** Never rejects. What is left when it is over is for the next reading. */
  async readDue(options: { isOver: () => boolean }): Promise<void> {
    await inTurns(
      [...this.#due()],
      ([projectId, iids]) => this.#read(projectId, iids),
      { atATime: AT_A_TIME, isOver: options.isOver },
    );
  }

  async #read(projectId: number, iids: readonly number[]): Promise<void> {
    const now = this.#clock().getTime();
    iids.forEach(iid => this.#askedAt.set(localKeyOf({ projectId, iid }), now));
    try {
      const facts = await this.#client.mergeRequestsOf(projectId, iids);
      const found = new Map(facts.map(fact => [fact.key.iid, fact]));
      for (const iid of iids) {
        this.#put({ projectId, iid }, found.get(iid));
      }
    } catch (error) {
      this.#logger.debug('Cannot read past merge requests', {
        reason: toGitLabRequestError(error).reason,
        project: projectId,
      });
    }
  }

  #put(key: LocalKey, fact: MergeRequestFact | undefined): void {
    if (!fact) {
      this.#memory.putPast(key, {});
      return;
    }
    const { state, createdAt, mergedAt, closedAt } = fact;
    // The next list has one that is open.
    if (state !== 'opened' && state !== 'locked') {
      const endedAt = mergedAt ?? closedAt;
      this.#askedAt.delete(localKeyOf(key));
      this.#memory.putPast(key, { createdAt, ...(endedAt && { endedAt }) });
    }
  }

  /** By project. */
  #due(): Map<number, number[]> {
    const now = this.#clock().getTime();
    const due = new Map<number, number[]>();
    const wanted = this.#demand.past();
    this.#forgetAllBut(wanted);
    for (const key of wanted) {
      const { projectId, iid } = key;
      const askedAt = this.#askedAt.get(localKeyOf(key));
      const project = this.#memory.project(projectId);
      const past = project?.past?.get(iid);
      const isDue =
        askedAt === undefined
          ? past === undefined
          : now - askedAt >= (past ? ABSENT_RECHECK : RETRY);
      if (project && isDue) {
        due.set(projectId, [...(due.get(projectId) ?? []), iid]);
      }
    }
    return due;
  }

  #forgetAllBut(wanted: readonly LocalKey[]): void {
    const kept = new Set(wanted.map(localKeyOf));
    for (const key of [...this.#askedAt.keys()]) {
      if (!kept.has(key)) {
        this.#askedAt.delete(key);
      }
    }
  }
}
