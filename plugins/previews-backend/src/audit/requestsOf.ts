import { CheckedEnvironment } from '@previews/backstage-plugin-previews-node';
import { ObjectRequest, SetUpKind } from '../model';
import { EntitySetUp } from './setUpOf';

/** What is read whole, and what it is of. */
export interface WantedObjects {
  request: ObjectRequest;
  environment?: CheckedEnvironment;
}

/** Objects that came of a request. */
export interface ReadObjects extends WantedObjects {
  objects: readonly Record<string, unknown>[];
}

/** Read of each namespace; Secrets never are. */
export const namespacedKinds: readonly SetUpKind[] = [
  'Deployment',
  'StatefulSet',
  'Service',
  'ServiceAccount',
  'PersistentVolumeClaim',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'ScaledObject',
  'NetworkPolicy',
  'HTTPRoute',
  'Ingress',
  'Certificate',
  'ExternalSecret',
];

/** Tells requests apart. */
export function requestKey(request: ObjectRequest): string {
  const { cluster, kind, namespace = '', name = '' } = request;
  return JSON.stringify([cluster, kind, namespace, name]);
}

/** What is read of a set-up at first. */
export function requestsOf(setUp: EntitySetUp): WantedObjects[] {
  return [
    ...setUp.sets.map(set => ({
      request: { kind: 'ApplicationSet' as const, ...set },
    })),
    ...setUp.appProjects.map(project => ({
      request: { kind: 'AppProject' as const, ...project },
    })),
    ...setUp.applications.map(({ environment, ...application }) => ({
      request: { kind: 'Application' as const, ...application },
      ...(environment && { environment }),
    })),
    ...setUp.namespaces.flatMap(({ cluster, name, environment }) => [
      {
        request: { kind: 'Namespace' as const, cluster, name },
        ...(environment && { environment }),
      },
      ...namespacedKinds.map(kind => ({
        request: { kind, cluster, namespace: name },
        ...(environment && { environment }),
      })),
    ]),
  ];
}

type Fields = Record<string, unknown>;

function at(value: unknown, ...path: string[]): Fields {
  let current: unknown = value;
  for (const key of path) {
    current = (current as Fields | undefined | null)?.[key];
  }
  return typeof current === 'object' && current !== null
    ? (current as Fields)
    : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * What the objects that were read name in turn: the issuers of certificates, the
 * Gateways of routes, and classes of storage. One that is named from several places is
 * asked for with the environment of the first.
 */
export function requestsFollowing(
  read: readonly ReadObjects[],
): WantedObjects[] {
  return read.flatMap(({ request, environment, objects }) =>
    objects
      .flatMap(object => namedBy(object, request))
      .map(following => ({
        request: following,
        ...(environment && { environment }),
      })),
  );
}

function namedBy(object: Fields, { cluster, kind }: ObjectRequest) {
  const namespace = text(at(object, 'metadata').namespace);
  switch (kind) {
    case 'Certificate':
      return issuerOf(at(object, 'spec', 'issuerRef'), { cluster, namespace });
    case 'Ingress':
    case 'Gateway':
      return issuersOfAnnotations(object, { cluster, namespace });
    case 'HTTPRoute':
      return gatewaysOf(object, { cluster, namespace });
    case 'PersistentVolumeClaim':
      return [{ cluster, kind: 'StorageClass' as const }];
    default:
      return [];
  }
}

interface Place {
  cluster: string;
  namespace?: string;
}

function issuerOf(reference: Fields, place: Place): ObjectRequest[] {
  const { cluster, namespace } = place;
  const name = text(reference.name);
  const group = text(reference.group) ?? 'cert-manager.io';
  if (name === undefined || group !== 'cert-manager.io') {
    return [];
  }
  if (reference.kind === 'ClusterIssuer') {
    return [{ cluster, kind: 'ClusterIssuer', name }];
  }
  return namespace === undefined
    ? []
    : [{ cluster, kind: 'Issuer', namespace, name }];
}

function issuersOfAnnotations(object: Fields, place: Place): ObjectRequest[] {
  const annotations = at(object, 'metadata', 'annotations');
  return [
    ...issuerOf(
      {
        kind: 'ClusterIssuer',
        name: annotations['cert-manager.io/cluster-issuer'],
      },
      place,
    ),
    ...issuerOf({ name: annotations['cert-manager.io/issuer'] }, place),
  ];
}

function gatewaysOf(object: Fields, { cluster, namespace }: Place) {
  const { parentRefs } = at(object, 'spec');
  return (Array.isArray(parentRefs) ? parentRefs : []).flatMap(
    (reference): ObjectRequest[] => {
      const { name, kind = 'Gateway', ...fields } = at(reference);
      const where = text(fields.namespace) ?? namespace;
      return kind === 'Gateway' && text(name) && where !== undefined
        ? [{ cluster, kind: 'Gateway', namespace: where, name: text(name)! }]
        : [];
    },
  );
}
