import type { KubernetesObject, ObjectMetadata } from './object';

/**
 * Fills in what the API server fills in on every write, as far as readers of
 * these kinds rely on it, and leaves out what it leaves out.
 */
export function applyDefaults(object: KubernetesObject): void {
  dropEmpty(object.metadata);
  switch (object.kind) {
    case 'Namespace':
      object.status = {
        phase: object.metadata.deletionTimestamp ? 'Terminating' : 'Active',
        ...object.status,
      };
      break;
    case 'Pod':
      object.spec = {
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        serviceAccountName: 'default',
        ...object.spec,
      };
      object.status = {
        phase: 'Pending',
        qosClass: 'BestEffort',
        ...object.status,
      };
      break;
    case 'Deployment':
      object.spec = {
        replicas: 1,
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 10,
        strategy: {
          type: 'RollingUpdate',
          rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
        },
        ...object.spec,
      };
      break;
    case 'Job':
      object.spec = {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        suspend: false,
        ...object.spec,
      };
      break;
    case 'StatefulSet':
    case 'ReplicaSet':
      object.spec = { replicas: 1, ...object.spec };
      break;
    case 'Service':
      object.spec = {
        type: 'ClusterIP',
        clusterIP: addressFrom(object.metadata.uid),
        sessionAffinity: 'None',
        ...object.spec,
      };
      object.status = { loadBalancer: {}, ...object.status };
      break;
    case 'Secret':
      object.type ??= 'Opaque';
      encodeStringData(object);
      break;
    case 'PersistentVolumeClaim':
    case 'PersistentVolume':
      object.status = { phase: 'Pending', ...object.status };
      break;
    case 'Ingress':
      object.status = { loadBalancer: {}, ...object.status };
      break;
    default:
  }
}

/** An empty label map or finalizer list is none. */
function dropEmpty(metadata: ObjectMetadata): void {
  for (const field of [
    'labels',
    'annotations',
    'finalizers',
    'ownerReferences',
  ] as const) {
    const value = metadata[field];
    if (value && Object.keys(value).length === 0) {
      delete metadata[field];
    }
  }
}

/** Of the object's own, so that writing it again keeps the address. */
function addressFrom(uid: string): string {
  const bytes = Buffer.from(uid.replace(/-/g, ''), 'hex');
  return `10.96.${bytes[0]}.${bytes[1]}`;
}

/** `stringData` is for writing only: it ends up in `data`. */
function encodeStringData(secret: KubernetesObject): void {
  for (const [key, value] of Object.entries(secret.stringData ?? {})) {
    secret.data = {
      ...secret.data,
      [key]: Buffer.from(String(value)).toString('base64'),
    };
  }
  delete secret.stringData;
}
