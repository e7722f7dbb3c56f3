import { MergeRequestReading, PipelineFact, ranFor } from '../../model';

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

/** The id of the newest pipeline of the head; undefined while it may still push something. */
export function endedPipelineOf({
  fact,
  pipelines,
}: MergeRequestReading): number | undefined {
  const { headSha } = fact;
  const newest = pipelines?.items.find(
    item => headSha !== undefined && ranFor(item, headSha),
  );
  return newest && !MOVING.includes(newest.status) ? newest.id : undefined;
}

/**
 * Whether the pipelines of an MR have to be read:
 * - `awaited`: in every reading, since they are not known yet, or the newest one
 *   moves or is expected;
 * - `settled`: now and then, since one could be started again;
 * - undefined: not now.
 */
export function pipelinesDue(
  reading: MergeRequestReading,
  options: { now: Date; headSeenAt: Date },
): 'awaited' | 'settled' | undefined {
  const { fact, pipelines } = reading;
  if (fact.state !== 'opened' && fact.state !== 'locked') {
    return undefined;
  }
  if (!fact.headSha) {
    return undefined;
  }
  if (!pipelines || pipelines.forHead !== fact.headSha) {
    return 'awaited';
  }
  const now = options.now.getTime();
  const age = now - Date.parse(pipelines.readAt);
  const newest = pipelines.items[0];
  if (newest && mayBeOf(newest, fact.headSha)) {
    if (MOVING.includes(newest.status)) {
      return 'awaited';
    }
    return age >=
      (newest.status === 'success' ? PASSED_RECHECK : SETTLED_RECHECK)
      ? 'settled'
      : undefined;
  }
  if (now - options.headSeenAt.getTime() < EXPECTED_WITHIN) {
    return 'awaited';
  }
  return age >= SETTLED_RECHECK ? 'settled' : undefined;
}

/** One of an MR whose commit is not told may be of a merged result. */
function mayBeOf(pipeline: PipelineFact, headSha: string): boolean {
  return (
    ranFor(pipeline, headSha) ||
    (pipeline.source === 'merge_request_event' &&
      pipeline.parents === undefined)
  );
}
