import {
  ClusterReading,
  GatewayFact,
  HttpRouteFact,
  ListenerFact,
  ListenerSetFact,
  RouteParentReference,
} from '../../model';
import { isHostOfListener } from './hosts';

/** What a route attaches to, as far as it is read: a Gateway, or what adds listeners to one. */
export interface Attachment {
  /** What has the listeners. */
  holder: GatewayFact | ListenerSetFact;
  /** Only where the holder is one. */
  listenerSet?: ListenerSetFact;
  gateway?: GatewayFact;
}

/** What a parent of a route stands for; undefined for other parents and where it is not read. */
export function attachmentOf(
  { kinds }: ClusterReading,
  parent: RouteParentReference,
): Attachment | undefined {
  const key = `${parent.namespace}/${parent.name}`;
  if (parent.kind === 'ListenerSet') {
    const listenerSet = kinds.listenerSets.objects.get(key);
    const { gateway } = listenerSet ?? {};
    return (
      listenerSet && {
        holder: listenerSet,
        listenerSet,
        gateway:
          gateway &&
          kinds.gateways.objects.get(`${gateway.namespace}/${gateway.name}`),
      }
    );
  }
  const gateway =
    parent.kind === 'Gateway' ? kinds.gateways.objects.get(key) : undefined;
  return gateway && { holder: gateway, gateway };
}

/** Listeners of a Gateway or a ListenerSet that a route can attach to by section, port and host. */
export function listenersFor(
  route: HttpRouteFact,
  parent: RouteParentReference,
  { listeners }: Pick<GatewayFact, 'listeners'>,
): ListenerFact[] {
  return listeners.filter(
    ({ name, port, hostname, protocol }) =>
      (parent.sectionName === undefined || parent.sectionName === name) &&
      (parent.port === undefined || parent.port === port) &&
      (protocol === 'HTTP' || protocol === 'HTTPS') &&
      (hostname === undefined ||
        route.hostnames.length === 0 ||
        route.hostnames.some(host => isHostOfListener(hostname, host))),
  );
}

/**
 * The listener with TLS that answers for a host: of several the one that names it
 * most exactly.
 */
export function tlsListenerFor(
  host: string,
  listeners: readonly ListenerFact[],
): ListenerFact | undefined {
  return listeners
    .filter(
      ({ protocol, hostname }) =>
        protocol === 'HTTPS' &&
        (hostname === undefined || isHostOfListener(hostname, host)),
    )
    .sort((a, b) => exactness(b) - exactness(a))[0];
}

function exactness({ hostname }: ListenerFact): number {
  if (hostname === undefined) {
    return 0;
  }
  return hostname.startsWith('*.') ? hostname.length : 1000;
}
