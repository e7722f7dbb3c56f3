import { ObservationGap, World } from '../model';

const MINUTE_MILLISECONDS = 60_000;

/** Scope of a gap in which nothing at all was observed. */
export const EVERYTHING = '*';

export function projectScope(host: string, projectId: number): string {
  return `gitlab:${host}/${projectId}`;
}

export function clusterScope(cluster: string): string {
  return `cluster:${cluster}`;
}

interface Unseen {
  scope: string;
  since: string;
}

/**
 * Times of over a minute in which something was not observed, so that what
 * happened in them is known too late: no pass at all (a restart, a database that
 * was down, a replica that was paused), a project that could not be read, a kind
 * of object whose list or watch failed, or whose watch was dead without a word.
 */
export class ObservationGaps {
  readonly #closed: ObservationGap[];
  readonly #begunAfter: string | undefined;
  #lastPassAt: string | undefined;
  #unseen = new Map<string, Unseen>();
  /** By cluster and kind: up to when what was missed is taken up. */
  readonly #missedUntil = new Map<string, string>();

  constructor(options: {
    /** Gaps that were recorded before. */
    recorded: readonly ObservationGap[];
    /** ISO: when the writer before last was at work; undefined for the first ever. */
    lastPassAt?: string;
  }) {
    this.#closed = [...options.recorded];
    this.#begunAfter = options.lastPassAt;
    this.#lastPassAt = options.lastPassAt;
  }

  /** Takes up what is seen at the time; returns the gaps that end with it, to be recorded. */
  observe(world: World, now: string): ObservationGap[] {
    const ended: ObservationGap[] = [];
    if (
      this.#lastPassAt !== undefined &&
      isOverAMinute(this.#lastPassAt, now)
    ) {
      ended.push({
        scope: EVERYTHING,
        startedAt: this.#lastPassAt,
        endedAt: now,
      });
    }
    const unseen = unseenIn(world, {
      before: this.#unseen,
      begunAfter: this.#begunAfter,
    });
    for (const [key, { scope, since }] of this.#unseen) {
      if (!unseen.has(key) && isOverAMinute(since, now)) {
        ended.push({ scope, startedAt: since, endedAt: now });
      }
    }
    ended.push(...this.#missedIn(world));
    this.#unseen = unseen;
    this.#lastPassAt = now;
    this.#closed.push(...ended);
    return ended;
  }

  /** Times in which watches were dead without a word, that were not taken up yet. */
  #missedIn({ clusters }: World): ObservationGap[] {
    const gaps: ObservationGap[] = [];
    for (const { cluster, kinds } of clusters) {
      const scope = clusterScope(cluster);
      for (const [kind, { missed }] of Object.entries(kinds)) {
        const key = `${scope}/${kind}`;
        if (missed && this.#missedUntil.get(key) !== missed.to) {
          this.#missedUntil.set(key, missed.to);
          if (isOverAMinute(missed.from, missed.to)) {
            gaps.push({ scope, startedAt: missed.from, endedAt: missed.to });
          }
        }
      }
    }
    return gaps;
  }

  /** Ended gaps, and those that go on at the time. */
  at(now: string): ObservationGap[] {
    return [
      ...this.#closed,
      ...[...this.#unseen.values()]
        .filter(({ since }) => isOverAMinute(since, now))
        .map(({ scope, since }) => ({ scope, startedAt: since, endedAt: now })),
    ];
  }

  /** Forgets what ended before the time. */
  forgetBefore(time: string): void {
    const kept = this.#closed.filter(
      ({ endedAt }) => Date.parse(endedAt) >= Date.parse(time),
    );
    this.#closed.splice(0, this.#closed.length, ...kept);
  }
}

function isOverAMinute(from: string, to: string): boolean {
  return Date.parse(to) - Date.parse(from) > MINUTE_MILLISECONDS;
}

/**
 * What cannot be seen now, by project or by cluster and kind. A project is as old
 * as its last reading; a watch was at work until it failed. What was not read yet
 * since the writer began was last seen by the one before. What was always
 * forbidden hides no change, what became so does.
 */
function unseenIn(
  { gitlab, clusters }: World,
  options: {
    before: ReadonlyMap<string, Unseen>;
    begunAfter: string | undefined;
  },
): Map<string, Unseen> {
  const { before, begunAfter } = options;
  const unseen = new Map<string, Unseen>();
  const take = (key: string, scope: string, since: string | undefined) => {
    if (since !== undefined) {
      unseen.set(key, before.get(key) ?? { scope, since });
    }
  };
  for (const { host, projects } of gitlab) {
    for (const [id, { state, completeAt }] of projects) {
      const scope = projectScope(host, id);
      if (state === 'failing' || state === 'forbidden') {
        take(scope, scope, completeAt);
      } else if (state === 'pending') {
        take(scope, scope, begunAfter);
      }
    }
  }
  for (const { cluster, kinds } of clusters) {
    const scope = clusterScope(cluster);
    for (const [kind, { state, completeAt, error }] of Object.entries(kinds)) {
      const key = `${scope}/${kind}`;
      if (state === 'failing' || state === 'forbidden') {
        take(key, scope, completeAt && (error?.since ?? completeAt));
      } else if (state === 'pending') {
        take(key, scope, begunAfter);
      }
    }
  }
  return unseen;
}
