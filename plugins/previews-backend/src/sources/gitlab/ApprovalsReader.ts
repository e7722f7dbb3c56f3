import { LoggerService } from '@backstage/backend-plugin-api';
import { ApprovalsFact } from '../../model';
import { ApprovalNote } from '../objects';
import { areApprovalsDue, areDated, firstApprovalAt } from './approvals';
import { GitLabClient } from './GitLabClient';
import { GitLabMemory, hasEnded, LocalKey, localKeyOf } from './GitLabMemory';
import { toGitLabRequestError } from './GitLabRequestError';
import { inTurns } from './inTurns';
import { isOvertaken } from './isOvertaken';

const MINUTE = 60 * 1000;

/** Approvals that could not be read are tried again after this. */
const RETRY = 5 * MINUTE;

/** A project that refuses them is asked again after this. */
const REFUSED_RETRY = 60 * MINUTE;

/** MRs that are looked after at the same time. */
const AT_A_TIME = 4;

/** Most MRs that have ended whose approvals are read in one reading. */
const ENDED_AT_A_TIME = 20;

/** What a reader of approvals works with. */
export interface ApprovalsReaderOptions {
  client: GitLabClient;
  memory: GitLabMemory;
  clock: () => Date;
  logger: LoggerService;
}

/**
 * Reads who approved MRs, where that can have changed since it was read last. A
 * failure concerns the approvals alone: what was known of them stands, and that
 * nobody approved is never concluded from it.
 */
export class ApprovalsReader {
  readonly #client: GitLabClient;
  readonly #memory: GitLabMemory;
  readonly #clock: () => Date;
  readonly #logger: LoggerService;
  readonly #failedAt = new Map<string, number>();
  /** By project. */
  readonly #refusedAt = new Map<number, number>();

  private constructor(options: ApprovalsReaderOptions) {
    this.#client = options.client;
    this.#memory = options.memory;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  static create(options: ApprovalsReaderOptions): ApprovalsReader {
    return new ApprovalsReader(options);
  }

  /** Projects whose approvals GitLab refused when they were last asked for. */
  get refusedProjects(): number[] {
    return [...this.#refusedAt.keys()].filter(id => this.#memory.project(id));
  }

  /**
   * Reads what is due, of the newest updates first; of what has ended only a few,
   * since after an outage that can be very much. Never rejects.
   */
  async readDue(options: { isOver: () => boolean }): Promise<void> {
    const due = this.#memory
      .mergeRequestKeys()
      .filter(key => this.#isDue(key))
      .map(key => ({ key, reading: this.#memory.mergeRequest(key)! }))
      .sort(
        (left, right) =>
          Date.parse(right.reading.fact.updatedAt) -
          Date.parse(left.reading.fact.updatedAt),
      );
    const postponed = new Set(
      due.filter(({ reading }) => hasEnded(reading)).slice(ENDED_AT_A_TIME),
    );
    await inTurns(
      due.filter(item => !postponed.has(item)),
      async ({ key }) => {
        // Another MR of the project may have been refused since.
        if (!this.#isRefused(key)) {
          await this.read(key);
        }
      },
      { atATime: AT_A_TIME, isOver: options.isOver },
    );
  }

  /** Reads them if they are due. Never rejects. */
  async readIfDue(key: LocalKey): Promise<void> {
    if (this.#isDue(key)) {
      await this.read(key);
    }
  }

  /** Never rejects. */
  async read(key: LocalKey): Promise<void> {
    const asked = this.#memory.mergeRequest(key);
    if (!asked) {
      return;
    }
    const readAt = this.#clock().toISOString();
    try {
      const fact = await this.#approvalsOf(key);
      this.#failedAt.delete(localKeyOf(key));
      this.#refusedAt.delete(key.projectId);
      this.#memory.changeMergeRequest(key, reading =>
        isOvertaken({
          known: reading.approvals?.readAt,
          askedAt: readAt,
          now: this.#clock(),
        })
          ? reading
          : {
              ...reading,
              // An update that came while GitLab answered is newer than the answer.
              approvals: { fact, forUpdate: asked.fact.updatedAt, readAt },
            },
      );
    } catch (error) {
      this.#noteFailure(key, toGitLabRequestError(error).reason);
    }
  }

  async #approvalsOf(key: LocalKey): Promise<ApprovalsFact> {
    const approvals = await this.#client.approvals(key);
    const notes = areDated(approvals) ? [] : await this.#notesOf(key);
    const firstAt = firstApprovalAt(approvals, notes);
    return {
      approved: approvals.length > 0,
      ...(firstAt !== undefined && { firstAt }),
    };
  }

  /** Without the notes it is known that somebody approved, and not when. */
  async #notesOf(key: LocalKey): Promise<ApprovalNote[]> {
    try {
      return await this.#client.approvalNotes(key);
    } catch (error) {
      const { reason } = toGitLabRequestError(error);
      if (reason !== 'Forbidden' && reason !== 'NotFound') {
        throw error;
      }
      return [];
    }
  }

  #noteFailure(key: LocalKey, reason: string): void {
    const now = this.#clock().getTime();
    this.#failedAt.set(localKeyOf(key), now);
    if (
      reason === 'Forbidden' ||
      reason === 'ScopeMissing' ||
      reason === 'NotFound'
    ) {
      this.#refusedAt.set(key.projectId, now);
    }
    this.#logger.debug('Cannot read approvals', {
      reason,
      mergeRequest: localKeyOf(key),
    });
  }

  #isRefused({ projectId }: LocalKey): boolean {
    const at = this.#refusedAt.get(projectId);
    return at !== undefined && this.#clock().getTime() - at < REFUSED_RETRY;
  }

  #isDue(key: LocalKey): boolean {
    const reading = this.#memory.mergeRequest(key);
    const now = this.#clock();
    const failedAt = this.#failedAt.get(localKeyOf(key));
    return (
      reading !== undefined &&
      areApprovalsDue(reading, now) &&
      !this.#isRefused(key) &&
      (failedAt === undefined || now.getTime() - failedAt >= RETRY)
    );
  }
}
