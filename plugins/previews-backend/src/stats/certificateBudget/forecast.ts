import { CertificateBudget } from '@previews/backstage-plugin-previews-common';
import { IssuedRecord } from '../../model';
import { registeredDomainOf } from './registeredDomain';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const SHORTEST_SPAN = 3 * DAY;

/**
 * Certificates in 7 days at the pace since the first of the last 7 days: a service that
 * began days ago has no week to be judged by. A burst of an hour, as when a cluster is
 * built anew, counts over three days.
 */
export function paceOf(lastWeek: readonly IssuedRecord[], now: number): number {
  if (lastWeek.length === 0) {
    return 0;
  }
  const span = Math.max(SHORTEST_SPAN, now - Date.parse(lastWeek[0].at));
  // A handful is no pace.
  const isFew = lastWeek.length < 5;
  return Math.round((lastWeek.length * WEEK) / (isFew ? WEEK : span));
}

/** Undefined where as much comes back as is used. */
export function runsOutOf(
  budget: CertificateBudget,
  options: { weeklyPace: number; now: number },
): number | undefined {
  const net = options.weeklyPace - budget.limit;
  return budget.state === 'spent' || net <= 0
    ? undefined
    : options.now + (budget.left / net) * WEEK;
}

/** The wildcard that covers the most of what was issued, of names with a label of their own. */
export function wildcardFor(
  issued: readonly IssuedRecord[],
): string | undefined {
  const counts = new Map<string, number>();
  for (const { names } of issued) {
    for (const name of names) {
      const parent = name.slice(name.indexOf('.') + 1);
      const isBelowDomain = registeredDomainOf(name) !== name;
      if (!name.startsWith('*.') && isBelowDomain) {
        counts.set(parent, (counts.get(parent) ?? 0) + 1);
      }
    }
  }
  const [most] = [...counts].sort(
    ([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1),
  );
  // One certificate is no reason to share it.
  return most && most[1] > 1 ? `*.${most[0]}` : undefined;
}
