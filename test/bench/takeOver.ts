// From the death of the writer to a portal that has read everything again: how
// long until another replica writes, and every source was completely read since.
import { waitFor } from '../support/waitFor';
import { pathOf } from './support/objects';
import {
  run,
  shapeOf,
  startReplicas,
  untilFresh,
  writerOf,
} from './support/organisations';
import { startUpstream } from './support/startUpstream';
import { report, SIZES, wallSeconds } from './report';

const BUDGET_SECONDS = 60;

async function measure(size: number) {
  const shape = shapeOf(size);
  const upstream = await startUpstream(shape);
  const { replicas } = await startReplicas({
    names: ['replica-1', 'replica-2'],
    upstream,
    projects: shape.projects,
    schedule: { gitlabPoll: { seconds: 60 }, gitlabStaleAfter: { minutes: 3 } },
  });
  try {
    const writer = await writerOf(replicas);
    const [heir] = replicas.filter(replica => replica !== writer);
    await untilFresh(heir, { size });
    // What is read before nobody writes does not count.
    const retitled = 'Retitled while nobody could write';
    const killedAt = Date.now();
    await writer.kill();
    upstream.retitle({ project: 0, iid: 1 }, retitled);
    const { seconds } = await wallSeconds(async () => {
      await untilFresh(heir, { size, since: killedAt });
      // The rows are written after the states of what they were decided from.
      await waitFor('what happened meanwhile', async () => {
        const { items } = await heir.client.listPreviews({
          project: pathOf(0),
          limit: 200,
        });
        return items.find(
          ({ mergeRequest }) => mergeRequest.title === retitled,
        );
      });
    });
    report({
      name: 'take-over',
      size,
      figure: seconds,
      budget: BUDGET_SECONDS,
      unit: 's',
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
