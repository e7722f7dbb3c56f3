import { ObjectMeta } from '../model';

const TRACKING_ID = 'argocd.argoproj.io/tracking-id';
const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** What Argo CD's tracking ids name an Application by. */
export type TrackingApplication = {
  meta: Pick<ObjectMeta, 'namespace' | 'name'>;
};

/**
 * Whether Argo CD tracks an object for an Application: by the annotation, which
 * must name the object itself since it may have been copied, or by the instance
 * label of the label modes.
 */
export function isTrackedBy(
  object: { group: string; kind: string; meta: ObjectMeta },
  application: TrackingApplication,
  options: { controlPlaneNamespace?: string },
): boolean {
  const trackingId = object.meta.annotations[TRACKING_ID];
  const names = trackedNames(application, options.controlPlaneNamespace);
  if (trackingId !== undefined) {
    const own = `:${object.group}/${object.kind}:${
      object.meta.namespace ?? ''
    }/${object.meta.name}`;
    return names.some(
      name =>
        trackingId === `${name}${own}` ||
        isClusterScopedId(trackingId, name, object),
    );
  }
  const instance = object.meta.labels[INSTANCE_LABEL];
  return instance !== undefined && names.includes(instance);
}

/** Cluster-scoped objects carry the destination's namespace in their id. */
function isClusterScopedId(
  trackingId: string,
  name: string,
  object: { group: string; kind: string; meta: ObjectMeta },
): boolean {
  return (
    object.meta.namespace === undefined &&
    trackingId.startsWith(`${name}:${object.group}/${object.kind}:`) &&
    trackingId.endsWith(`/${object.meta.name}`)
  );
}

/** Outside the control plane's namespace an Application is tracked as `namespace_name`. */
function trackedNames(
  { meta }: TrackingApplication,
  controlPlaneNamespace?: string,
): string[] {
  const qualified = `${meta.namespace}_${meta.name}`;
  if (controlPlaneNamespace === undefined) {
    return [meta.name, qualified];
  }
  return [meta.namespace === controlPlaneNamespace ? meta.name : qualified];
}
