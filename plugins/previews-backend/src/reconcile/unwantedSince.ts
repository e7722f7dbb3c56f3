import { MergeRequest } from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../model';
import type { Observed } from './gather';
import { latest } from './time';
import { Verdict } from './verdict';

/**
 * ISO: since when no set wants a preview; undefined while one does, or while that
 * was never known. What came anew while nobody looked was wanted in between, so
 * the time before that says nothing of it: its grace begins where it is first seen.
 */
export function unwantedSinceOf(options: {
  observed: Observed;
  selection: Verdict;
  wanted: boolean;
  mergeRequest: MergeRequest;
  previous: StoredPreview | undefined;
  now: string;
}): string | undefined {
  const { observed, selection, wanted, mergeRequest, previous, now } = options;
  const before = previous?.memory.unwantedSince;
  if (wanted) {
    return undefined;
  }
  if (!previous || before === undefined) {
    return selection.status === 'False' ? now : undefined;
  }
  if (isAnew(observed, previous)) {
    return now;
  }
  return latest(before, endedAgainAt(mergeRequest, previous, now)) ?? before;
}

/** An Application that was not there when the preview was last decided: another environment. */
function isAnew(
  { applications }: Observed,
  { preview, memory }: StoredPreview,
): boolean {
  const known = new Set(memory.joined.map(({ uid }) => uid));
  return applications.some(
    ({ fact }) => preview.phase === 'Gone' || !known.has(fact.meta.uid),
  );
}

/**
 * When an MR that had ended ended once more, so that it was open in between. That
 * one ends whose label went before is no such thing: nothing wanted it again.
 */
function endedAgainAt(
  mergeRequest: MergeRequest,
  { preview }: StoredPreview,
  now: string,
): string | undefined {
  const [former, ended] = [endOf(preview.mergeRequest), endOf(mergeRequest)];
  if (former === undefined || ended === undefined) {
    return undefined;
  }
  const isLater = Date.parse(ended) > Date.parse(former);
  // GitLab's clock may be ahead.
  const isPast = Date.parse(ended) <= Date.parse(now);
  return isLater ? (isPast && ended) || now : undefined;
}

function endOf({
  state,
  closedAt,
  mergedAt,
}: MergeRequest): string | undefined {
  switch (state) {
    case 'closed':
      return closedAt;
    case 'merged':
      return mergedAt;
    default:
      return undefined;
  }
}
