import type { Cluster, KubernetesObject } from '../kubernetes';
import type { PlatformFaultValues } from './faults';
import { peek, peekAll } from './objects';
import { setCondition, type Platform, type StatusCondition } from './platform';
import { WorkQueue } from './workQueue';

const CONTROLLER_NAME = 'gateway.envoyproxy.io/gatewayclass-controller';
const ADDRESS = '192.0.2.10';

interface ParentReference {
  group?: string;
  kind?: string;
  namespace?: string;
  name: string;
  sectionName?: string;
}

interface Listener {
  name: string;
  hostname?: string;
  port: number;
  protocol: string;
  tls?: { certificateRefs?: { name: string; namespace?: string }[] };
  allowedRoutes?: {
    namespaces?: {
      from?: 'All' | 'Same' | 'Selector';
      selector?: { matchLabels?: Record<string, string> };
    };
  };
}

interface ListenerProblem {
  kind: PlatformFaultValues['listener'];
  /** The Secret that is not there, as `namespace/name`. */
  secret?: string;
}

/** Whether a host of a route falls under the host of a listener. */
function hostMatches(listenerHost: string | undefined, host: string): boolean {
  if (!listenerHost) {
    return true;
  }
  return listenerHost.startsWith('*.')
    ? host.endsWith(listenerHost.slice(1))
    : host === listenerHost;
}

/**
 * Envoy Gateway and an Ingress controller: they accept routes, program listeners and hand out an
 * address.
 */
export class GatewayController {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly queue: WorkQueue;
  private readonly unsubscribe: () => void;
  private readonly unsubscribeFaults: () => void;

  constructor(platform: Platform, cluster: Cluster) {
    this.platform = platform;
    this.cluster = cluster;
    this.queue = new WorkQueue({
      clock: platform.clock,
      activity: platform.activity,
      reconcile: key => this.reconcile(key),
    });
    this.unsubscribe = cluster.subscribe(({ type, object }) => {
      const { namespace, name } = object.metadata;
      if (object.kind === 'Gateway' || object.kind === 'GatewayClass') {
        this.queue.add(`${object.kind}/${namespace ?? ''}/${name}`);
        if (type !== 'MODIFIED' || !isProgrammed(object)) {
          this.routes().forEach(route => this.plan(route));
        }
      } else if (object.kind === 'HTTPRoute' || object.kind === 'Ingress') {
        if (type !== 'MODIFIED' || !isObserved(object)) {
          this.plan(object);
        }
      } else if (object.kind === 'Secret' && type !== 'MODIFIED') {
        this.planGatewaysOf(object);
      } else if (object.kind === 'Service' && type !== 'MODIFIED') {
        this.routes(namespace).forEach(route => this.plan(route));
      }
    });
    this.unsubscribeFaults = platform.faults.subscribe(() => {
      this.routes().forEach(route => this.plan(route));
      peekAll(cluster, 'Gateway').forEach(gateway => this.plan(gateway));
    });
  }

  stop(): void {
    this.unsubscribe();
    this.unsubscribeFaults();
    this.queue.stop();
  }

  private routes(namespace?: string): KubernetesObject[] {
    return peekAll(this.cluster, 'HTTPRoute', namespace);
  }

  /** Listeners come and go with the Secrets that they name. */
  private planGatewaysOf({ metadata }: KubernetesObject): void {
    const concerned = peekAll(
      this.cluster,
      'Gateway',
      metadata.namespace,
    ).filter(gateway =>
      listenersOf(gateway).some(listener =>
        listener.tls?.certificateRefs?.some(
          ({ name }) => name === metadata.name,
        ),
      ),
    );
    concerned.forEach(gateway => this.plan(gateway));
    this.routes()
      .filter(route =>
        parentsOf(route).some(parent =>
          concerned.some(gateway => gateway.metadata.name === parent.name),
        ),
      )
      .forEach(route => this.plan(route));
  }

  private plan({ kind, metadata }: KubernetesObject): void {
    this.queue.addAfter({
      key: `${kind}/${metadata.namespace}/${metadata.name}`,
      milliseconds: this.platform.delays.routeAccept,
    });
  }

  private reconcile(key: string): void {
    const [kind, namespace, name] = key.split('/');
    const object = peek(this.cluster, {
      kind,
      namespace: namespace || undefined,
      name,
    });
    if (!object || object.metadata.deletionTimestamp) {
      return;
    }
    switch (kind) {
      case 'GatewayClass':
        this.writeConditions(object, [
          ['Accepted', 'Accepted', 'Valid GatewayClass'],
        ]);
        break;
      case 'Gateway':
        this.reconcileGateway(object);
        break;
      case 'HTTPRoute':
        this.reconcileRoute(object);
        break;
      default:
        this.cluster.patch({ kind, namespace, name }, draft => {
          draft.status = { loadBalancer: { ingress: [{ ip: ADDRESS }] } };
        });
    }
  }

  private writeConditions(
    object: KubernetesObject,
    conditions: [string, string, string][],
  ): void {
    const { kind, metadata } = object;
    this.cluster.patch(
      { kind, namespace: metadata.namespace, name: metadata.name },
      draft => {
        draft.status = {
          ...draft.status,
          conditions: this.conditions(
            draft.status?.conditions,
            conditions.map(([type, reason, message]) => ({
              type,
              status: 'True',
              reason,
              message,
              observedGeneration: draft.metadata.generation,
            })),
          ),
        };
      },
    );
  }

  private conditions(
    previous: StatusCondition[] | undefined,
    next: StatusCondition[],
  ): StatusCondition[] {
    return next.reduce<StatusCondition[]>(
      (all, condition) =>
        setCondition(all, condition, this.platform.clock.now()),
      previous?.filter(known =>
        next.some(condition => condition.type === known.type),
      ) ?? [],
    );
  }

  private reconcileGateway(gateway: KubernetesObject): void {
    this.writeConditions(gateway, [
      [
        'Accepted',
        'Accepted',
        'The Gateway has been scheduled by Envoy Gateway',
      ],
      [
        'Programmed',
        'Programmed',
        'Address assigned to the Gateway, 1/1 envoy replicas available',
      ],
    ]);
    const { namespace, name } = gateway.metadata;
    this.cluster.patch({ kind: 'Gateway', namespace, name }, draft => {
      const observedGeneration = draft.metadata.generation;
      const previous = draft.status?.listeners as
        | { name: string; conditions: StatusCondition[] }[]
        | undefined;
      draft.status = {
        ...draft.status,
        addresses: [{ type: 'IPAddress', value: ADDRESS }],
        listeners: listenersOf(draft).map(listener => ({
          name: listener.name,
          attachedRoutes: this.attachedRoutes(draft, listener),
          supportedKinds: [
            { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
          ],
          conditions: this.conditions(
            previous?.find(known => known.name === listener.name)?.conditions,
            listenerConditions(this.listenerProblem(draft, listener)).map(
              condition => ({ ...condition, observedGeneration }),
            ),
          ),
        })),
      };
    });
  }

  /** What is wrong with a listener, by a fault or by what the cluster holds. */
  private listenerProblem(
    gateway: KubernetesObject,
    listener: Listener,
  ): ListenerProblem | undefined {
    const { namespace, name } = gateway.metadata;
    const fault = this.platform.faults.find(
      'listener',
      `${namespace}/${name}/${listener.name}`,
      `${namespace}/${name}`,
      listener.name,
    );
    const missing = listener.tls?.certificateRefs?.find(
      reference =>
        !peek(this.cluster, {
          kind: 'Secret',
          namespace: reference.namespace ?? namespace,
          name: reference.name,
        }),
    );
    if (fault || missing) {
      return {
        kind: fault ?? 'invalidCertificateRef',
        secret: `${missing?.namespace ?? namespace}/${
          missing?.name ?? listener.tls?.certificateRefs?.[0]?.name ?? 'missing'
        }`,
      };
    }
    const isSame = (other: Listener) =>
      other.port === listener.port && other.hostname === listener.hostname;
    return listenersOf(gateway).filter(isSame).length > 1
      ? { kind: 'conflicted' }
      : undefined;
  }

  private attachedRoutes(
    gateway: KubernetesObject,
    listener: Listener,
  ): number {
    return this.routes().filter(route =>
      parentsOf(route).some(
        parent =>
          parent.name === gateway.metadata.name &&
          (parent.namespace ?? route.metadata.namespace) ===
            gateway.metadata.namespace &&
          (!parent.sectionName || parent.sectionName === listener.name),
      ),
    ).length;
  }

  private reconcileRoute(route: KubernetesObject): void {
    const { namespace, name, generation } = route.metadata;
    const hosts = (route.spec?.hostnames ?? []) as string[];
    const fault = this.platform.faults.find(
      'route',
      namespace as string,
      ...hosts,
    );
    if (fault === 'never') {
      return;
    }
    const parents = parentsOf(route).flatMap(parentRef => {
      const gateway = peek(this.cluster, {
        kind: 'Gateway',
        namespace: parentRef.namespace ?? namespace,
        name: parentRef.name,
      });
      // A parent that cannot be resolved has no entry.
      return gateway && fault !== 'NoMatchingParent'
        ? [{ parentRef, gateway }]
        : [];
    });
    this.cluster.patch({ kind: 'HTTPRoute', namespace, name }, draft => {
      const previous = draft.status?.parents as
        | { parentRef: ParentReference; conditions: StatusCondition[] }[]
        | undefined;
      draft.status = {
        parents: parents.map(({ parentRef, gateway }) => ({
          parentRef: {
            group: 'gateway.networking.k8s.io',
            kind: 'Gateway',
            ...parentRef,
          },
          controllerName: CONTROLLER_NAME,
          conditions: this.conditions(
            previous?.find(known => known.parentRef.name === parentRef.name)
              ?.conditions,
            [
              this.accepted(route, gateway, parentRef, fault),
              this.resolved(route, fault),
              ...(fault === 'BackendsUnavailable'
                ? [backendsUnavailable(route)]
                : []),
            ].map(condition => ({
              ...condition,
              observedGeneration: generation,
            })),
          ),
        })),
      };
    });
    // Later, and once for all routes that come by then: it counts them.
    parents.forEach(({ gateway }) => this.plan(gateway));
  }

  private accepted(
    route: KubernetesObject,
    gateway: KubernetesObject,
    parent: ParentReference,
    fault: string | undefined,
  ): StatusCondition {
    const refuse = (reason: string, message: string): StatusCondition => ({
      type: 'Accepted',
      status: 'False',
      reason,
      message,
    });
    const candidates = listenersOf(gateway).filter(
      listener => !parent.sectionName || listener.name === parent.sectionName,
    );
    if (candidates.length === 0) {
      return refuse('NoMatchingParent', 'No listeners match this parent ref');
    }
    if (candidates.every(listener => this.listenerProblem(gateway, listener))) {
      return refuse(
        'NoReadyListeners',
        'There are no ready listeners for this parent ref',
      );
    }
    const allowing = candidates.filter(listener =>
      this.allows(listener, gateway, route),
    );
    if (allowing.length === 0 || fault === 'NotAllowedByListeners') {
      return refuse(
        'NotAllowedByListeners',
        'No listeners included by this parent ref allowed this attachment.',
      );
    }
    const hosts = (route.spec?.hostnames ?? []) as string[];
    const matches =
      hosts.length === 0 ||
      allowing.some(listener =>
        hosts.some(host => hostMatches(listener.hostname, host)),
      );
    return matches
      ? {
          type: 'Accepted',
          status: 'True',
          reason: 'Accepted',
          message: 'Route is accepted',
        }
      : refuse(
          'NoMatchingListenerHostname',
          "There were no hostname intersections between the HTTPRoute and this parent ref's Listener(s).",
        );
  }

  private allows(
    listener: Listener,
    gateway: KubernetesObject,
    route: KubernetesObject,
  ): boolean {
    const rule = listener.allowedRoutes?.namespaces;
    switch (rule?.from ?? 'Same') {
      case 'All':
        return true;
      case 'Selector': {
        const labels = peek(this.cluster, {
          kind: 'Namespace',
          name: route.metadata.namespace as string,
        })?.metadata.labels;
        return Object.entries(rule?.selector?.matchLabels ?? {}).every(
          ([key, value]) => labels?.[key] === value,
        );
      }
      default:
        return route.metadata.namespace === gateway.metadata.namespace;
    }
  }

  private resolved(
    route: KubernetesObject,
    fault: string | undefined,
  ): StatusCondition {
    const { namespace } = route.metadata;
    const missing = (
      (route.spec?.rules ?? []) as { backendRefs?: { name: string }[] }[]
    )
      .flatMap(rule => rule.backendRefs ?? [])
      .find(
        backend =>
          !peek(this.cluster, {
            kind: 'Service',
            namespace,
            name: backend.name,
          }),
      );
    return missing || fault === 'BackendNotFound'
      ? {
          type: 'ResolvedRefs',
          status: 'False',
          reason: 'BackendNotFound',
          message: `Failed to process route rule 0 backendRef 0: service ${namespace}/${
            missing?.name ?? 'missing'
          } not found.`,
        }
      : {
          type: 'ResolvedRefs',
          status: 'True',
          reason: 'ResolvedRefs',
          message: 'Resolved all the Object references for the Route',
        };
  }
}

/** What a listener says of itself, by what is wrong with it. */
function listenerConditions(
  problem: ListenerProblem | undefined,
): StatusCondition[] {
  const condition = (
    type: string,
    status: 'True' | 'False',
    reason: string,
    message: string,
  ): StatusCondition => ({ type, status, reason, message });
  const accepted = condition(
    'Accepted',
    'True',
    'Accepted',
    'Listener has been successfully translated',
  );
  const resolved = condition(
    'ResolvedRefs',
    'True',
    'ResolvedRefs',
    'Listener references have been resolved',
  );
  switch (problem?.kind) {
    case 'conflicted':
      return [
        condition(
          'Conflicted',
          'True',
          'HostnameConflict',
          'All listeners for a given port must use a unique hostname',
        ),
        condition(
          'Programmed',
          'False',
          'Invalid',
          'Listener is invalid, see other Conditions for details.',
        ),
        resolved,
      ];
    case 'notProgrammed':
      return [
        condition(
          'Programmed',
          'False',
          'Pending',
          'Listener is not yet programmed',
        ),
        accepted,
        resolved,
      ];
    case 'invalidCertificateRef':
      return [
        condition(
          'ResolvedRefs',
          'False',
          'InvalidCertificateRef',
          `Secret ${problem.secret} does not exist.`,
        ),
        condition(
          'Programmed',
          'False',
          'Invalid',
          'Listener is invalid, see other Conditions for details.',
        ),
      ];
    default:
      return [
        condition(
          'Programmed',
          'True',
          'Programmed',
          'Sending translated listener configuration to the data plane',
        ),
        accepted,
        resolved,
      ];
  }
}

/** Envoy Gateway's own condition: the references resolve, and nobody answers behind them. */
function backendsUnavailable(route: KubernetesObject): StatusCondition {
  const { namespace, name } = route.metadata;
  return {
    type: 'BackendsAvailable',
    status: 'False',
    reason: 'EndpointsNotFound',
    message: `Failed to find endpoints: no ready endpoints for the related Service ${namespace}/${name}.`,
  };
}

function listenersOf(gateway: KubernetesObject): Listener[] {
  return (gateway.spec?.listeners ?? []) as Listener[];
}

function parentsOf(route: KubernetesObject): ParentReference[] {
  return (route.spec?.parentRefs ?? []) as ParentReference[];
}

/** Whether the status speaks of the current spec; then the change was our own. */
function isObserved(object: KubernetesObject): boolean {
  if (object.kind === 'Ingress') {
    return object.status?.loadBalancer?.ingress !== undefined;
  }
  const parents = object.status?.parents as
    | { conditions: StatusCondition[] }[]
    | undefined;
  return (
    parents !== undefined &&
    parents.every(parent =>
      parent.conditions.every(
        condition =>
          condition.observedGeneration === object.metadata.generation,
      ),
    )
  );
}

function isProgrammed(gateway: KubernetesObject): boolean {
  return (
    (gateway.status?.conditions as StatusCondition[] | undefined)?.every(
      condition => condition.observedGeneration === gateway.metadata.generation,
    ) === true
  );
}
