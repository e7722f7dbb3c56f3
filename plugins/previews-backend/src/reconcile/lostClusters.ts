import { ClusterReading, kindNames, Memory } from '../model';
import type { Observed, ObservedApplication } from './gather';
import type { WorldIndex } from './worldIndex';

/**
 * A cluster that is configured no more, as a reading of which nothing is complete:
 * nobody reads it, so that neither what is there is known, nor that nothing is.
 */
export function lostCluster(cluster: string): ClusterReading {
  const unread = { state: 'failing', objects: new Map<string, never>() };
  return {
    // Whether it was read by its own API or by that of its Argo CD is not remembered.
    sourceId: `cluster:${cluster}`,
    cluster,
    destinations: [],
    kinds: Object.fromEntries(
      kindNames.map(kind => [kind, unread]),
    ) as unknown as ClusterReading['kinds'],
  };
}

/**
 * Names that a cluster is configured under now, by those that it had: an
 * Application of the same uid is the same one.
 */
export function renamedClusters(
  applications: readonly Pick<ObservedApplication, 'cluster' | 'fact'>[],
  memory: Memory | undefined,
  index: WorldIndex,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const { cluster: former, uid } of memory?.joined ?? []) {
    const now = index.clusters.has(former)
      ? undefined
      : applications.find(({ fact }) => fact.meta.uid === uid);
    if (now) {
      renamed.set(former, now.cluster);
    }
  }
  return renamed;
}

/** Something of the preview is in a cluster that nobody reads any more. */
export function isLost({ homes }: Observed, cluster: string): boolean {
  return (
    homes.lost.applications.has(cluster) || homes.lost.namespaces.has(cluster)
  );
}
