import { sleep } from '../sleep';
import { ArgocdClient } from './ArgocdClient';
import { toArgocdRequestError } from './ArgocdRequestError';
import { KindMemory } from './KindMemory';
import { ArgocdDelays } from './options';

/** Reads the ApplicationSets of an Argo CD again and again: it has no stream of them. */
export class ApplicationSetPoll {
  readonly #options: ApplicationSetPollOptions;
  #interrupt = new AbortController();
  #waiting: (() => void)[] = [];

  private constructor(options: ApplicationSetPollOptions) {
    this.#options = options;
  }

  static create(options: ApplicationSetPollOptions): ApplicationSetPoll {
    return new ApplicationSetPoll(options);
  }

  /** Lists again now; resolves when that has ended, well or not. */
  async relist(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#waiting.push(resolve);
      this.#interrupt.abort();
    });
  }

  /** Reads until the signal aborts; never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    const { client, clock, delays, memory } = this.#options;
    while (!stop.aborted) {
      this.#interrupt = new AbortController();
      const waiting = this.#waiting.splice(0);
      let pause = delays.applicationSetsPoll;
      try {
        const askedAt = clock().toISOString();
        const list = await client.list('applicationsets', { signal: stop });
        memory.putList(list, askedAt);
      } catch (error) {
        if (!stop.aborted) {
          pause = memory.putFailure(toArgocdRequestError(error));
        }
      }
      waiting.forEach(resolve => resolve());
      await sleep(pause, AbortSignal.any([stop, this.#interrupt.signal]));
    }
    this.#waiting.splice(0).forEach(resolve => resolve());
  }
}

/** What the poll of ApplicationSets is made of. */
export interface ApplicationSetPollOptions {
  client: ArgocdClient;
  memory: KindMemory<'applicationSets'>;
  delays: ArgocdDelays;
  clock: () => Date;
}
