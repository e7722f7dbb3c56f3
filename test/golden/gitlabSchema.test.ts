import { addInclude } from '@previews/backstage-plugin-scaffolder-backend-module-previews';
import { parse, stringify } from 'yaml';
import { pipelineOf } from './support/gitLabPipeline';
import { Onboarding } from './support/onboarding';
import { request } from './support/onboardingCases';
import { pipelines, type PipelineKind } from './support/pipelines';

const CI_FILE = '.gitlab/previews.gitlab-ci.yml';

/** Pipelines as services have them, before they are onboarded. */
const ownPipelines = {
  none: undefined,
  'one without rules': `# Our pipeline
stages: [build, test]
unit:
  stage: test
  script: [npm test]
`,
  'one of merge requests': `workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
    - if: $CI_COMMIT_TAG
include:
  - local: /ci/tests.yml
default:
  image: node:24
  before_script: [npm ci]
`,
};

const TESTS = `unit:
  stage: test
  script: [npm test]
`;

async function rendered(which: 'mergeRequests' | 'branches'): Promise<string> {
  const onboarding = await Onboarding.create({ ...request, pipelines: which });
  const text = onboarding.read(CI_FILE, 'service');
  await onboarding.remove();
  return text;
}

function repositoryWith(options: { jobs: string; own?: string }) {
  return {
    '.gitlab-ci.yml': addInclude({
      text: options.own,
      include: CI_FILE,
      stage: 'build',
    }).text,
    [CI_FILE]: options.jobs,
    'ci/tests.yml': TESTS,
  };
}

async function jobsIn(options: {
  jobs: string;
  own?: string;
  kind: PipelineKind;
}): Promise<string[]> {
  const verdict = await pipelineOf({
    files: repositoryWith(options),
    variables: pipelines[options.kind],
  });
  if ('refusal' in verdict) {
    throw new Error(verdict.refusal);
  }
  return verdict.jobs.map(({ name, when }) =>
    when === 'manual' ? `${name} (manual)` : name,
  );
}

describe('the pipeline, by the schema and the rules of GitLab', () => {
  let jobs: string;
  let jobsForBranches: string;

  beforeAll(async () => {
    jobs = await rendered('mergeRequests');
    jobsForBranches = await rendered('branches');
  });

  it.each(Object.entries(ownPipelines))(
    'is one that GitLab takes, included by a service that had %s',
    async (_, own) => {
      await expect(jobsIn({ jobs, own, kind: 'detached' })).resolves.toContain(
        'previews-build',
      );
    },
  );

  it('leaves the jobs of the service what they were', async () => {
    const own = ownPipelines['one of merge requests'];
    const before = await pipelineOf({
      files: { '.gitlab-ci.yml': own, 'ci/tests.yml': TESTS },
      variables: pipelines.detached,
    });
    const after = await jobsIn({ jobs, own, kind: 'detached' });
    expect(before).toMatchObject({ jobs: [{ name: 'unit' }] });
    expect(after.filter(name => !name.startsWith('previews-'))).toEqual([
      'unit',
    ]);
  });

  it.each([
    ['a keyword', { interruptibel: true }, /'interruptibel' property/],
    ['a value', { interruptible: 'sometimes' }, /interruptible/],
    ['a kind of environment', { environment: { action: 'leave' } }, /action/],
  ])('would be refused for %s that GitLab does not know', async (...row) => {
    const [, change, message] = row;
    const content = parse(jobs);
    Object.assign(content['previews-build'], change);
    const verdict = await pipelineOf({
      files: repositoryWith({ jobs: stringify(content) }),
      variables: pipelines.detached,
    });
    expect(verdict).toEqual({ refusal: expect.stringMatching(message) });
  });

  it('is found out without the network, which would be told', async () => {
    await expect(
      pipelineOf({
        files: {
          '.gitlab-ci.yml': 'include:\n  - remote: http://127.0.0.1:9/ci.yml\n',
        },
        variables: pipelines.detached,
      }),
    ).rejects.toThrow('The network was touched');
  });

  const all = [
    'previews-build',
    'previews-environment',
    'previews-environment-stop (manual)',
  ];
  const image = ['previews-build'];

  it.each<[PipelineKind, { ofMergeRequests: string[]; ofBranches: string[] }]>([
    ['detached', { ofMergeRequests: all, ofBranches: [] }],
    ['mergedResults', { ofMergeRequests: all, ofBranches: [] }],
    ['branch', { ofMergeRequests: [], ofBranches: all }],
    ['branchWithoutMergeRequest', { ofMergeRequests: [], ofBranches: image }],
    ['defaultBranch', { ofMergeRequests: image, ofBranches: image }],
    ['release', { ofMergeRequests: image, ofBranches: image }],
    ['otherTag', { ofMergeRequests: [], ofBranches: [] }],
  ])(
    'has in one of kind %s the jobs that the choice in the form promises',
    async (kind, expected) => {
      expect({
        ofMergeRequests: await jobsIn({ jobs, kind }),
        ofBranches: await jobsIn({ jobs: jobsForBranches, kind }),
      }).toEqual(expected);
    },
  );

  it.each([['detached'], ['mergedResults']] as const)(
    'builds the head of a merge request once, though a push starts one of its branch beside one of kind %s',
    async kind => {
      for (const text of [jobs, jobsForBranches]) {
        const builds = [
          ...(await jobsIn({ jobs: text, kind })),
          ...(await jobsIn({ jobs: text, kind: 'branch' })),
        ].filter(name => name === 'previews-build');
        expect(builds).toEqual(['previews-build']);
      }
    },
  );
});
