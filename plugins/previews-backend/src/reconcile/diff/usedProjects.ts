import { ProjectReading, ReadingReference } from '../../model';
import { GeneratorUse } from '../generator';
import { WorldIndex } from '../worldIndex';

/** A finding over more projects than these rests on the whole host. */
const MAX_PROJECTS = 10;

/** The projects whose MRs some uses list. */
export interface UsedProjects {
  projects: readonly { host: string; project: ProjectReading }[];
  /** A project that a set names was never read. */
  isAnyUnread: boolean;
  restsOn: readonly ReadingReference[];
}

/** Where the MRs are that a set's Applications, or a namespace, could belong to. */
export function usedProjects(
  uses: readonly GeneratorUse[],
  index: WorldIndex,
): UsedProjects {
  const read = uses.map(use => ({ use, projects: index.projectsOf(use) }));
  const hosts = new Map<ProjectReading, string>();
  for (const { use, projects } of read) {
    projects.forEach(project => hosts.set(project, use.host));
  }
  const projects = [...hosts].map(([project, host]) => ({ host, project }));
  return {
    projects,
    isAnyUnread: read.some(
      ({ use, projects: ofUse }) =>
        use.project.kind !== 'pattern' && ofUse.length === 0,
    ),
    restsOn: restsOnProjects(projects, uses),
  };
}

function restsOnProjects(
  projects: UsedProjects['projects'],
  uses: readonly GeneratorUse[],
): ReadingReference[] {
  return projects.length > MAX_PROJECTS
    ? [...new Set(uses.map(({ host }) => host))].map(host => ({
        kind: 'host',
        host,
      }))
    : projects.map(({ host, project: { fact } }) => ({
        kind: 'project',
        host,
        projectId: fact.id,
        path: fact.path,
      }));
}
