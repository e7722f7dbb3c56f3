import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** Counts what was broken in a test file, for the table in `docs/faults.md`. */
export class FaultTally {
  readonly #counts = new Map<string, number>();

  /** A fault was injected, by the name that the table shows. */
  count(fault: string): void {
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
  }

  /**
   * Appends what was counted since the last time to the file that
   * `PREVIEWS_FAULT_REPORT` names, one JSON line for each fault, with the test
   * file that runs; does nothing where that is not set.
   */
  write(): void {
    const report = process.env.PREVIEWS_FAULT_REPORT;
    if (report) {
      const file = relative(ROOT, expect.getState().testPath ?? '');
      for (const [fault, times] of this.#counts) {
        appendFileSync(report, `${JSON.stringify({ fault, times, file })}\n`);
      }
    }
    this.#counts.clear();
  }
}
