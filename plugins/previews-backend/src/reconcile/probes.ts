import {
  Condition,
  ProbeSummary,
} from '@previews/backstage-plugin-previews-common';
import { ProbeTarget, ReachabilityReading } from '../model';
import { reachableVerdict } from './conditions/reachable';
import type { Decision } from './decide';
import type { Observed, ObservedNamespace } from './gather';
import { englishSentence } from './sentence';
import { isBelow, secureHosts } from './urls';

const TYPE = 'Reachable';

/** A preview has a few hosts; one with hundreds is not to keep the portal busy. */
const MAXIMUM_HOSTS = 5;

/** What else has to change for a host to be worth a visit before its time. */
const LEADS_TO_VISIT = ['Available', 'CertificateReady', 'RouteAccepted'];

/** Hosts of the preview's own routes that are to be visited; none where nothing is. */
export function probeHostsOf(
  namespaces: readonly ObservedNamespace[],
  reading: ReachabilityReading | undefined,
): readonly string[] {
  if (!reading) {
    return [];
  }
  return secureHosts(namespaces)
    .filter(host => reading.domains.some(domain => isBelow(host, domain)))
    .slice(0, MAXIMUM_HOSTS);
}

/** What one preview wants visited: its hosts while the condition applies to it. */
export function probeTargetsOf(options: {
  observed: Pick<Observed, 'probeHosts'>;
  decision?: Decision;
}): ProbeTarget[] {
  const { observed, decision } = options;
  if (observed.probeHosts.length === 0 || !decision) {
    return [];
  }
  const { conditions, commit } = decision.change.stored.preview;
  if (!conditions.some(({ type }) => type === TYPE)) {
    return [];
  }
  const state = [
    commit.running ?? '',
    ...conditions
      .filter(({ type }) => LEADS_TO_VISIT.includes(type))
      .map(({ type, status, since }) => `${type} ${status} ${since}`),
  ].join(', ');
  return observed.probeHosts.map(host => ({ host, state }));
}

/** Targets of all previews; hosts that several of them have are visited once. */
export function mergedTargets(
  targets: readonly ProbeTarget[],
): readonly ProbeTarget[] {
  const states = new Map<string, string>();
  for (const { host, state } of targets) {
    const known = states.get(host);
    states.set(host, known === undefined ? state : `${known}; ${state}`);
  }
  return [...states].map(([host, state]) => ({ host, state }));
}

/**
 * What the visits found, host by host. After a take-over what was found before
 * stays until the host is visited again.
 */
export function probeSummaries(
  { probeHosts, index }: Pick<Observed, 'probeHosts' | 'index'>,
  options: {
    conditions: readonly Condition[];
    previous: readonly ProbeSummary[] | undefined;
  },
): ProbeSummary[] {
  const { conditions, previous = [] } = options;
  if (!conditions.some(({ type }) => type === TYPE)) {
    return [];
  }
  return probeHosts.flatMap(host => {
    const observation = index.probeOf(host);
    if (!observation) {
      return previous.find(former => former.host === host) ?? [];
    }
    const { observedAt, milliseconds, certificate } = observation;
    const { status, reason, params } = reachableVerdict(host, observation);
    return {
      host,
      observedAt,
      status,
      reason,
      params,
      message: englishSentence(TYPE, reason, params),
      ...(milliseconds !== undefined && { milliseconds }),
      ...(certificate && { certificate }),
    };
  });
}
