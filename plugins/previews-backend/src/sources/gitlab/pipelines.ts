import { MergeRequestReading } from '../../model';

const MINUTE = 60 * 1000;

/** Statuses that end by themselves and are worth a look in every reading. */
const MOVING = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'canceling',
  'scheduled',
];

/** How long after a push a pipeline is expected to appear. */
const EXPECTED_WITHIN = 10 * MINUTE;

/** A pipeline that ended can be retried, and a manual one started. */
const SETTLED_RECHECK = 5 * MINUTE;

/** Another pipeline can still be run for a commit that passed. */
const PASSED_RECHECK = 15 * MINUTE;

/**
 * Whether the pipelines of an MR have to be read: in every reading while the
 * newest one moves or is expected, now and then while it could be started again.
 */
export function arePipelinesDue(
  reading: MergeRequestReading,
  options: { now: Date; headSeenAt: Date },
): boolean {
  const { fact, pipelines } = reading;
  if (fact.state !== 'opened' && fact.state !== 'locked') {
    return false;
  }
  if (!fact.headSha) {
    return false;
  }
  if (!pipelines || pipelines.forHead !== fact.headSha) {
    return true;
  }
  const now = options.now.getTime();
  const age = now - Date.parse(pipelines.readAt);
  const newest = pipelines.items[0];
  if (
    newest?.sha === fact.headSha ||
    newest?.source === 'merge_request_event'
  ) {
    if (MOVING.includes(newest.status)) {
      return true;
    }
    return (
      age >= (newest.status === 'success' ? PASSED_RECHECK : SETTLED_RECHECK)
    );
  }
  return (
    now - options.headSeenAt.getTime() < EXPECTED_WITHIN ||
    age >= SETTLED_RECHECK
  );
}
