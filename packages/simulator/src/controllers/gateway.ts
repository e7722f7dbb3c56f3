import type { Cluster, KubernetesObject } from '../kubernetes';
import {
  gatewayOf,
  hostMatches,
  isListenerSet,
  listenerConditions,
  listenersOf,
  listenerSetKinds,
  parentsOf,
  type Listener,
  type ListenerProblem,
  type NamespaceRule,
  type ParentReference,
} from './gatewayListeners';
import { matchesSelector } from './labelSelector';
import { peek, peekAll } from './objects';
import { setCondition, type Platform, type StatusCondition } from './platform';
import { WorkQueue } from './workQueue';

const CONTROLLER_NAME = 'gateway.envoyproxy.io/gatewayclass-controller';
const ADDRESS = '192.0.2.10';

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
          this.listenerSets().forEach(set => this.plan(set));
          this.routes().forEach(route => this.plan(route));
        }
      } else if (isListenerSet(object)) {
        if (type !== 'MODIFIED' || !isProgrammed(object)) {
          this.planEdgeOf(object);
        }
      } else if (object.kind === 'Namespace' && type === 'ADDED') {
        // Its labels may admit it.
        this.listenerSets(name).forEach(set => this.plan(set));
      } else if (object.kind === 'HTTPRoute' || object.kind === 'Ingress') {
        if (type !== 'MODIFIED' || !isObserved(object)) {
          this.plan(object);
        }
      } else if (object.kind === 'Secret' && type !== 'MODIFIED') {
        this.planGatewaysOf(object);
      } else if (
        (object.kind === 'Service' && type !== 'MODIFIED') ||
        object.kind === 'ReferenceGrant'
      ) {
        this.routes()
          .filter(route => isBackedIn(route, namespace))
          .forEach(route => this.plan(route));
      }
    });
    this.unsubscribeFaults = platform.faults.subscribe(() => {
      this.routes().forEach(route => this.plan(route));
      this.listenerSets().forEach(set => this.plan(set));
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

  private listenerSets(namespace?: string): KubernetesObject[] {
    return listenerSetKinds.flatMap(kind =>
      peekAll(this.cluster, kind, namespace),
    );
  }

  /** A ListenerSet matters to those that it may conflict with, and to routes. */
  private planEdgeOf(set: KubernetesObject): void {
    this.plan(set);
    const gateway = this.gatewayOfSet(set);
    if (gateway) {
      this.plan(gateway);
      this.setsOf(gateway).forEach(other => this.plan(other));
    }
    this.routes()
      .filter(route =>
        parentsOf(route).some(
          parent =>
            parent.kind === set.kind && parent.name === set.metadata.name,
        ),
      )
      .forEach(route => this.plan(route));
  }

  /** The Gateway that a ListenerSet wants to add to. */
  private gatewayOfSet(set: KubernetesObject): KubernetesObject | undefined {
    const parent = set.spec?.parentRef as ParentReference | undefined;
    return parent && gatewayOf(this.cluster, parent, set);
  }

  /** ListenerSets that a Gateway takes, the oldest first: the older listener wins a conflict. */
  private setsOf(gateway: KubernetesObject): KubernetesObject[] {
    return this.listenerSets()
      .filter(
        set =>
          !set.metadata.deletionTimestamp &&
          this.gatewayOfSet(set)?.metadata.uid === gateway.metadata.uid &&
          this.admits(gateway, set),
      )
      .sort((one, other) => (precedenceOf(one) < precedenceOf(other) ? -1 : 1));
  }

  /** Whether a Gateway lets a ListenerSet of this namespace attach. By default none may. */
  private admits(gateway: KubernetesObject, set: KubernetesObject): boolean {
    const rule = gateway.spec?.allowedListeners?.namespaces as
      | NamespaceRule
      | undefined;
    return this.isAllowed(rule, {
      fallback: 'None',
      from: set.metadata.namespace as string,
      to: gateway.metadata.namespace as string,
    });
  }

  /** Listeners come and go with the Secrets that they name. */
  private planGatewaysOf({ metadata }: KubernetesObject): void {
    const concerned = [
      ...peekAll(this.cluster, 'Gateway', metadata.namespace),
      ...this.listenerSets(metadata.namespace),
    ].filter(gateway =>
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
          concerned.some(
            holder =>
              holder.metadata.name === parent.name &&
              holder.kind === (parent.kind ?? 'Gateway'),
          ),
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
      case 'ListenerSet':
      case 'XListenerSet':
        this.reconcileListenerSet(object);
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
      const attached = this.setsOf(gateway).length;
      draft.status = {
        ...draft.status,
        addresses: [{ type: 'IPAddress', value: ADDRESS }],
        ...((attached > 0 || draft.status?.attachedListenerSets) && {
          attachedListenerSets: attached,
        }),
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

  /** Without a Gateway nobody looks after a ListenerSet, and its status stays empty. */
  private reconcileListenerSet(set: KubernetesObject): void {
    const gateway = this.gatewayOfSet(set);
    if (!gateway) {
      return;
    }
    const { kind, metadata } = set;
    const { namespace, name } = metadata;
    const isAdmitted = this.admits(gateway, set);
    const problems = new Map(
      listenersOf(set).map(listener => [
        listener.name,
        this.listenerProblem(set, listener),
      ]),
    );
    const serving = [...problems.values()].filter(problem => !problem).length;
    this.cluster.patch({ kind, namespace, name }, draft => {
      const observedGeneration = draft.metadata.generation;
      const previous = draft.status?.listeners as
        | { name: string; conditions: StatusCondition[] }[]
        | undefined;
      const conditions = this.conditions(
        draft.status?.conditions,
        listenerSetConditions({
          isAdmitted,
          isServing: serving > 0,
        }).map(condition => ({ ...condition, observedGeneration })),
      );
      draft.status = {
        conditions,
        ...(isAdmitted && {
          listeners: listenersOf(draft).map(listener => ({
            name: listener.name,
            attachedRoutes: this.attachedRoutes(draft, listener),
            supportedKinds: [
              { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
            ],
            conditions: this.conditions(
              previous?.find(known => known.name === listener.name)?.conditions,
              listenerConditions(problems.get(listener.name)).map(
                condition => ({ ...condition, observedGeneration }),
              ),
            ),
            // The predecessor repeats it.
            ...(kind === 'XListenerSet' && { port: listener.port }),
          })),
        }),
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
    const isConflicted =
      listenersOf(gateway).filter(isSame).length > 1 ||
      this.precedingListeners(gateway).some(isSame);
    return isConflicted ? { kind: 'conflicted' } : undefined;
  }

  /** Listeners that win a conflict with those of a ListenerSet: the Gateway's own, and of older sets. */
  private precedingListeners(set: KubernetesObject): Listener[] {
    const gateway = isListenerSet(set) ? this.gatewayOfSet(set) : undefined;
    if (!gateway) {
      return [];
    }
    const older = this.setsOf(gateway).filter(
      other => precedenceOf(other) < precedenceOf(set),
    );
    return [gateway, ...older].flatMap(listenersOf);
  }

  private attachedRoutes(
    gateway: KubernetesObject,
    listener: Listener,
  ): number {
    return this.routes().filter(route =>
      parentsOf(route).some(
        parent =>
          parent.name === gateway.metadata.name &&
          (parent.kind ?? 'Gateway') === gateway.kind &&
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
        kind: parentRef.kind ?? 'Gateway',
        namespace: parentRef.namespace ?? namespace,
        name: parentRef.name,
      });
      // A parent that cannot be resolved, or is of another kind, has no entry.
      return gateway &&
        gatewayOf(this.cluster, parentRef, route) &&
        fault !== 'NoMatchingParent'
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
            previous?.find(
              known =>
                known.parentRef.name === parentRef.name &&
                (known.parentRef.kind ?? 'Gateway') ===
                  (parentRef.kind ?? 'Gateway'),
            )?.conditions,
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
    const owner = isListenerSet(gateway) && this.gatewayOfSet(gateway);
    if (owner && !this.admits(owner, gateway)) {
      return refuse(
        'NoReadyListeners',
        'There are no ready listeners for this parent ref',
      );
    }
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
    return this.isAllowed(listener.allowedRoutes?.namespaces, {
      fallback: 'Same',
      from: route.metadata.namespace as string,
      to: gateway.metadata.namespace as string,
    });
  }

  /** Whether a rule lets what is in one namespace attach to what is in another. */
  private isAllowed(
    rule: NamespaceRule | undefined,
    {
      fallback,
      from,
      to,
    }: { fallback: 'Same' | 'None'; from: string; to: string },
  ): boolean {
    switch (rule?.from ?? fallback) {
      case 'All':
        return true;
      case 'Same':
        return from === to;
      case 'Selector':
        return matchesSelector(
          rule?.selector,
          peek(this.cluster, { kind: 'Namespace', name: from })?.metadata
            .labels,
        );
      default:
        return false;
    }
  }

  /** Whether a ReferenceGrant beside a Service lets a route of elsewhere reach it. */
  private isGranted(
    route: KubernetesObject,
    backend: { namespace: string; name: string },
  ): boolean {
    return peekAll(this.cluster, 'ReferenceGrant', backend.namespace).some(
      ({ spec }) =>
        ((spec?.from ?? []) as { kind: string; namespace: string }[]).some(
          from =>
            from.kind === 'HTTPRoute' &&
            from.namespace === route.metadata.namespace,
        ) &&
        ((spec?.to ?? []) as { kind: string; name?: string }[]).some(
          to =>
            to.kind === 'Service' &&
            (to.name === undefined || to.name === backend.name),
        ),
    );
  }

  private resolved(
    route: KubernetesObject,
    fault: string | undefined,
  ): StatusCondition {
    const { namespace } = route.metadata;
    const backends = (
      (route.spec?.rules ?? []) as {
        backendRefs?: { name: string; namespace?: string }[];
      }[]
    ).flatMap(rule => rule.backendRefs ?? []);
    const refused = backends.find(
      backend =>
        backend.namespace !== undefined &&
        backend.namespace !== namespace &&
        !this.isGranted(route, backend as { name: string; namespace: string }),
    );
    if (refused) {
      return {
        type: 'ResolvedRefs',
        status: 'False',
        reason: 'RefNotPermitted',
        message: `Failed to process route rule 0 backendRef 0: backend ref to Service ${refused.namespace}/${refused.name} not permitted by any ReferenceGrant.`,
      };
    }
    const missing = backends.find(
      backend =>
        !peek(this.cluster, {
          kind: 'Service',
          namespace: backend.namespace ?? namespace,
          name: backend.name,
        }),
    );
    return missing || fault === 'BackendNotFound'
      ? {
          type: 'ResolvedRefs',
          status: 'False',
          reason: 'BackendNotFound',
          message: `Failed to process route rule 0 backendRef 0: service ${
            missing?.namespace ?? namespace
          }/${missing?.name ?? 'missing'} not found.`,
        }
      : {
          type: 'ResolvedRefs',
          status: 'True',
          reason: 'ResolvedRefs',
          message: 'Resolved all the Object references for the Route',
        };
  }
}

/** Whether a route leads to something in a namespace. */
function isBackedIn(
  { metadata, spec }: KubernetesObject,
  namespace: string | undefined,
): boolean {
  return (
    metadata.namespace === namespace ||
    ((spec?.rules ?? []) as { backendRefs?: { namespace?: string }[] }[]).some(
      ({ backendRefs = [] }) =>
        backendRefs.some(backend => backend.namespace === namespace),
    )
  );
}

/** Older first, then by name, as the specification has it. */
function precedenceOf({ metadata }: KubernetesObject): string {
  return `${metadata.creationTimestamp} ${metadata.namespace}/${metadata.name}`;
}

/** What a ListenerSet says of itself as a whole. */
function listenerSetConditions({
  isAdmitted,
  isServing,
}: {
  isAdmitted: boolean;
  isServing: boolean;
}): StatusCondition[] {
  const both = (
    status: 'True' | 'False',
    accepted: { reason: string; message: string },
    programmed = accepted,
  ): StatusCondition[] => [
    { type: 'Accepted', status, ...accepted },
    { type: 'Programmed', status, ...programmed },
  ];
  if (!isAdmitted) {
    return both('False', {
      reason: 'NotAllowed',
      message: 'The parent Gateway does not allow this ListenerSet to attach',
    });
  }
  return isServing
    ? both(
        'True',
        { reason: 'Accepted', message: 'ListenerSet is accepted' },
        { reason: 'Programmed', message: 'ListenerSet is programmed' },
      )
    : both('False', {
        reason: 'ListenersNotValid',
        message: 'No listener of the ListenerSet is valid',
      });
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
