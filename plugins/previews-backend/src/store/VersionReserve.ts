import { LeaseTerm } from './PreviewStore';

/** How many are taken at once; those that a term leaves over are lost, and there are enough. */
const TAKEN_AT_ONCE = 1_000;

/**
 * Versions for rows, taken from the database many at a time, so that a change of
 * one row does not count for itself. Those of a later term are higher: a term
 * gives none that it took in an earlier one.
 */
export class VersionReserve {
  readonly #take: (term: LeaseTerm, count: number) => Promise<number>;
  #epoch?: number;
  #next = 0;
  #end = 0;

  /** @param take - takes so many, for good once it returns the first of them. */
  constructor(take: (term: LeaseTerm, count: number) => Promise<number>) {
    this.#take = take;
  }

  /**
   * Gives as many in a row.
   *
   * @returns the first of them.
   * @throws LeaseLostError
   */
  async give(term: LeaseTerm, count: number): Promise<number> {
    if (this.#epoch !== term.epoch || this.#end - this.#next < count) {
      const taken = Math.max(count, TAKEN_AT_ONCE);
      const first = await this.#take(term, taken);
      this.#epoch = term.epoch;
      this.#next = first;
      this.#end = first + taken;
    }
    const first = this.#next;
    this.#next += count;
    return first;
  }
}
