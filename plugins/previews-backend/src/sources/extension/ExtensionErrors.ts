import {
  SourceError,
  SourceErrorReason,
} from '@previews/backstage-plugin-previews-common';

/** An error that did not come again for so long is over, in milliseconds. */
const OVER_AFTER = 3 * 60 * 1000;

interface Noted {
  reason: SourceErrorReason;
  since: string;
  lastAt: number;
}

/** What failed of a module, by what failed; its own words stay in the log. */
export class ExtensionErrors {
  readonly #noted = new Map<string, Noted>();

  /** Returns whether it is news. */
  note(
    subject: string,
    options: { reason: SourceErrorReason; now: string },
  ): boolean {
    const { reason, now } = options;
    const before = this.#current(subject, now);
    const isSame = before?.reason === reason;
    this.#noted.set(subject, {
      reason,
      since: isSame ? before.since : now,
      lastAt: Date.parse(now),
    });
    return !isSame;
  }

  clear(): void {
    this.#noted.clear();
  }

  /** Errors that are not over, each with its subject. */
  at(now: Date): SourceError[] {
    return [...this.#noted.keys()].sort().flatMap(subject => {
      const found = this.#current(subject, now.toISOString());
      return found
        ? [
            {
              reason: found.reason,
              subject,
              message:
                found.reason === 'ServerError'
                  ? `${subject} failed; the log of the backend has more.`
                  : `${subject} gave something that cannot be used.`,
              since: found.since,
            },
          ]
        : [];
    });
  }

  #current(subject: string, now: string): Noted | undefined {
    const noted = this.#noted.get(subject);
    return noted && Date.parse(now) - noted.lastAt < OVER_AFTER
      ? noted
      : undefined;
  }
}
