import { ApplicationFact, ClusterReading, KindFacts } from '../model';
import { TRACKED_KINDS, TrackedKind } from './listed';
import { WorldIndex } from './worldIndex';

/** Applications, by how the objects in a namespace can be told to be theirs. */
export interface Deployers {
  /** The names that Argo CD tracks objects for them by. */
  trackedFor: Iterable<string>;
  /** What they list in the namespace. */
  listed: ApplicationFact['resources'];
  /**
   * What others list that go by one of those names, such as Applications of another
   * Argo CD: what is tracked for the name and is among that is theirs.
   */
  listedByNamesakes?: ApplicationFact['resources'];
}

/** The names of one kind's objects that Applications list. */
export function namesListed(
  kind: TrackedKind,
  listed: ApplicationFact['resources'],
): string[] {
  const wanted = TRACKED_KINDS[kind];
  return listed
    .filter(one => one.group === wanted.group && one.kind === wanted.kind)
    .map(({ name }) => name);
}

/** What some Applications have in a namespace that others have objects in too, by name. */
export function deployedObjects<K extends TrackedKind>(
  kind: K,
  options: Deployers & {
    index: WorldIndex;
    cluster: ClusterReading;
    namespace: string;
  },
): KindFacts[K][] {
  const { index, cluster, namespace, trackedFor, listed } = options;
  const { listedByNamesakes = [] } = options;
  const theirs = new Set(namesListed(kind, listedByNamesakes));
  const found = new Map<string, KindFacts[K]>();
  for (const application of trackedFor) {
    for (const fact of index.trackedIn(cluster, kind, {
      namespace,
      application,
    })) {
      if (!theirs.has(fact.meta.name)) {
        found.set(fact.meta.name, fact);
      }
    }
  }
  for (const name of namesListed(kind, listed)) {
    const fact = cluster.kinds[kind].objects.get(`${namespace}/${name}`);
    if (fact) {
      found.set(name, fact as KindFacts[K]);
    }
  }
  return [...found.values()].sort((a, b) =>
    a.meta.name < b.meta.name ? -1 : 1,
  );
}
