import { Preview } from '@previews/backstage-plugin-previews-common';
import { setTimeout as delay } from 'node:timers/promises';
import { StartedPlugin } from '../../support/startPlugin';
import { keyOf, Subject, Witness } from './Witness';

/** Looks again and again at what the portal lists, and keeps what must never be seen. */
export class Sampler {
  readonly wrong = new Set<string>();
  readonly #plugin: StartedPlugin;
  readonly #witness: Witness;
  readonly #ids = new Map<string, string>();
  readonly #withApplication = new Set<string>();
  #stopping = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(plugin: StartedPlugin, witness: Witness) {
    this.#plugin = plugin;
    this.#witness = witness;
    this.start();
  }

  /** Begins to look again after `stop`. */
  start(): void {
    this.#stopping = new AbortController();
    this.#done = this.#loop(this.#stopping.signal);
  }

  /** Whether a row showed an Application at any time. */
  hadApplication(subject: Subject): boolean {
    return this.#withApplication.has(keyOf(subject));
  }

  /**
   * Resolves when nothing is asked any more. A portal that shuts down waits for
   * connections that are in use, and so for who goes on asking.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  /** The rows of the sequence now, by their MR. */
  async look(): Promise<Map<string, Preview>> {
    const all = await allRows(this.#plugin);
    const rows = new Map<string, Preview>();
    for (const subject of this.#witness.subjects) {
      const key = keyOf(subject);
      const [row, ...more] = all.filter(
        ({ mergeRequest }) => keyOf(mergeRequest) === key,
      );
      const id = this.#ids.get(key);
      if (!row) {
        if (id !== undefined) {
          this.wrong.add(`${key} was listed, and is not any more`);
        }
        continue;
      }
      if (more.length > 0) {
        this.wrong.add(`${key} is listed ${more.length + 1} times`);
      }
      if (id !== undefined && id !== row.id) {
        this.wrong.add(`${key} was ${id} and is ${row.id}`);
      }
      this.#ids.set(key, row.id);
      if (row.applications.length > 0) {
        this.#withApplication.add(key);
      }
      rows.set(key, row);
    }
    return rows;
  }

  async #loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.look();
      } catch (error) {
        this.wrong.add(`it does not answer: ${error}`);
      }
      await delay(150, undefined, { signal }).catch(() => {});
    }
  }
}

async function allRows(plugin: StartedPlugin): Promise<Preview[]> {
  const rows: Preview[] = [];
  let cursor: string | undefined;
  do {
    const page = await plugin.previews({
      // The one order in which no row moves from a page to another meanwhile.
      sort: 'created',
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    });
    rows.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
}
