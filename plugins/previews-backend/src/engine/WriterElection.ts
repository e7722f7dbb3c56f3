import { LoggerService } from '@backstage/backend-plugin-api';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { LeaseTerm, PreviewStore } from '../store';

const LEASE_MILLISECONDS = 20_000;
const RENEW_MILLISECONDS = 5_000;

/**
 * Takes the writer's lease whenever it is free and works while it is held. The
 * work is told to stop when the lease is lost; the store's epoch keeps what it
 * still writes after that from counting.
 */
export class WriterElection {
  readonly #store: PreviewStore;
  readonly #logger: LoggerService;
  readonly #holder: string;
  readonly #lease: number;
  readonly #every: number;

  constructor(options: {
    store: PreviewStore;
    logger: LoggerService;
    holder: string;
    /** How long a lease is; default 20 seconds. */
    leaseMilliseconds?: number;
    /** How often it is renewed, or tried for; default 5 seconds. */
    renewMilliseconds?: number;
  }) {
    this.#store = options.store;
    this.#logger = options.logger;
    this.#holder = options.holder;
    this.#lease = options.leaseMilliseconds ?? LEASE_MILLISECONDS;
    this.#every = options.renewMilliseconds ?? RENEW_MILLISECONDS;
  }

  /** Resolves when the signal aborts and the lease is given back. */
  async run(
    signal: AbortSignal,
    work: (term: LeaseTerm, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      const term = await this.#tryAcquire();
      if (term) {
        this.#logger.info(
          `This instance reconciles previews, epoch ${term.epoch}`,
        );
        await this.#hold(term, signal, work);
      }
      await pause(this.#every, signal);
    }
  }

  async #tryAcquire(): Promise<LeaseTerm | undefined> {
    try {
      // One that was taken without a word is this instance's at the next try.
      return await within(
        this.#lease,
        this.#store.acquireLease({
          holder: this.#holder,
          durationSeconds: this.#lease / 1000,
        }),
      );
    } catch (error) {
      this.#logger.warn(
        'The lease of the previews writer could not be taken',
        error as Error,
      );
      return undefined;
    }
  }

  async #hold(
    term: LeaseTerm,
    signal: AbortSignal,
    work: (term: LeaseTerm, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    const held = AbortSignal.any([signal, controller.signal]);
    const renewing = this.#renew(term, controller, held);
    const working = work(term, held);
    try {
      if (!(await this.#hasEnded(working, held))) {
        this.#logger.warn(
          `What the previews writer of epoch ${term.epoch} waits for has no answer; nothing waits for it any more`,
        );
        // Its epoch is over, so that nothing it still writes counts.
        working.catch(error =>
          this.#logger.debug('A former previews writer ended', error),
        );
      }
      if (!signal.aborted) {
        this.#logger.info(
          `This instance does not reconcile previews any more, epoch ${term.epoch}`,
        );
      }
    } catch (error) {
      this.#logger.error(
        'Reconciling previews stopped and begins anew',
        error as Error,
      );
    } finally {
      controller.abort();
      await renewing;
      await this.#release(term);
    }
  }

  /**
   * Waits for the work, but once it was told to stop no longer than a lease: a database
   * that fell silent in the middle of a write is given up only minutes later by TCP.
   */
  async #hasEnded(work: Promise<void>, held: AbortSignal): Promise<boolean> {
    const ended = new AbortController();
    const overdue = async () => {
      await aborted(held);
      await pause(this.#lease, ended.signal);
      return false;
    };
    try {
      return await Promise.race([work.then(() => true), overdue()]);
    } finally {
      ended.abort();
    }
  }

  /**
   * Ends when the lease is lost, or could not be renewed for as long as it lasts: a
   * database that does not answer has given it to somebody else by then.
   */
  async #renew(
    term: LeaseTerm,
    controller: AbortController,
    held: AbortSignal,
  ): Promise<void> {
    let renewedAt = performance.now();
    while (!held.aborted) {
      await pause(this.#every, held);
      if (held.aborted) {
        return;
      }
      try {
        const isHeld = await within(
          this.#every,
          this.#store.renewLease(term, { durationSeconds: this.#lease / 1000 }),
          held,
        );
        renewedAt = performance.now();
        if (!isHeld) {
          controller.abort();
        }
      } catch (error) {
        if (held.aborted) {
          return;
        }
        this.#logger.warn(
          'The lease of the previews writer could not be renewed',
          error as Error,
        );
        if (performance.now() - renewedAt >= this.#lease) {
          controller.abort();
        }
      }
    }
  }

  async #release(term: LeaseTerm): Promise<void> {
    try {
      await within(this.#every, this.#store.releaseLease(term));
    } catch (error) {
      // It runs out by itself; whoever comes next waits that long.
      this.#logger.warn(
        'The lease of the previews writer could not be given back',
        error as Error,
      );
    }
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, 'abort');
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}

/** @throws Error when there is no answer in time, or none before the signal aborts. */
async function within<T>(
  milliseconds: number,
  answer: Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  return Promise.race([
    answer,
    pause(milliseconds, signal).then(() => {
      throw new Error('The database does not answer');
    }),
  ]);
}
