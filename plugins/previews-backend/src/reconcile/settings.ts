import { TimeToLive } from '@previews/backstage-plugin-previews-common';

/** What decisions take from the configuration; all durations in seconds. */
export interface DecisionSettings {
  /** A GitLab reading older than this makes its facts unknown. */
  gitlabStaleAfterSeconds: number;
  /** A cluster reading older than this makes its facts unknown. */
  clusterStaleAfterSeconds: number;
  /** Least time between unwanted and orphaned. */
  minimumGraceSeconds: number;
  /** A deletion that takes longer is shown as stuck. */
  deletionStuckAfterSeconds: number;
  /** A Challenge, or an issuance, that waits longer counts as blocked. */
  challengeBlockedAfterSeconds: number;
  /** How long external-dns and cert-manager have to take records away. */
  dnsGraceSeconds: number;
  /** How long idle previews are kept whose entities do not say, and how long before its end it is near. */
  ttl: { idleSeconds: TimeToLive; warnBeforeSeconds: number };
  /** Hosts below these domains may be opened though no own route names them. */
  allowedDomains: readonly string[];
  /** Argo CD UI by cluster name; `''` for all others. */
  argocdUrls: Readonly<Record<string, string>>;
}

export const defaultSettings: DecisionSettings = {
  gitlabStaleAfterSeconds: 180,
  clusterStaleAfterSeconds: 600,
  minimumGraceSeconds: 900,
  deletionStuckAfterSeconds: 600,
  challengeBlockedAfterSeconds: 1800,
  dnsGraceSeconds: 300,
  ttl: { idleSeconds: 'never', warnBeforeSeconds: 86_400 },
  allowedDomains: [],
  argocdUrls: {},
};
