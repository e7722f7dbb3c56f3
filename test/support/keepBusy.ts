import { createRandom, Simulator } from 'simulator';
import { happenTo } from './busyHour';

/** Between two things that people do, in simulated time. */
const EVERY_MILLISECONDS = 3 * 60_000;
const MAXIMUM_OPEN = 5;

/** People at work on the projects of a simulator. */
export interface Busyness {
  /** How many times something happened so far. */
  readonly events: number;
  /** Nothing happens any more from now on. */
  stop(): void;
}

/**
 * Lets people open, push to, rename, approve, merge and close merge requests, whatever
 * happens to the portal meanwhile, until it is stopped.
 */
export function keepBusy(options: {
  simulator: Simulator;
  projects: readonly string[];
  seed: string;
}): Busyness {
  const { simulator, projects, seed } = options;
  const random = createRandom(seed);
  let events = 0;
  let isOver = false;

  function happen() {
    if (isOver) {
      return;
    }
    const all = simulator.control.mergeRequests();
    const open = all.filter(({ state }) => state === 'opened');
    if (open.length < MAXIMUM_OPEN) {
      simulator.control.openMergeRequest({
        project: random.pick([...projects]),
        sourceBranch: `busy/${all.length}`,
        title: `Busy ${all.length}`,
        author: 'dev2',
      });
    }
    if (open.length > 0) {
      const { project, iid } = random.pick(open);
      happenTo(simulator, { project, iid }, random.next());
    }
    events += 1;
    simulator.platform.clock.after(EVERY_MILLISECONDS, happen);
  }

  happen();
  return {
    get events() {
      return events;
    },
    stop() {
      isOver = true;
    },
  };
}
