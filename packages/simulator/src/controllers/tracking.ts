import type {
  KubernetesObject,
  KubernetesObjectInput,
  ObjectReference,
} from '../kubernetes';
import { groupOf, referenceTo } from './objects';
import type { PlatformCluster } from './platform';

const TRACKING_ID = 'argocd.argoproj.io/tracking-id';

/** The name an Application goes by in tracking ids. */
export function instanceName(
  application: KubernetesObject,
  controlNamespace: string,
): string {
  const { namespace, name } = application.metadata;
  return namespace === controlNamespace ? name : `${namespace}_${name}`;
}

/** Marks a manifest as one of an Application's. */
export function track(
  manifest: KubernetesObjectInput,
  instance: string,
  destinationNamespace: string,
): KubernetesObjectInput {
  const namespace = manifest.metadata.namespace ?? destinationNamespace;
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      annotations: {
        ...manifest.metadata.annotations,
        [TRACKING_ID]: `${instance}:${groupOf(manifest)}/${
          manifest.kind
        }:${namespace}/${manifest.metadata.name}`,
      },
    },
  };
}

/** A live object that belongs to an Application. */
export interface TrackedObject {
  cluster: PlatformCluster;
  reference: ObjectReference;
}

/**
 * Knows, for each Application, its live objects in all clusters, and tells which Application an
 * event is about.
 */
export class TrackingIndex {
  private readonly byInstance = new Map<string, Map<string, TrackedObject>>();
  private readonly unsubscribes: (() => void)[];

  constructor(
    clusters: PlatformCluster[],
    onChange: (instance: string) => void,
  ) {
    this.unsubscribes = clusters.map(cluster =>
      cluster.cluster.subscribe(({ type, object }) => {
        const trackingId = object.metadata.annotations?.[TRACKING_ID];
        if (trackingId === undefined) {
          return;
        }
        const [instance, groupKind] = trackingId.split(':');
        // A copied annotation, as on a ReplicaSet, does not make an object tracked.
        if (groupKind !== `${groupOf(object)}/${object.kind}`) {
          return;
        }
        const { kind, metadata } = object;
        const key = `${cluster.name}|${kind}|${metadata.namespace ?? ''}|${
          metadata.name
        }`;
        const objects = this.byInstance.get(instance) ?? new Map();
        if (type === 'DELETED') {
          objects.delete(key);
        } else {
          objects.set(key, { cluster, reference: referenceTo(object) });
        }
        if (objects.size > 0) {
          this.byInstance.set(instance, objects);
        } else {
          this.byInstance.delete(instance);
        }
        onChange(instance);
      }),
    );
  }

  of(instance: string): TrackedObject[] {
    return [...(this.byInstance.get(instance)?.values() ?? [])];
  }

  stop(): void {
    this.unsubscribes.forEach(unsubscribe => unsubscribe());
  }
}
