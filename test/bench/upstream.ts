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
/** Shorter than the time between two polls, jitter and all. */
const VIEWING_MILLISECONDS = 2_500;
const VIEWED = 20;

function sum({ lists, details, cluster }: Calls): number {
  return lists + details + cluster;
}

/** Resolves as soon as a poll has ended: lists were read, and then nothing was. */
async function untilPolled(upstream: Upstream): Promise<void> {
  const { lists } = upstream.calls();
  await waitFor('a poll', () =>
    upstream.calls().lists > lists ? true : undefined,
  );
  let before = upstream.calls();
  await waitFor('the end of a poll', () => {
    const now = upstream.calls();
    const isOver = sum(now) === sum(before);
    before = now;
    return isOver ? true : undefined;
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
    await untilQuiet(upstream);

    await untilPolled(upstream);
    const before = sum(upstream.calls());
    const until = performance.now() + VIEWING_MILLISECONDS;
    for (let view = 0; view < VIEWED && performance.now() < until; view += 1) {
      await viewAll(writer, view % size);
    }
    report({
      name: 'upstream-calls-of-viewing',
      size,
      figure: sum(upstream.calls()) - before,
      budget: 0,
      unit: 'calls',
    });

    let most = 0;
    for (let poll = 0; poll < POLLS; poll += 1) {
      const { lists, details } = upstream.calls();
      await untilPolled(upstream);
      const now = upstream.calls();
      most = Math.max(most, now.lists - lists + now.details - details);
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
