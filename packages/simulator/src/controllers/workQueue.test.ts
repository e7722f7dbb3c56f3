import { createRealClock } from '../clock';
import { Activity } from './activity';
import { WorkQueue } from './workQueue';

describe('a controller’s queue', () => {
  const clock = createRealClock({ speed: 100 });
  let activity: Activity;

  beforeEach(() => {
    activity = new Activity();
  });

  it('reconciles a key once however often it came while it waited', async () => {
    const seen: string[] = [];
    const queue = new WorkQueue({
      clock,
      activity,
      reconcile: key => {
        seen.push(key);
      },
    });
    queue.add('a');
    queue.add('b');
    queue.add('a');
    await activity.quiet();
    expect(seen).toEqual(['a', 'b']);
  });

  it('reconciles again what came while it was at it, never two at a time', async () => {
    let running = 0;
    let most = 0;
    let count = 0;
    const queue: WorkQueue = new WorkQueue({
      clock,
      activity,
      reconcile: async key => {
        running += 1;
        most = Math.max(most, running);
        count += 1;
        if (count === 1) {
          queue.add(key);
        }
        await Promise.resolve();
        running -= 1;
      },
    });
    queue.add('a');
    await activity.quiet();
    expect([count, most]).toEqual([2, 1]);
  });

  it('is quiet with periodic work planned, and not with other work', async () => {
    const seen: string[] = [];
    const queue = new WorkQueue({
      clock,
      activity,
      reconcile: key => {
        seen.push(key);
      },
    });
    queue.addAfter({ key: 'late', milliseconds: 60_000, background: true });
    queue.addAfter({ key: 'soon', milliseconds: 100 });
    await activity.quiet();
    expect(seen).toEqual(['soon']);
    queue.stop();
  });

  it('tries again what failed, and remembers why until it works', async () => {
    const failure = new Error('not yet');
    let fail = true;
    let tries = 0;
    const queue = new WorkQueue({
      clock,
      activity,
      reconcile: () => {
        tries += 1;
        if (fail) {
          throw failure;
        }
      },
    });
    queue.add('a');
    await activity.quiet();
    expect(queue.failures.get('a')).toBe(failure);
    fail = false;
    queue.addAfter({ key: 'a', milliseconds: 1 });
    await activity.quiet();
    expect(queue.failures.size).toBe(0);
    expect(tries).toBe(2);
    queue.stop();
  });
});
