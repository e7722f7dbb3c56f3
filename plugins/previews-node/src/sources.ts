import { createExtensionPoint } from '@backstage/backend-plugin-api';
import { PreviewsSubject } from './subject';

/**
 * A further source: where facts about previews come from that the plugin does not
 * read by itself. It concludes nothing; conditions do, see
 * {@link PreviewsConditionProvider}.
 *
 * @public
 */
export interface PreviewsSourceProvider<Facts = unknown> {
  /**
   * Unique; lower-case letters, digits and dashes, at most 40. It is shown as the
   * source's name.
   */
  id: string;
  /** From the end of a reading to the next one. Default 60, at least 10. */
  everySeconds?: number;
  /** When a reading is given up. Default 30, at most 300. */
  timeoutSeconds?: number;
  /**
   * Reads the facts of previews, on one replica at a time. What it does not have
   * of a preview is left out. To reject means that nothing could be read: then what
   * was read before stands until it is stale, after three times `everySeconds`.
   *
   * @returns facts by the id of the preview: JSON, at most 16 kB each.
   */
  read(request: {
    /** All previews that have not ended, as they were decided last. */
    previews: readonly PreviewsSubject[];
    /** ISO 8601 UTC. */
    now: string;
    /** Aborted when the reading is given up, or no longer this replica's to do. */
    signal: AbortSignal;
  }): Promise<ReadonlyMap<string, Facts>>;
}

/**
 * Adds further sources.
 *
 * @public
 */
export interface PreviewsSourcesExtensionPoint {
  /** An id that is taken or malformed stops the start. */
  addSource<Facts>(source: PreviewsSourceProvider<Facts>): void;
}

/**
 * Extension point of the plugin `previews` for further sources.
 *
 * @public
 */
export const previewsSourcesExtensionPoint =
  createExtensionPoint<PreviewsSourcesExtensionPoint>({
    id: 'previews.sources',
  });
