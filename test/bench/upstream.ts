// Calls to the upstreams: of a poll in which nothing changed, for so many projects
// of one group; and while every page is viewed.
import { Replica } from '../support/startReplica';
import { waitFor } from '../support/waitFor';
import { serviceOf } from './support/objects';
import {
  run,
  startReplicas,
  untilFresh,
  untilQuiet,
} from './support/organisations';
import { Calls, startUpstream, Upstream } from './support/startUpstream';
import { report, SIZES } from './report';

const POLL_SECONDS = 5;
const POLLS = 4;
const POLL_BUDGET = 2;
/** Nothing in a poll pauses for so long. */
const PAUSE_MILLISECONDS = 500;
/** With that pause and one more view, shorter than the time between two polls, jitter and all. */
const VIEWING_MILLISECONDS = 2_500;
const VIEWED = 20;

/**
 * Set-ups are checked one after the other at this pace, whatever is viewed: with many
 * of them that never ends. Calls beyond it would be of viewing.
 */
const SET_UP_CALLS_PER_SECOND = 20;
/** Most calls for one set-up at once. */
const SET_UP_CALLS_AT_ONCE = 20;

/** Calls to GitLab. */
function polled({ lists, details }: Calls): number {
  return lists + details;
}

/** Calls from one time to the other that no pace of checks explains. */
function callsBetween(before: Calls, after: Calls, seconds: number): number {
  const paced = SET_UP_CALLS_AT_ONCE + SET_UP_CALLS_PER_SECOND * seconds;
  return (
    polled(after) -
    polled(before) +
    after.cluster -
    before.cluster +
    Math.max(0, Math.ceil(after.setUps - before.setUps - paced))
  );
}

/** Resolves as soon as a poll has ended: lists were read, and then nothing was. */
async function untilPolled(upstream: Upstream): Promise<void> {
  const { lists } = upstream.calls();
  await waitFor('a poll', () =>
    upstream.calls().lists > lists ? true : undefined,
  );
  let last = polled(upstream.calls());
  let since = performance.now();
  await waitFor('the end of a poll', () => {
    const now = polled(upstream.calls());
    if (now !== last) {
      last = now;
      since = performance.now();
    }
    return performance.now() - since > PAUSE_MILLISECONDS ? true : undefined;
  });
}

/** Everything that a page could ask for, of an entity and of some previews. */
async function viewAll({ client }: Replica, project: number) {
  const entityRef = `component:default/${serviceOf(project)}`;
  const { items } = await client.listPreviews({ entityRef, limit: 50 });
  await client.getEntitySummary(entityRef);
  await client.getStats({ entityRef });
  await client.getSources();
  await client.listPreviews({ q: 'change', limit: 50 });
  for (const { id } of items) {
    await client.getPreview(id);
    await client.getTimeline(id);
  }
}

async function measure(size: number) {
  const upstream = await startUpstream({
    projects: size,
    mergeRequestsPerProject: 1,
  });
  const { replicas } = await startReplicas({
    names: ['writer'],
    upstream,
    projects: size,
    schedule: { gitlabPoll: { seconds: POLL_SECONDS } },
  });
  try {
    const [writer] = replicas;
    await untilFresh(writer, { size });
    await untilQuiet(upstream, { polls: 1 });

    await untilPolled(upstream);
    const before = upstream.calls();
    const startedAt = performance.now();
    const until = startedAt + VIEWING_MILLISECONDS;
    for (let view = 0; view < VIEWED && performance.now() < until; view += 1) {
      await viewAll(writer, view % size);
    }
    report({
      name: 'upstream-calls-of-viewing',
      size,
      figure: callsBetween(
        before,
        upstream.calls(),
        (performance.now() - startedAt) / 1000,
      ),
      budget: 0,
      unit: 'calls',
    });

    let most = 0;
    for (let poll = 0; poll < POLLS; poll += 1) {
      const calls = polled(upstream.calls());
      await untilPolled(upstream);
      most = Math.max(most, polled(upstream.calls()) - calls);
    }
    report({
      name: 'upstream-calls-of-idle-poll',
      size,
      figure: most,
      budget: POLL_BUDGET,
      unit: 'calls',
    });
  } finally {
    await Promise.all(replicas.map(replica => replica.kill()));
    await upstream.stop();
  }
}

run(async () => {
  for (const size of SIZES) {
    await measure(size);
  }
});
