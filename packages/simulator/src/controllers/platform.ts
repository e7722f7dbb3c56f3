import type { AcmeServer } from '../acme/acmeServer';
import type { DnsZones } from '../aws/zones';
import type { Clock } from '../clock';
import type { GitLabState } from '../gitlab/state';
import type { Cluster } from '../kubernetes';
import type { Random } from '../random';
import type { Activity } from './activity';
import type { PlatformFaults } from './faults';

/** A cluster as Argo CD knows it. */
export interface PlatformCluster {
  name: string;
  /** URL of its API server, as `spec.destination.server` names it. */
  url: string;
  cluster: Cluster;
}

/** How long things take, in milliseconds at speed 1. */
export interface Delays {
  pipelinePending: number;
  pipelineStart: number;
  pipelineRun: number;
  applicationSetWebhook: number;
  applicationRefresh: number;
  applicationSync: number;
  applicationDelete: number;
  imagePull: number;
  containerStart: number;
  certificateRequest: number;
  challengePresent: number;
  challengePropagation: number;
  certificateIssue: number;
  /** After a first failed issuance; doubles with each further one. */
  certificateBackOff: number;
  /** After DNS refused a challenge; doubles with each further time. */
  challengeRetry: number;
  externalDns: number;
  routeAccept: number;
}

export const defaultDelays: Delays = {
  pipelinePending: 1000,
  pipelineStart: 2000,
  pipelineRun: 20_000,
  applicationSetWebhook: 500,
  applicationRefresh: 120_000,
  applicationSync: 2000,
  applicationDelete: 5000,
  imagePull: 2000,
  containerStart: 8000,
  certificateRequest: 1000,
  challengePresent: 2000,
  challengePropagation: 14_000,
  certificateIssue: 2000,
  certificateBackOff: 3_600_000,
  challengeRetry: 5000,
  externalDns: 2000,
  routeAccept: 1000,
};

/** What every controller works with. */
export interface Platform {
  clock: Clock;
  random: Random;
  activity: Activity;
  faults: PlatformFaults;
  delays: Delays;
  gitlab: GitLabState;
  acme: AcmeServer;
  /** Hosted zones that cert-manager and external-dns write to. */
  dns: DnsZones;
  /** What the secret store holds, by key or `key#property`. */
  secrets: Map<string, string>;
  /** The first one runs Argo CD. */
  clusters: PlatformCluster[];
}

/** `2026-01-31T12:00:00Z`, as Kubernetes writes times. */
export function kubernetesTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** A condition of a status. */
export interface StatusCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime?: string;
  [field: string]: unknown;
}

/** Sets a condition; the transition time changes with the status only. */
export function setCondition(
  conditions: StatusCondition[] | undefined,
  condition: StatusCondition,
  now: Date,
): StatusCondition[] {
  const all = conditions ?? [];
  const previous = all.find(known => known.type === condition.type);
  const next: StatusCondition = {
    ...condition,
    lastTransitionTime:
      previous?.status === condition.status
        ? previous.lastTransitionTime
        : kubernetesTime(now),
  };
  return previous
    ? all.map(known => (known === previous ? next : known))
    : [...all, next];
}
