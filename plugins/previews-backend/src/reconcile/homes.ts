import { ClusterReading, KindName, Memory } from '../model';
import { isUnread } from './carryOver';
import type { Observed, ObservedApplication } from './gather';

/** Names of the clusters that anything of a preview is known to be in, or to have been in. */
export interface Homes {
  /** Where its Applications and the sets that selected it are. */
  applications: ReadonlySet<string>;
  /** Where its namespaces are. */
  namespaces: ReadonlySet<string>;
}

export function homesOf(
  applications: readonly ObservedApplication[],
  memory: Memory | undefined,
): Homes {
  return {
    applications: new Set([
      ...applications.map(({ cluster }) => cluster),
      ...(memory?.joined ?? []).map(({ cluster }) => cluster),
      ...(memory?.selectedBy ?? []).map(reference => reference.split(':')[0]),
    ]),
    namespaces: new Set([
      ...applications.flatMap(({ destination }) => destination?.cluster ?? []),
      ...(memory?.namespaces ?? []).map(({ cluster }) => cluster),
    ]),
  };
}

/**
 * The clusters whose silence matters for a preview: those that anything of it
 * was in, or all of them as long as that is not known. So a cluster that is down
 * holds nothing up that it never had a part in.
 */
export function relevantClusters(
  observed: Observed,
  what: keyof Homes = 'applications',
): readonly ClusterReading[] {
  const { homes, index } = observed;
  const { clusters } = index.world;
  const known = clusters.filter(({ cluster }) => homes[what].has(cluster));
  if (known.length > 0) {
    return known;
  }
  return what === 'applications' ? clusters : relevantClusters(observed);
}

/** The first cluster with Applications of the preview whose objects of a kind have not been read. */
export function unreadHome(
  { homes, index }: Observed,
  kind: KindName,
): ClusterReading | undefined {
  return index.world.clusters.find(
    ({ cluster }) =>
      homes.applications.has(cluster) && isUnread(index, cluster, [kind]),
  );
}
