import { KindName } from '../../model';
import { WorldIndex } from '../worldIndex';
import { Readings } from './Readings';

/** What runs in a namespace and what leads to it; what controllers make on the way to these is left out. */
const COUNTED = [
  'deployments',
  'statefulSets',
  'pods',
  'httpRoutes',
  'ingresses',
  'certificates',
] as const satisfies readonly KindName[];

/** How much is in a namespace; undefined while any of the kinds is not read. */
export function namespaceContents(
  place: { cluster: string; name: string },
  options: { index: WorldIndex; readings: Readings },
): number | undefined {
  const { index, readings } = options;
  const cluster = index.clusters.get(place.cluster);
  const areRead = COUNTED.every(objects =>
    readings.isKnown({ kind: 'objects', cluster: place.cluster, objects }),
  );
  return cluster && areRead
    ? COUNTED.reduce(
        (sum, kind) => sum + index.objectsIn(cluster, kind, place.name).length,
        0,
      )
    : undefined;
}
