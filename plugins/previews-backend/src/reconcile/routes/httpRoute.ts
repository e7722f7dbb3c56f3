import {
  ClusterReading,
  HttpRouteFact,
  RouteCondition,
  RouteParentReference,
} from '../../model';
import { kindUnknown } from '../readability';
import { DecisionSettings } from '../settings';
import { Verdict, verdict, worst } from '../verdict';
import { conditionOf, gatewayHindrance, setHindrance } from './gatewayState';
import { attachmentOf, listenersFor } from './listeners';
import { isSameParent, parentName } from './parents';

const TYPE = 'RouteAccepted';

interface Options {
  now: string;
  settings: DecisionSettings;
}

/**
 * One accepted parent is enough; another one that refuses is worth a warning.
 * Only the parents that the spec names count, at the route's own generation, and
 * those that accepted this very generation, however they are written in it.
 */
export function ofHttpRoute(
  route: HttpRouteFact,
  cluster: ClusterReading,
  options: Options,
): Verdict {
  const parents = [...route.parentRefs, ...otherwiseAccepted(route)];
  const verdicts = parents.map(parent => ({
    parent,
    verdict: ofParent(route, parent, cluster, options),
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

/** What a controller says of a generation it says of a parent that this generation has. */
function otherwiseAccepted({
  meta,
  parents,
  parentRefs,
}: HttpRouteFact): RouteParentReference[] {
  return parents
    .filter(({ ref, conditions }) => {
      const accepted = conditionOf(conditions, 'Accepted');
      return (
        accepted?.status === 'True' &&
        accepted.observedGeneration !== undefined &&
        accepted.observedGeneration === meta.generation &&
        !parentRefs.some(parent => isSameParent(parent, ref))
      );
    })
    .map(({ ref }) => ref);
}

function ofParent(
  route: HttpRouteFact,
  parent: RouteParentReference,
  cluster: ClusterReading,
  options: Options,
): Verdict {
  const entries = route.parents.filter(({ ref }) => isSameParent(ref, parent));
  const verdicts = entries.map(({ conditions }) =>
    ofEntry(route, parent, cluster, conditions),
  );
  // Several controllers may answer for one parent; one that accepts is enough.
  return (
    verdicts.find(({ status }) => status === 'True') ??
    worst(TYPE, verdicts) ??
    withoutEntry(route, parent, cluster, options)
  );
}

/** A parent that cannot be resolved has no entry: nobody looks after it. */
function withoutEntry(
  route: HttpRouteFact,
  parent: RouteParentReference,
  cluster: ClusterReading,
  options: Options,
): Verdict {
  const name = `HTTPRoute ${route.meta.name}`;
  const attachment = attachmentOf(cluster, parent);
  const hindrance = attachment && setHindrance(route, parent, attachment);
  if (hindrance) {
    return hindrance;
  }
  const missing = missingParent(parent, cluster, options);
  return missing
    ? verdict(TYPE, 'False', 'GatewayMissing', {
        route: name,
        parent: parentName(missing),
      })
    : verdict(TYPE, 'False', 'Pending', { route: name });
}

/** The parent, or the Gateway behind it, that is known not to exist. */
function missingParent(
  parent: RouteParentReference,
  cluster: ClusterReading,
  options: Options,
): RouteParentReference | undefined {
  const isRead = (kind: 'gateways' | 'listenerSets') =>
    !kindUnknown(TYPE, cluster, kind, options);
  const attachment = attachmentOf(cluster, parent);
  if (parent.kind === 'ListenerSet' && attachment) {
    const { gateway } = attachment.listenerSet ?? {};
    return gateway && !attachment.gateway && isRead('gateways')
      ? { kind: 'Gateway', ...gateway }
      : undefined;
  }
  const kind = parent.kind === 'ListenerSet' ? 'listenerSets' : 'gateways';
  return ['Gateway', 'ListenerSet'].includes(parent.kind) &&
    !attachment &&
    isRead(kind)
    ? parent
    : undefined;
}

function ofEntry(
  route: HttpRouteFact,
  parent: RouteParentReference,
  cluster: ClusterReading,
  conditions: readonly RouteCondition[],
): Verdict {
  const name = `HTTPRoute ${route.meta.name}`;
  const current = conditions.filter(
    ({ observedGeneration }) =>
      observedGeneration === undefined ||
      route.meta.generation === undefined ||
      observedGeneration >= route.meta.generation,
  );
  const accepted = conditionOf(current, 'Accepted');
  if (
    !accepted ||
    accepted.reason === 'Pending' ||
    accepted.status === 'Unknown'
  ) {
    return verdict(TYPE, 'False', 'Pending', { route: name });
  }
  if (accepted.status === 'False') {
    return refusal(route, parent, cluster, accepted);
  }
  const resolved = conditionOf(current, 'ResolvedRefs');
  if (resolved?.status === 'False') {
    return unresolved(name, parentName(parent), resolved);
  }
  const attachment = attachmentOf(cluster, parent);
  const hindrance = attachment && gatewayHindrance(route, parent, attachment);
  if (hindrance) {
    return hindrance;
  }
  // Envoy Gateway accepts and resolves such a route, and answers 503.
  const backends = conditionOf(current, 'BackendsAvailable');
  return backends?.status === 'False'
    ? verdict(TYPE, 'False', 'BackendsUnavailable', {
        route: name,
        error: backends.message ?? backends.reason ?? '',
      })
    : verdict(TYPE, 'True', 'Accepted', {
        route: name,
        parents: [parentName(parent)],
      });
}

function unresolved(
  route: string,
  parent: string,
  { reason, message }: RouteCondition,
): Verdict {
  const error = message ?? reason ?? '';
  switch (reason) {
    case 'RefNotPermitted':
      return verdict(TYPE, 'False', 'ReferenceNotPermitted', { route, error });
    case 'InvalidKind':
    case 'UnsupportedProtocol':
      return verdict(TYPE, 'False', 'NotAccepted', {
        route,
        parent,
        code: reason,
        error: message ?? '',
      });
    default:
      return verdict(TYPE, 'False', 'BackendNotFound', { route, error });
  }
}

function refusal(
  route: HttpRouteFact,
  parentReference: RouteParentReference,
  cluster: ClusterReading,
  { reason, message }: RouteCondition,
): Verdict {
  const name = `HTTPRoute ${route.meta.name}`;
  const parent = parentName(parentReference);
  switch (reason) {
    case 'NotAllowedByListeners': {
      const attachment = attachmentOf(cluster, parentReference);
      return verdict(TYPE, 'False', 'NotAllowedByListeners', {
        route: name,
        parent,
        allowed:
          attachment &&
          listenersFor(route, parentReference, attachment.holder)
            .map(({ allowedFrom = 'Same' }) => allowedFrom)
            .find(from => from !== 'All'),
      });
    }
    // Not admitted listeners have no status of their own to look at.
    case 'NoReadyListeners': {
      // Envoy Gateway leaves it to the listeners to tell why.
      const attachment = attachmentOf(cluster, parentReference);
      return (
        (attachment && gatewayHindrance(route, parentReference, attachment)) ??
        verdict(TYPE, 'False', 'NotAccepted', {
          route: name,
          parent,
          code: reason,
          error: message ?? '',
        })
      );
    }
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
