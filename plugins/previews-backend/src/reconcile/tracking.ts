import { ObjectMeta } from '../model';

const TRACKING_ID = 'argocd.argoproj.io/tracking-id';
const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** What Argo CD's tracking ids name an Application by. */
export type TrackingApplication = {
  meta: Pick<ObjectMeta, 'namespace' | 'name'>;
};

/** An object with what its manifest says it is. */
export interface TrackedObject {
  group: string;
  kind: string;
  meta: ObjectMeta;
}

/**
 * Whether Argo CD tracks an object for an Application: by the annotation, which
 * must name the object itself since it may have been copied, or by the instance
 * label of the label modes.
 */
export function isTrackedBy(
  object: TrackedObject,
  application: TrackingApplication,
  options: { controlPlaneNamespace?: string },
): boolean {
  const names = trackedNames(application, options.controlPlaneNamespace);
  const trackedFor = trackedForOf(object);
  if (trackedFor !== undefined) {
    return names.includes(trackedFor);
  }
  const trackingId = object.meta.annotations[TRACKING_ID];
  return (
    trackingId !== undefined &&
    names.some(name => isClusterScopedId(trackingId, name, object))
  );
}

/**
 * The name by which an object says that it is tracked for an Application;
 * undefined where it says no such thing, or says it of another object.
 */
export function trackedForOf({
  group,
  kind,
  meta,
}: TrackedObject): string | undefined {
  const trackingId = meta.annotations[TRACKING_ID];
  if (trackingId === undefined) {
    return meta.labels[INSTANCE_LABEL];
  }
  const own = `:${group}/${kind}:${meta.namespace ?? ''}/${meta.name}`;
  return trackingId.endsWith(own)
    ? trackingId.slice(0, -own.length)
    : undefined;
}

/** Cluster-scoped objects carry the destination's namespace in their id. */
function isClusterScopedId(
  trackingId: string,
  name: string,
  object: TrackedObject,
): boolean {
  return (
    object.meta.namespace === undefined &&
    trackingId.startsWith(`${name}:${object.group}/${object.kind}:`) &&
    trackingId.endsWith(`/${object.meta.name}`)
  );
}

/**
 * The names that objects say they are tracked by for an Application: outside the
 * control plane's namespace it goes by `namespace_name`.
 */
export function trackedNames(
  { meta }: TrackingApplication,
  controlPlaneNamespace?: string,
): string[] {
  const qualified = `${meta.namespace}_${meta.name}`;
  if (controlPlaneNamespace === undefined) {
    return [meta.name, qualified];
  }
  return [meta.namespace === controlPlaneNamespace ? meta.name : qualified];
}
