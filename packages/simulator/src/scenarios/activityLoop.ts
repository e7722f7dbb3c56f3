import { createRandom } from '../random';
import type { Simulator } from '../simulator';
import type { Service } from './scenarioBuilder';

const PERIOD_MILLISECONDS = 60_000;
const REVIEWER = 'reviewer1';
const OPEN_LIMIT = 5;
const AUTHORS = ['dev1', 'dev2', 'dev3', 'dev4', 'dev5'];
const WORK = [
  ['feature/wish-list', 'Keep a wish list'],
  ['fix/empty-basket', 'Say so when the basket is empty'],
  ['feature/dark-mode', 'Follow the dark mode of the system'],
  ['chore/update-runtime', 'Update the runtime'],
  ['fix/slow-start', 'Start without reading all prices'],
  ['feature/compare-products', 'Compare products side by side'],
] as const;

/**
 * Keeps a demonstration alive: about every minute a merge request of its own is opened, pushed to,
 * approved or merged. The number of open ones is bounded. The answer stops it.
 */
export function runActivityLoop(
  simulator: Simulator,
  services: Service[],
): () => void {
  const { control, platform } = simulator;
  const { clock } = platform;
  const random = createRandom(`${simulator.seed}/activity`);
  const own: { project: string; iid: number; pushes: number }[] = [];
  let opened = 0;
  let cancel = () => {};

  const openOne = () => {
    const service = random.pick(services);
    const [branch, title] = WORK[opened % WORK.length];
    opened += 1;
    const { iid } = control.openMergeRequest({
      project: service.project,
      sourceBranch: `${branch}-${opened}`,
      title,
      author: random.pick(AUTHORS),
      labels: ['preview'],
    });
    own.push({ project: service.project, iid, pushes: 0 });
  };

  const step = () => {
    const known = control.mergeRequests();
    const find = ({ project, iid }: (typeof own)[number]) =>
      known.find(
        candidate => candidate.project === project && candidate.iid === iid,
      );
    const open = own.filter(
      mergeRequest => find(mergeRequest)?.state === 'opened',
    );
    const oldest = open[0];
    if (!oldest || (open.length < OPEN_LIMIT && random.next() < 0.4)) {
      openOne();
    } else if (oldest.pushes === 0) {
      oldest.pushes += 1;
      control.push(oldest);
    } else {
      if (!find(oldest)?.approvedBy.includes(REVIEWER)) {
        control.approve({ ...oldest, by: REVIEWER });
      }
      control.merge(oldest);
      own.splice(own.indexOf(oldest), 1);
    }
  };
  const plan = () => {
    cancel = clock.after(
      PERIOD_MILLISECONDS * (0.7 + 0.6 * random.next()),
      () => {
        step();
        plan();
      },
    );
  };
  plan();
  return () => cancel();
}
