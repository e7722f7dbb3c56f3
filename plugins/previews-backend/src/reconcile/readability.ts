import {
  ConditionType,
  ReasonParams,
} from '@previews/backstage-plugin-previews-common';
import {
  ClusterReading,
  DnsZoneReading,
  KindName,
  KindReading,
  ProjectReading,
} from '../model';
import { DecisionSettings } from './settings';
import { hasElapsed } from './time';
import { Verdict } from './verdict';

/** API groups of the kinds, as a cluster's answer names them. */
const GROUPS: Record<KindName, string> = {
  applications: 'argoproj.io',
  applicationSets: 'argoproj.io',
  namespaces: '',
  deployments: 'apps',
  statefulSets: 'apps',
  replicaSets: 'apps',
  pods: '',
  certificates: 'cert-manager.io',
  certificateRequests: 'cert-manager.io',
  orders: 'acme.cert-manager.io',
  challenges: 'acme.cert-manager.io',
  issuers: 'cert-manager.io',
  clusterIssuers: 'cert-manager.io',
  acmeEvents: '',
  httpRoutes: 'gateway.networking.k8s.io',
  gateways: 'gateway.networking.k8s.io',
  listenerSets: 'gateway.networking.k8s.io',
  ingresses: 'networking.k8s.io',
};

/** The kinds as a sentence names them. */
const NAMES: Record<KindName, string> = {
  applications: 'Applications',
  applicationSets: 'ApplicationSets',
  namespaces: 'Namespaces',
  deployments: 'Deployments',
  statefulSets: 'StatefulSets',
  replicaSets: 'ReplicaSets',
  pods: 'Pods',
  certificates: 'Certificates',
  certificateRequests: 'CertificateRequests',
  orders: 'Orders',
  challenges: 'Challenges',
  issuers: 'Issuers',
  clusterIssuers: 'ClusterIssuers',
  acmeEvents: 'Events',
  httpRoutes: 'HTTPRoutes',
  gateways: 'Gateways',
  listenerSets: 'ListenerSets',
  ingresses: 'Ingresses',
};

function unknown(
  _type: ConditionType,
  reason: string,
  params: ReasonParams,
): Verdict {
  return { status: 'Unknown', reason, params };
}

/**
 * Why nothing can be concluded from a kind's objects or their absence, or
 * undefined when the reading is complete and fresh. A kind that is not installed
 * is complete: there are none.
 */
export function kindUnknown(
  type: ConditionType,
  cluster: ClusterReading,
  kind: KindName,
  options: { now: string; settings: DecisionSettings },
): Verdict | undefined {
  const reading: KindReading<unknown> = cluster.kinds[kind];
  const source = cluster.sourceId;
  switch (reading.state) {
    case 'notInstalled':
      return undefined;
    case 'notObserved':
      return unknown(type, 'NotObserved', { what: NAMES[kind] });
    case 'forbidden':
      return unknown(type, 'KindForbidden', {
        kind,
        group: GROUPS[kind],
        cluster: cluster.cluster,
      });
    case 'pending':
      return reading.error
        ? unknown(type, 'SourceUnavailable', {
            source,
            since: reading.error.since,
          })
        : unknown(type, 'NotReadYet', { source });
    default:
      return isStale(
        reading.completeAt,
        options.settings.clusterStaleAfterSeconds,
        options.now,
      )
        ? unknown(type, 'SourceUnavailable', {
            source,
            ...(reading.completeAt && { since: reading.completeAt }),
          })
        : undefined;
  }
}

/**
 * Why nothing can be concluded from a zone's records or their absence, or undefined
 * when it was read completely and lately.
 */
export function zoneUnknown(
  type: ConditionType,
  { sourceId: source, completeAt, error, staleAfterSeconds }: DnsZoneReading,
  options: { now: string },
): Verdict | undefined {
  if (completeAt === undefined) {
    return error
      ? unknown(type, 'SourceUnavailable', { source, since: error.since })
      : unknown(type, 'NotReadYet', { source });
  }
  return isStale(completeAt, staleAfterSeconds, options.now)
    ? unknown(type, 'SourceUnavailable', { source, since: completeAt })
    : undefined;
}

/**
 * Why nothing can be concluded about a project's MRs, or undefined when its
 * list was read completely and lately.
 */
export function projectUnknown(
  type: ConditionType,
  project: ProjectReading | undefined,
  options: { host: string; now: string; settings: DecisionSettings },
): Verdict | undefined {
  const source = `gitlab:${options.host}`;
  if (!project) {
    return unknown(type, 'NotReadYet', { source });
  }
  if (
    project.state === 'forbidden' ||
    (project.state !== 'ready' && isDefinitive(project.status))
  ) {
    return unknown(type, 'ProjectNotReadable', {
      project: project.fact.path,
      status: project.status ?? 403,
    });
  }
  if (project.state === 'pending') {
    return project.error
      ? unknown(type, 'SourceUnavailable', {
          source,
          since: project.error.since,
        })
      : unknown(type, 'NotReadYet', { source });
  }
  return isStale(
    project.completeAt,
    options.settings.gitlabStaleAfterSeconds,
    options.now,
  )
    ? unknown(type, 'SourceUnavailable', {
        source,
        ...(project.completeAt && { since: project.completeAt }),
      })
    : undefined;
}

/** An answer that waiting does not change: lost access, which GitLab words as 401, 403 or 404. */
function isDefinitive(status: number | undefined): boolean {
  return status === 401 || status === 403 || status === 404;
}

function isStale(
  completeAt: string | undefined,
  afterSeconds: number,
  now: string,
): boolean {
  return completeAt === undefined || hasElapsed(completeAt, now, afterSeconds);
}
