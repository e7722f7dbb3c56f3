/**
 * What a span measures:
 * - `spinUp`: from the MR being wanted to its first serving;
 * - `teardown`: from its being unwanted to nothing being left;
 * - `created`: an environment began to exist; start and end are the same;
 * - `review`: from the MR being opened to its first approval.
 */
export type SpanKind = 'spinUp' | 'teardown' | 'created' | 'review';

/** A stretch of a preview's life that is over, as statistics count it. */
export interface Span {
  previewId: string;
  host: string;
  projectId: number;
  /** Full path of the project when the span ended. */
  project: string;
  kind: SpanKind;
  /** ISO. */
  startedAt: string;
  /** ISO. */
  endedAt: string;
  /** Something was not observed meanwhile: it is counted, and its length is not used. */
  imprecise: boolean;
  /** Seconds by stage; together they are the span. Empty where there are no stages. */
  stages: Record<string, number>;
}

/** A time in which something went unobserved for longer than a minute. */
export interface ObservationGap {
  /** `*` for everything, `gitlab:<host>/<project id>` or `cluster:<name>`. */
  scope: string;
  /** ISO. */
  startedAt: string;
  /** ISO. */
  endedAt: string;
}
