import {
  GeneratedLoss,
  GeneratedMember,
  GeneratedSet,
  MergeRequestKey,
} from '../../model';
import { isEqual } from '../sameness';
import { addSeconds, hasElapsed } from '../time';
import { keyString } from '../worldIndex';

/** Fewer may go at once without anything being wrong. */
const LEAST_LOST = 5;
/** So may a smaller part of a large set. */
const LEAST_SHARE = 0.3;
/** A cluster tells of many deletions one after the other. */
const LEAST_WINDOW_SECONDS = 60;

/**
 * Whether an MR is open by a reading that was begun after a time; undefined
 * while there is none: Argo CD may know of a merge before the portal does.
 */
export type IsOpenSince = (
  key: MergeRequestKey,
  after: string,
) => boolean | undefined;

/**
 * Follows the Applications of one set from reading to reading, and raises the
 * alarm when at least 5 and at least 30 % of them go within one requeue while
 * their MRs are open. It lasts until each of them is back or its MR is over.
 *
 * @param before - what was remembered; undefined where the set was not watched.
 * @param present - those that are there by a complete and fresh reading.
 * @returns `before` itself where nothing changed.
 */
export function watchGeneratedSet(options: {
  reference: string;
  before: GeneratedSet | undefined;
  present: readonly GeneratedMember[];
  requeueAfterSeconds: number;
  isOpenSince: IsOpenSince;
  now: string;
}): GeneratedSet {
  const { reference, before, isOpenSince, now } = options;
  const members = [...options.present].sort((a, b) =>
    idOf(a) < idOf(b) ? -1 : 1,
  );
  const windowSeconds = Math.max(
    options.requeueAfterSeconds,
    LEAST_WINDOW_SECONDS,
  );
  const isBack = backIn(members);
  const gone = (before?.members ?? []).filter(
    // An Application that joined no MR says nothing of open ones.
    ({ key }) => key !== undefined,
  );
  const losses = [
    ...(before?.losses ?? []),
    { at: now, before: before?.members.length ?? 0, members: gone },
  ]
    .map(loss => ({
      ...loss,
      members: loss.members.filter(
        member =>
          !isBack(member) && isOpenSince(member.key!, loss.at) !== false,
      ),
    }))
    .filter(loss => loss.members.length > 0);

  const alarm = alarmAfter({
    alarm: before?.alarm,
    losses,
    windowSeconds,
    isOpenSince,
  });
  const after: GeneratedSet = {
    reference,
    members,
    losses: alarm
      ? losses
      : losses.filter(loss =>
          mayStillCount(loss, { windowSeconds, ...options }),
        ),
    ...(alarm && { alarm }),
  };
  return before && isEqual(before, after) ? before : after;
}

function idOf({ namespace, name }: GeneratedMember): string {
  return `${namespace}/${name}`;
}

/**
 * Whether an Application is there, or another one of the set for its MR: a set that
 * gives other names than before loses nothing, whether the former ones go before the
 * new ones come or stay beside them for a while.
 */
function backIn(
  members: readonly GeneratedMember[],
): (member: GeneratedMember) => boolean {
  const there = new Set(members.map(idOf));
  const served = new Set(
    members.flatMap(({ key }) => (key ? [keyString(key)] : [])),
  );
  return member =>
    there.has(idOf(member)) ||
    (member.key !== undefined && served.has(keyString(member.key)));
}

function alarmAfter(options: {
  alarm: GeneratedSet['alarm'];
  losses: readonly GeneratedLoss[];
  windowSeconds: number;
  isOpenSince: IsOpenSince;
}): GeneratedSet['alarm'] {
  const { alarm, losses, windowSeconds, isOpenSince } = options;
  if (alarm) {
    const lost = losses.reduce((sum, loss) => sum + loss.members.length, 0);
    // The numbers stay those of the worst moment while Applications come back.
    return lost === 0
      ? undefined
      : { ...alarm, lost: Math.max(alarm.lost, lost) };
  }
  for (const first of losses) {
    const until = addSeconds(first.at, windowSeconds);
    const lost = losses
      .filter(({ at }) => at >= first.at && at <= until)
      .flatMap(({ at, members }) =>
        members.filter(({ key }) => isOpenSince(key!, at) === true),
      ).length;
    if (lost >= LEAST_LOST && lost >= LEAST_SHARE * first.before) {
      return { lost, before: first.before };
    }
  }
  return undefined;
}

/** Too old to count with another one, or of MRs that are not read again yet. */
function mayStillCount(
  { at, members }: GeneratedLoss,
  options: { windowSeconds: number; isOpenSince: IsOpenSince; now: string },
): boolean {
  return (
    !hasElapsed(at, options.now, options.windowSeconds) ||
    members.some(({ key }) => options.isOpenSince(key!, at) === undefined)
  );
}
