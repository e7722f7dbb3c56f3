import type { Clock } from '../clock';
import type { Activity } from './activity';

/** Options of {@link WorkQueue.addAfter}. */
export interface DelayedWork {
  key: string;
  milliseconds: number;
  /** Work that never ends, such as an interval, must not keep the platform from being quiet. */
  background?: boolean;
}

/** Stands for the end of work that is not activity. */
const NOT_COUNTED = () => {};
const FIRST_RETRY_MILLISECONDS = 1000;
const LAST_RETRY_MILLISECONDS = 30_000;

/**
 * The queue of one controller: keys are reconciled one after the other, each at most once at a
 * time; a key that comes again while it waits is reconciled once.
 */
export class WorkQueue {
  /** Latest failure of each key that has not succeeded since. */
  readonly failures = new Map<string, unknown>();

  private readonly clock: Clock;
  private readonly activity: Activity;
  private readonly reconcile: (key: string) => Promise<void> | void;
  private readonly waiting = new Map<string, () => void>();
  private readonly timers = new Map<string, () => void>();
  private readonly attempts = new Map<string, number>();
  private working = false;
  private stopped = false;

  constructor(options: {
    clock: Clock;
    activity: Activity;
    reconcile: (key: string) => Promise<void> | void;
  }) {
    this.clock = options.clock;
    this.activity = options.activity;
    this.reconcile = options.reconcile;
  }

  /** Reconciles a key soon. */
  add(key: string): void {
    this.enqueue(key, () => this.activity.begin());
  }

  private enqueue(key: string, begin: () => () => void): void {
    if (this.stopped) {
      return;
    }
    const uncounted = this.waiting.get(key) === NOT_COUNTED;
    if (this.waiting.has(key) && !uncounted) {
      return;
    }
    this.waiting.set(key, begin());
    if (!this.working) {
      this.working = true;
      setImmediate(() => {
        void this.work();
      });
    }
  }

  /** Reconciles a key later; replaces what was planned for it. */
  addAfter(work: DelayedWork): void {
    this.timers.get(work.key)?.();
    if (this.stopped) {
      return;
    }
    const begin = work.background
      ? () => NOT_COUNTED
      : () => this.activity.begin();
    const done = begin();
    const cancelTimer = this.clock.after(work.milliseconds, () => {
      this.timers.delete(work.key);
      this.enqueue(work.key, begin);
      done();
    });
    this.timers.set(work.key, () => {
      this.timers.delete(work.key);
      cancelTimer();
      done();
    });
  }

  /** Forgets what is planned for a key. */
  forget(key: string): void {
    this.timers.get(key)?.();
    this.attempts.delete(key);
    this.failures.delete(key);
  }

  stop(): void {
    this.stopped = true;
    [...this.timers.values()].forEach(cancel => cancel());
    [...this.waiting.values()].forEach(done => done());
    this.waiting.clear();
  }

  private async work(): Promise<void> {
    for (;;) {
      const next = this.waiting.entries().next();
      if (next.done || this.stopped) {
        this.working = false;
        return;
      }
      const [key, done] = next.value;
      this.waiting.delete(key);
      try {
        await this.reconcile(key);
        this.attempts.delete(key);
        this.failures.delete(key);
      } catch (error) {
        this.retry(key, error);
      } finally {
        done();
      }
    }
  }

  private retry(key: string, error: unknown): void {
    const attempt = this.attempts.get(key) ?? 0;
    this.attempts.set(key, attempt + 1);
    this.failures.set(key, error);
    this.addAfter({
      key,
      milliseconds: Math.min(
        FIRST_RETRY_MILLISECONDS * 2 ** attempt,
        LAST_RETRY_MILLISECONDS,
      ),
      background: true,
    });
  }
}
