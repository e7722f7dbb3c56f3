const WEEK_MILLISECONDS = 7 * 86_400_000;

/**
 * Permits of a limit, as Let's Encrypt counts: a full bucket at first, one permit for
 * each certificate, and in 7 days as many back as the bucket has, at a steady pace.
 * Times are milliseconds and come in order.
 */
export class PermitBucket {
  readonly size: number;
  /** Until one permit is back. */
  readonly refillMilliseconds: number;
  #level: number;
  #at: number;

  constructor(options: { size: number; from: number }) {
    this.size = options.size;
    this.refillMilliseconds = WEEK_MILLISECONDS / options.size;
    this.#level = options.size;
    this.#at = options.from;
  }

  /** Takes one. That it was issued is a fact, so a bucket that seems empty stays empty. */
  take(at: number): void {
    this.#refill(at);
    this.#level = Math.max(0, this.#level - 1);
  }

  /** The authority says that there was none at one time, and will be one at another. */
  correct(at: number, options: { freeAt?: number }): void {
    this.#refill(at);
    const freeAt = options.freeAt ?? at + this.refillMilliseconds;
    const missing = (freeAt - at) / this.refillMilliseconds;
    this.#level = Math.min(this.#level, Math.max(0, 1 - missing));
    // Longer than one permit takes: it comes back only then, and not before.
    this.#at = Math.max(this.#at, freeAt - this.refillMilliseconds);
  }

  /** What is left, in whole permits and parts of one. */
  levelAt(time: number): number {
    this.#refill(time);
    return this.#level;
  }

  /** When there are so many; undefined where there are at the time. */
  fullToAt(level: number, time: number): number | undefined {
    const missing = level - this.levelAt(time);
    return missing <= 0
      ? undefined
      : this.#at + missing * this.refillMilliseconds;
  }

  #refill(time: number): void {
    if (time > this.#at) {
      this.#level = Math.min(
        this.size,
        this.#level + (time - this.#at) / this.refillMilliseconds,
      );
      this.#at = time;
    }
  }
}
