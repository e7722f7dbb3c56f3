import { ReplicaSetFact, WorkloadFact } from '../../model';
import { parseConditions } from './conditions';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import {
  compact,
  countOf,
  integerOf,
  JsonObject,
  objectAt,
  objectsOf,
  wholeTextOf,
} from './values';

/** Images of a pod template: those that serve first. */
function imagesOf(spec: JsonObject): string[] {
  const podSpec = objectAt(spec, 'template', 'spec');
  return [
    ...objectsOf(podSpec.containers),
    ...objectsOf(podSpec.initContainers),
  ].flatMap(container => wholeTextOf(container.image) ?? []);
}

function parseWorkload(
  value: unknown,
  options: ParseContext & { kind: WorkloadFact['kind'] },
): WorkloadFact | undefined {
  const { kind } = options;
  if (!isOfKind(value, { kind, groups: ['apps', 'extensions'] })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, options);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  const status = objectAt(value, 'status');
  const seen = integerOf(status.observedGeneration);
  return {
    kind,
    meta,
    desired: countOf(spec.replicas, 1),
    ready: countOf(status.readyReplicas),
    updated: countOf(status.updatedReplicas),
    available: countOf(status.availableReplicas),
    observed: seen !== undefined && seen >= (meta.generation ?? 0),
    images: imagesOf(spec),
    conditions: parseConditions(status.conditions).map(
      ({ type, status: conditionStatus, reason, message }) =>
        compact({ type, status: conditionStatus, reason, message }),
    ),
  };
}

/** Parses a Deployment; undefined for anything else. */
export function parseDeployment(
  value: unknown,
  context: ParseContext,
): WorkloadFact | undefined {
  return parseWorkload(value, { ...context, kind: 'Deployment' });
}

/** Parses a StatefulSet; undefined for anything else. */
export function parseStatefulSet(
  value: unknown,
  context: ParseContext,
): WorkloadFact | undefined {
  return parseWorkload(value, { ...context, kind: 'StatefulSet' });
}

/** Parses a ReplicaSet; undefined for anything else. */
export function parseReplicaSet(
  value: unknown,
  context: ParseContext,
): ReplicaSetFact | undefined {
  if (
    !isOfKind(value, { kind: 'ReplicaSet', groups: ['apps', 'extensions'] })
  ) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  const status = objectAt(value, 'status');
  const failure = parseConditions(status.conditions).find(
    condition =>
      condition.type === 'ReplicaFailure' && condition.status === 'True',
  );
  return compact({
    meta,
    desired: countOf(spec.replicas, 1),
    ready: countOf(status.readyReplicas),
    images: imagesOf(spec),
    failure: failure && (failure.message ?? failure.reason ?? ''),
  });
}
