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
 * next, or what was updated since is enough.
 */
export class ListProgress {
  readonly #completePagesAtMost: number;
  #complete?: { startedAt: number; pages: number };
  /** Start of the last reading of either kind, by our clock. */
  #lastStartedAt = 0;
  /** Newest time of an update that was seen, by GitLab's clock; since when, by ours. */
  #newest?: { updatedAt: number; seenAt: number };

  private constructor(completePagesAtMost: number) {
    this.#completePagesAtMost = completePagesAtMost;
  }

  static create(options: {
    /** A list with no more pages than this is always read completely. */
    completePagesAtMost: number;
  }): ListProgress {
    return new ListProgress(options.completePagesAtMost);
  }

  isCompleteDue(now: Date): boolean {
    return (
      !this.#complete ||
      this.#complete.pages <= this.#completePagesAtMost ||
      now.getTime() - this.#complete.startedAt >= COMPLETE_EVERY
    );
  }

  noteComplete(reading: {
    startedAt: Date;
    pages: number;
    facts: readonly MergeRequestFact[];
  }): void {
    const { startedAt, pages, facts } = reading;
    this.#complete = { startedAt: startedAt.getTime(), pages };
    this.noteUpdates({ startedAt, facts });
  }

  noteUpdates(reading: {
    startedAt: Date;
    facts: readonly MergeRequestFact[];
  }): void {
    this.#lastStartedAt = reading.startedAt.getTime();
    for (const fact of reading.facts) {
      const updatedAt = Date.parse(fact.updatedAt);
      if (!this.#newest || updatedAt > this.#newest.updatedAt) {
        this.#newest = { updatedAt, seenAt: this.#lastStartedAt };
      }
    }
  }

  /** Nothing is taken for granted after a failure: the next reading is complete. */
  noteFailure(): void {
    this.#complete = undefined;
  }

  /**
   * From when on updates have to be asked for. The newest update that GitLab
   * told of wins over the time of the last reading, since clocks differ; unless
   * it lies in the future, as that of an imported MR may.
   */
  updatedAfter(): Date {
    const newest = this.#newest;
    if (!newest || newest.updatedAt > this.#lastStartedAt) {
      return new Date(this.#lastStartedAt - OVERLAP);
    }
    const isSettled =
      this.#lastStartedAt - Math.min(newest.updatedAt, newest.seenAt) > OVERLAP;
    // Once nothing new came for so long, nothing older can come any more.
    return new Date(newest.updatedAt + (isSettled ? 1 : -OVERLAP));
  }
}
