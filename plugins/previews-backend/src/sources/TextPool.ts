/** Texts that are remembered before the older half of them is forgotten. */
const GENERATION = 50_000;

/** Shorter ones take little, and JSON.parse shares most of them itself. */
const SHORTEST = 8;

/**
 * Lets facts that say the same share one text. Parsed JSON has every text anew: a
 * namespace, an image or a label stands in the objects of nine kinds, of tens of
 * thousands of previews. What was not seen for long is forgotten, which costs
 * memory at worst.
 */
export class TextPool {
  readonly #generation: number;
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  private constructor(generation: number) {
    this.#generation = generation;
  }

  static create(options: { generation?: number } = {}): TextPool {
    return new TextPool(options.generation ?? GENERATION);
  }

  /** How many texts are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Puts remembered texts into facts that nobody else has yet; returns them. */
  share<T>(facts: T): T {
    if (typeof facts === 'string') {
      return this.#one(facts) as T;
    }
    if (typeof facts === 'object' && facts !== null) {
      const members = facts as Record<string, unknown>;
      for (const key of Object.keys(members)) {
        const member = members[key];
        const shared = this.share(member);
        // The same text by value; only which of them is kept differs.
        if (typeof member === 'string') {
          members[key] = shared;
        }
      }
    }
    return facts;
  }

  #one(text: string): string {
    if (text.length < SHORTEST) {
      return text;
    }
    const known = this.#young.get(text);
    if (known !== undefined) {
      return known;
    }
    const shared = this.#old.get(text) ?? text;
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(shared, shared);
    return shared;
  }
}
