import { LoggerService } from '@backstage/backend-plugin-api';
import { GitLabClient } from './GitLabClient';
import { GitLabDemand } from './GitLabDemand';
import { GitLabMemory, hasEnded, LocalKey, localKeyOf } from './GitLabMemory';
import { toGitLabRequestError } from './GitLabRequestError';
import { inTurns } from './inTurns';

/** Files that could not be read are tried again after this, in milliseconds. */
const RETRY = 5 * 60 * 1000;

/** MRs that are looked after at the same time. */
const AT_A_TIME = 4;

/** What a reader of changed files works with. */
export interface ChangedFilesReaderOptions {
  client: GitLabClient;
  memory: GitLabMemory;
  demand: GitLabDemand;
  clock: () => Date;
  logger: LoggerService;
}

function touches(files: ReadonlySet<string>, path: string): boolean {
  return (
    files.has(path) || [...files].some(file => file.startsWith(`${path}/`))
  );
}

/**
 * Finds out which of the wanted paths open MRs touch, once per head. Only that is
 * kept: an MR may change thousands of files.
 */
export class ChangedFilesReader {
  readonly #client: GitLabClient;
  readonly #memory: GitLabMemory;
  readonly #demand: GitLabDemand;
  readonly #clock: () => Date;
  readonly #logger: LoggerService;
  readonly #failedAt = new Map<string, number>();

  private constructor(options: ChangedFilesReaderOptions) {
    this.#client = options.client;
    this.#memory = options.memory;
    this.#demand = options.demand;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  static create(options: ChangedFilesReaderOptions): ChangedFilesReader {
    return new ChangedFilesReader(options);
  }

  /** Whether there is an MR to look at now. */
  get isAnyDue(): boolean {
    return this.#memory.mergeRequestKeys().some(key => this.#isDue(key));
  }

  /** Never rejects. What is left when it is over is for the next reading. */
  async readDue(options: { isOver: () => boolean }): Promise<void> {
    const due = this.#memory.mergeRequestKeys().filter(key => this.#isDue(key));
    await inTurns(due, key => this.read(key), {
      atATime: AT_A_TIME,
      isOver: options.isOver,
    });
  }

  /** Reads the files of one MR, if anybody wants to know. Never rejects. */
  async read(key: LocalKey): Promise<void> {
    const asked = this.#demand.pathsOf(key.projectId);
    const forHead = this.#memory.mergeRequest(key)?.fact.headSha;
    if (!forHead || !this.#isDue(key)) {
      return;
    }
    try {
      const files = await this.#client.changedFiles(key);
      const readAt = this.#clock().toISOString();
      this.#failedAt.delete(localKeyOf(key));
      this.#memory.changeMergeRequest(key, reading =>
        // The head may have moved on while GitLab answered.
        reading.fact.headSha === forHead
          ? {
              ...reading,
              touchedPaths: {
                forHead,
                asked,
                // One that changes more than GitLab tells may touch any of them.
                touched: asked.filter(path => !files || touches(files, path)),
                readAt,
              },
            }
          : reading,
      );
    } catch (error) {
      this.#failedAt.set(localKeyOf(key), this.#clock().getTime());
      this.#logger.debug('Cannot read changed files', {
        reason: toGitLabRequestError(error).reason,
        mergeRequest: localKeyOf(key),
      });
    }
  }

  #isDue(key: LocalKey): boolean {
    const paths = this.#demand.pathsOf(key.projectId);
    const reading = this.#memory.mergeRequest(key);
    if (paths.length === 0 || !reading?.fact.headSha || hasEnded(reading)) {
      return false;
    }
    const failedAt = this.#failedAt.get(localKeyOf(key));
    if (failedAt !== undefined && this.#clock().getTime() - failedAt < RETRY) {
      return false;
    }
    const known = reading.touchedPaths;
    return (
      known?.forHead !== reading.fact.headSha ||
      paths.some(path => !known.asked.includes(path))
    );
  }
}
