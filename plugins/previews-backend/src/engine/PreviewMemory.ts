import { MergeRequestKey, PreviewChange, StoredPreview } from '../model';
import { isEnded, keyString } from '../reconcile';
import { endedAtOf, PreviewStore } from '../store';

/**
 * The previews as they are stored, for one term: those that are not ended, and
 * ended ones whose MR is read.
 */
export class PreviewMemory {
  static async load(store: PreviewStore): Promise<PreviewMemory> {
    const memory = new PreviewMemory(store);
    for (const preview of await store.loadActive()) {
      if (!isEnded(preview)) {
        memory.#stored.set(keyString(preview.key), preview);
      }
    }
    return memory;
  }

  readonly #store: PreviewStore;
  readonly #stored = new Map<string, StoredPreview>();
  /** MRs that are read and that the store is known to have nothing of. */
  readonly #unstored = new Set<string>();

  private constructor(store: PreviewStore) {
    this.#store = store;
  }

  /** By key string. */
  get stored(): ReadonlyMap<string, StoredPreview> {
    return this.#stored;
  }

  /**
   * A preview that had ended is decided on its own history when its MR comes back.
   *
   * @param read - the MRs that the sources hold, by key string.
   */
  async loadReturning(
    read: ReadonlyMap<string, MergeRequestKey>,
  ): Promise<void> {
    for (const id of this.#unstored) {
      if (!read.has(id)) {
        this.#unstored.delete(id);
      }
    }
    const missing = [...read]
      .filter(([id]) => !this.#stored.has(id) && !this.#unstored.has(id))
      .map(([, key]) => key);
    if (missing.length === 0) {
      return;
    }
    for (const preview of await this.#store.loadByKeys(missing)) {
      this.#stored.set(keyString(preview.key), preview);
    }
    missing
      .map(keyString)
      .filter(id => !this.#stored.has(id))
      .forEach(id => this.#unstored.add(id));
  }

  /** Takes up what was written; returns refs of the entities that gained, kept or lost the row. */
  remember({ stored: preview }: PreviewChange): string[] {
    const id = keyString(preview.key);
    const before = this.#stored.get(id)?.preview.entityRefs ?? [];
    this.#stored.set(id, preview);
    this.#unstored.delete(id);
    return [...before, ...preview.preview.entityRefs];
  }

  /** Lets go of what has ended and is read no more. */
  letGoOfEnded(read: ReadonlyMap<string, MergeRequestKey>): void {
    for (const [id, preview] of this.#stored) {
      if (isEnded(preview) && !read.has(id)) {
        this.#stored.delete(id);
      }
    }
  }

  /** Lets go of those that the store has deleted, though their MRs are read. */
  forgetEndedBefore(time: string): void {
    const before = Date.parse(time);
    for (const [id, stored] of this.#stored) {
      const endedAt = endedAtOf(stored);
      if (endedAt !== undefined && endedAt < before) {
        this.#stored.delete(id);
      }
    }
  }
}
