import { ForwardedError, isError } from '@backstage/errors';

/** Polling is the fallback of signals. */
const POLL_MILLISECONDS = 10_000;
const POLL_MOVING_MILLISECONDS = 5_000;
/** A burst of signals causes at most one fetch a second. */
const LEAST_GAP_MILLISECONDS = 1_000;
/** Spreads the readers of one channel, who all get the same signal at once. */
const JITTER_MILLISECONDS = 500;

export interface LiveLoopOptions<T> {
  load(signal: AbortSignal): Promise<T>;
  /** Whether something is under way, so that polling is quicker. */
  isMoving(value: T): boolean;
  onValue(value: T): void;
  onError(error: Error): void;
}

/**
 * Asks again and again, one request at a time: soon after a hint, else after a
 * while, and not at all while the page is hidden.
 */
export class LiveLoop<T> {
  readonly #options: LiveLoopOptions<T>;
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = 0;
  #startedAt = 0;
  #running = false;
  #hinted = false;

  constructor(options: LiveLoopOptions<T>) {
    this.#options = options;
  }

  start() {
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.refetch();
  }

  stop() {
    document.removeEventListener('visibilitychange', this.#onVisibility);
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  /** Something has changed: ask soon. */
  hint() {
    // A request under way may have been answered from before the change, and
    // aborting it would starve the page under a steady flow of signals.
    if (this.#running) {
      this.#hinted = true;
      return;
    }
    const earliest = this.#startedAt + LEAST_GAP_MILLISECONDS - Date.now();
    this.#schedule(Math.max(earliest, 0) + Math.random() * JITTER_MILLISECONDS);
  }

  /** Ask now, because the reader wants it. */
  refetch() {
    if (this.#running) {
      this.#hinted = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#run();
  }

  readonly #onVisibility = () => {
    if (!document.hidden && !this.#running && Date.now() >= this.#dueAt) {
      this.refetch();
    }
  };

  /** Never postpones what is due sooner. */
  #schedule(delay: number) {
    const dueAt = Date.now() + delay;
    if (this.#timer !== undefined && this.#dueAt <= dueAt) {
      return;
    }
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // Hidden: the next look happens when the page is shown again.
      if (!document.hidden) {
        this.#run();
      }
    }, delay);
  }

  async #run() {
    const { load, isMoving, onValue, onError } = this.#options;
    const { signal } = this.#abort;
    if (signal.aborted) {
      return;
    }
    this.#running = true;
    this.#startedAt = Date.now();
    let moving = false;
    try {
      const value = await load(signal);
      if (!signal.aborted) {
        moving = isMoving(value);
        onValue(value);
      }
    } catch (error) {
      if (!signal.aborted) {
        onError(
          isError(error)
            ? error
            : new ForwardedError('The previews API failed', error),
        );
      }
    } finally {
      this.#running = false;
    }
    if (signal.aborted) {
      return;
    }
    if (this.#hinted) {
      this.#hinted = false;
      this.hint();
    } else {
      this.#schedule(moving ? POLL_MOVING_MILLISECONDS : POLL_MILLISECONDS);
    }
  }
}
