import {
  GatewayFact,
  HttpRouteFact,
  ListenerFact,
  RouteCondition,
  RouteParentReference,
} from '../../model';
import { Verdict, verdict } from '../verdict';
import { listenersFor } from './listeners';
import { parentName } from './parents';

const TYPE = 'RouteAccepted';

/**
 * Why a Gateway does not serve a route that it accepted; undefined when one of
 * the route's listeners is programmed, or none of them tells anything.
 */
export function gatewayHindrance(
  route: HttpRouteFact,
  parent: RouteParentReference,
  gateway: GatewayFact,
): Verdict | undefined {
  const listeners = listenersFor(route, parent, gateway);
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
      const gatewayError = brokenGateway(gateway);
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
function brokenGateway({ conditions }: GatewayFact): string | undefined {
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
