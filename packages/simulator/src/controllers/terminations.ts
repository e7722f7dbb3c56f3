import type { Activity } from './activity';
import type { PlatformCluster, StatusCondition } from './platform';

/**
 * Counts pods and namespaces on their way out as activity, unless a finalizer that others must
 * remove holds them.
 */
export function watchTerminations(options: {
  clusters: PlatformCluster[];
  activity: Activity;
}): () => void {
  const ending = new Map<string, () => void>();
  const end = (uid: string) => {
    ending.get(uid)?.();
    ending.delete(uid);
  };
  const unsubscribes = options.clusters.map(({ cluster }) =>
    cluster.subscribe(({ type, object }) => {
      const { kind, metadata, status } = object;
      if (
        (kind !== 'Pod' && kind !== 'Namespace') ||
        !metadata.deletionTimestamp
      ) {
        return;
      }
      const stuck =
        (metadata.finalizers ?? []).length > 0 ||
        (status?.conditions as StatusCondition[] | undefined)?.some(
          condition =>
            condition.type === 'NamespaceFinalizersRemaining' &&
            condition.status === 'True',
        );
      if (type === 'DELETED' || stuck) {
        end(metadata.uid);
      } else if (!ending.has(metadata.uid)) {
        ending.set(metadata.uid, options.activity.begin());
      }
    }),
  );
  return () => {
    unsubscribes.forEach(unsubscribe => unsubscribe());
    [...ending.keys()].forEach(end);
  };
}
