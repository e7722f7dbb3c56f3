import { ReadingReference } from '../../model';
import { setName, setReference } from '../generator';
import { Unjoined } from '../join';
import { secondsBetween } from '../time';
import { WorldIndex } from '../worldIndex';
import { applicationEvidence, Found, found } from './found';

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
  return unjoined.flatMap(({ cluster, fact, set, candidates }) => {
    // Whether a set that is not read generates from GitLab is not known.
    if (!set || candidates.length > 0 || fact.meta.deletionRequestedAt) {
      return [];
    }
    const uses = index.usesOfSet(set);
    const projects = uses.flatMap(use =>
      index.projectsOf(use).map(project => ({ host: use.host, project })),
    );
    const isAnyUnread = uses.some(
      use =>
        use.project.kind !== 'pattern' && index.projectsOf(use).length === 0,
    );
    const wasReadSince = projects.every(
      ({ project }) =>
        (secondsBetween(fact.meta.createdAt, project.completeAt ?? '') ?? 0) >=
        CLOCK_SECONDS,
    );
    const restsOn: ReadingReference[] = [
      { kind: 'objects', cluster, objects: 'applicationSets' },
      { kind: 'objects', cluster, objects: 'applications' },
      ...projects.map(
        ({ host, project: { fact: project } }): ReadingReference => ({
          kind: 'project',
          host,
          projectId: project.id,
          path: project.path,
        }),
      ),
    ];
    const { namespace = '', name } = fact.meta;
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
        restsOn,
        applicationSets: [setReference(cluster, set)],
        certain: !isAnyUnread && wasReadSince,
      }),
    ];
  });
}
