const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** A list stands for no project that would make it reach back by more than this, in milliseconds. */
const LAG_AT_MOST = 15 * MINUTE;

/** How far one project may make the next writer reach back for all others, in milliseconds. */
const HELD_BACK_AT_MOST = DAY;

/**
 * Since when updates of MRs may be unread, by project, whatever list it is read by:
 * lists come and go, and writers too, and none of that may lose what became of an MR
 * that nobody follows any more.
 */
export class UnreadUpdates {
  readonly #since: number | undefined;
  readonly #ofProject = new Map<number, number>();

  private constructor(since: string | undefined) {
    this.#since = since === undefined ? undefined : Date.parse(since);
  }

  static create(options: {
    /** ISO: what counts for a project that was not read yet, by the last writer's word. */
    since?: string;
  }): UnreadUpdates {
    return new UnreadUpdates(options.since);
  }

  /** Undefined where nothing was ever read, and nothing can have been missed. */
  of(projectId: number): Date | undefined {
    const time = this.#timeOf(projectId);
    return time === undefined ? undefined : new Date(time);
  }

  note(projectIds: Iterable<number>, since: Date | undefined): void {
    if (since) {
      for (const id of projectIds) {
        this.#ofProject.set(id, since.getTime());
      }
    }
  }

  /** Those of the projects that are to be read alone until they have caught up. */
  laggardsOf(
    projectIds: readonly number[],
    options: {
      /** Since when updates of those may be unread that the list stands for already. */
      comparedTo?: Date;
    } = {},
  ): number[] {
    const ids = [...projectIds];
    const newest = newestOf([
      ...ids.map(id => this.#timeOf(id)),
      options.comparedTo?.getTime(),
    ]);
    return ids.filter(id => {
      const time = this.#timeOf(id);
      return time !== undefined && newest - time > LAG_AT_MOST;
    });
  }

  /**
   * ISO: since when the next writer has to ask for updates. A project that cannot
   * be read for longer than a day does not hold back those that can.
   */
  ofAll(
    projectIds: Iterable<number>,
    options: {
      /** Projects are wanted of which nobody knows yet which they are. */
      isAnyUnknown: boolean;
    },
  ): string | undefined {
    const ids = [...projectIds];
    const times = ids
      .map(id => this.#timeOf(id))
      .concat(options.isAnyUnknown || ids.length === 0 ? [this.#since] : [])
      .filter(time => time !== undefined);
    if (times.length === 0) {
      return undefined;
    }
    const earliest = times.reduce((one, other) => Math.min(one, other));
    return new Date(
      Math.max(earliest, newestOf(times) - HELD_BACK_AT_MOST),
    ).toISOString();
  }

  #timeOf(projectId: number): number | undefined {
    return this.#ofProject.get(projectId) ?? this.#since;
  }
}

function newestOf(times: readonly (number | undefined)[]): number {
  return times.reduce<number>(
    (one, other) => Math.max(one, other ?? -Infinity),
    -Infinity,
  );
}
