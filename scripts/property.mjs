// Random sequences that nobody has run before: `yarn test:property` runs 3,000,
// `yarn test:property 500` so many; PREVIEWS_PROPERTY_SEED repeats those of a run.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const runs = process.argv[2] ?? '3000';
if (!/^[1-9]\d*$/.test(runs)) {
  console.error('Usage: yarn test:property [how many sequences]');
  process.exit(2);
}
// The lanes take the seeds that follow.
const seed =
  process.env.PREVIEWS_PROPERTY_SEED ?? String(randomInt(2 ** 31 - 100));
console.log(`${runs} sequences from the seed ${seed}`);
const { status } = spawnSync(
  'yarn',
  ['backstage-cli', 'repo', 'test', 'test/faults/property.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      CI: 'true',
      PREVIEWS_PROPERTY_SEED: seed,
      PREVIEWS_PROPERTY_RUNS: runs,
    },
  },
);
process.exitCode = status ?? 1;
