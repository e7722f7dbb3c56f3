import {
  ConditionType,
  findReason,
  MergeRequest,
  Preview,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { latest } from './time';

type Change = Omit<Transition, 'id'>;

/**
 * What Argo CD says of everything that it reads from a GitLab that is away, and
 * takes back once it is there again: nothing happened to the preview.
 */
const SHARED: Partial<Record<ConditionType, ReadonlySet<string>>> = {
  ApplicationGenerated: new Set(['FrozenByGenerator', 'GeneratorError']),
  Synced: new Set(['ComparisonError']),
  CleanedUp: new Set(['FrozenByGenerator']),
};

type Told = { type?: string; reason?: string };

function isShared({ type, reason }: Told): boolean {
  return SHARED[type as ConditionType]?.has(reason ?? '') === true;
}

function isUnknown({ type, reason }: Told): boolean {
  return (
    type !== undefined &&
    findReason(type as ConditionType, reason ?? '')?.effect === 'unknown'
  );
}

/** The reason of a condition that is known, or was last. */
function knownReason(
  type: string | undefined,
  preview: Preview,
): string | undefined {
  const found = [
    ...preview.conditions,
    ...(preview.furtherConditions ?? []),
  ].find(condition => condition.type === type);
  return found?.lastKnown?.reason ?? found?.reason;
}

/**
 * Whether something happened to the preview, or only to what is known of it: a
 * source that goes away and comes back must leave the order of a list as it was.
 */
function isActivity(
  change: Change,
  before: Preview,
  after: Pick<Preview, 'reason'>,
): boolean {
  const { kind, type, from, to, reason } = change;
  switch (kind) {
    case 'application':
      return true;
    case 'approval':
      // When it was approved is told by GitLab.
      return to === 'none';
    case 'head':
      return from !== undefined;
    case 'phase':
      return ![before.reason ?? {}, after.reason ?? {}].some(
        told => isShared(told) || isUnknown(told),
      );
    default:
      return (
        // What is read for the first time may have been so for long.
        from !== undefined &&
        // It holds as before: only what tells so is another.
        !(from === 'True' && to === 'True') &&
        !isShared({ type, reason }) &&
        !isShared({ type, reason: knownReason(type, before) })
      );
  }
}

/**
 * The latest activity of a preview, which lists are ordered by; never earlier
 * than it was.
 */
export function activityAtOf(options: {
  mergeRequest: MergeRequest;
  before: Preview | undefined;
  after: Pick<Preview, 'reason'>;
  transitions: readonly Change[];
  now: string;
}): string {
  const { mergeRequest, before, after, transitions, now } = options;
  const happened =
    before && transitions.some(change => isActivity(change, before, after));
  return (
    latest(
      mergeRequest.updatedAt,
      mergeRequest.approvedAt,
      before?.activityAt,
      happened ? now : undefined,
    ) ?? now
  );
}
