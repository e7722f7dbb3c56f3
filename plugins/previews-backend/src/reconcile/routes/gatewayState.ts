import {
  HttpRouteFact,
  ListenerFact,
  ListenerSetFact,
  RouteCondition,
  RouteParentReference,
} from '../../model';
import { Verdict, verdict } from '../verdict';
import { Attachment, listenersFor } from './listeners';
import { parentName } from './parents';

const TYPE = 'RouteAccepted';

/**
 * Why a Gateway does not serve a route that it accepted; undefined when one of
 * the route's listeners is programmed, or none of them tells anything.
 */
export function gatewayHindrance(
  route: HttpRouteFact,
  parent: RouteParentReference,
  attachment: Attachment,
): Verdict | undefined {
  return (
    setHindrance(route, parent, attachment) ??
    listenerHindrance(route, parent, attachment)
  );
}

/** What keeps a ListenerSet as a whole from adding to its Gateway. */
export function setHindrance(
  { meta }: HttpRouteFact,
  parent: RouteParentReference,
  { listenerSet, gateway }: Attachment,
): Verdict | undefined {
  if (!listenerSet?.gateway) {
    return undefined;
  }
  const route = `HTTPRoute ${meta.name}`;
  const ofGateway = parentName({ kind: 'Gateway', ...listenerSet.gateway });
  const { conditions } = listenerSet;
  const refusal = currentOf(listenerSet, conditionOf(conditions, 'Accepted'));
  if (refusal?.status === 'False' && refusal.reason === 'NotAllowed') {
    return verdict(TYPE, 'False', 'ListenersNotAdmitted', {
      route,
      parent: parentName({ ...parent, sectionName: undefined }),
      gateway: ofGateway,
    });
  }
  const error = gateway && brokenGateway(gateway);
  return error === undefined
    ? undefined
    : verdict(TYPE, 'False', 'GatewayNotProgrammed', {
        route,
        parent: ofGateway,
        error,
      });
}

/** A condition that speaks of the current generation. */
function currentOf(
  { meta }: ListenerSetFact,
  condition: RouteCondition | undefined,
): RouteCondition | undefined {
  const { observedGeneration } = condition ?? {};
  return observedGeneration === undefined ||
    meta.generation === undefined ||
    observedGeneration >= meta.generation
    ? condition
    : undefined;
}

function listenerHindrance(
  route: HttpRouteFact,
  parent: RouteParentReference,
  { holder }: Attachment,
): Verdict | undefined {
  const listeners = listenersFor(route, parent, holder);
  const states = listeners.map(listener => stateOf(listener));
  if (listeners.length === 0 || states.some(state => state === 'serving')) {
    return undefined;
  }
  const base = {
    route: `HTTPRoute ${route.meta.name}`,
    parent: parentName(parent),
  };
  const worstFirst = [
    'conflicted',
    'certificate',
    'broken',
    'pending',
  ] as const;
  const state = worstFirst.find(one => states.includes(one))!;
  const listener = listeners[states.indexOf(state)];
  const ofListener = { ...base, listener: listener.name };
  switch (state) {
    case 'conflicted':
      return verdict(TYPE, 'False', 'ListenerConflicted', ofListener);
    case 'certificate':
      return verdict(TYPE, 'False', 'ListenerCertificateInvalid', {
        ...ofListener,
        error: messageOf(conditionOf(listener.conditions, 'ResolvedRefs')),
      });
    case 'broken':
      return verdict(TYPE, 'False', 'ListenerNotProgrammed', ofListener);
    default: {
      const gatewayError = brokenGateway(holder);
      return gatewayError === undefined
        ? verdict(TYPE, 'False', 'ListenerPending', ofListener)
        : verdict(TYPE, 'False', 'GatewayNotProgrammed', {
            ...base,
            error: gatewayError,
          });
    }
  }
}

/** `serving` also where an older controller has no such condition. */
function stateOf({
  conditions,
}: ListenerFact):
  | 'serving'
  | 'conflicted'
  | 'certificate'
  | 'broken'
  | 'pending' {
  const is = (type: string, status: string) =>
    conditionOf(conditions, type)?.status === status;
  if (is('Conflicted', 'True')) {
    return 'conflicted';
  }
  if (is('Programmed', 'True') && !is('Accepted', 'False')) {
    // Other references than those of this route may be what is not resolved.
    return 'serving';
  }
  if (is('ResolvedRefs', 'False')) {
    return 'certificate';
  }
  if (is('Programmed', 'False') || is('Accepted', 'False')) {
    return 'broken';
  }
  return is('Programmed', 'Unknown') ? 'pending' : 'serving';
}

/** What the Gateway as a whole says is wrong. */
function brokenGateway({
  conditions,
}: Attachment['holder']): string | undefined {
  const broken = ['Accepted', 'Programmed']
    .map(type => conditionOf(conditions, type))
    .find(condition => condition?.status === 'False');
  return broken && messageOf(broken);
}

function messageOf(condition: RouteCondition | undefined): string {
  return condition?.message ?? condition?.reason ?? '';
}

export function conditionOf(
  conditions: readonly RouteCondition[],
  type: string,
): RouteCondition | undefined {
  return conditions.find(condition => condition.type === type);
}
