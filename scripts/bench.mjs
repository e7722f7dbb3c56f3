// Runs the benchmarks of test/bench, all or those named, each in a process of its
// own; every figure is one line of JSON. `yarn bench decide` runs one, and
// `yarn bench --table figures.jsonl` lays out what was printed into a file.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toTable } from './benchTable.mjs';
import { startPostgres } from './postgres.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'test', 'bench');
const transform = createRequire(import.meta.url).resolve(
  '@backstage/cli/config/nodeTransform.cjs',
);
const SHARED = ['organisation', 'report'];
/** What a benchmark's own process is run with; why, is said in its file. */
const NODE_OPTIONS = { change: ['--expose-gc', '--no-memory-reducer'] };

const all = readdirSync(folder, { withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(({ name }) => basename(name, '.ts'))
  .filter(name => !SHARED.includes(name));
const named = process.argv.slice(2);
if (named[0] === '--table') {
  console.log(toTable(readFileSync(named[1] ?? 0, 'utf8')));
  process.exit(0);
}
const unknown = named.filter(name => !all.includes(name));
if (unknown.length > 0) {
  console.error(
    `No benchmark ${unknown.join(', ')}; there are ${all.join(', ')}`,
  );
  process.exit(2);
}

const postgres = await startPostgres();
let failed = false;
try {
  for (const name of named.length > 0 ? named : all) {
    const startedAt = performance.now();
    const { status, signal } = spawnSync(
      process.execPath,
      [
        ...(NODE_OPTIONS[name] ?? []),
        '--require',
        transform,
        join(folder, `${name}.ts`),
      ],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, BENCH_POSTGRES_URL: postgres.url },
      },
    );
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    const outcome = status === 0 ? 'ended' : `failed (${signal ?? status})`;
    // The figures alone go to the output, which is kept.
    console.error(`${name} ${outcome} after ${seconds} s`);
    failed ||= status !== 0;
  }
} finally {
  await postgres.stop();
}
process.exit(failed ? 1 : 0);
