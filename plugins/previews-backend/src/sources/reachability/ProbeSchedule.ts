import { ProbeTarget } from '../../model';

/** A host that changed is left alone for so long after a visit. */
const SHORTEST_MILLISECONDS = 5_000;
/** How soon a host that did not answer is visited again; doubles each time. */
const FIRST_RETRY_MILLISECONDS = 15_000;
/** Share of an interval by which visits drift apart. */
const JITTER = 0.1;

interface Entry {
  state: string;
  dueAt: number;
  visitedAt: number;
  /** In a row. */
  failures: number;
  isRunning: boolean;
}

/**
 * Which host is visited when. Times are milliseconds of a clock that never goes
 * back, and are passed in.
 */
export class ProbeSchedule {
  readonly #everyMilliseconds: number;
  readonly #random: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(options: { everyMilliseconds: number; random: () => number }) {
    this.#everyMilliseconds = options.everyMilliseconds;
    this.#random = options.random;
  }

  /** Replaces the targets; returns hosts that are none any more. */
  replace(targets: readonly ProbeTarget[], now: number): string[] {
    const hosts = new Set(targets.map(({ host }) => host));
    const gone = [...this.#entries.keys()].filter(host => !hosts.has(host));
    gone.forEach(host => this.#entries.delete(host));
    for (const { host, state } of targets) {
      const known = this.#entries.get(host);
      if (!known) {
        this.#entries.set(host, {
          state,
          dueAt: now,
          visitedAt: -Infinity,
          failures: 0,
          isRunning: false,
        });
      } else if (known.state !== state) {
        // What is found now is new: it is waited for as at the beginning.
        known.state = state;
        known.failures = 0;
        this.hurry(host, now);
      }
    }
    return gone;
  }

  /** The host that is due the longest, which counts as being visited from now on. */
  take(now: number): string | undefined {
    const next = this.#next();
    if (!next || next.entry.dueAt > now) {
      return undefined;
    }
    next.entry.isRunning = true;
    // A change during the visit makes it due again before it ends.
    next.entry.dueAt = Infinity;
    return next.host;
  }

  /** Takes up that a visit ended; returns whether the host still is a target. */
  ended(host: string, options: { isGood: boolean; now: number }): boolean {
    const entry = this.#entries.get(host);
    if (!entry?.isRunning) {
      return false;
    }
    const { isGood, now } = options;
    entry.isRunning = false;
    entry.failures = isGood ? 0 : entry.failures + 1;
    entry.visitedAt = now;
    entry.dueAt = Math.max(
      now + Math.min(SHORTEST_MILLISECONDS, this.#everyMilliseconds),
      Math.min(entry.dueAt, now + this.#delayAfter(entry.failures)),
    );
    return true;
  }

  /** Makes everything due. */
  hurryAll(now: number): void {
    for (const entry of this.#entries.values()) {
      entry.dueAt = Math.min(entry.dueAt, now);
    }
  }

  /** Makes a host due, though not shortly after its last visit. */
  hurry(host: string, now: number): void {
    const entry = this.#entries.get(host);
    if (entry) {
      entry.dueAt = Math.min(
        entry.dueAt,
        Math.max(now, entry.visitedAt + SHORTEST_MILLISECONDS),
      );
    }
  }

  hosts(): string[] {
    return [...this.#entries.keys()];
  }

  /** When the next host is due; undefined while there is none that waits. */
  nextDueAt(): number | undefined {
    return this.#next()?.entry.dueAt;
  }

  #next(): { host: string; entry: Entry } | undefined {
    let found: { host: string; entry: Entry } | undefined;
    for (const [host, entry] of this.#entries) {
      if (
        !entry.isRunning &&
        (found === undefined || entry.dueAt < found.entry.dueAt)
      ) {
        found = { host, entry };
      }
    }
    return found;
  }

  /** A host that never answers costs no more than one that always does. */
  #delayAfter(failures: number): number {
    const delay =
      failures === 0
        ? this.#everyMilliseconds
        : Math.min(
            this.#everyMilliseconds,
            FIRST_RETRY_MILLISECONDS * 2 ** Math.min(failures - 1, 20),
          );
    return delay * (1 + JITTER * (2 * this.#random() - 1));
  }
}
