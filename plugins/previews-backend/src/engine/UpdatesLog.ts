import { GitLabSource } from '../sources/types';
import { LeaseTerm, PreviewStore, UnreadSince } from '../store';

/** How often it is written how far the updates were read, in milliseconds: what is written late is read twice. */
const WRITE_EVERY_MILLISECONDS = 60_000;

/**
 * Hands over from writer to writer since when updates of MRs may be unread, so that
 * what became of one that nobody follows is seen though it became so between them.
 */
export class UpdatesLog {
  static async create(options: {
    store: PreviewStore;
    term: LeaseTerm;
  }): Promise<UpdatesLog> {
    return new UpdatesLog(options, await options.store.unreadSince());
  }

  readonly #options: { store: PreviewStore; term: LeaseTerm };
  #stored: UnreadSince;
  #writtenAt?: number;

  private constructor(
    options: { store: PreviewStore; term: LeaseTerm },
    stored: UnreadSince,
  ) {
    this.#options = options;
    this.#stored = stored;
  }

  /** Lets sources take up where the writer before has stopped. */
  resume(sources: readonly GitLabSource[]): void {
    const { store } = this.#options;
    for (const source of sources) {
      const { host } = source;
      const unreadSince = this.#stored[host];
      source.resume({
        ...(unreadSince !== undefined && { unreadSince }),
        recall: async keys => {
          const stored = await store.loadByKeys(
            keys.map(({ projectId, iid }) => ({ host, projectId, iid })),
          );
          return stored.map(({ key }) => key);
        },
      });
    }
  }

  /** What sources say now: to be written once all that they have read is decided. */
  said(sources: readonly GitLabSource[]): UnreadSince {
    return Object.fromEntries(
      sources.flatMap(source => {
        const since = source.unreadSince();
        return since === undefined ? [] : [[source.host, since]];
      }),
    );
  }

  /**
   * All that had been read when it was said is decided and written.
   * @throws LeaseLostError
   */
  async write(said: UnreadSince, now: Date): Promise<void> {
    const isDue =
      this.#writtenAt === undefined ||
      now.getTime() - this.#writtenAt >= WRITE_EVERY_MILLISECONDS;
    if (!isDue || Object.keys(said).length === 0) {
      return;
    }
    const { store, term } = this.#options;
    const unread = { ...this.#stored, ...said };
    await store.applyUnreadSince(term, unread);
    this.#stored = unread;
    this.#writtenAt = now.getTime();
  }
}
