import {
  ApplicationSetFact,
  ProjectReading,
  ReadingReference,
} from '../../model';
import { setName, setReference } from '../generator';
import { Unjoined } from '../join';
import { hasElapsed } from '../time';
import { WorldIndex } from '../worldIndex';
import { applicationEvidence, Found, found } from './found';

/** The clocks of a cluster and of GitLab may differ a little. */
const CLOCK_SECONDS = 60;

/** A finding of a set over more projects than these rests on the whole host. */
const MAX_PROJECTS = 10;

/** What a set's Applications could belong to. */
interface SetProjects {
  projects: readonly ProjectReading[];
  /** A project that the set names was never read. */
  isAnyUnread: boolean;
  restsOn: readonly ReadingReference[];
}

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
  const bySet = new Map<ApplicationSetFact, SetProjects>();
  return unjoined.flatMap(({ cluster, fact, set, candidates }) => {
    // Whether a set that is not read generates from GitLab is not known.
    if (!set || candidates.length > 0 || fact.meta.deletionRequestedAt) {
      return [];
    }
    const ofSet = bySet.get(set) ?? projectsOf(set, index);
    bySet.set(set, ofSet);
    const { namespace = '', name, createdAt } = fact.meta;
    const wasReadSince = ofSet.projects.every(
      ({ completeAt }) =>
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

function projectsOf(set: ApplicationSetFact, index: WorldIndex): SetProjects {
  const uses = index.usesOfSet(set);
  const read = uses.map(use => ({ use, projects: index.projectsOf(use) }));
  const projects = new Map<ProjectReading, string>();
  for (const { use, projects: ofUse } of read) {
    ofUse.forEach(project => projects.set(project, use.host));
  }
  const hosts = [...new Set(uses.map(({ host }) => host))];
  return {
    projects: [...projects.keys()],
    isAnyUnread: read.some(
      ({ use, projects: ofUse }) =>
        use.project.kind !== 'pattern' && ofUse.length === 0,
    ),
    restsOn:
      projects.size > MAX_PROJECTS
        ? hosts.map(host => ({ kind: 'host', host }))
        : [...projects].map(([{ fact }, host]) => ({
            kind: 'project',
            host,
            projectId: fact.id,
            path: fact.path,
          })),
  };
}
