import {
  ConditionStatus,
  ConditionType,
  findReason,
  ParamsOf,
  ReasonEffect,
  ReasonOf,
  ReasonParams,
} from '@previews/backstage-plugin-previews-common';

/** What a condition's policy found. */
export interface Verdict {
  status: ConditionStatus;
  reason: string;
  params: ReasonParams;
}

type Effect<S extends ConditionStatus> = S;

/** A verdict with a declared reason and the params that its sentence needs. */
export function verdict<T extends ConditionType, R extends ReasonOf<T>>(
  _type: T,
  status: Effect<ConditionStatus>,
  reason: R,
  params: ParamsOf<T, R>,
): Verdict {
  const given = Object.entries(params as ReasonParams).filter(
    ([, value]) => value !== undefined,
  );
  return { status, reason, params: Object.fromEntries(given) };
}

export function effectOf(type: ConditionType, reason: string): ReasonEffect {
  return findReason(type, reason)?.effect ?? 'unknown';
}

const BADNESS: Record<ConditionStatus, number> = {
  False: 3,
  Unknown: 2,
  True: 1,
};

/**
 * The worst of several verdicts of one condition: False before Unknown before
 * True, blocked before waiting before a warning; the first of equals.
 */
export function worst(
  type: ConditionType,
  verdicts: readonly Verdict[],
): Verdict | undefined {
  const rank = (item: Verdict) => {
    const effect = effectOf(type, item.reason);
    const effectRank =
      { blocked: 3, waiting: 2, warning: 1 }[effect as string] ?? 0;
    return BADNESS[item.status] * 10 + effectRank;
  };
  return verdicts.reduce<Verdict | undefined>(
    (found, item) =>
      found === undefined || rank(item) > rank(found) ? item : found,
    undefined,
  );
}
