import { sleep } from './sleep';

/**
 * Runs a reading again and again: on schedule, when woken for something new,
 * and when asked for a whole reading now. Never two at a time.
 */
export class Loop {
  readonly #read: (options: {
    whole: boolean;
    signal: AbortSignal;
  }) => Promise<void>;
  readonly #delay: () => number;
  #signal?: AbortSignal;
  #wholeWanted = false;
  #partWanted = false;
  #waiting: (() => void)[] = [];
  #wake = new AbortController();
  /** By the monotonic clock of the process. */
  #nextWholeAt = 0;

  private constructor(options: {
    read: (options: { whole: boolean; signal: AbortSignal }) => Promise<void>;
    delay: () => number;
  }) {
    this.#read = options.read;
    this.#delay = options.delay;
  }

  static create(options: {
    /** Must not reject. Not `whole`: only what is new. */
    read: (options: { whole: boolean; signal: AbortSignal }) => Promise<void>;
    /** Milliseconds from the end of a whole reading to the next one. */
    delay: () => number;
  }): Loop {
    return new Loop(options);
  }

  get isRunning(): boolean {
    return this.#signal !== undefined && !this.#signal.aborted;
  }

  start(signal: AbortSignal): void {
    this.#signal = signal;
    this.#wholeWanted = true;
    void this.#run(signal);
  }

  /** Reads what is new soon. */
  wake(): void {
    this.#partWanted = true;
    this.#wake.abort();
  }

  /** Resolves when a whole reading that began after this call has ended. */
  async runNow(): Promise<void> {
    if (!this.isRunning) {
      return;
    }
    await new Promise<void>(resolve => {
      this.#waiting.push(resolve);
      this.#wholeWanted = true;
      this.#wake.abort();
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const isCurrent = () => !signal.aborted && this.#signal === signal;
    while (isCurrent()) {
      const whole = this.#wholeWanted;
      const waiting = whole ? this.#waiting : [];
      if (whole) {
        this.#waiting = [];
        this.#wholeWanted = false;
      }
      this.#partWanted = false;
      try {
        await this.#read({ whole, signal });
      } finally {
        waiting.forEach(resolve => resolve());
      }
      if (whole) {
        this.#nextWholeAt = performance.now() + this.#delay();
      }
      if (isCurrent() && !this.#wholeWanted && !this.#partWanted) {
        await this.#rest(signal);
      }
    }
    if (this.#signal === signal) {
      this.#waiting.forEach(resolve => resolve());
      this.#waiting = [];
    }
  }

  /** Until the next whole reading is due, or somebody wants one of either kind. */
  async #rest(signal: AbortSignal): Promise<void> {
    this.#wake = new AbortController();
    const isDue = await sleep(
      this.#nextWholeAt - performance.now(),
      AbortSignal.any([signal, this.#wake.signal]),
    );
    this.#wholeWanted ||= isDue;
  }
}
