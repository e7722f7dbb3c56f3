import type { KubernetesObject } from './object';

/**
 * Fills in what the API server fills in on creation, as far as readers of
 * these kinds rely on it. `uid` makes the made-up addresses differ.
 */
export function applyDefaults(object: KubernetesObject, uid: string): void {
  switch (object.kind) {
    case 'Namespace':
      object.status = { phase: 'Active', ...object.status };
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
    case 'StatefulSet':
    case 'ReplicaSet':
      object.spec = { replicas: 1, ...object.spec };
      break;
    case 'Service':
      object.spec = {
        type: 'ClusterIP',
        clusterIP: addressFrom(uid),
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
