/**
 * How long an idle preview is kept.
 *
 * @public
 */
export interface PreviewTtl {
  /** ISO 8601 UTC: latest activity of the merge request that counts. */
  idleSince: string;
  /** ISO 8601 duration that applies. */
  duration: string;
  /** Where the duration is from. */
  from: 'annotation' | 'configuration';
  /** ISO 8601 UTC: when it is due to be reclaimed. */
  expiresAt: string;
  /** Whether that is near enough to warn of. */
  near: boolean;
}
