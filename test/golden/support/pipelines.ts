import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A job of GitLab CI, as far as tests look into it. */
export interface CiJob {
  extends: string;
  stage: string;
  image: string | { name: string; entrypoint: string[] };
  variables: Record<string, string>;
  rules: { if: string; when?: string; allow_failure?: boolean }[];
  before_script?: string[];
  script: string[];
  needs?: { job: string; artifacts: boolean }[];
  interruptible?: boolean;
  environment?: Record<string, string>;
  artifacts?: { reports: { dotenv: string } };
  [keyword: string]: unknown;
}

export function jobsOf(text: string): Record<string, CiJob> {
  return parse(text);
}

const HEAD = '12345678deadbeef12345678deadbeef12345678';
const MERGED = 'ffffffffaaaaaaaaffffffffaaaaaaaaffffffff';

const project = {
  CI_DEFAULT_BRANCH: 'main',
  CI_PROJECT_URL: 'https://gitlab.example.com/web/shop',
  CI_REGISTRY: 'registry.example.com',
  CI_REGISTRY_IMAGE: 'registry.example.com/web/shop',
  CI_REGISTRY_USER: 'gitlab-ci-token',
  CI_JOB_TOKEN: 'token-of-the-job',
};

/** The variables that GitLab sets in each kind of pipeline; what it leaves empty is empty here. */
export const pipelines = {
  branch: {
    ...project,
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_BRANCH: 'feature/a',
    CI_COMMIT_REF_SLUG: 'feature-a',
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_SHORT_SHA: HEAD.slice(0, 8),
    CI_OPEN_MERGE_REQUESTS: 'web/shop!7,web/shop!9',
  },
  branchWithoutMergeRequest: {
    ...project,
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_BRANCH: 'feature/a',
    CI_COMMIT_REF_SLUG: 'feature-a',
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_SHORT_SHA: HEAD.slice(0, 8),
  },
  detached: {
    ...project,
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
    CI_OPEN_MERGE_REQUESTS: 'web/shop!7,web/shop!9',
    CI_COMMIT_REF_SLUG: 'feature-a',
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_SHORT_SHA: HEAD.slice(0, 8),
  },
  mergedResults: {
    ...project,
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD,
    CI_OPEN_MERGE_REQUESTS: 'web/shop!7',
    CI_COMMIT_REF_SLUG: 'feature-a',
    CI_COMMIT_SHA: MERGED,
    CI_COMMIT_SHORT_SHA: MERGED.slice(0, 8),
  },
  defaultBranch: {
    ...project,
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_BRANCH: 'main',
    CI_COMMIT_REF_SLUG: 'main',
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_SHORT_SHA: HEAD.slice(0, 8),
  },
  release: {
    ...project,
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_TAG: 'v1.4.0',
    CI_COMMIT_REF_SLUG: 'v1-4-0',
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_SHORT_SHA: HEAD.slice(0, 8),
  },
  otherTag: {
    ...project,
    CI_PIPELINE_SOURCE: 'push',
    CI_COMMIT_TAG: 'nightly',
    CI_COMMIT_REF_SLUG: 'nightly',
    CI_COMMIT_SHA: HEAD,
    CI_COMMIT_SHORT_SHA: HEAD.slice(0, 8),
  },
} satisfies Record<string, Record<string, string>>;

export type PipelineKind = keyof typeof pipelines;

/** Whether a condition holds, of those that GitLab's `rules:if` knows: `==`, `!=`, `=~`, `&&`, a variable. */
export function holds(
  condition: string,
  variables: Record<string, string>,
): boolean {
  const valueOf = (term: string): string | undefined =>
    term.startsWith('$') ? variables[term.slice(1)] : term.slice(1, -1);
  return condition.split(' && ').every(part => {
    const [left, operator, right] = part.split(' ');
    if (!operator) {
      return Boolean(valueOf(left));
    }
    switch (operator) {
      case '==':
        return valueOf(left) === valueOf(right);
      case '!=':
        return valueOf(left) !== valueOf(right);
      case '=~':
        return new RegExp(right.slice(1, -1)).test(valueOf(left) ?? '');
      default:
        throw new Error(`No operator ${operator}`);
    }
  });
}

/** How a job comes into a pipeline: not at all, by itself, or when somebody asks. */
export function whenOf(
  job: CiJob,
  variables: Record<string, string>,
): 'never' | 'on_success' | 'manual' {
  const rule = job.rules.find(candidate => holds(candidate.if, variables));
  if (!rule) {
    return 'never';
  }
  return (rule.when ?? 'on_success') as 'never' | 'on_success' | 'manual';
}

/** Runs commands in one shell, as a runner does, in a folder of their own. */
export async function runSteps(options: {
  folder: string;
  steps: string[];
  variables: Record<string, string>;
  /** Programs of the image, as scripts. */
  programs?: Record<string, string>;
}): Promise<{ code: number; stdout: string; stderr: string }> {
  const { folder, steps, variables, programs = {} } = options;
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), script);
    await chmod(join(bin, name), 0o755);
  }
  return new Promise(resolve => {
    execFile(
      'sh',
      ['-ec', steps.join('\n')],
      {
        cwd: folder,
        env: {
          ...variables,
          HOME: folder,
          PATH: `${bin}:${process.env.PATH}`,
        },
      },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}
