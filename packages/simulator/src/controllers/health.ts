import type { KubernetesObject } from '../kubernetes';
import type { StatusCondition } from './platform';

/** Health as Argo CD writes it. */
export interface Health {
  status:
    | 'Healthy'
    | 'Suspended'
    | 'Progressing'
    | 'Missing'
    | 'Degraded'
    | 'Unknown';
  message?: string;
}

const ORDER: Health['status'][] = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
];

/** The worst of several healths; Healthy when there is none. */
export function worstHealth(healths: Health[]): Health {
  return healths.reduce<Health>(
    (worst, health) =>
      ORDER.indexOf(health.status) > ORDER.indexOf(worst.status)
        ? health
        : worst,
    { status: 'Healthy' },
  );
}

const conditionOf = (object: KubernetesObject, type: string) =>
  (object.status?.conditions as StatusCondition[] | undefined)?.find(
    condition => condition.type === type,
  );

function externalSecretHealth(object: KubernetesObject): Health {
  const ready = conditionOf(object, 'Ready');
  if (!ready) {
    return { status: 'Progressing', message: 'Waiting for ExternalSecret' };
  }
  return {
    status: ready.status === 'True' ? 'Healthy' : 'Degraded',
    message: ready.message,
  };
}

function deploymentHealth(object: KubernetesObject): Health {
  const { spec, status, metadata } = object;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 1)) {
    return {
      status: 'Progressing',
      message:
        'Waiting for rollout to finish: observed deployment generation less than desired generation',
    };
  }
  const progressing = conditionOf(object, 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    return {
      status: 'Degraded',
      message: `Deployment "${metadata.name}" exceeded its progress deadline`,
    };
  }
  const desired = (spec?.replicas as number | undefined) ?? 1;
  const updated = status?.updatedReplicas ?? 0;
  const available = status?.availableReplicas ?? 0;
  if (updated < desired) {
    return {
      status: 'Progressing',
      message: `Waiting for rollout to finish: ${updated} out of ${desired} new replicas have been updated...`,
    };
  }
  if ((status?.replicas ?? 0) > updated) {
    return {
      status: 'Progressing',
      message: `Waiting for rollout to finish: ${
        status?.replicas - updated
      } old replicas are pending termination...`,
    };
  }
  if (available < updated) {
    return {
      status: 'Progressing',
      message: `Waiting for rollout to finish: ${available} of ${updated} updated replicas are available...`,
    };
  }
  return { status: 'Healthy' };
}

function statefulSetHealth({ spec, status }: KubernetesObject): Health {
  const desired = (spec?.replicas as number | undefined) ?? 1;
  if (
    (status?.readyReplicas ?? 0) < desired ||
    status?.updateRevision !== status?.currentRevision
  ) {
    return {
      status: 'Progressing',
      message: `Waiting for ${
        desired - (status?.readyReplicas ?? 0)
      } pods to be ready...`,
    };
  }
  return { status: 'Healthy' };
}

function certificateHealth(object: KubernetesObject): Health {
  const issuing = conditionOf(object, 'Issuing');
  if (issuing) {
    return {
      status: issuing.status === 'True' ? 'Progressing' : 'Degraded',
      message: issuing.message,
    };
  }
  const ready = conditionOf(object, 'Ready');
  if (!ready) {
    return { status: 'Progressing', message: 'Waiting for certificate' };
  }
  return {
    status: ready.status === 'True' ? 'Healthy' : 'Degraded',
    message: ready.message,
  };
}

function routeHealth({ status, metadata }: KubernetesObject): Health {
  const conditions = (
    (status?.parents ?? []) as { conditions: StatusCondition[] }[]
  ).flatMap(parent => parent.conditions);
  const current = conditions.filter(
    condition => condition.observedGeneration === metadata.generation,
  );
  if (current.length === 0) {
    return { status: 'Progressing', message: 'Waiting for HTTPRoute status' };
  }
  const refused = current.find(condition => condition.status === 'False');
  return refused
    ? { status: 'Degraded', message: refused.message }
    : { status: 'Healthy', message: 'HTTPRoute is healthy' };
}

function jobHealth(object: KubernetesObject): Health {
  const failed = conditionOf(object, 'Failed');
  if (failed?.status === 'True') {
    return { status: 'Degraded', message: failed.message };
  }
  const complete = conditionOf(object, 'Complete');
  if (complete?.status === 'True') {
    return { status: 'Healthy', message: complete.message };
  }
  return object.spec?.suspend === true
    ? { status: 'Suspended', message: 'Job is suspended' }
    : { status: 'Progressing' };
}

/** The health of one resource; undefined for kinds that have none. */
export function resourceHealth(object: KubernetesObject): Health | undefined {
  if (object.metadata.deletionTimestamp) {
    return { status: 'Progressing', message: 'Pending deletion' };
  }
  switch (object.kind) {
    case 'Deployment':
      return deploymentHealth(object);
    case 'StatefulSet':
      return statefulSetHealth(object);
    case 'Job':
      return jobHealth(object);
    case 'ExternalSecret':
      return externalSecretHealth(object);
    case 'Certificate':
      return certificateHealth(object);
    case 'HTTPRoute':
      return routeHealth(object);
    case 'Ingress':
      return object.status?.loadBalancer?.ingress?.length > 0
        ? { status: 'Healthy' }
        : { status: 'Progressing' };
    case 'Service':
      return { status: 'Healthy' };
    default:
      return undefined;
  }
}
