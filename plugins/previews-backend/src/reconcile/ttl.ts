import {
  formatDuration,
  MergeRequest,
  parseTimeToLive,
  PreviewTtl,
  TimeToLive,
} from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../model';
import { Observed } from './gather';
import { unreadHome } from './homes';
import { DecisionSettings } from './settings';
import { addSeconds, hasElapsed, latest } from './time';
import { Verdict, verdict } from './verdict';

/**
 * What the entities of a preview say of how long it is kept, each of them once:
 * undefined for one that leaves it to the configuration. Undefined as a whole while
 * it is not known which entities it has.
 */
export type SaidByEntities = readonly (TimeToLive | undefined)[] | undefined;

interface Decided {
  timeToLive: TimeToLive;
  from: PreviewTtl['from'];
}

/**
 * How long an idle preview is kept: only one that is wanted, of an open MR, of which
 * something is there. While GitLab is not read, what was known stands: neither that
 * the MR is idle nor that somebody works on it is concluded from an old reading.
 */
export function ttlOf(options: {
  observed: Observed;
  previous: StoredPreview | undefined;
  mergeRequest: MergeRequest;
  /** Of the condition `MergeRequestOpen`. */
  open: Verdict;
  wanted: boolean;
  said: SaidByEntities;
  settings: DecisionSettings;
  now: string;
}): PreviewTtl | undefined {
  const { observed, previous, mergeRequest, open, wanted, now } = options;
  const { said, settings } = options;
  const known = previous?.preview.ttl;
  if (open.status === 'Unknown') {
    return known;
  }
  if (
    open.status === 'False' ||
    !wanted ||
    !isAnythingThere(observed, previous)
  ) {
    return undefined;
  }
  const decided = said ? longest(said, settings) : decidedBefore(known);
  if (decided.timeToLive === 'never') {
    return undefined;
  }
  const idleSince = lastActivity(mergeRequest);
  const ttl = {
    idleSince,
    duration: formatDuration(decided.timeToLive),
    from: decided.from,
    expiresAt: addSeconds(idleSince, decided.timeToLive),
  };
  return { ...ttl, near: hasElapsed(nearFrom(ttl, settings), now, 0) };
}

/** An open MR, said with a warning where the end of its preview's time to live is near. */
export function withTtl(
  open: Verdict,
  ttl: PreviewTtl | undefined,
  now: string,
): Verdict {
  const isPlain = open.reason === 'Opened' || open.reason === 'Locked';
  if (!isPlain || !ttl?.near) {
    return open;
  }
  const { idleSince, expiresAt } = ttl;
  return verdict(
    'MergeRequestOpen',
    'True',
    hasElapsed(expiresAt, now, 0) ? 'IdlePastEnd' : 'IdleNearEnd',
    { idleSince, expiresAt },
  );
}

/** ISO: when time alone changes what is said of it. */
export function ttlTimes(
  ttl: PreviewTtl | undefined,
  settings: DecisionSettings,
): string[] {
  return ttl ? [nearFrom(ttl, settings), ttl.expiresAt] : [];
}

/** Nobody is warned for more than half of the time, so that work always ends a warning. */
function nearFrom(
  { idleSince, expiresAt }: Pick<PreviewTtl, 'idleSince' | 'expiresAt'>,
  settings: DecisionSettings,
): string {
  const seconds = (Date.parse(expiresAt) - Date.parse(idleSince)) / 1000;
  const before = Math.min(settings.ttl.warnBeforeSeconds, seconds / 2);
  return addSeconds(expiresAt, -before);
}

/**
 * GitLab moves `updated_at` of an MR with pushes, comments, labels, reviews and its
 * reopening; a pipeline that somebody runs again, and an approval, may not move it.
 */
function lastActivity(mergeRequest: MergeRequest): string {
  const { createdAt, updatedAt, approvedAt, pipeline } = mergeRequest;
  return latest(updatedAt, createdAt, approvedAt, pipeline?.createdAt)!;
}

/** Nothing is lost because one of several entities is content with less. */
function longest(
  said: readonly (TimeToLive | undefined)[],
  { ttl }: DecisionSettings,
): Decided {
  const all = (said.length > 0 ? said : [undefined]).map(
    (one): Decided =>
      one === undefined
        ? { timeToLive: ttl.idleSeconds, from: 'configuration' }
        : { timeToLive: one, from: 'annotation' },
  );
  return all.reduce((a, b) =>
    secondsOf(b.timeToLive) > secondsOf(a.timeToLive) ? b : a,
  );
}

function secondsOf(timeToLive: TimeToLive): number {
  return timeToLive === 'never' ? Infinity : timeToLive;
}

function decidedBefore(known: PreviewTtl | undefined): Decided {
  return {
    timeToLive: (known && parseTimeToLive(known.duration)) ?? 'never',
    from: known?.from ?? 'configuration',
  };
}

/** Applications in a cluster that is not read yet are there for all that is known. */
function isAnythingThere(
  observed: Observed,
  previous: StoredPreview | undefined,
): boolean {
  return (
    observed.applications.length > 0 ||
    (unreadHome(observed, 'applications') !== undefined &&
      (previous?.preview.applications.length ?? 0) > 0)
  );
}
