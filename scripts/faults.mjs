// Runs the tests of faults and replicas and writes docs/faults.md's table anew:
// every fault that they injected, how often, and whether what they promise held.
// `yarn faults` runs all of them, `yarn faults test/faults/gitlab.test.ts` one.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { startPostgres } from './postgres.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'docs', 'faults.md');
const BEGIN = '<!-- faults: begin -->';
const END = '<!-- faults: end -->';

const named = process.argv.slice(2);
const paths = named.length > 0 ? named : ['test/faults', 'test/replicas'];

/** Runs the tests; the answer is what they broke, and what became of each file. */
async function runTests() {
  const folder = await mkdtemp(join(tmpdir(), 'previews-fault-report-'));
  const report = join(folder, 'faults.jsonl');
  const results = join(folder, 'results.json');
  const postgres = await startPostgres();
  try {
    await writeFile(report, '');
    const { status } = spawnSync(
      'yarn',
      [
        'backstage-cli',
        'repo',
        'test',
        '--maxWorkers=1',
        '--json',
        `--outputFile=${results}`,
        ...paths,
      ],
      {
        cwd: root,
        stdio: 'inherit',
        env: {
          ...process.env,
          CI: 'true',
          PREVIEWS_FAULT_REPORT: report,
          BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING: postgres.url,
        },
      },
    );
    const lines = (await readFile(report, 'utf8')).split('\n').filter(Boolean);
    return {
      status,
      injections: lines.map(line => JSON.parse(line)),
      files: JSON.parse(await readFile(results, 'utf8')).testResults,
    };
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Tests of a file that passed and that failed. */
function countTests(files) {
  return new Map(
    files.map(({ name, assertionResults }) => [
      relative(root, name),
      {
        passed: assertionResults.filter(({ status }) => status === 'passed')
          .length,
        failed: assertionResults.filter(({ status }) => status === 'failed')
          .length,
      },
    ]),
  );
}

function tableOf(injections, tests) {
  const faults = new Map();
  for (const { fault, times, file } of injections) {
    const byFile = faults.get(fault) ?? new Map();
    byFile.set(file, (byFile.get(file) ?? 0) + times);
    faults.set(fault, byFile);
  }
  const rows = [...faults]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([fault, byFile]) => {
      const files = [...byFile].sort(([a], [b]) => a.localeCompare(b, 'en'));
      const times = files.reduce((sum, [, count]) => sum + count, 0);
      const where = files
        .map(([file, count]) => `${basename(file, '.test.ts')} ${count}`)
        .join(', ');
      const sum = key =>
        files.reduce((all, [file]) => all + (tests.get(file)?.[key] ?? 0), 0);
      const outcome =
        sum('failed') === 0
          ? `held: ${sum('passed')} ${sum('passed') === 1 ? 'test' : 'tests'}`
          : `broken: ${sum('failed')} of ${
              sum('passed') + sum('failed')
            } tests failed`;
      return `| ${fault} | ${times} | ${where} | ${outcome} |`;
    });
  return [
    '| fault | times injected | in | outcome |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

const { status, injections, files } = await runTests();
const text = await readFile(page, 'utf8');
const [before, rest] = text.split(BEGIN);
const after = rest.split(END)[1];
const table = tableOf(injections, countTests(files));
const whole = `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
await writeFile(
  page,
  prettier.format(whole, {
    ...(await prettier.resolveConfig(page)),
    filepath: page,
  }),
);
process.exitCode = status ?? 1;
