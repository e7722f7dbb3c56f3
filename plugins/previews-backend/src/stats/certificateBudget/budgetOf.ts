import {
  CertificateBudget,
  CertificateBudgetState,
} from '@previews/backstage-plugin-previews-common';
import { IssuedRecord, RefusedRecord } from '../../model';
import { PermitBucket } from './PermitBucket';

/** This part or less left is little. */
const LOW_PART = 0.2;

/** Runs what happened through a bucket; both lists in order. */
export function budgetOf(options: {
  issued: readonly IssuedRecord[];
  refused: readonly RefusedRecord[];
  size: number;
  isSizeGiven: boolean;
  now: number;
}): CertificateBudget {
  const { issued, refused, now, isSizeGiven } = options;
  const said = refused.findLast(({ size }) => size !== undefined)?.size;
  const standing = refused.filter(refusal => isStanding(refusal, issued));
  const events = [...issued, ...standing].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
  const bucket = new PermitBucket({
    size: isSizeGiven ? options.size : said ?? options.size,
    from: events.length > 0 ? Date.parse(events[0].at) : now,
  });
  for (const event of events) {
    const at = Date.parse(event.at);
    if (event.kind === 'issued') {
      bucket.take(at);
    } else {
      bucket.correct(at, {
        ...(event.retryAt !== undefined && {
          freeAt: Date.parse(event.retryAt),
        }),
      });
    }
  }
  // A part of a millisecond must not cost a whole certificate.
  const left = Math.floor(bucket.levelAt(now) + 1e-6);
  const refusedUntil = refusedUntilOf(standing, now);
  const isSpent = left === 0 || refusedUntil !== undefined;
  const shown = isSpent ? 0 : left;
  const nextAt =
    refusedUntil ??
    (left < bucket.size ? bucket.fullToAt(left + 1, now) : undefined);
  const fullAt = bucket.fullToAt(bucket.size, now);
  return {
    state: stateOf({ isSpent, left, size: bucket.size }),
    limit: bucket.size,
    used: bucket.size - shown,
    left: shown,
    refillSeconds: Math.round(bucket.refillMilliseconds / 1000),
    ...(nextAt !== undefined && { nextRefillAt: toSecond(nextAt) }),
    ...(fullAt !== undefined && { fullAt: toSecond(fullAt) }),
    ...(refusedUntil !== undefined && { refusedUntil: toSecond(refusedUntil) }),
  };
}

function stateOf(options: {
  isSpent: boolean;
  left: number;
  size: number;
}): CertificateBudgetState {
  if (options.isSpent) {
    return 'spent';
  }
  return options.left <= options.size * LOW_PART ? 'low' : 'ok';
}

/**
 * The word of the authority stands until it issues one all the same, before the time
 * that it named itself: there was more left than it said, and what was counted holds.
 */
function isStanding(
  refusal: RefusedRecord,
  issued: readonly IssuedRecord[],
): boolean {
  const from = Date.parse(refusal.at);
  const until = Date.parse(refusal.retryAt ?? '');
  return !issued.some(({ at }) => {
    const time = Date.parse(at);
    return time > from && time < until;
  });
}

function refusedUntilOf(
  standing: readonly RefusedRecord[],
  now: number,
): number | undefined {
  const until = Math.max(
    ...standing.map(({ retryAt }) => Date.parse(retryAt ?? '') || 0),
  );
  return until > now ? until : undefined;
}

function toSecond(time: number): string {
  return new Date(Math.ceil(time / 1000) * 1000).toISOString();
}
