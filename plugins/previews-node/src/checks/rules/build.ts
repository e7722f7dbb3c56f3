import { AnyCheck, check } from '../check';
import { workloadsOf } from '../pods';
import { CheckedText, SetUp } from '../SetUp';

const KANIKO =
  /kaniko-project|\/kaniko\/executor|[\w-]\/kaniko(?:[:@\s"'-]|$)/i;

const PRIVILEGED =
  /\bdocker:[\w.-]*dind\b|--privileged\b|\bprivileged:\s*true\b|\bDOCKER_HOST\b.{0,20}tcp:/;

const DEPLOYS =
  /\bkubectl\b[^|;&]{0,80}?\s(?:apply|create|delete|patch|replace|rollout|set)\b|\bhelm\s+(?:upgrade|install|uninstall)\b|\bargocd\s+app\s+(?:create|delete|sync)\b|\bKUBECONFIG\b/;

const COMMIT = /\$\{?CI_COMMIT_(?:SHORT_)?SHA\b/;
const NAMES_IMAGE =
  /IMAGE|TAG|name=|--destination|docker\s+(?:build|push)|\s-t\s/i;

function pipelinesOf({ files }: SetUp): CheckedText[] {
  return files.filter(({ path }) => /gitlab-ci[\w.-]*\.ya?ml$/.test(path));
}

/** The first line of each pipeline on which something is found. */
function inPipelines(
  isFound: (line: string, pipeline: CheckedText) => boolean,
) {
  return (setUp: SetUp) =>
    pipelinesOf(setUp).flatMap(on => {
      const index = on.lines.findIndex(line => isFound(line, on));
      return index < 0
        ? []
        : [
            {
              on,
              at: `line ${index + 1}`,
              value: on.lines[index].trim(),
              params: {},
            },
          ];
    });
}

/** How images are built. */
export const buildChecks: AnyCheck[] = [
  check('KanikoRetired', setUp => [
    ...inPipelines(line => KANIKO.test(line))(setUp),
    ...workloadsOf(setUp).flatMap(({ on, containers, initContainers }) =>
      [...containers, ...initContainers]
        .filter(({ image }) => KANIKO.test(image))
        .slice(0, 1)
        .map(({ path }) => ({ on, at: [...path, 'image'], params: {} })),
    ),
  ]),
  check(
    'PrivilegedBuild',
    inPipelines(line => PRIVILEGED.test(line)),
  ),
  check(
    'MergedResultsTag',
    inPipelines(
      (line, { lines }) =>
        COMMIT.test(line) &&
        NAMES_IMAGE.test(line) &&
        !lines.some(other =>
          other.includes('CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'),
        ),
    ),
  ),
  check(
    'ClusterAccessFromCi',
    inPipelines(line => DEPLOYS.test(line) && !/--dry-run/.test(line)),
  ),
];
