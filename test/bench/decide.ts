// CPU time of deciding: everything for the first time, and everything again with
// nothing changed.
import {
  DecisionCache,
  decideAll,
  defaultSettings,
} from '../../plugins/previews-backend/src/reconcile';
import { StoredPreview } from '../../plugins/previews-backend/src/model';
import { NOW } from '../../plugins/previews-backend/src/testing/world';
import { organisation } from './organisation';
import { cpuSeconds, report, SIZES } from './report';

const REPEATS = 5;

for (const size of SIZES) {
  const world = organisation(size);
  const stored = new Map<string, StoredPreview>();
  const cache = new DecisionCache();
  const pass = () => {
    const { decisions } = decideAll({
      world,
      stored,
      settings: defaultSettings,
      isClaimAllowed: () => true,
      cache,
      now: NOW,
    });
    let changed = 0;
    for (const [id, { change, unchanged }] of decisions) {
      if (!unchanged) {
        stored.set(id, change.stored);
        changed += 1;
      }
    }
    return changed;
  };

  const first = cpuSeconds(pass);
  if (first.result !== size) {
    throw new Error(`${first.result} of ${size} previews were decided`);
  }
  report({
    name: 'decide-everything',
    size,
    figure: first.seconds,
    unit: 's CPU',
  });

  const again = Array.from({ length: REPEATS }, () => cpuSeconds(pass));
  if (again.some(({ result }) => result !== 0)) {
    throw new Error('Something was written though nothing changed');
  }
  const seconds = again.map(one => one.seconds).sort((a, b) => a - b);
  report({
    name: 'decide-nothing-changed',
    size,
    figure: seconds[Math.floor(REPEATS / 2)],
    ...(size === 10_000 && { budget: 1 }),
    unit: 's CPU',
  });
}
