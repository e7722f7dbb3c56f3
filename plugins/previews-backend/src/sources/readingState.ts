import {
  SourceError,
  SourceState,
  SourceStatus,
} from '@previews/backstage-plugin-previews-common';
import { KindReading } from '../model';

/** Reasons that concern the whole source; others concern one kind. */
const OF_SOURCE = [
  'Unreachable',
  'TimedOut',
  'TokenInvalid',
  'RateLimited',
  'NotConfigured',
];

function mergeErrors(errors: readonly SourceError[]): SourceError[] {
  const merged = new Map<string, SourceError>();
  for (const error of errors) {
    if (OF_SOURCE.includes(error.reason)) {
      const { subject: _, ...rest } = error;
      const earlier = merged.get(error.reason);
      if (!earlier || error.since < earlier.since) {
        merged.set(error.reason, rest);
      }
    } else {
      merged.set(`${error.reason} ${error.subject}`, error);
    }
  }
  return [...merged.values()];
}

/**
 * Freshness of a source of kinds: that of the kind that was known completely the
 * longest ago. Forbidden and missing kinds degrade only what needs them, and
 * kinds that the source does not carry say nothing of it.
 */
export function readingState(input: {
  kinds: readonly KindReading<unknown>[];
  /** Of the way to the source, before any kind could be read. */
  connectionError?: SourceError;
  staleAfterMilliseconds: number;
  now: Date;
}): Pick<SourceState, 'status' | 'lastCompleteAt' | 'errors'> {
  const { kinds, now } = input;
  const counted = kinds.filter(
    ({ state }) => state !== 'forbidden' && state !== 'notObserved',
  );
  const errors = mergeErrors([
    ...(input.connectionError ? [input.connectionError] : []),
    ...kinds.flatMap(({ error }) => error ?? []),
  ]);
  const lastCompleteAt = counted
    // That a kind is not there stays true between the rechecks.
    .filter(({ state }) => state !== 'notInstalled')
    .flatMap(({ completeAt }) => completeAt ?? [])
    .sort()[0];
  const isAnyPending = counted.some(({ state }) => state === 'pending');
  const isFailing =
    counted.length === 0 ||
    input.connectionError !== undefined ||
    counted.some(({ error }) => error !== undefined);
  let status: SourceStatus;
  if (!lastCompleteAt) {
    status = isFailing ? 'failing' : 'pending';
  } else if (
    now.getTime() - Date.parse(lastCompleteAt) >
    input.staleAfterMilliseconds
  ) {
    status = 'stale';
  } else if (isFailing) {
    status = 'failing';
  } else {
    status = isAnyPending ? 'pending' : 'fresh';
  }
  return { status, ...(lastCompleteAt && { lastCompleteAt }), errors };
}
