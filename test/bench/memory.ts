// Heap of the writer after a collection, over that of a backend that has nothing to
// read: nine objects for each preview, with an Application of 15 kB and Pods of 8 kB.
import { on } from 'node:events';
import { join } from 'node:path';
import { Replica } from '../support/startReplica';
import {
  run,
  shapeOf,
  startReplicas,
  untilFresh,
  untilQuiet,
} from './support/organisations';
import { startUpstream } from './support/startUpstream';
import { report, SIZES } from './report';

const MEGABYTE = 1024 * 1024;
const BUDGET_MEGABYTES = 250;

/** The backend framework sends messages of its own on the same channel. */
async function heapOf({ process: child }: Replica): Promise<number> {
  const answers = on(child, 'message');
  child.send('heap');
  for await (const [answer] of answers) {
    if (typeof answer?.heapBytes === 'number') {
      return answer.heapBytes / MEGABYTE;
    }
  }
  throw new Error('The writer does not tell how large its heap is');
}

async function heapWith(size: number): Promise<number> {
  const shape = shapeOf(size);
  const upstream = await startUpstream(shape);
  const { replicas } = await startReplicas({
    names: ['writer'],
    upstream,
    projects: shape.projects,
    schedule: { gitlabPoll: { seconds: 2 } },
    script: {
      file: join(__dirname, 'support', 'writer.ts'),
      nodeOptions: ['--expose-gc'],
    },
  });
  try {
    const [writer] = replicas;
    await untilFresh(writer, { size });
    if (size > 0) {
      // Pipelines are read after the lists, a few in each poll.
      await untilQuiet(upstream);
    }
    return await heapOf(writer);
  } finally {
    await Promise.all(replicas.map(replica => replica.kill()));
    await upstream.stop();
  }
}

run(async () => {
  const idle = await heapWith(0);
  report({ name: 'memory-idle', size: 0, figure: idle, unit: 'MB' });
  for (const size of SIZES) {
    report({
      name: 'memory-over-idle',
      size,
      figure: (await heapWith(size)) - idle,
      budget: BUDGET_MEGABYTES,
      unit: 'MB',
    });
  }
});
