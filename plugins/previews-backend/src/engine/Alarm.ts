/**
 * Waits for the next reason to decide again: a hint, or a time. Hints that come
 * in quick succession are answered once.
 */
export class Alarm {
  readonly #settleMilliseconds: number;
  #rung = false;
  #wake?: () => void;

  constructor(options: { settleMilliseconds: number }) {
    this.#settleMilliseconds = options.settleMilliseconds;
  }

  /** Something changed. */
  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /**
   * Resolves after a ring, the time given or the abort, whatever is first, and
   * after a ring only when a moment has gone by for others to join in.
   */
  async next(
    signal: AbortSignal,
    options: { latestAfterMilliseconds: number },
  ): Promise<void> {
    if (!this.#rung) {
      await this.#sleep(signal, options.latestAfterMilliseconds, true);
    }
    if (this.#rung && !signal.aborted) {
      await this.#sleep(signal, this.#settleMilliseconds, false);
    }
    this.#rung = false;
  }

  async #sleep(
    signal: AbortSignal,
    milliseconds: number,
    untilRung: boolean,
  ): Promise<void> {
    if (signal.aborted) {
      return;
    }
    let wake = () => {};
    const woken = new Promise<void>(resolve => {
      wake = resolve;
    });
    const timer = setTimeout(wake, milliseconds);
    timer.unref();
    signal.addEventListener('abort', wake, { once: true });
    if (untilRung) {
      this.#wake = wake;
    }
    await woken;
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
    this.#wake = undefined;
  }
}
