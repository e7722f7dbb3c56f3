import { LoggerService } from '@backstage/backend-plugin-api';
import { SourceState } from '@previews/backstage-plugin-previews-common';

/**
 * Tells the log when a source cannot be read any more, why, and when it is read again:
 * one line each, however much of it is asked for.
 */
export class SourceJournal {
  readonly #logger: LoggerService;
  /** By id: why a source was said not to be read. */
  readonly #told = new Map<string, string>();

  constructor(options: { logger: LoggerService }) {
    this.#logger = options.logger;
  }

  note(states: readonly SourceState[]): void {
    for (const state of states) {
      const [error] = state.errors;
      const reason =
        error?.reason ?? (state.status === 'stale' ? 'Stale' : undefined);
      if (reason !== undefined) {
        this.#noteTrouble(state, reason);
      } else if (state.status === 'fresh' && this.#told.delete(state.id)) {
        this.#logger.info(`${state.id} is read again`, { source: state.id });
      }
    }
  }

  #noteTrouble({ id, errors, lastCompleteAt }: SourceState, reason: string) {
    if (this.#told.get(id) !== reason) {
      this.#told.set(id, reason);
      const why =
        errors[0]?.message ??
        `Nothing was told since ${lastCompleteAt ?? 'the start'}.`;
      this.#logger.warn(`${id} cannot be read as a whole: ${why}`, {
        source: id,
        reason,
      });
    }
  }
}
