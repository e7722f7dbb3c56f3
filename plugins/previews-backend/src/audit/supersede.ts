import { EntityChecks } from '@previews/backstage-plugin-previews-common';
import { entityChecks } from './checkSetUp';

const isCluster = (source: string) => !source.startsWith('gitlab:');

/**
 * What stands after a new round: a source that is silent makes nothing better. While
 * a cluster that was read before is not, what was found then stands as it is; what
 * was found in repositories stands while GitLab is not read.
 */
export function supersede(
  before: EntityChecks | undefined,
  after: EntityChecks,
): EntityChecks {
  if (!before) {
    return after;
  }
  const missing = after.incomplete.filter(
    source => !before.incomplete.includes(source),
  );
  if (missing.some(isCluster)) {
    return before;
  }
  if (missing.length === 0) {
    return after;
  }
  const kept = before.results.filter(
    ({ subject }) => subject.kind === 'Repository',
  );
  const severities = ['error', 'warning', 'info'];
  const rank = ({ severity }: { severity: string }) =>
    severities.indexOf(severity);
  const results = [...after.results, ...kept].sort(
    (left, right) => rank(left) - rank(right),
  );
  const added = entityChecks(kept, after).counts;
  const { counts } = after;
  return {
    ...entityChecks(results, after),
    counts: {
      ...counts,
      ...Object.fromEntries(
        Object.entries(added).map(([severity, count]) => [
          severity,
          (counts[severity as keyof typeof counts] ?? 0) + count,
        ]),
      ),
    },
    // They are complete with what is kept, until GitLab says otherwise.
    incomplete: after.incomplete.filter(source => !missing.includes(source)),
  };
}
