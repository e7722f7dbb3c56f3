import type { Cluster, KubernetesObject } from '../kubernetes';
import type { PlatformFaultValues } from './faults';
import type { LabelSelector } from './labelSelector';
import { peek } from './objects';
import type { StatusCondition } from './platform';

/** Kinds that add listeners to a Gateway: the one of Gateway API 1.5 and its predecessor. */
export const listenerSetKinds = ['ListenerSet', 'XListenerSet'] as const;

/** Which namespaces may attach something. */
export interface NamespaceRule {
  from?: 'All' | 'Same' | 'Selector' | 'None';
  selector?: LabelSelector;
}

export interface ParentReference {
  group?: string;
  kind?: string;
  namespace?: string;
  name: string;
  sectionName?: string;
}

export interface Listener {
  name: string;
  hostname?: string;
  port: number;
  protocol: string;
  tls?: { certificateRefs?: { name: string; namespace?: string }[] };
  allowedRoutes?: {
    namespaces?: NamespaceRule;
  };
}

export interface ListenerProblem {
  kind: PlatformFaultValues['listener'];
  /** The Secret that is not there, as `namespace/name`. */
  secret?: string;
}

/** Whether a host of a route falls under the host of a listener. */
export function hostMatches(
  listenerHost: string | undefined,
  host: string,
): boolean {
  if (!listenerHost) {
    return true;
  }
  return listenerHost.startsWith('*.')
    ? host.endsWith(listenerHost.slice(1))
    : host === listenerHost;
}

/** What a listener says of itself, by what is wrong with it. */
export function listenerConditions(
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

/** The listeners of a Gateway, or of a ListenerSet. */
export function listenersOf(gateway: KubernetesObject): Listener[] {
  return (gateway.spec?.listeners ?? []) as Listener[];
}

export function parentsOf(route: KubernetesObject): ParentReference[] {
  return (route.spec?.parentRefs ?? []) as ParentReference[];
}

export function isListenerSet({ kind }: { kind: string }): boolean {
  return listenerSetKinds.some(known => known === kind);
}

/** The Gateway that a parent stands for: itself, or the one that a ListenerSet adds to. */
export function gatewayOf(
  cluster: Cluster,
  parent: ParentReference,
  child: KubernetesObject,
): KubernetesObject | undefined {
  const { kind = 'Gateway', namespace = child.metadata.namespace } = parent;
  const found = peek(cluster, { kind, namespace, name: parent.name });
  if (!found || kind === 'Gateway') {
    return found;
  }
  const next = found.spec?.parentRef as ParentReference | undefined;
  return isListenerSet(found) &&
    next &&
    !isListenerSet({ kind: next.kind ?? '' })
    ? gatewayOf(cluster, next, found)
    : undefined;
}
