import { CallOutcome } from '../calls';

/** What all calls to one host have in common: how many at a time, and pauses. */
export class HostGate {
  readonly #maximum: number;
  readonly #onCall: (outcome: CallOutcome) => void;
  readonly #queue: (() => void)[] = [];
  #running = 0;
  #pausedUntil?: Date;
  #unansweredInARow = 0;

  private constructor(options: {
    maximum: number;
    onCall?: (outcome: CallOutcome) => void;
  }) {
    this.#maximum = options.maximum;
    this.#onCall = options.onCall ?? (() => {});
  }

  static create(options: {
    maximum: number;
    onCall?: (outcome: CallOutcome) => void;
  }): HostGate {
    return new HostGate(options);
  }

  /** No call before this time; a pause is never shortened. */
  pauseUntil(time: Date): void {
    if (!this.#pausedUntil || time > this.#pausedUntil) {
      this.#pausedUntil = time;
    }
  }

  pausedUntil(now: Date): Date | undefined {
    return this.#pausedUntil && this.#pausedUntil > now
      ? this.#pausedUntil
      : undefined;
  }

  /** What became of a call that was made. */
  noteOutcome(outcome: CallOutcome): void {
    this.#onCall(outcome);
  }

  /** A call got no answer at all. */
  noteSilence(): void {
    this.#unansweredInARow += 1;
  }

  /** A call got an answer, or a new reading begins and may find out. */
  noteAnswer(): void {
    this.#unansweredInARow = 0;
  }

  /**
   * Nothing answers: without giving up, a reading of a thousand projects would
   * wait for a thousand time-outs.
   */
  get isSilent(): boolean {
    return this.#unansweredInARow >= this.#maximum;
  }

  /** Runs the call when it is its turn. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#maximum) {
      await new Promise<void>(resolve => this.#queue.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await call();
    } finally {
      // The turn is handed on, so that nobody can get in between.
      const next = this.#queue.shift();
      if (next) {
        next();
      } else {
        this.#running -= 1;
      }
    }
  }
}
