import {
  GeneratedLoss,
  GeneratedMember,
  GeneratedSet,
  MergeRequestKey,
} from '../../model';
import { isEqual } from '../sameness';
import { addSeconds, hasElapsed, secondsBetween } from '../time';
import { keyString } from '../worldIndex';

/** Fewer may go at once without anything being wrong. */
const LEAST_LOST = 5;
/** So may a smaller part of a large set. */
const LEAST_SHARE = 0.3;
/** A cluster tells of many deletions one after the other. */
const LEAST_WINDOW_SECONDS = 60;
/** For so long an Application may stand beside its successor in another set. */
const MOVE_SECONDS = 24 * 60 * 60;

/**
 * Whether an MR is open by a reading that was begun after a time; undefined
 * while there is none: Argo CD may know of a merge before the portal does. False too
 * where nobody will ever tell.
 */
export type IsOpenSince = (
  key: MergeRequestKey,
  after: string,
) => boolean | undefined;

/** An Application of an MR that the set that is followed did not generate, or not any more. */
export interface OtherApplication {
  /** `cluster:namespace/name`. */
  reference: string;
  /** Another set that is read has it; absent where none does. */
  set?: { requeueAfterSeconds: number };
  /** The pass before had not seen it. */
  isNew: boolean;
  /** ISO. */
  createdAt?: string;
}

/** What an MR has beside the Applications of the set, nobody deleting it, in any cluster. */
export type ElsewhereOf = (key: MergeRequestKey) => readonly OtherApplication[];

/**
 * Follows the Applications of one set from reading to reading, and raises the
 * alarm when at least 5 and at least 30 % of them go within one requeue while
 * their MRs are open. It lasts until each of them is back, or its MR has another one of the
 * set or one that took its place in another set, or is over.
 *
 * @param before - what was remembered; undefined where the set was not watched.
 * @param present - those that are there by a complete and fresh reading.
 * @returns `before` itself where nothing changed.
 */
export function watchGeneratedSet(options: {
  reference: string;
  before: GeneratedSet | undefined;
  present: readonly GeneratedMember[];
  elsewhereOf: ElsewhereOf;
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
  const hasMoved = movedFrom({ ...options, windowSeconds });
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
          !isBack(member) &&
          isOpenSince(member.key!, loss.at) !== false &&
          !hasMoved(member, loss.at),
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

/**
 * Whether an Application went to another set, such as one half of a matrix that was
 * split: it is there and that set has it, or one that came in its place. One that
 * always stood beside it takes no place: where each MR has Applications of two sets,
 * a set that loses its own has lost them.
 */
function movedFrom({
  reference,
  elsewhereOf,
  windowSeconds,
}: {
  reference: string;
  elsewhereOf: ElsewhereOf;
  windowSeconds: number;
}): (member: GeneratedMember, lostAt: string) => boolean {
  const [cluster] = reference.split(':');
  const tookPlace = (
    { set, isNew, createdAt }: OtherApplication,
    member: GeneratedMember,
    lostAt: string,
  ) =>
    set !== undefined &&
    !hasElapsed(createdAt, lostAt, MOVE_SECONDS) &&
    (isNew ||
      isYounger(createdAt, { than: lostAt, bySeconds: 0 }) ||
      // Two sets that both generate for a new MR do so within a requeue.
      isYounger(createdAt, {
        than: member.createdAt,
        bySeconds: Math.max(windowSeconds, set.requeueAfterSeconds),
      }));
  return (member, lostAt) =>
    elsewhereOf(member.key!).some(
      other =>
        other.reference === `${cluster}:${idOf(member)}` ||
        tookPlace(other, member, lostAt),
    );
}

function isYounger(
  createdAt: string | undefined,
  { than, bySeconds }: { than: string | undefined; bySeconds: number },
): boolean {
  const between = secondsBetween(than, createdAt ?? '');
  return between !== undefined && between > bySeconds;
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
