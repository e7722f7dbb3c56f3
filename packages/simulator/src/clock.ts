/**
 * Time as the simulator sees it. Everything that waits or stamps goes through
 * one of these, so that a run can be sped up, stepped by a test, or stopped.
 *
 * @public
 */
export interface Clock {
  /** The current time, used for every timestamp. */
  now(): Date;
  /**
   * Runs an action once, after a delay in simulated milliseconds.
   *
   * @returns a function that cancels the action if it did not run yet
   */
  after(milliseconds: number, action: () => void): () => void;
}

/**
 * A clock on real timers.
 *
 * @public
 */
export interface RealClock extends Clock {
  /** Cancels all that is pending and ignores what is asked for later. */
  stop(): void;
}

/** Node treats longer delays as 1 ms. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Creates a clock on real timers whose delays are divided by `speed`.
 * Timestamps stay wall time, so that what others measure remains true.
 *
 * @public
 */
export function createRealClock(options: { speed?: number } = {}): RealClock {
  const speed = options.speed ?? 1;
  if (!(speed > 0)) {
    throw new RangeError(`The speed of a clock must be above 0, got ${speed}`);
  }
  const pending = new Set<NodeJS.Timeout>();
  let stopped = false;

  return {
    now: () => new Date(),
    after(milliseconds, action) {
      if (stopped) {
        return () => {};
      }
      const timer = setTimeout(() => {
        pending.delete(timer);
        action();
      }, Math.min(Math.max(milliseconds, 0) / speed, LONGEST_DELAY));
      timer.unref();
      pending.add(timer);
      return () => {
        pending.delete(timer);
        clearTimeout(timer);
      };
    },
    stop() {
      stopped = true;
      pending.forEach(timer => clearTimeout(timer));
      pending.clear();
    },
  };
}
