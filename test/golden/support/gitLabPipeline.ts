import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A job that is in a pipeline, as gitlab-ci-local lists it after its rules. */
export interface PipelineJob {
  name: string;
  stage: string;
  when: 'on_success' | 'manual' | 'never' | 'always' | 'delayed';
  allow_failure: boolean;
}

/** Either the jobs of a pipeline, or what GitLab would refuse it for. */
export type PipelineVerdict = { jobs: PipelineJob[] } | { refusal: string };

const TOOL = join(
  dirname(require.resolve('gitlab-ci-local/package.json')),
  'dist/index.js',
);
const OFFLINE = join(__dirname, 'offline.cjs');

/**
 * Takes the place of Git, which lists the files that an `include` may name: so the folder needs no
 * history, the answer does not depend on whose machine it is, and a machine without Git gives it, too.
 */
const GIT = `#!/bin/sh
case "$1" in
  ls-files) find . -type f | sed 's|^\\./||' ;;
  *) exit 1 ;;
esac
`;
/** A list of files is all that Bash is asked for, and no machine has to have it. */
const BASH = `#!/bin/sh
exec sh "$@"
`;

/** What tells the kinds of pipelines apart, and is set by the tool where nobody says otherwise. */
const KIND_VARIABLES = [
  'CI_COMMIT_BRANCH',
  'CI_COMMIT_TAG',
  'CI_MERGE_REQUEST_IID',
  'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA',
  'CI_OPEN_MERGE_REQUESTS',
];

/**
 * What GitLab makes of a repository's pipeline with these variables: its files are put together by their
 * includes, held to GitLab's own schema, and the rules of each job are evaluated. Jobs whose rules leave
 * them out are not listed.
 */
export async function pipelineOf(options: {
  files: Record<string, string>;
  variables: Record<string, string>;
}): Promise<PipelineVerdict> {
  const { files, variables } = options;
  const folder = await mkdtemp(join(tmpdir(), 'previews-gitlab-ci-'));
  try {
    const repository = join(folder, 'repository');
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(repository, path)), { recursive: true });
      await writeFile(join(repository, path), content);
    }
    const bin = join(folder, 'bin');
    await mkdir(bin);
    for (const [name, script] of Object.entries({ git: GIT, bash: BASH })) {
      await writeFile(join(bin, name), script);
      await chmod(join(bin, name), 0o755);
    }
    return await list({ folder, repository, bin, variables });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function list(options: {
  folder: string;
  repository: string;
  bin: string;
  variables: Record<string, string>;
}): Promise<PipelineVerdict> {
  const { folder, repository, bin, variables } = options;
  const args = [
    '--require',
    OFFLINE,
    TOOL,
    '--list-json',
    ...Object.entries(variables).flatMap(([name, value]) => [
      '--variable',
      `${name}=${value}`,
    ]),
    ...KIND_VARIABLES.filter(name => !variables[name]).flatMap(name => [
      '--unset-variable',
      name,
    ]),
    '--ignore-predefined-vars',
    Object.keys(variables).join(','),
  ];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      {
        cwd: repository,
        env: { HOME: folder, PATH: `${bin}:${process.env.PATH}` },
        maxBuffer: 16 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        if (!error) {
          const jobs = JSON.parse(stdout) as PipelineJob[];
          resolve({ jobs: jobs.filter(({ when }) => when !== 'never') });
        } else if (stderr.includes('Invalid .gitlab-ci.yml configuration')) {
          const problems = stderr
            .split('\n')
            .filter(line => /^\s*•/.test(line));
          resolve({
            refusal: problems
              .map(line => line.trim().slice(2))
              .filter(line => !/^(Copy|Use) /.test(line))
              .join('\n'),
          });
        } else {
          reject(new Error(stderr, { cause: error }));
        }
      },
    );
  });
}
