import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Onboarding } from './support/onboarding';
import { request } from './support/onboardingCases';
import {
  jobsOf,
  pipelines,
  runSteps,
  whenOf,
  type CiJob,
  type PipelineKind,
} from './support/pipelines';

const CI_FILE = '.gitlab/previews.gitlab-ci.yml';
const DIGEST = `sha256:${'9c'.repeat(32)}`;

/** Takes the place of BuildKit: notes how it was called, and reports a digest. */
const buildkit = (metadata: object) => `#!/bin/sh
for argument in "$@"; do
  printf '%s\\n' "$argument" >> arguments
done
while [ "$1" != --metadata-file ]; do shift; done
printf '%s' '${JSON.stringify(metadata)}' > "$2"
`;

async function onboard(
  pipelinesOfService: 'mergeRequests' | 'branches',
): Promise<{ text: string; jobs: Record<string, CiJob> }> {
  const onboarding = await Onboarding.create({
    ...request,
    pipelines: pipelinesOfService,
  });
  const text = onboarding.read(CI_FILE, 'service');
  await onboarding.remove();
  return { text, jobs: jobsOf(text) };
}

describe('the jobs for the pipeline of a service', () => {
  let folder: string;
  let jobs: Record<string, CiJob>;
  let text: string;

  beforeAll(async () => {
    ({ jobs, text } = await onboard('mergeRequests'));
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'previews-pipeline-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const buildSteps = () => [
    ...jobs['previews-build'].before_script!,
    ...jobs['previews-build'].script,
  ];

  function build(
    kind: PipelineKind,
    metadata: object = { 'containerimage.digest': DIGEST },
  ) {
    return runSteps({
      folder,
      steps: buildSteps(),
      variables: { ...pipelines[kind], PREVIEWS_DOCKERFILE: 'Dockerfile' },
      programs: { 'buildctl-daemonless.sh': buildkit(metadata) },
    });
  }

  it('are named as ours, in a stage that the form named', () => {
    for (const name of Object.keys(jobs)) {
      expect(name).toMatch(/^\.?previews(-|$)/);
    }
    for (const name of Object.keys(jobs).filter(job => job !== '.previews')) {
      expect(jobs[name]).toMatchObject({
        stage: 'build',
        extends: '.previews',
      });
    }
  });

  it('have shell that a shell understands', () => {
    for (const job of Object.values(jobs)) {
      const steps = [...(job.before_script ?? []), ...(job.script ?? [])];
      expect(() =>
        execFileSync('sh', ['-n'], { input: steps.join('\n') }),
      ).not.toThrow();
    }
  });

  it.each([
    ['branch', '12345678'],
    ['detached', '12345678'],
    ['mergedResults', '12345678'],
    ['defaultBranch', 'dev-12345678'],
    ['release', 'prod-v1.4.0'],
  ] as const)(
    'push from a pipeline of kind %s the tag %s, with its digest',
    async (kind, tag) => {
      const { code, stderr, stdout } = await build(kind);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

      const called = (await readFile(join(folder, 'arguments'), 'utf8'))
        .trim()
        .split('\n');
      expect(called).toContain(
        `type=image,name=registry.example.com/web/shop:${tag},push=true`,
      );
      expect(called).toContain(
        'label:org.opencontainers.image.revision=12345678deadbeef12345678deadbeef12345678',
      );
      expect(await readFile(join(folder, 'previews-image.env'), 'utf8')).toBe(
        `PREVIEWS_IMAGE=registry.example.com/web/shop\nPREVIEWS_TAG=${tag}\nPREVIEWS_DIGEST=${DIGEST}\n`,
      );
      expect(stdout).toContain(
        `Pushed registry.example.com/web/shop:${tag}@${DIGEST}`,
      );
    },
  );

  it.each([
    ['detached', 'merge-requests'],
    ['mergedResults', 'merge-requests'],
    ['branch', 'merge-requests'],
    ['defaultBranch', 'default-branch'],
    ['release', 'default-branch'],
  ] as const)(
    'write the layers of a pipeline of kind %s to the cache of %s',
    async (kind, cache) => {
      await build(kind);
      const called = await readFile(join(folder, 'arguments'), 'utf8');
      expect(called).toContain(
        `type=registry,ref=registry.example.com/web/shop:buildcache-${cache},mode=max`,
      );
      // What a merge request wrote is never built from outside of merge requests.
      expect(called.includes('buildcache-merge-requests')).toBe(
        cache === 'merge-requests',
      );
    },
  );

  it('sign in with the token of the job, in a file that only its user reads', async () => {
    await build('detached');
    const path = join(folder, '.docker', 'config.json');
    const { auths } = JSON.parse(await readFile(path, 'utf8'));
    expect(
      Buffer.from(auths['registry.example.com'].auth, 'base64').toString(),
    ).toBe('gitlab-ci-token:token-of-the-job');
    expect((await stat(path)).mode % 0o100).toBe(0);
  });

  it('fail where BuildKit reports no digest, rather than report none', async () => {
    const { code, stderr } = await build('defaultBranch', {});
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'BuildKit reported no digest\n',
    });
  });

  it('have no credential but the token of the job', () => {
    const named = new Set(
      [
        ...text.matchAll(/\$\{?([A-Z_]*(TOKEN|PASSWORD|SECRET|KEY)[A-Z_]*)/g),
      ].map(([, name]) => name),
    );
    expect([...named]).toEqual(['CI_JOB_TOKEN']);
    for (const name of ['previews-environment', 'previews-environment-stop']) {
      expect(JSON.stringify(jobs[name])).not.toContain('TOKEN');
    }
  });

  it('run without root, in an image that has a version, and give way to a newer push', () => {
    expect(jobs['previews-build']).toMatchObject({
      image: {
        name: expect.stringMatching(/^moby\/buildkit:v[\d.]+-rootless$/),
      },
      interruptible: true,
    });
    expect(text).not.toMatch(/kaniko|docker:dind|privileged/i);
  });

  it.each([
    ['detached', 'https://shop-mr-7.preview.example.com'],
    ['mergedResults', 'https://shop-mr-7.preview.example.com'],
    ['branch', 'https://shop-mr-7.preview.example.com'],
  ] as const)(
    'show in a pipeline of kind %s the preview at its URL',
    async (kind, url) => {
      const job = jobs['previews-environment'];
      const { code, stderr } = await runSteps({
        folder,
        steps: job.script,
        variables: { ...pipelines[kind], ...jobs['.previews'].variables },
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(
        await readFile(join(folder, job.artifacts!.reports.dotenv), 'utf8'),
      ).toBe(`PREVIEWS_URL=${url}\n`);
      expect(job.environment).toMatchObject({
        url: '$PREVIEWS_URL',
        on_stop: 'previews-environment-stop',
        auto_stop_in: '7 days',
      });
    },
  );

  it('stop an environment without doing anything', async () => {
    const job = jobs['previews-environment-stop'];
    expect(job.environment).toEqual({
      name: jobs['previews-environment'].environment!.name,
      action: 'stop',
    });
    expect(job.script).toHaveLength(1);
    expect(job.script[0]).toMatch(/^echo "[^"$`]+"$/);
    expect(job.variables.GIT_STRATEGY).toBe('none');
  });
});

describe('which pipelines the jobs are in', () => {
  const mergeRequest = ['on_success', 'on_success', 'manual'];
  const imageOnly = ['on_success', 'never', 'never'];
  const none = ['never', 'never', 'never'];

  it.each([
    ['mergeRequests', 'detached', mergeRequest],
    ['mergeRequests', 'mergedResults', mergeRequest],
    ['mergeRequests', 'branch', none],
    ['mergeRequests', 'branchWithoutMergeRequest', none],
    ['mergeRequests', 'defaultBranch', imageOnly],
    ['mergeRequests', 'release', imageOnly],
    ['mergeRequests', 'otherTag', none],
    ['branches', 'detached', none],
    ['branches', 'mergedResults', none],
    ['branches', 'branch', mergeRequest],
    ['branches', 'branchWithoutMergeRequest', imageOnly],
    ['branches', 'defaultBranch', imageOnly],
    ['branches', 'release', imageOnly],
    ['branches', 'otherTag', none],
  ] as const)(
    'is known for a service with pipelines of %s, in one of kind %s',
    async (which, kind, expected) => {
      const { jobs } = await onboard(which);
      expect(
        [
          'previews-build',
          'previews-environment',
          'previews-environment-stop',
        ].map(name => whenOf(jobs[name], pipelines[kind])),
      ).toEqual(expected);
    },
  );
});
