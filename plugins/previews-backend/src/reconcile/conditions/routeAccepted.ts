import {
  ClusterReading,
  GatewayFact,
  HttpRouteFact,
  IngressFact,
  RouteParentReference,
} from '../../model';
import { kindUnknown } from '../readability';
import { Verdict, verdict, worst } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'RouteAccepted';

/** Whether each route of the preview is served by at least one parent; absent where it has no route. */
export function routeAccepted(context: PolicyContext): Verdict | undefined {
  const { observed, now, settings, wanted } = context;
  if (!wanted || observed.applications.length === 0) {
    return undefined;
  }
  const verdicts = observed.namespaces.flatMap(
    ({ cluster, httpRoutes, ingresses }) => {
      const options = { now, settings };
      const unreadRoutes = kindUnknown(TYPE, cluster, 'httpRoutes', options);
      const unreadIngresses = kindUnknown(TYPE, cluster, 'ingresses', options);
      const known = [
        ...httpRoutes.map(route => unreadRoutes ?? ofHttpRoute(route, cluster)),
        ...ingresses.map(ingress => unreadIngresses ?? ofIngress(ingress)),
      ];
      // One kind that cannot be read does not hide what the other one says.
      const unread = unreadRoutes ?? unreadIngresses;
      return known.length > 0 || !unread ? known : [unread];
    },
  );
  return worst(TYPE, verdicts);
}

function ofIngress({ meta, addressed }: IngressFact): Verdict {
  const route = `Ingress ${meta.name}`;
  return addressed
    ? verdict(TYPE, 'True', 'Accepted', { route, parents: [] })
    : verdict(TYPE, 'False', 'Pending', { route });
}

/**
 * One accepted parent is enough; another one that refuses is worth a warning.
 * Only the parents that the spec names count, at the route's own generation.
 */
export function ofHttpRoute(
  route: HttpRouteFact,
  cluster: ClusterReading,
): Verdict {
  const verdicts = route.parentRefs.map(parent => ({
    parent,
    verdict: ofParent(route, parent, cluster),
  }));
  const accepted = verdicts.filter(item => item.verdict.status === 'True');
  const refused = verdicts.filter(
    item =>
      item.verdict.status === 'False' && item.verdict.reason !== 'Pending',
  );
  const name = `HTTPRoute ${route.meta.name}`;
  if (accepted.length > 0) {
    return refused.length > 0
      ? verdict(TYPE, 'True', 'AcceptedByOneParent', {
          route: name,
          parent: parentName(accepted[0].parent),
          refusedBy: parentName(refused[0].parent),
        })
      : verdict(TYPE, 'True', 'Accepted', {
          route: name,
          parents: accepted.map(item => parentName(item.parent)),
        });
  }
  return (
    worst(
      TYPE,
      verdicts.map(item => item.verdict),
    ) ?? verdict(TYPE, 'False', 'Pending', { route: name })
  );
}

function ofParent(
  route: HttpRouteFact,
  parent: RouteParentReference,
  cluster: ClusterReading,
): Verdict {
  const name = `HTTPRoute ${route.meta.name}`;
  const parentText = parentName(parent);
  const entries = route.parents.filter(({ ref }) => isSameParent(ref, parent));
  const verdicts = entries.map(({ conditions }) => {
    const current = conditions.filter(
      ({ observedGeneration }) =>
        observedGeneration === undefined ||
        route.meta.generation === undefined ||
        observedGeneration >= route.meta.generation,
    );
    const accepted = current.find(({ type }) => type === 'Accepted');
    if (
      !accepted ||
      accepted.reason === 'Pending' ||
      accepted.status === 'Unknown'
    ) {
      return verdict(TYPE, 'False', 'Pending', { route: name });
    }
    if (accepted.status === 'False') {
      return refusal(route, parentText, accepted);
    }
    const resolved = current.find(({ type }) => type === 'ResolvedRefs');
    if (resolved?.status === 'False') {
      const error = resolved.message ?? resolved.reason ?? '';
      return resolved.reason === 'RefNotPermitted'
        ? verdict(TYPE, 'False', 'ReferenceNotPermitted', {
            route: name,
            error,
          })
        : verdict(TYPE, 'False', 'BackendNotFound', { route: name, error });
    }
    const listener = unprogrammedListener(route, parent, cluster);
    return listener !== undefined
      ? verdict(TYPE, 'False', 'ListenerNotProgrammed', {
          route: name,
          parent: parentText,
          listener,
        })
      : verdict(TYPE, 'True', 'Accepted', {
          route: name,
          parents: [parentText],
        });
  });
  // Several controllers may answer for one parent; one that accepts is enough.
  return (
    verdicts.find(({ status }) => status === 'True') ??
    worst(TYPE, verdicts) ??
    verdict(TYPE, 'False', 'Pending', { route: name })
  );
}

function refusal(
  route: HttpRouteFact,
  parent: string,
  { reason, message }: { reason?: string; message?: string },
): Verdict {
  const name = `HTTPRoute ${route.meta.name}`;
  switch (reason) {
    case 'NotAllowedByListeners':
      return verdict(TYPE, 'False', 'NotAllowedByListeners', {
        route: name,
        parent,
      });
    case 'NoMatchingListenerHostname':
      return verdict(TYPE, 'False', 'NoMatchingHost', {
        route: name,
        parent,
        hosts: route.hostnames,
      });
    case 'NoMatchingParent':
      return verdict(TYPE, 'False', 'NoMatchingParent', {
        route: name,
        parent,
      });
    default:
      return verdict(TYPE, 'False', 'NotAccepted', {
        route: name,
        parent,
        code: reason ?? '',
        error: message ?? '',
      });
  }
}

function parentName({
  kind,
  namespace,
  name,
  sectionName,
}: RouteParentReference): string {
  return `${kind} ${namespace}/${name}${
    sectionName ? ` (${sectionName})` : ''
  }`;
}

function isSameParent(
  a: RouteParentReference,
  b: RouteParentReference,
): boolean {
  return (
    a.kind === b.kind &&
    a.namespace === b.namespace &&
    a.name === b.name &&
    (a.sectionName ?? '') === (b.sectionName ?? '') &&
    (a.port ?? 0) === (b.port ?? 0)
  );
}

/** Name of the route's listener when none that it could use is programmed; a Gateway that is not read says nothing. */
function unprogrammedListener(
  route: HttpRouteFact,
  parent: RouteParentReference,
  cluster: ClusterReading,
): string | undefined {
  const gateway = cluster.kinds.gateways.objects.get(
    `${parent.namespace}/${parent.name}`,
  );
  if (parent.kind !== 'Gateway' || !gateway) {
    return undefined;
  }
  const listeners = listenersFor(route, parent, gateway);
  const broken = listeners.filter(({ conditions }) =>
    conditions.some(
      ({ type, status }) => type === 'Programmed' && status === 'False',
    ),
  );
  return listeners.length > 0 && broken.length === listeners.length
    ? broken[0].name
    : undefined;
}

/** Listeners of a Gateway that a route can attach to by section, port and host. */
export function listenersFor(
  route: HttpRouteFact,
  parent: RouteParentReference,
  gateway: GatewayFact,
): GatewayFact['listeners'] {
  return gateway.listeners.filter(
    ({ name, port, hostname, protocol }) =>
      (parent.sectionName === undefined || parent.sectionName === name) &&
      (parent.port === undefined || parent.port === port) &&
      (protocol === 'HTTP' || protocol === 'HTTPS') &&
      (hostname === undefined ||
        route.hostnames.length === 0 ||
        route.hostnames.some(host => hostMatches(hostname, host))),
  );
}

function hostMatches(listener: string, host: string): boolean {
  const [a, b] = [listener.toLowerCase(), host.toLowerCase()];
  return a === b || (a.startsWith('*.') && b.endsWith(a.slice(1)));
}
