import {
  GatewayFact,
  HttpRouteFact,
  ListenerFact,
  ListenerSetFact,
  RouteCondition,
  RouteParentReference,
} from '../../model';
import { parseConditions } from './conditions';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import {
  compact,
  integerOf,
  JsonObject,
  objectAt,
  objectsOf,
  textsOf,
  wholeTextOf,
} from './values';

const GROUPS = ['gateway.networking.k8s.io'];

function routeConditions(value: unknown): RouteCondition[] {
  return parseConditions(value).map(
    ({ type, status, reason, message, observedGeneration }) =>
      compact({ type, status, reason, message, observedGeneration }),
  );
}

/** Kind and namespace have defaults: a Gateway, in the namespace of the route. */
function parseParentReference(
  reference: JsonObject,
  routeNamespace: string | undefined,
): RouteParentReference | undefined {
  const name = wholeTextOf(reference.name);
  if (name === undefined) {
    return undefined;
  }
  return compact({
    kind: wholeTextOf(reference.kind) ?? 'Gateway',
    namespace: wholeTextOf(reference.namespace) ?? routeNamespace ?? '',
    name,
    sectionName: wholeTextOf(reference.sectionName),
    port: integerOf(reference.port),
  });
}

/** Parses an HTTPRoute; undefined for anything else. */
export function parseHttpRoute(
  value: unknown,
  context: ParseContext,
): HttpRouteFact | undefined {
  if (!isOfKind(value, { kind: 'HTTPRoute', groups: GROUPS })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  return {
    meta,
    hostnames: textsOf(spec.hostnames),
    parentRefs: objectsOf(spec.parentRefs).flatMap(
      reference => parseParentReference(reference, meta.namespace) ?? [],
    ),
    parents: objectsOf(objectAt(value, 'status').parents).flatMap(parent => {
      const ref = parseParentReference(
        objectAt(parent, 'parentRef'),
        meta.namespace,
      );
      return ref
        ? [
            compact({
              ref,
              controllerName: wholeTextOf(parent.controllerName),
              conditions: routeConditions(parent.conditions),
            }),
          ]
        : [];
    }),
  };
}

/** Parses a Gateway of the Gateway API; undefined for anything else. */
export function parseGateway(
  value: unknown,
  context: ParseContext,
): GatewayFact | undefined {
  if (!isOfKind(value, { kind: 'Gateway', groups: GROUPS })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  return compact({
    meta,
    className: wholeTextOf(objectAt(value, 'spec').gatewayClassName),
    conditions: routeConditions(objectAt(value, 'status').conditions),
    listeners: listenersOf(value),
  });
}

/** Parses a ListenerSet of the Gateway API; undefined for anything else. */
export function parseListenerSet(
  value: unknown,
  context: ParseContext,
): ListenerSetFact | undefined {
  if (!isOfKind(value, { kind: 'ListenerSet', groups: GROUPS })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const parent = parseParentReference(
    objectAt(value, 'spec', 'parentRef'),
    meta.namespace,
  );
  return compact({
    meta,
    gateway:
      parent?.kind === 'Gateway'
        ? { namespace: parent.namespace, name: parent.name }
        : undefined,
    conditions: routeConditions(objectAt(value, 'status').conditions),
    listeners: listenersOf(value),
  });
}

function listenersOf(value: unknown): ListenerFact[] {
  const statuses = objectsOf(objectAt(value, 'status').listeners);
  return objectsOf(objectAt(value, 'spec').listeners).flatMap(listener => {
    const name = wholeTextOf(listener.name);
    if (name === undefined) {
      return [];
    }
    const status = statuses.find(item => item.name === name);
    return [
      compact({
        name,
        hostname: wholeTextOf(listener.hostname),
        port: integerOf(listener.port) ?? 0,
        protocol: wholeTextOf(listener.protocol) ?? '',
        certificateRefs: secretsOf(listener),
        tlsMode: wholeTextOf(objectAt(listener, 'tls').mode),
        allowedFrom: wholeTextOf(
          objectAt(listener, 'allowedRoutes', 'namespaces').from,
        ),
        conditions: routeConditions(status?.conditions),
      }),
    ];
  });
}

/** References to anything but a Secret are left out: what they give is not told. */
function secretsOf(
  listener: JsonObject,
): { namespace?: string; name: string }[] {
  return objectsOf(objectAt(listener, 'tls').certificateRefs).flatMap(
    reference => {
      const name = wholeTextOf(reference.name);
      const kind = wholeTextOf(reference.kind) ?? 'Secret';
      return name === undefined || kind !== 'Secret'
        ? []
        : [compact({ namespace: wholeTextOf(reference.namespace), name })];
    },
  );
}
