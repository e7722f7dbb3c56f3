import { NotFoundError } from '@backstage/errors';
import { type Document, isMap, isSeq, parseDocument } from 'yaml';
import type { SkeletonFile } from './files';
import type { OnboardingInput } from './input';

/** Where the jobs are in the repository of the service, and below `service/` in the skeleton. */
export const CI_FILE = '.gitlab/previews.gitlab-ci.yml';

const JOBS = [
  'previews-build',
  'previews-environment',
  'previews-environment-stop',
];
const MERGE_REQUEST = '$CI_PIPELINE_SOURCE == "merge_request_event"';
// A service that has no pipelines of merge requests must not get them by our jobs alone: its others
// would be missing there.
const BRANCH =
  '$CI_COMMIT_BRANCH && $CI_PIPELINE_SOURCE != "merge_request_event"';
const BRANCH_WITH_MERGE_REQUEST =
  '$CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS && $CI_PIPELINE_SOURCE != "merge_request_event"';

/** The jobs of the service's pipeline, with what the form said; their comments stay. */
export function ciFile(
  input: OnboardingInput,
  skeleton: SkeletonFile[],
): string {
  const file = skeleton.find(({ path }) => path === `service/${CI_FILE}`);
  if (!file) {
    throw new NotFoundError(`The skeleton has no service/${CI_FILE}`);
  }
  const document = parseDocument(file.content);
  document.setIn(['.previews', 'variables', 'PREVIEWS_SERVICE'], input.service);
  document.setIn(['.previews', 'variables', 'PREVIEWS_DOMAIN'], input.domain);
  document.setIn(
    ['previews-environment', 'environment', 'auto_stop_in'],
    stopAfter(input.idleTtl),
  );
  for (const job of JOBS) {
    document.setIn([job, 'stage'], input.stage);
    if (input.pipelines === 'branches') {
      runInBranches(document, job);
    }
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function runInBranches(document: Document, job: string): void {
  const rules = document.getIn([job, 'rules'], true);
  for (const rule of isSeq(rules) ? rules.items : []) {
    if (isMap(rule) && rule.get('if') === MERGE_REQUEST) {
      rule.set(
        'if',
        job === 'previews-build' ? BRANCH : BRANCH_WITH_MERGE_REQUEST,
      );
    }
  }
}

/** An ISO 8601 duration in the words of GitLab's `auto_stop_in`. */
export function stopAfter(duration: string): string {
  if (duration === 'never') {
    return 'never';
  }
  const parts = [...duration.matchAll(/(\d+)([WDH])/g)].map(
    ([, count, unit]) => {
      const word = { W: 'week', D: 'day', H: 'hour' }[unit as 'W' | 'D' | 'H'];
      return `${count} ${word}${count === '1' ? '' : 's'}`;
    },
  );
  return parts.join(' ');
}
