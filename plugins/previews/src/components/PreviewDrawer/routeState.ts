import {
  findReason,
  ProbeSummary,
  RouteSummary,
} from '@previews/backstage-plugin-previews-common';
import { Tone } from '../shared';

/** What became of a route, as far as its reader is concerned. */
export type RouteState =
  | 'accepted'
  | 'warning'
  | 'retired'
  | 'waiting'
  | 'blocked'
  | 'unknown';

export const routeTones: Record<RouteState, Tone> = {
  accepted: 'good',
  warning: 'warning',
  retired: 'warning',
  waiting: 'moving',
  blocked: 'bad',
  unknown: 'neutral',
};

export function routeStateOf({ accepted, reason }: RouteSummary): RouteState {
  if (reason === 'AcceptedByRetired') {
    return 'retired';
  }
  const effect = reason && findReason('RouteAccepted', reason)?.effect;
  switch (accepted) {
    case 'True':
      return effect === 'warning' ? 'warning' : 'accepted';
    case 'False':
      // A reason of a newer backend: False needs looking at until it is known.
      return effect === 'waiting' ? 'waiting' : 'blocked';
    default:
      return 'unknown';
  }
}

/** What a visit of the portal found. */
export type ProbeState = 'answers' | 'warning' | 'unknown';

export const probeTones: Record<ProbeState, Tone> = {
  answers: 'good',
  warning: 'warning',
  unknown: 'neutral',
};

export function probeStateOf({ status, reason }: ProbeSummary): ProbeState {
  if (status === 'Unknown') {
    return 'unknown';
  }
  return status === 'True' &&
    findReason('Reachable', reason)?.effect !== 'warning'
    ? 'answers'
    : 'warning';
}
