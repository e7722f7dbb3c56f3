/** @public */
export interface StatsRequest {
  /** Only previews of this entity, such as `component:default/shop`. */
  entityRef?: string;
  /** ISO 8601 UTC; what ended from then on. Default: 90 days before `to`. */
  from?: string;
  /** ISO 8601 UTC; what ended before then. Default: now. */
  to?: string;
}

/**
 * How long one stage took, over the spans that percentiles are made of.
 *
 * @public
 */
export interface StageStatistics {
  /**
   * A {@link Phase}, or `Noticing`: from the beginning by GitLab's clock until
   * the portal saw it.
   */
  stage: string;
  /** A span without the stage counts as 0 seconds. */
  p50Seconds: number;
  /** A span without the stage counts as 0 seconds. */
  p95Seconds: number;
  /** Part of the time of all spans together, 0 to 1. */
  share: number;
}

/**
 * How long something took, over all that ended in the range. Percentiles are
 * spans that were there (nearest rank), in seconds.
 *
 * @public
 */
export interface DurationStatistics {
  /** All that ended, the imprecise ones included. */
  count: number;
  /** How many are left out of the percentiles, since something was not observed meanwhile. */
  imprecise: number;
  /** Absent when nothing precise is left. */
  p50Seconds?: number;
  p95Seconds?: number;
  /** The longest share first; empty for what has no stages. */
  stages: StageStatistics[];
}

/**
 * How many environments began to exist.
 *
 * @public
 */
export interface VolumeStatistics {
  total: number;
  /** From the first week that has any to the last, without a hole. */
  weeks: {
    /** The Monday on which the week begins in UTC, such as `2026-11-23`. */
    weekStart: string;
    count: number;
  }[];
}

/** @public */
export interface PreviewStatistics {
  /**
   * From the later of the MR being opened, reopened and selected by an
   * ApplicationSet to its first being `Live`.
   */
  spinUp: DurationStatistics;
  /** From no ApplicationSet wanting it to nothing being left. */
  teardown: DurationStatistics;
  created: VolumeStatistics;
  /** From the MR being opened to its first approval; absent where no approval is known. */
  reviewLeadTime?: DurationStatistics;
}

/** @public */
export interface ServiceStatistics extends PreviewStatistics {
  host: string;
  projectId: number;
  /** Full path, as it was last known. */
  project: string;
}

/**
 * How far a limit of a certificate authority is used:
 * - `ok`: enough is left;
 * - `low`: little is left, or it runs out within days at the pace of the week;
 * - `spent`: nothing is left, or the authority itself refused and said until when.
 *
 * @public
 */
export const certificateBudgetStates = ['ok', 'low', 'spent'] as const;

/** @public */
export type CertificateBudgetState = (typeof certificateBudgetStates)[number];

/**
 * A limit of a certificate authority as a bucket of permits, of which each certificate
 * takes one, and to which one comes back at a steady pace.
 *
 * @public
 */
export interface CertificateBudget {
  state: CertificateBudgetState;
  /** How many the full bucket has, such as 50. */
  limit: number;
  /** `limit` without `left`. */
  used: number;
  /** Whole certificates that may be issued now. */
  left: number;
  /** Seconds until one comes back. */
  refillSeconds: number;
  /** ISO 8601 UTC: when the next one is back; absent while the bucket is full. */
  nextRefillAt?: string;
  /** ISO 8601 UTC: when all are back if none is issued; absent while the bucket is full. */
  fullAt?: string;
  /** ISO 8601 UTC: the authority refused, and will until then. It outranks what was counted. */
  refusedUntil?: string;
}

/**
 * The limit of certificates of one exact set of names, which counts renewals too.
 *
 * @public
 */
export interface NameSetBudget extends CertificateBudget {
  /** Sorted. */
  names: string[];
}

/**
 * The limit of new certificates of one registered domain, over all that share the domain.
 * Renewals of the same names do not count.
 *
 * @public
 */
export interface DomainBudget extends CertificateBudget {
  /** By the public suffix list, private suffixes included. */
  domain: string;
  /** Host of the ACME directory; absent where no issuer could be read. */
  server?: string;
  /** New certificates of the last 7 days. */
  issuedLastWeek: number;
  /** New certificates in 7 days at the pace of the last days. */
  weeklyPace: number;
  /** ISO 8601 UTC, to the hour: when nothing is left at that pace; absent where the pace can go on. */
  runsOutAt?: string;
  /** A wildcard such as `*.preview.example.com` that would take its place; only where it is time for it. */
  advisedWildcard?: string;
  /** Sets of names that had several certificates, those with the fewest left first; at most 20. */
  nameSets: NameSetBudget[];
}

/**
 * What is left of the limits of certificate authorities, for domains of which the caller
 * may see a preview with a certificate of its own.
 *
 * @public
 */
export interface CertificateBudgets {
  /** Those with the smallest part left first; at most 50. */
  domains: DomainBudget[];
  /**
   * Not all certificates of the last 7 days are known: a cluster is not read, or was not
   * read for over an hour. At least what is said is used then.
   */
  atLeast: boolean;
  /** ISO 8601 UTC: since when certificates are remembered; absent before the first reading. */
  observedSince?: string;
}

/** @public */
export interface StatsResponse {
  /** ISO 8601 UTC, included. */
  from: string;
  /** ISO 8601 UTC, not included. */
  to: string;
  overall: PreviewStatistics;
  /** A project each, those with the most environments first; at most 200. */
  services: ServiceStatistics[];
  /** Number of projects, also of those that `services` leaves out. */
  totalServices: number;
  /** As of now, whatever the range. */
  certificateBudget: CertificateBudgets;
}
