/**
 * Counts what the API server was asked for, by verb (`list`, `watch`, …) and
 * resource (`applications`, `pods/log`). Discovery is not counted.
 *
 * @public
 */
export class RequestCounter {
  readonly #counts = new Map<string, number>();

  /** Counts one request. */
  add(verb: string, resource: string): void {
    const key = `${verb} ${resource}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** How many there were, of a verb and of a resource where given. */
  count(filter: { verb?: string; resource?: string } = {}): number {
    let sum = 0;
    for (const [key, number] of this.#counts) {
      const [verb, resource] = key.split(' ');
      if (
        (filter.verb ?? verb) === verb &&
        (filter.resource ?? resource) === resource
      ) {
        sum += number;
      }
    }
    return sum;
  }

  /** All counts, as `{'list pods': 3}`. */
  all(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  /** Begins again at zero. */
  reset(): void {
    this.#counts.clear();
  }
}
