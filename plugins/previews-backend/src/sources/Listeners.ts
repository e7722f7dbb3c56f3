/**
 * Those who want to hear of a change; what one of them throws is its own. A change
 * that is not described may be anything.
 */
export class Listeners<Change = never> {
  readonly #listeners = new Set<(change?: Change) => void>();

  add(listener: (change?: Change) => void): () => void {
    // The same function may be added twice and taken away once.
    const entry = (change?: Change) => listener(change);
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  notify(change?: Change): void {
    for (const listener of this.#listeners) {
      listener(change);
    }
  }
}
