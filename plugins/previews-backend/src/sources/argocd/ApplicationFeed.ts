import { sleep } from '../sleep';
import { ArgocdClient, ArgocdEvent } from './ArgocdClient';
import { toArgocdRequestError } from './ArgocdRequestError';
import { backOff, KindMemory } from './KindMemory';
import { ArgocdDelays } from './options';

/** The sign that a new list is due, not that something failed. */
type End = 'cut' | 'due';

/**
 * Keeps the Applications in step with an Argo CD: a list, and the stream of
 * events. The stream remembers nothing and may drop events under load, so it is
 * opened before the list is asked for, and the list is repeated whenever the
 * stream ends and every so often in any case.
 */
export class ApplicationFeed {
  readonly #options: ApplicationFeedOptions;
  #interrupt = new AbortController();
  #waiting: (() => void)[] = [];
  #resourceVersion = '0';
  #cutsInARow = 0;

  private constructor(options: ApplicationFeedOptions) {
    this.#options = options;
  }

  static create(options: ApplicationFeedOptions): ApplicationFeed {
    return new ApplicationFeed(options);
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
    const { memory } = this.#options;
    while (!stop.aborted) {
      this.#interrupt = new AbortController();
      const waiting = this.#waiting;
      this.#waiting = [];
      const answered = () => waiting.splice(0).forEach(resolve => resolve());
      const interrupt = AbortSignal.any([stop, this.#interrupt.signal]);
      let pause = 0;
      try {
        const end = await this.#follow({ stop, interrupt, onListed: answered });
        pause = end === 'cut' ? this.#pauseAfterCut() : 0;
      } catch (error) {
        if (!stop.aborted) {
          pause = memory.putFailure(toArgocdRequestError(error));
        }
      }
      answered();
      if (pause > 0) {
        await sleep(pause, interrupt);
      }
    }
    this.#waiting.splice(0).forEach(resolve => resolve());
  }

  /** One stream with its list; returns why another one is needed. */
  async #follow(options: {
    stop: AbortSignal;
    interrupt: AbortSignal;
    onListed: () => void;
  }): Promise<End> {
    const { stop, interrupt, onListed } = options;
    const { client, clock, delays, memory, relistAfterMilliseconds } =
      this.#options;
    const over = new AbortController();
    const early: ArgocdEvent[] = [];
    let isListed = false;
    const opened = new AbortController();
    const take = ({ type, application }: ArgocdEvent) =>
      memory.putEvent(type, application);
    const stream = this.#pump({
      signal: AbortSignal.any([interrupt, over.signal]),
      onOpen: () => opened.abort(),
      onEvent: event => (isListed ? take(event) : early.push(event)),
    });
    const startedAt = performance.now();
    try {
      await Promise.race([
        stream,
        sleep(delays.streamHeadStart, AbortSignal.any([stop, opened.signal])),
      ]);
      const askedAt = clock().toISOString();
      // A refresh that was asked for is what this list is for.
      const list = await client.list('applications', { signal: stop });
      memory.putList(list, askedAt);
      this.#resourceVersion = list.resourceVersion || '0';
      isListed = true;
      early.forEach(take);
      onListed();
      const isDue = sleep(
        relistAfterMilliseconds,
        AbortSignal.any([interrupt, over.signal]),
      );
      const end = await Promise.race([stream, isDue.then((): End => 'due')]);
      if (
        end === 'due' ||
        performance.now() - startedAt > delays.backOffMaximum
      ) {
        this.#cutsInARow = 0;
      }
      return interrupt.aborted ? 'due' : end;
    } finally {
      over.abort();
      await stream.catch(() => {});
    }
  }

  /**
   * Takes events until the stream ends. To be cut is no failure: the list that
   * follows says whether Argo CD can be reached. To be denied is one.
   */
  async #pump(options: {
    signal: AbortSignal;
    onOpen: () => void;
    onEvent: (event: ArgocdEvent) => void;
  }): Promise<End> {
    const { signal, onOpen, onEvent } = options;
    try {
      const events = this.#options.client.streamApplications({
        resourceVersion: this.#resourceVersion,
        signal,
        onOpen,
      });
      for await (const event of events) {
        onEvent(event);
      }
    } catch (error) {
      const { reason } = toArgocdRequestError(error);
      if (reason === 'TokenInvalid' || reason === 'Forbidden') {
        throw error;
      }
    }
    return 'cut';
  }

  /** Where streams never last, lists do not take their place in a tight circle. */
  #pauseAfterCut(): number {
    this.#cutsInARow += 1;
    return backOff(this.#cutsInARow, this.#options.delays);
  }
}

/** What the feed of Applications is made of. */
export interface ApplicationFeedOptions {
  client: ArgocdClient;
  memory: KindMemory<'applications'>;
  delays: ArgocdDelays;
  relistAfterMilliseconds: number;
  clock: () => Date;
}
