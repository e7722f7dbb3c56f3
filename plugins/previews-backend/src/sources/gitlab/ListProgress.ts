import { MergeRequestFact } from '../../model';

const MINUTE = 60 * 1000;

/** A list is read completely at least this often. */
const COMPLETE_EVERY = 15 * MINUTE;

/**
 * How far a list of what was updated reaches back before what was seen last:
 * GitLab stamps an update before others can see it.
 */
const OVERLAP = 2 * MINUTE;

/**
 * How far a list of MRs has been read: whether it has to be read completely
 * next, or what was updated since is enough. A complete reading has the open ones;
 * only one of updates tells what became of those that are not.
 */
export class ListProgress {
  readonly #completePagesAtMost: number;
  #complete?: { startedAt: number; pages: number };
  #isCompleteLast = false;
  /**
   * Start of the last reading of updates, by our clock; before there was any, of
   * the first complete one.
   */
  #updatesReadAt?: number;
  /** Newest time of an update that was seen, by GitLab's clock; since when, by ours. */
  #newest?: { updatedAt: number; seenAt: number };
  /** What was updated since has to be read once more, or was left unread elsewhere. */
  #backTo?: number;
  /**
   * Since when updates may be unread by what a list with something in it bears out: a
   * token that sees nothing is told as little as if nothing was updated.
   */
  #confirmed?: number;

  private constructor(completePagesAtMost: number) {
    this.#completePagesAtMost = completePagesAtMost;
  }

  static create(options: {
    /**
     * A list with no more pages than this costs no more than what was updated, and
     * is read completely in every other reading.
     */
    completePagesAtMost: number;
  }): ListProgress {
    return new ListProgress(options.completePagesAtMost);
  }

  isCompleteDue(now: Date): boolean {
    if (!this.#complete) {
      return true;
    }
    const { startedAt, pages } = this.#complete;
    return pages <= this.#completePagesAtMost
      ? !this.#isCompleteLast
      : now.getTime() - startedAt >= COMPLETE_EVERY;
  }

  noteComplete(reading: {
    startedAt: Date;
    pages: number;
    facts: readonly MergeRequestFact[];
  }): void {
    const { startedAt, pages, facts } = reading;
    this.#complete = { startedAt: startedAt.getTime(), pages };
    this.#isCompleteLast = true;
    if (this.#updatesReadAt === undefined) {
      this.#noteRead(startedAt, facts);
    }
  }

  noteUpdates(reading: {
    startedAt: Date;
    facts: readonly MergeRequestFact[];
  }): void {
    this.#isCompleteLast = false;
    this.#backTo = undefined;
    this.#noteRead(reading.startedAt, reading.facts);
    if (reading.facts.length > 0) {
      this.confirm();
    }
  }

  /** The token was seen to see what there is; so it did when updates were read last. */
  confirm(): void {
    this.#confirmed = this.#readSince();
  }

  /**
   * Nothing is taken for granted after a failure: the next reading is complete, and
   * that of updates after it reaches back to what was seen for certain.
   */
  noteFailure(): void {
    this.#complete = undefined;
    if (this.#confirmed !== undefined) {
      this.reachBackTo(new Date(this.#confirmed));
    }
  }

  /** What was updated since cannot be read, and never will: it begins anew. */
  giveUpdatesUp(startedAt: Date): void {
    this.#backTo = undefined;
    this.#newest = undefined;
    this.#updatesReadAt = startedAt.getTime();
    this.confirm();
  }

  /** The next reading of updates reaches back to this time at least. */
  reachBackTo(time: Date): void {
    const since = time.getTime();
    if (since < (this.#readSince() ?? Infinity)) {
      this.#backTo = since;
    }
    this.#confirmed = Math.min(this.#confirmed ?? Infinity, since);
  }

  /** Since when, by our clock, updates may be unread; undefined while that is not known. */
  unreadSince(): Date | undefined {
    return this.#confirmed === undefined
      ? undefined
      : new Date(this.#confirmed);
  }

  /**
   * From when on updates have to be asked for. The newest update that GitLab
   * told of wins over the time of the last reading, since clocks differ; unless
   * it lies in the future, as that of an imported MR may.
   */
  updatedAfter(): Date {
    return new Date(
      Math.min(this.#backTo ?? Infinity, this.#afterWhatWasSeen()),
    );
  }

  #readSince(): number | undefined {
    return (
      this.#backTo ??
      (this.#updatesReadAt === undefined
        ? undefined
        : this.#updatesReadAt - OVERLAP)
    );
  }

  #afterWhatWasSeen(): number {
    const newest = this.#newest;
    const readAt = this.#updatesReadAt ?? 0;
    if (!newest || newest.updatedAt > readAt) {
      return readAt - OVERLAP;
    }
    const isSettled =
      readAt - Math.min(newest.updatedAt, newest.seenAt) > OVERLAP;
    // Once nothing new came for so long, nothing older can come any more.
    return newest.updatedAt + (isSettled ? 1 : -OVERLAP);
  }

  #noteRead(startedAt: Date, facts: readonly MergeRequestFact[]): void {
    this.#updatesReadAt = startedAt.getTime();
    for (const fact of facts) {
      const updatedAt = Date.parse(fact.updatedAt);
      if (!this.#newest || updatedAt > this.#newest.updatedAt) {
        this.#newest = { updatedAt, seenAt: this.#updatesReadAt };
      }
    }
  }
}
