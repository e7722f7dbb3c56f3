/** Texts that are remembered before the older half of them is forgotten. */
const GENERATION = 50_000;

/** Shorter ones take little, and JSON.parse shares most of them itself. */
const SHORTEST = 8;

/** What has nothing in it is the same everywhere. */
const NO_ITEMS: readonly unknown[] = Object.freeze([]);
const NO_MEMBERS: object = Object.freeze({});

/**
 * Makes facts as small as they are kept: tens of thousands of previews have nine
 * objects each. Those that say the same share one text, since parsed JSON has every
 * text anew, be it a namespace, an image or a label; lists take no more room than
 * their items, where one that grew has room for sixteen more. What was not seen for
 * long is forgotten, which costs memory at worst.
 */
export class FactPool {
  readonly #generation: number;
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  private constructor(generation: number) {
    this.#generation = generation;
  }

  static create(options: { generation?: number } = {}): FactPool {
    return new FactPool(options.generation ?? GENERATION);
  }

  /** How many texts are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Returns the facts, which nobody else may have yet, as they are to be kept. */
  compact<T>(facts: T): T {
    return this.#compact(facts) as T;
  }

  #compact(facts: unknown): unknown {
    if (typeof facts === 'string') {
      return this.#one(facts);
    }
    if (Array.isArray(facts)) {
      return facts.length === 0
        ? NO_ITEMS
        : facts.map(item => this.#compact(item));
    }
    if (typeof facts !== 'object' || facts === null) {
      return facts;
    }
    const members = facts as Record<string, unknown>;
    const keys = Object.keys(members);
    if (
      keys.length === 0 &&
      Object.getPrototypeOf(facts) === Object.prototype
    ) {
      return NO_MEMBERS;
    }
    for (const key of keys) {
      members[key] = this.#compact(members[key]);
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
