import { DomainBudget } from '@previews/backstage-plugin-previews-common';
import { Span, StoredPreview } from '../model';

/** Told by the writer of what it did; signals, metrics and notifications begin there. */
export interface ChangeListener {
  /** Rows were written, of these entities. */
  previewsChanged(entityRefs: readonly string[]): void;
  /** Spans were written. */
  spansEnded?(spans: readonly Span[]): void;
  /** These previews fail or are degraded now, for the first time on their head. */
  previewsTroubled?(previews: readonly StoredPreview[]): void;
  /** The time to live of these is about to end, or has ended: told once of each end. */
  previewsNearEnd?(previews: readonly StoredPreview[]): void;
  /**
   * The certificates of a domain run out, or have; at most once a day for each.
   *
   * @param entityRefs - those whose previews have certificates of the domain.
   */
  certificatesRunOut?(
    budget: DomainBudget,
    entityRefs: readonly string[],
  ): void;
  /** A pass is over, from reading what is known to the last row. */
  passEnded?(pass: {
    seconds: number;
    outcome: 'done' | 'failed';
    /** All previews, or those that changes can matter to. */
    over: 'everything' | 'changes';
  }): void;
}
