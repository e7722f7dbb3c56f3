import { LoggerService } from '@backstage/backend-plugin-api';
import { SourceState } from '@previews/backstage-plugin-previews-common';

/**
 * Tells the log when a source cannot be read any more, why, and when it is read again:
 * one line for each reason, however much of it is asked for.
 */
export class SourceJournal {
  readonly #logger: LoggerService;
  /** By id: why a source was said not to be read. */
  readonly #told = new Map<string, ReadonlySet<string>>();

  constructor(options: { logger: LoggerService }) {
    this.#logger = options.logger;
  }

  note(states: readonly SourceState[]): void {
    for (const state of states) {
      this.#note(state, reasonsOf(state));
    }
  }

  #note({ id, status }: SourceState, reasons: ReadonlyMap<string, string>) {
    const told = this.#told.get(id) ?? new Set<string>();
    for (const [reason, why] of reasons) {
      if (!told.has(reason)) {
        this.#logger.warn(`${id} cannot be read as a whole: ${why}`, {
          source: id,
          reason,
        });
      }
    }
    if (status !== 'fresh') {
      // What one try after the other ends with may alternate.
      this.#told.set(id, new Set([...told, ...reasons.keys()]));
      return;
    }
    if ([...told].some(reason => !reasons.has(reason))) {
      this.#logger.info(`${id} is read again`, { source: id });
    }
    this.#told.set(id, new Set(reasons.keys()));
  }
}

/** Why a source is not read as a whole: a message for each reason. */
function reasonsOf({
  errors,
  status,
  lastCompleteAt,
}: SourceState): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const { reason, message } of errors) {
    if (!reasons.has(reason)) {
      reasons.set(reason, message);
    }
  }
  if (reasons.size === 0 && status === 'stale') {
    reasons.set(
      'Stale',
      `Nothing was told since ${lastCompleteAt ?? 'the start'}.`,
    );
  }
  return reasons;
}
