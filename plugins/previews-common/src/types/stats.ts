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
}
