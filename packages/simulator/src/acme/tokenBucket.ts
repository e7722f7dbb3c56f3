/** How many at once, and how many milliseconds until all of them are there again. */
export interface BucketLimit {
  burst: number;
  periodMilliseconds: number;
}

/**
 * A token bucket as Let's Encrypt keeps its limits: one token comes back every
 * `period / burst`, and revoking gives nothing back.
 */
export class TokenBucket {
  readonly limit: BucketLimit;
  /** When the bucket is full again, in milliseconds since the epoch. */
  private fullAt = -Infinity;

  constructor(limit: BucketLimit) {
    this.limit = limit;
  }

  private get interval(): number {
    return this.limit.periodMilliseconds / this.limit.burst;
  }

  /** Whole tokens that are there. */
  left(now: Date): number {
    const missing = Math.max(0, this.fullAt - now.getTime()) / this.interval;
    return Math.max(0, Math.floor(this.limit.burst - missing + 1e-9));
  }

  /** Takes a token, also one that is not there: what was spent unchecked counts as well. */
  spend(now: Date): void {
    this.fullAt = Math.max(this.fullAt, now.getTime()) + this.interval;
  }

  /** Takes all there are. */
  drain(now: Date): void {
    this.fullAt = now.getTime() + this.limit.periodMilliseconds;
  }

  /** When the next token is there; now, if one is. */
  availableAt(now: Date): Date {
    return new Date(
      Math.max(
        now.getTime(),
        this.fullAt - this.limit.periodMilliseconds + this.interval,
      ),
    );
  }
}
