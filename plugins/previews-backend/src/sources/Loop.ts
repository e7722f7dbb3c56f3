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
  #wake?: () => void;

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
    this.#wake?.();
  }

  /** Resolves when a whole reading that began after this call has ended. */
  async runNow(): Promise<void> {
    if (!this.isRunning) {
      return;
    }
    await new Promise<void>(resolve => {
      this.#waiting.push(resolve);
      this.#wholeWanted = true;
      this.#wake?.();
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
      if (isCurrent() && !this.#wholeWanted && !this.#partWanted) {
        await this.#sleep(signal, whole);
      }
    }
    if (this.#signal === signal) {
      this.#waiting.forEach(resolve => resolve());
      this.#waiting = [];
    }
  }

  #nextWholeAt = 0;

  async #sleep(signal: AbortSignal, afterWhole: boolean): Promise<void> {
    if (afterWhole) {
      this.#nextWholeAt = performance.now() + this.#delay();
    }
    await new Promise<void>(resolve => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(() => {
        this.#wholeWanted = true;
        done();
      }, Math.max(0, this.#nextWholeAt - performance.now()));
      timer.unref?.();
      signal.addEventListener('abort', done, { once: true });
      this.#wake = done;
    });
  }
}
