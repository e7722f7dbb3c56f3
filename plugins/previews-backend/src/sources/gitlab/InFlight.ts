/**
 * Runs one piece of work per key at a time. Whoever asks while it runs gets one
 * that begins after that, together with all others who ask in the meantime: a
 * hundred wishes for the same thing cost two.
 */
export class InFlight {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();

  /** Resolves or rejects as a run of the work does that began after this call. */
  async run(key: string, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key);
    if (!running) {
      return this.#begin(key, work);
    }
    let next = this.#next.get(key);
    if (!next) {
      const begin = () => {
        this.#next.delete(key);
        return this.#begin(key, work);
      };
      next = running.then(begin, begin);
      this.#next.set(key, next);
    }
    return next;
  }

  #begin(key: string, work: () => Promise<void>): Promise<void> {
    const run = work().finally(() => {
      this.#running.delete(key);
    });
    this.#running.set(key, run);
    return run;
  }
}
