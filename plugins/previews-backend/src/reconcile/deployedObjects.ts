import { ApplicationFact, ClusterReading, KindFacts } from '../model';
import { TRACKED_KINDS, TrackedKind } from './listed';
import { WorldIndex } from './worldIndex';

/** Applications, by how the objects in a namespace can be told to be theirs. */
export interface Deployers {
  /** The names that Argo CD tracks objects for them by. */
  trackedFor: Iterable<string>;
  /** What they list in the namespace. */
  listed: ApplicationFact['resources'];
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
  const found = new Map<string, KindFacts[K]>();
  for (const application of trackedFor) {
    for (const fact of index.trackedIn(cluster, kind, {
      namespace,
      application,
    })) {
      found.set(fact.meta.name, fact);
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
