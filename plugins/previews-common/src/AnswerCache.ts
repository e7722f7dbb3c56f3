/** An answer with the tag by which the server tells whether it has changed. */
export interface Answer {
  etag: string;
  body: unknown;
}

/**
 * The answers asked for last. The one that was not asked for the longest goes
 * when there are too many.
 */
export class AnswerCache {
  readonly #capacity: number;
  /** A Map iterates in the order of insertion: the first is the oldest. */
  readonly #answers = new Map<string, Answer>();

  constructor(options: { capacity: number }) {
    this.#capacity = options.capacity;
  }

  get(key: string): Answer | undefined {
    const answer = this.#answers.get(key);
    if (answer) {
      this.set(key, answer);
    }
    return answer;
  }

  set(key: string, answer: Answer): void {
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    if (this.#answers.size > this.#capacity) {
      const [oldest] = this.#answers.keys();
      this.#answers.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#answers.delete(key);
  }
}
