import { LoggerService } from '@backstage/backend-plugin-api';
import { setTimeout as delay } from 'node:timers/promises';
import { LeaseTerm, PreviewStore } from '../store';

const LEASE_SECONDS = 20;
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

  constructor(options: {
    store: PreviewStore;
    logger: LoggerService;
    holder: string;
  }) {
    this.#store = options.store;
    this.#logger = options.logger;
    this.#holder = options.holder;
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
      await pause(RENEW_MILLISECONDS, signal);
    }
  }

  async #tryAcquire(): Promise<LeaseTerm | undefined> {
    try {
      return await this.#store.acquireLease({
        holder: this.#holder,
        durationSeconds: LEASE_SECONDS,
      });
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
    try {
      await work(term, held);
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

  /** Ends when the lease is lost or could not be renewed for as long as it lasts. */
  async #renew(
    term: LeaseTerm,
    controller: AbortController,
    held: AbortSignal,
  ): Promise<void> {
    let failures = 0;
    while (!held.aborted) {
      await pause(RENEW_MILLISECONDS, held);
      if (held.aborted) {
        return;
      }
      try {
        if (
          !(await this.#store.renewLease(term, {
            durationSeconds: LEASE_SECONDS,
          }))
        ) {
          this.#logger.info('Another instance reconciles previews now');
          controller.abort();
        }
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#logger.warn(
          'The lease of the previews writer could not be renewed',
          error as Error,
        );
        if (failures * RENEW_MILLISECONDS >= LEASE_SECONDS * 1000) {
          controller.abort();
        }
      }
    }
  }

  async #release(term: LeaseTerm): Promise<void> {
    try {
      await this.#store.releaseLease(term);
    } catch (error) {
      // It runs out by itself; whoever comes next waits that long.
      this.#logger.warn(
        'The lease of the previews writer could not be given back',
        error as Error,
      );
    }
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
