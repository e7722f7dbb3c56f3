import {
  ApplicationSetFact,
  MergeRequestKey,
  previewIdOf,
  ProjectReading,
  ReadingReference,
} from '../../model';
import { GeneratorUse, setReference } from '../generator';
import { Joined, Unjoined } from '../join';
import { keyString, WorldIndex } from '../worldIndex';
import { applicationEvidence, Found, found, mergeRequestOf } from './found';
import { RenderedNames } from './RenderedNames';

/** One name in one namespace of one cluster, and who gives it. */
interface Claim {
  cluster: string;
  namespace: string;
  name: string;
  keys: Map<string, MergeRequestKey>;
  sets: Set<ApplicationSetFact>;
}

class Claims {
  readonly #byName = new Map<string, Claim>();

  add(claim: {
    cluster: string;
    set: ApplicationSetFact;
    name: string;
    key: MergeRequestKey;
  }): void {
    const { cluster, set, name, key } = claim;
    // Applications are made in their set's own namespace.
    const namespace = set.meta.namespace ?? '';
    const id = placeString(cluster, namespace, name);
    const known = this.#byName.get(id);
    if (known) {
      known.keys.set(keyString(key), key);
      known.sets.add(set);
      return;
    }
    this.#byName.set(id, {
      cluster,
      namespace,
      name,
      keys: new Map([[keyString(key), key]]),
      sets: new Set([set]),
    });
  }

  contested(): Claim[] {
    return [...this.#byName.values()].filter(({ keys }) => keys.size > 1);
  }
}

function placeString(cluster: string, namespace: string, name: string) {
  return `${cluster}/${namespace}/${name}`;
}

/**
 * Names that several selected MRs give, in one set or in several of the same
 * namespace: Argo CD makes one Application, and the others go without.
 */
export function nameCollisions(options: {
  index: WorldIndex;
  unjoined: readonly Unjoined[];
  joined: ReadonlyMap<string, readonly Joined[]>;
  names: RenderedNames;
}): Found[] {
  const { index, unjoined, joined, names } = options;
  const claims = new Claims();
  for (const { cluster, set, uses } of setsOf(index)) {
    for (const { project, uses: ofProject } of projectsOf(uses, index)) {
      for (const { fact, deletedAt } of project.mergeRequests.values()) {
        if (deletedAt === undefined) {
          for (const name of names.namesOf({
            set,
            uses: ofProject,
            project: project.fact,
            mergeRequest: fact,
          })) {
            claims.add({ cluster, set, name, key: fact.key });
          }
        }
      }
    }
  }
  for (const { cluster, fact, set, candidates } of unjoined) {
    if (set && candidates.length > 1) {
      for (const key of candidates) {
        claims.add({ cluster, set, name: fact.meta.name, key });
      }
    }
  }
  const owners = ownersOf(joined);
  return claims.contested().map(claim => collisionOf(claim, { index, owners }));
}

function setsOf(
  index: WorldIndex,
): { cluster: string; set: ApplicationSetFact; uses: GeneratorUse[] }[] {
  const clusters = new Map<ApplicationSetFact, string>();
  for (const { cluster, set } of index.uses) {
    clusters.set(set, cluster);
  }
  return [...clusters].map(([set, cluster]) => ({
    cluster,
    set,
    uses: index.usesOfSet(set),
  }));
}

function projectsOf(
  uses: readonly GeneratorUse[],
  index: WorldIndex,
): { project: ProjectReading; uses: GeneratorUse[] }[] {
  const byProject = new Map<ProjectReading, GeneratorUse[]>();
  for (const use of uses) {
    for (const project of index.projectsOf(use)) {
      byProject.set(project, [...(byProject.get(project) ?? []), use]);
    }
  }
  return [...byProject].map(([project, ofProject]) => ({
    project,
    uses: ofProject,
  }));
}

/** Whose the Application of a name is. */
function ownersOf(
  joined: ReadonlyMap<string, readonly Joined[]>,
): ReadonlyMap<string, MergeRequestKey> {
  const owners = new Map<string, MergeRequestKey>();
  for (const applications of joined.values()) {
    for (const { cluster, fact, key } of applications) {
      const { namespace = '', name } = fact.meta;
      owners.set(placeString(cluster, namespace, name), key);
    }
  }
  return owners;
}

function collisionOf(
  { cluster, namespace, name, keys, sets }: Claim,
  context: {
    index: WorldIndex;
    owners: ReadonlyMap<string, MergeRequestKey>;
  },
): Found {
  const { index, owners } = context;
  const application = index.applicationNamed(cluster, namespace, name);
  const owner = owners.get(placeString(cluster, namespace, name));
  const all = [...keys.values()];
  const projects = new Map<string, ReadingReference>();
  for (const { host, projectId } of all) {
    projects.set(`${host}/${projectId}`, {
      kind: 'project',
      host,
      projectId,
      path: index.project(host, projectId)?.fact.path ?? '',
    });
  }
  return found({
    type: 'NameCollision',
    subject: { kind: 'Application', cluster, namespace, name },
    params: { application: name, count: all.length },
    previewIds: all.map(previewIdOf),
    evidence: [
      ...all.map(key => mergeRequestOf(key, index)),
      ...(application
        ? [
            applicationEvidence(
              cluster,
              application,
              owner && previewIdOf(owner),
            ),
          ]
        : []),
    ],
    restsOn: [
      { kind: 'objects', cluster, objects: 'applicationSets' },
      ...projects.values(),
    ],
    applicationSets: [...sets].map(set => setReference(cluster, set)),
  });
}
