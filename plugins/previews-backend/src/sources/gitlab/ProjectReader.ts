import { LoggerService } from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import { MergeRequestFact, MergeRequestReading } from '../../model';
import { levelOf } from '../levelOf';
import { Recall } from '../types';
import { answerForMissing } from './answerForMissing';
import { GitLabClient } from './GitLabClient';
import { GitLabDemand } from './GitLabDemand';
import { GitLabMemory, hasEnded, LocalKey, localKeyOf } from './GitLabMemory';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';
import { ListProgress } from './ListProgress';
import { ListTooLongError } from './pages';
import { UnreadUpdates } from './UnreadUpdates';

/** A followed MR that ended, or was not found, is asked for again this often. */
const ENDED_RECHECK = 10 * 60 * 1000;

/**
 * For how long a project has to show no MR at all, in any state, before it is believed
 * that its last one was deleted: a token that sees nothing is shown the same.
 */
const NOTHING_SEEN_BELIEVED_AFTER = 10 * 60 * 1000;

/** When a list was asked for; what was read alone since is newer than it. */
export interface ReadingStart {
  at: Date;
  readAlone: number;
}

/** What a list had of one project. */
export interface ListedMergeRequests {
  projectId: number;
  facts: readonly MergeRequestFact[];
  start: ReadingStart;
  /**
   * `project`: all open MRs, by a list of the project's own; `group`: all open
   * MRs, by the list of a group; `updates`: those that were updated.
   */
  list: 'project' | 'group' | 'updates';
}

/** What a reader of projects works with. */
export interface ProjectReaderOptions {
  /** Once it is aborted, failures mean nothing. */
  signal: AbortSignal;
  client: GitLabClient;
  memory: GitLabMemory;
  demand: GitLabDemand;
  unread: UnreadUpdates;
  /** Absent: nobody remembers an MR that nobody follows. */
  recall?: Recall;
  clock: () => Date;
  logger: LoggerService;
}

function isOpen(reading: MergeRequestReading): boolean {
  return (
    reading.deletedAt === undefined &&
    (reading.fact.state === 'opened' || reading.fact.state === 'locked')
  );
}

function without(
  all: readonly MergeRequestFact[],
  some: readonly MergeRequestFact[],
): readonly MergeRequestFact[] {
  const left = new Set(some);
  return left.size === 0 ? all : all.filter(fact => !left.has(fact));
}

/** Puts what lists and single answers have of projects into the memory. */
export class ProjectReader {
  readonly #signal: AbortSignal;
  readonly #client: GitLabClient;
  readonly #memory: GitLabMemory;
  readonly #demand: GitLabDemand;
  readonly #unread: UnreadUpdates;
  readonly #recall: Recall | undefined;
  readonly #clock: () => Date;
  readonly #logger: LoggerService;
  /** Of projects that are read by lists of their own. */
  readonly #progress = new Map<number, ListProgress>();
  /** Followed MRs that were asked for, with or without success. */
  readonly #asked = new Set<string>();
  /** When a followed MR that was never known was not found. */
  readonly #absentAt = new Map<string, number>();
  /** Since when a project answers that it has no MR, though some were known. */
  readonly #nothingSeenSince = new Map<number, number>();
  /** Counts the MRs that were read alone, and at which count each was last. */
  readonly #readAlone = { count: 0, at: new Map<string, number>() };

  private constructor(options: ProjectReaderOptions) {
    this.#signal = options.signal;
    this.#client = options.client;
    this.#memory = options.memory;
    this.#demand = options.demand;
    this.#unread = options.unread;
    this.#recall = options.recall;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  static create(options: ProjectReaderOptions): ProjectReader {
    return new ProjectReader(options);
  }

  begin(): ReadingStart {
    return { at: this.#clock(), readAlone: this.#readAlone.count };
  }

  /** Whether somebody waits for a followed MR that was never asked for. */
  isAnyUnasked(keys: readonly LocalKey[]): boolean {
    return keys.some(
      key =>
        !this.#memory.mergeRequest(key) && !this.#asked.has(localKeyOf(key)),
    );
  }

  /** Reads one MR now. */
  async readMergeRequest(key: LocalKey): Promise<void> {
    const { at } = this.begin();
    const fact = await this.#client.mergeRequest(key);
    if (this.#isOvertaken(fact, at)) {
      return;
    }
    this.#memory.putMergeRequest(fact, {
      readAt: at.toISOString(),
      now: this.#clock(),
    });
    this.#readAlone.count += 1;
    this.#readAlone.at.set(localKeyOf(key), this.#readAlone.count);
  }

  /** Reads a project by a list of its own. Never rejects. */
  async readProject(projectId: number): Promise<void> {
    const progress = this.#progressOf(projectId);
    const start = this.begin();
    const isComplete =
      !this.isRead(projectId) || progress.isCompleteDue(start.at);
    try {
      const facts = isComplete
        ? await this.#readOpen(projectId, { progress, start })
        : await this.#readUpdates(projectId, { progress, start });
      const isAnswered = await this.putListed({
        projectId,
        facts,
        start,
        list: isComplete ? 'project' : 'updates',
      });
      if (!isAnswered) {
        progress.noteFailure();
      } else if (isComplete && facts.length > 0) {
        progress.confirm();
      }
      this.#unread.note([projectId], progress.unreadSince());
    } catch (error) {
      progress.noteFailure();
      if (error instanceof ListTooLongError) {
        // It would be as long the next time.
        progress.giveUpdatesUp(start.at);
      }
      this.noteFailure(projectId, toGitLabRequestError(error));
    }
  }

  /** Whether a project was read to its end since it is known. */
  isRead(projectId: number): boolean {
    return this.#memory.project(projectId)?.completeAt !== undefined;
  }

  /**
   * Leaves out of what was updated the MRs that had ended and that nobody waits for
   * or remembers.
   */
  async sift(updated: readonly MergeRequestFact[]): Promise<{
    facts: readonly MergeRequestFact[];
    /** Who remembers what could be asked; else it has to be read once more. */
    isWhole: boolean;
  }> {
    const strangers = updated.filter(fact => !this.#isOfInterest(fact));
    if (strangers.length === 0 || !this.#recall) {
      return { facts: without(updated, strangers), isWhole: true };
    }
    try {
      const remembered = new Set(
        (await this.#recall(strangers.map(({ key }) => key))).map(localKeyOf),
      );
      return {
        facts: without(
          updated,
          strangers.filter(({ key }) => !remembered.has(localKeyOf(key))),
        ),
        isWhole: true,
      };
    } catch (error) {
      this.#logger.warn(
        'It cannot be told which merge requests are remembered; what was updated is read again',
        toError(error),
      );
      return { facts: without(updated, strangers), isWhole: false };
    }
  }

  async #readOpen(
    projectId: number,
    { progress, start }: { progress: ListProgress; start: ReadingStart },
  ): Promise<readonly MergeRequestFact[]> {
    const { facts, pages } = await this.#client.openMergeRequests({
      projectId,
    });
    progress.noteComplete({ startedAt: start.at, pages, facts });
    return facts;
  }

  async #readUpdates(
    projectId: number,
    { progress, start }: { progress: ListProgress; start: ReadingStart },
  ): Promise<readonly MergeRequestFact[]> {
    const updated = await this.#client.mergeRequestsUpdatedAfter(
      { projectId },
      progress.updatedAfter(),
    );
    const { facts, isWhole } = await this.sift(updated.facts);
    if (isWhole) {
      progress.noteUpdates({ startedAt: start.at, facts: updated.facts });
    }
    return facts;
  }

  #progressOf(projectId: number): ListProgress {
    const known = this.#progress.get(projectId);
    if (known) {
      return known;
    }
    // One page is what the list of updates costs too.
    const progress = ListProgress.create({ completePagesAtMost: 1 });
    const since = this.#unread.of(projectId);
    if (since) {
      progress.reachBackTo(since);
    }
    this.#progress.set(projectId, progress);
    return progress;
  }

  /** The lists of a group stand for that of the project from now on. */
  forgetProgress(projectId: number): void {
    this.#progress.delete(projectId);
  }

  /**
   * Takes in what a list has of a project, asks for what it should have had, and
   * for followed MRs. Returns whether all of it was answered: then the project is
   * completely read. Never rejects.
   */
  async putListed(listed: ListedMergeRequests): Promise<boolean> {
    const { projectId, facts, start, list } = listed;
    const known = this.#memory.project(projectId)?.mergeRequests ?? new Map();
    const inList = new Set(facts.map(({ key }) => key.iid));
    const wereOpen =
      list === 'updates'
        ? []
        : [...known.values()].filter(isOpen).map(({ fact }) => fact.key.iid);
    const alsoAsk = this.#mergeRequestsToAskFor(projectId, {
      ended: list !== 'updates',
    });
    const asked = new Set(
      [...wereOpen, ...alsoAsk].filter(iid => !inList.has(iid)),
    );
    const { answered, deleted, failure, isNothingSeen } =
      await answerForMissing({
        client: this.#client,
        projectId,
        iids: asked,
        // One that is empty is what a token that sees nothing is shown too.
        isListEvidence:
          (list !== 'updates' && inList.size > 0) ||
          this.#isNothingSeenForLong(projectId),
        clock: this.#clock,
      });
    if (isNothingSeen) {
      this.#noteNothingSeen(projectId);
    } else if (asked.size > 0 || facts.length > 0) {
      // Where nothing is listed and nothing was asked for, nothing was looked at.
      this.#nothingSeenSince.delete(projectId);
    }
    const readAt = start.at.toISOString();
    facts.forEach(fact => this.#put(fact, { readAt, start }));
    answered.forEach(answer =>
      this.#put(answer.fact, { readAt: answer.readAt, start }),
    );
    this.#noteDeleted(projectId, deleted);
    if (failure) {
      this.noteFailure(projectId, failure);
      return false;
    }
    this.#memory.putComplete(projectId, start.at.toISOString());
    return true;
  }

  /** Asks for followed MRs that nobody has asked for yet; says nothing of the others. */
  async askForFollowed(projectId: number): Promise<void> {
    const start = this.begin();
    const { answered, deleted } = await answerForMissing({
      client: this.#client,
      projectId,
      iids: this.#mergeRequestsToAskFor(projectId, { ended: false }),
      isListEvidence: false,
      clock: this.#clock,
    });
    answered.forEach(answer =>
      this.#put(answer.fact, { readAt: answer.readAt, start }),
    );
    this.#noteDeleted(projectId, deleted);
  }

  /** The project, or a list that has it, could not be read. */
  noteFailure(projectId: number, failure: GitLabRequestError): void {
    const project = this.#memory.project(projectId);
    if (
      project &&
      !this.#signal.aborted &&
      this.#memory.putFailure(projectId, failure, this.#clock())
    ) {
      const { reason, message } = failure;
      this.#logger[levelOf(reason)](
        `Cannot read the merge requests of ${project.fact.path}: ${message}`,
        { reason },
      );
    }
  }

  /** One that has ended and that nobody follows matters only to who remembers it. */
  #isOfInterest(fact: MergeRequestFact): boolean {
    return (
      fact.state === 'opened' ||
      fact.state === 'locked' ||
      this.#memory.mergeRequest(fact.key) !== undefined ||
      this.#demand.isFollowed(fact.key)
    );
  }

  /** A list that was asked for later was there before, and tells of something newer. */
  #isOvertaken(fact: MergeRequestFact, askedAt: Date): boolean {
    const known = this.#memory.mergeRequest(fact.key);
    return (
      known !== undefined &&
      Date.parse(known.readAt) >= askedAt.getTime() &&
      Date.parse(known.fact.updatedAt) > Date.parse(fact.updatedAt)
    );
  }

  #put(
    fact: MergeRequestFact,
    options: { readAt: string; start: ReadingStart },
  ): void {
    const readAloneAt = this.#readAlone.at.get(localKeyOf(fact.key)) ?? 0;
    if (readAloneAt <= options.start.readAlone) {
      this.#memory.putMergeRequest(fact, {
        readAt: options.readAt,
        now: this.#clock(),
      });
    }
  }

  #noteNothingSeen(projectId: number): void {
    if (!this.#nothingSeenSince.has(projectId)) {
      this.#nothingSeenSince.set(projectId, this.#clock().getTime());
    }
  }

  #isNothingSeenForLong(projectId: number): boolean {
    const since = this.#nothingSeenSince.get(projectId);
    return (
      since !== undefined &&
      this.#clock().getTime() - since >= NOTHING_SEEN_BELIEVED_AFTER
    );
  }

  #noteDeleted(projectId: number, iids: readonly number[]): void {
    const now = this.#clock();
    const at = now.toISOString();
    for (const iid of iids) {
      const key = { projectId, iid };
      if (!this.#memory.mergeRequest(key)) {
        this.#absentAt.set(localKeyOf(key), now.getTime());
      }
      this.#memory.putDeleted(key, at);
    }
  }

  /**
   * Followed MRs that are not known, and now and then those that ended. Notes
   * that they are asked for.
   */
  #mergeRequestsToAskFor(
    projectId: number,
    options: { ended: boolean },
  ): number[] {
    const now = this.#clock().getTime();
    const due = this.#demand.followedOf(projectId).filter(key => {
      const reading = this.#memory.mergeRequest(key);
      if (!reading) {
        const absentAt = this.#absentAt.get(localKeyOf(key));
        return (
          // What was let go of in between, with its project or because nobody
          // followed it, is not known to be absent any more.
          !this.#memory.project(projectId)?.missing?.has(key.iid) ||
          absentAt === undefined ||
          now - absentAt >= ENDED_RECHECK
        );
      }
      return (
        options.ended &&
        hasEnded(reading) &&
        now - Date.parse(reading.readAt) >= ENDED_RECHECK
      );
    });
    due.forEach(key => this.#asked.add(localKeyOf(key)));
    return due.map(({ iid }) => iid);
  }
}
