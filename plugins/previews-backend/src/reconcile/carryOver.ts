import { Preview } from '@previews/backstage-plugin-previews-common';
import { KindName, StoredPreview } from '../model';
import type { Observed } from './gather';
import { isLost } from './lostClusters';
import { WorldIndex } from './worldIndex';

/**
 * Keeps what is stored of clusters that have not been read yet, or are read no more:
 * after a start or a take-over nothing is known of them, and absence would be no
 * evidence.
 */
export function carryOverSummaries<P extends Omit<Preview, 'activityAt'>>(
  preview: P,
  previous: StoredPreview | undefined,
  observed: Observed,
): P {
  if (!previous) {
    return preview;
  }
  const before = previous.preview;
  const kept = <T extends { cluster: string }>(
    now: T[],
    former: T[],
    kinds: KindName[],
  ): T[] => [
    ...now,
    ...former.filter(
      item =>
        (isUnread(observed.index, item.cluster, kinds) ||
          isLost(observed, item.cluster)) &&
        !now.some(({ cluster }) => cluster === item.cluster),
    ),
  ];
  const certificates = kept(preview.certificates, before.certificates, [
    'applications',
    'certificates',
  ]);
  const routes = kept(preview.routes, before.routes, [
    'applications',
    'httpRoutes',
    'ingresses',
  ]);
  return {
    ...preview,
    applications: kept(preview.applications, before.applications, [
      'applications',
    ]),
    namespaces: kept(preview.namespaces, before.namespaces, [
      'applications',
      'namespaces',
    ]),
    workloads: kept(preview.workloads, before.workloads, [
      'applications',
      'deployments',
      'statefulSets',
    ]),
    certificates,
    routes,
    urls:
      preview.urls.length === 0 && routes.length > preview.routes.length
        ? before.urls
        : preview.urls,
  };
}

/** Pending, or denied, is not read; a reading that failed later keeps its objects. */
export function isUnread(
  index: WorldIndex,
  cluster: string,
  kinds: KindName[],
): boolean {
  const reading = index.clusters.get(cluster);
  return (
    reading !== undefined &&
    kinds.some(
      kind =>
        reading.kinds[kind].state === 'pending' ||
        reading.kinds[kind].state === 'forbidden',
    )
  );
}
