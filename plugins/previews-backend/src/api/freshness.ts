import { SourceState } from '@previews/backstage-plugin-previews-common';

/** The writer tells of itself at least every ten seconds; this long without a word it is not there. */
const WRITER_SILENT_AFTER_MILLISECONDS = 60_000;

/** @param lastWord - ISO: when the writer told of itself last. */
export function isWriterSilent(
  lastWord: string | undefined,
  now: Date,
): boolean {
  return (
    lastWord === undefined ||
    now.getTime() - Date.parse(lastWord) > WRITER_SILENT_AFTER_MILLISECONDS
  );
}

/**
 * ISO: until when the rows follow from what the states say. Sources that are read
 * while nothing of it can be written are no better than sources that are not; before
 * the first time that all was written, it is told of them how far they are.
 */
export function confirmedAt(told: {
  readAt?: string;
  reconciledAt?: string;
}): string | undefined {
  return told.reconciledAt ?? told.readAt;
}

/**
 * States as they are now: what no writer has confirmed for a minute is stale,
 * whatever was written last. A reader cannot be told of the writer's death by the
 * writer.
 *
 * @param confirmedAt - ISO: the writer's last pass.
 */
export function agedStates(
  states: readonly SourceState[],
  options: { confirmedAt: string | undefined; now: Date },
): SourceState[] {
  return isWriterSilent(options.confirmedAt, options.now)
    ? states.map(state => ({
        ...state,
        status: state.status === 'pending' ? 'pending' : 'stale',
      }))
    : [...states];
}

/**
 * When the facts of all these sources were last known to be complete: that of
 * the one that was read the longest ago. Undefined while one was never read.
 */
export function oldestReading(
  states: readonly SourceState[],
): string | undefined {
  const times = states.map(({ lastCompleteAt }) => lastCompleteAt);
  return times.includes(undefined)
    ? undefined
    : (times as string[]).sort((a, b) => Date.parse(a) - Date.parse(b))[0];
}
