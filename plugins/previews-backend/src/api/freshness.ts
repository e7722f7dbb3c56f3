import { SourceState } from '@previews/backstage-plugin-previews-common';

/** The writer tells of itself at least every ten seconds; this long without a word it is not there. */
const WRITER_SILENT_AFTER_MILLISECONDS = 60_000;

/** @param confirmedAt - ISO: the writer's last pass. */
export function isWriterSilent(
  confirmedAt: string | undefined,
  now: Date,
): boolean {
  return (
    confirmedAt === undefined ||
    now.getTime() - Date.parse(confirmedAt) > WRITER_SILENT_AFTER_MILLISECONDS
  );
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
  const { confirmedAt, now } = options;
  return isWriterSilent(confirmedAt, now)
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
