import { MergeRequestReading } from '../model';
import { secondsBetween } from './time';
import { LocatedApplication } from './worldIndex';

/** Clocks of a cluster and of GitLab may differ a little. */
const CLOCK_SECONDS = 60;

/**
 * Whether an Application was made so long after an MR was over that its set had
 * looked again since: it is of another MR, which the portal may have yet to read.
 */
export function isMadeAfterwards(
  { fact: { meta } }: LocatedApplication,
  { fact, deletedAt }: MergeRequestReading,
  requeueAfterSeconds: number,
): boolean {
  const endedAt = fact.mergedAt ?? fact.closedAt ?? deletedAt;
  const lag = secondsBetween(endedAt, meta.createdAt ?? '') ?? 0;
  return lag > 2 * requeueAfterSeconds + CLOCK_SECONDS;
}
