// The whole suite: types, lint, formatting, then every test against a real
// PostgreSQL and the built app. Ends with the line "N passed, N failed".
//
// Arguments go to Jest: `yarn test:all plugins/previews-backend` runs what is
// below that folder, without the checks.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from './postgres.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const jestArguments = process.argv.slice(2);

function run(name, command, args, env = {}) {
  const startedAt = performance.now();
  console.log(`\n=== ${name}`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `=== ${name}: ${status === 0 ? 'passed' : 'failed'} in ${seconds} s`,
  );
  if (error) {
    console.error(error.message);
  }
  return status === 0;
}

/** Checks that stand for no test of their own; each one that fails is counted. */
function runChecks() {
  const checks = [
    run('types', 'yarn', ['tsc']),
    run('lint', 'yarn', ['lint', '--max-warnings', '0']),
    run('formatting', 'yarn', ['prettier:check']),
    run('app', 'yarn', ['build:app']),
  ];
  return checks.filter(passed => !passed).length;
}

async function runJest() {
  const folder = await mkdtemp(join(tmpdir(), 'previews-results-'));
  const results = join(folder, 'results.json');
  const postgres = await startPostgres();
  try {
    const passed = run(
      'tests',
      'yarn',
      [
        'backstage-cli',
        'repo',
        'test',
        '--maxWorkers=2',
        // Conditions are waited for; a slow machine must not fail what holds.
        '--testTimeout=60000',
        '--json',
        `--outputFile=${results}`,
        ...jestArguments,
      ],
      {
        CI: 'true',
        BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING: postgres.url,
      },
    );
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } =
      JSON.parse(await readFile(results, 'utf8'));
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    return { passed: numPassedTests, failed: passed ? failed : failed || 1 };
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const startedAt = performance.now();
const failedChecks = jestArguments.length === 0 ? runChecks() : 0;
const { passed, failed } = await runJest().catch(error => {
  console.error(error);
  return { passed: 0, failed: 1 };
});
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(`\nEverything took ${minutes} min`);
console.log(`${passed} passed, ${failed + failedChecks} failed`);
process.exit(failed + failedChecks === 0 && passed > 0 ? 0 : 1);
