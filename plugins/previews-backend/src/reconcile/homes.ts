import { ClusterReading, KindName, Memory, StoredPreview } from '../model';
import { isUnread } from './carryOver';
import type {
  Observed,
  ObservedApplication,
  ObservedNamespace,
} from './gather';
import { lostCluster, renamedClusters } from './lostClusters';
import { WorldIndex } from './worldIndex';

/** Names of the clusters that anything of a preview is known to be in, or to have been in. */
export interface Homes {
  /** Where its Applications and the sets that selected it are. */
  applications: ReadonlySet<string>;
  /** Where its namespaces are. */
  namespaces: ReadonlySet<string>;
  /** Those that something was in when they were last read, and that are configured no more. */
  lost: {
    applications: ReadonlySet<string>;
    namespaces: ReadonlySet<string>;
  };
}

export function homesOf(options: {
  index: WorldIndex;
  applications: readonly ObservedApplication[];
  namespaces: readonly ObservedNamespace[];
  /** Some set that is read selects the MR. */
  isSelected: boolean;
  previous: StoredPreview | undefined;
}): Homes {
  const { index, applications, namespaces, previous } = options;
  const memory = previous?.memory;
  const lost = ({ cluster }: { cluster: string }) =>
    index.clusters.has(cluster) ? [] : [cluster];
  return {
    applications: new Set([
      ...applications.map(({ cluster }) => cluster),
      ...(memory?.joined ?? []).map(({ cluster }) => cluster),
      ...(memory?.selectedBy ?? []).map(clusterOfSet),
    ]),
    namespaces: new Set([
      ...applications.flatMap(({ destination }) => destination?.cluster ?? []),
      ...(memory?.namespaces ?? []).map(({ cluster }) => cluster),
    ]),
    lost: {
      applications: new Set(lastSeen(options).flatMap(lost)),
      namespaces: new Set(namespaces.flatMap(({ cluster }) => lost(cluster))),
    },
  };
}

/**
 * Where its Applications were when it was last decided, and the sets that selected it
 * then: what vanished before that, by complete evidence, is nowhere. Sets that nobody
 * reads stand for nothing once another one selects it.
 */
function lastSeen({
  index,
  applications,
  isSelected,
  previous,
}: {
  index: WorldIndex;
  applications: readonly ObservedApplication[];
  isSelected: boolean;
  previous: StoredPreview | undefined;
}): { cluster: string }[] {
  if (!previous) {
    return [];
  }
  const { preview, memory } = previous;
  const renamed = renamedClusters(applications, memory, index);
  const wasSelected = preview.conditions.some(
    ({ type, status, lastKnown }) =>
      type === 'Selected' && (lastKnown?.status ?? status) === 'True',
  );
  return [
    ...preview.applications,
    ...(wasSelected && !isSelected
      ? memory.selectedBy.map(set => ({ cluster: clusterOfSet(set) }))
      : []),
  ].filter(({ cluster }) => !renamed.has(cluster));
}

function clusterOfSet(reference: Memory['selectedBy'][number]): string {
  return reference.split(':')[0];
}

/**
 * The clusters whose silence matters for a preview: those that anything of it
 * was in, or all of them as long as that is not known. So a cluster that is down
 * holds nothing up that it never had a part in. One that is configured no more is
 * silent for good.
 */
export function relevantClusters(
  observed: Observed,
  what: 'applications' | 'namespaces' = 'applications',
): readonly ClusterReading[] {
  const { homes, index } = observed;
  const { clusters } = index.world;
  const known = [
    ...clusters.filter(({ cluster }) => homes[what].has(cluster)),
    ...[...homes.lost[what]].map(lostCluster),
  ];
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
  const [lost] = homes.lost.applications;
  return (
    index.world.clusters.find(
      ({ cluster }) =>
        homes.applications.has(cluster) && isUnread(index, cluster, [kind]),
    ) ?? (lost === undefined ? undefined : lostCluster(lost))
  );
}
