import { ApplicationSetFact } from '../../model';
import { setName, setReference } from '../generator';
import { Unjoined } from '../join';
import { hasElapsed } from '../time';
import { WorldIndex } from '../worldIndex';
import { applicationEvidence, Found, found } from './found';
import { UsedProjects, usedProjects } from './usedProjects';

/** The clocks of a cluster and of GitLab may differ a little. */
const CLOCK_SECONDS = 60;

/**
 * Applications of sets with a GitLab generator that join no MR. An MR is older
 * than its Application, so that only a list that was read after the Application
 * was made can lack it.
 */
export function unjoinedApplications(options: {
  index: WorldIndex;
  unjoined: readonly Unjoined[];
}): Found[] {
  const { index, unjoined } = options;
  const bySet = new Map<ApplicationSetFact, UsedProjects>();
  return unjoined.flatMap(({ cluster, fact, set, candidates }) => {
    // Whether a set that is not read generates from GitLab is not known.
    if (!set || candidates.length > 0 || fact.meta.deletionRequestedAt) {
      return [];
    }
    const ofSet = bySet.get(set) ?? usedProjects(index.usesOfSet(set), index);
    bySet.set(set, ofSet);
    const { namespace = '', name, createdAt } = fact.meta;
    const wasReadSince = ofSet.projects.every(
      ({ project: { completeAt } }) =>
        completeAt !== undefined &&
        (createdAt === undefined ||
          hasElapsed(createdAt, completeAt, CLOCK_SECONDS)),
    );
    return [
      found({
        type: 'Unjoined',
        subject: { kind: 'Application', cluster, namespace, name },
        params: { application: name, applicationSet: setName(set) },
        evidence: [
          applicationEvidence(cluster, fact),
          {
            kind: 'ApplicationSet',
            cluster,
            namespace: set.meta.namespace ?? '',
            name: set.meta.name,
          },
        ],
        restsOn: [
          { kind: 'objects', cluster, objects: 'applicationSets' },
          { kind: 'objects', cluster, objects: 'applications' },
          ...ofSet.restsOn,
        ],
        applicationSets: [setReference(cluster, set)],
        certain: !ofSet.isAnyUnread && wasReadSince,
      }),
    ];
  });
}
