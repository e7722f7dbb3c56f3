/** Those who want to hear of a change; what one of them throws is its own. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  add(listener: () => void): () => void {
    // The same function may be added twice and taken away once.
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  notify(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
