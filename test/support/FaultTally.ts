import { appendFileSync } from 'node:fs';

/** Counts what was broken in a test, for the table of faults. */
export class FaultTally {
  readonly #counts = new Map<string, number>();

  /** A fault was injected, by the name that the table shows. */
  count(fault: string): void {
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
  }

  /**
   * Appends what was counted to the file that `PREVIEWS_FAULT_REPORT` names, one
   * JSON line for each fault; does nothing where it is not set.
   */
  write(options: {
    /** What ran, as the table shows it. */
    suite: string;
    /** Whether everything held that was promised. */
    held: boolean;
  }): void {
    const file = process.env.PREVIEWS_FAULT_REPORT;
    if (!file) {
      return;
    }
    for (const [fault, times] of this.#counts) {
      appendFileSync(file, `${JSON.stringify({ fault, times, ...options })}\n`);
    }
  }
}
