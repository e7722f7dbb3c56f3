interface Entry {
  id: string;
  milliseconds: number;
}

/**
 * When previews are to be looked at again, soonest first. A heap, so that asking
 * which are due costs nothing while none is; entries that a newer time has
 * replaced are dropped when they come up.
 */
export class LookAgain {
  readonly #current = new Map<string, number>();
  readonly #heap: Entry[] = [];

  /** Replaces the time of one; undefined when only facts can change it. */
  set(id: string, time: string | undefined): void {
    const milliseconds = Date.parse(time ?? '');
    if (Number.isNaN(milliseconds)) {
      this.#current.delete(id);
    } else if (this.#current.get(id) !== milliseconds) {
      this.#current.set(id, milliseconds);
      this.#push({ id, milliseconds });
    }
  }

  /** Those whose time has come; each is told once. */
  takeDue(now: string): string[] {
    const due: string[] = [];
    for (
      let first = this.#first();
      first && first.milliseconds <= Date.parse(now);
      first = this.#first()
    ) {
      due.push(first.id);
      this.#current.delete(first.id);
      this.#pop();
    }
    return due;
  }

  /** ISO: the soonest time. */
  earliest(): string | undefined {
    const first = this.#first();
    return first && new Date(first.milliseconds).toISOString();
  }

  #first(): Entry | undefined {
    while (this.#heap.length > 0) {
      const [first] = this.#heap;
      if (this.#current.get(first.id) === first.milliseconds) {
        return first;
      }
      this.#pop();
    }
    return undefined;
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (heap[above].milliseconds <= entry.milliseconds) {
        break;
      }
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) {
      return;
    }
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (
        below + 1 < heap.length &&
        heap[below + 1].milliseconds < heap[below].milliseconds
      ) {
        below += 1;
      }
      if (
        below >= heap.length ||
        heap[below].milliseconds >= last.milliseconds
      ) {
        break;
      }
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = last;
  }
}
