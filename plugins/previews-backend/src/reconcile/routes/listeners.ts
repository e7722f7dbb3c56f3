import {
  ClusterReading,
  GatewayFact,
  HttpRouteFact,
  ListenerFact,
  RouteParentReference,
} from '../../model';
import { isHostOfListener } from './hosts';

/** The Gateway that a route names as a parent; undefined for other parents and where it is not read. */
export function gatewayOf(
  cluster: ClusterReading,
  parent: RouteParentReference,
): GatewayFact | undefined {
  return parent.kind === 'Gateway'
    ? cluster.kinds.gateways.objects.get(`${parent.namespace}/${parent.name}`)
    : undefined;
}

/** Listeners of a Gateway that a route can attach to by section, port and host. */
export function listenersFor(
  route: HttpRouteFact,
  parent: RouteParentReference,
  gateway: GatewayFact,
): ListenerFact[] {
  return gateway.listeners.filter(
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
