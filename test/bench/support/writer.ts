// A replica that tells, when it is asked by a message, how large its heap is after
// a collection. Needs `--expose-gc`, and a channel to its parent.
import { setTimeout as delay } from 'node:timers/promises';
import '../../support/replica';

const COLLECTIONS = 4;

async function heapBytes(): Promise<number> {
  const { gc } = globalThis;
  if (!gc) {
    throw new Error('It runs without --expose-gc');
  }
  let least = Infinity;
  for (let collection = 0; collection < COLLECTIONS; collection += 1) {
    gc();
    // What a collection lets go of may only end with the next turn.
    await delay(250);
    gc();
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

process.on('message', async message => {
  if (message === 'heap') {
    process.send?.({ heapBytes: await heapBytes() });
  }
});
