import { WebhookMemory } from '../model';
import { LeaseTerm, PreviewStore } from '../store';

const DAY_MILLISECONDS = 86_400_000;

/** Remembers for one term which projects' webhooks came. */
export class WebhookLog {
  static async create(options: {
    store: PreviewStore;
    term: LeaseTerm;
    now: Date;
  }): Promise<WebhookLog> {
    const { store, term, now } = options;
    const stored = await store.webhooks();
    const log = new WebhookLog(
      { store, term },
      stored ?? { since: now.toISOString(), projects: {} },
    );
    log.#isChanged = stored === undefined;
    return log;
  }

  readonly #options: { store: PreviewStore; term: LeaseTerm };
  readonly #memory: WebhookMemory;
  #isChanged = false;

  private constructor(
    options: { store: PreviewStore; term: LeaseTerm },
    memory: WebhookMemory,
  ) {
    this.#options = options;
    this.#memory = memory;
  }

  get memory(): WebhookMemory {
    return this.#memory;
  }

  /** A webhook came; those of a busy project are noted once a day. */
  note(project: { host: string; projectId: number }, now: Date): void {
    const key = `${project.host}/${project.projectId}`;
    const before = this.#memory.projects[key];
    if (
      before === undefined ||
      now.getTime() - Date.parse(before) > DAY_MILLISECONDS
    ) {
      this.#memory.projects[key] = now.toISOString();
      this.#isChanged = true;
    }
  }

  /** @throws LeaseLostError */
  async write(): Promise<void> {
    if (this.#isChanged) {
      // What comes while this is written is written the next time.
      this.#isChanged = false;
      try {
        const { store, term } = this.#options;
        await store.applyWebhooks(term, this.#memory);
      } catch (error) {
        this.#isChanged = true;
        throw error;
      }
    }
  }
}
