import { PreviewChange, Span, StoredPreview, World } from '../model';
import { endedSpans, isFirstTrouble, ObservationGaps } from '../stats';
import { LeaseTerm, PreviewStore } from '../store';

/** What the changes of a pass mean beyond the rows they write. */
export interface Consequences {
  /** Written with the changes, in one transaction. */
  spans: Span[];
  /** Previews that fail or are degraded now, for the first time on their head. */
  troubled: StoredPreview[];
  /** Previews whose owners are to be warned of the end of their time to live. */
  nearEnd: StoredPreview[];
}

/**
 * Measures what ends with a pass, for one term. It reads timelines from the store
 * rather than remember them, so that a restart in the midst of a span costs no
 * more than the gap that it makes.
 */
export class Observations {
  static async create(options: {
    store: PreviewStore;
    term: LeaseTerm;
    /** An MR first seen later than this after it was opened was not seen from its beginning. */
    noticedWithinSeconds: number;
  }): Promise<Observations> {
    const { store } = options;
    const [recorded, { reconciledAt }] = await Promise.all([
      store.gaps(),
      store.sources(),
    ]);
    return new Observations(
      options,
      new ObservationGaps({ recorded, lastPassAt: reconciledAt }),
    );
  }

  readonly #store: PreviewStore;
  readonly #term: LeaseTerm;
  readonly #noticedWithinSeconds: number;
  readonly #gaps: ObservationGaps;

  private constructor(
    options: {
      store: PreviewStore;
      term: LeaseTerm;
      noticedWithinSeconds: number;
    },
    gaps: ObservationGaps,
  ) {
    this.#store = options.store;
    this.#term = options.term;
    this.#noticedWithinSeconds = options.noticedWithinSeconds;
    this.#gaps = gaps;
  }

  /**
   * Takes up what a pass saw, before its changes are measured.
   * @throws LeaseLostError
   */
  async observe(world: World, now: string): Promise<void> {
    const ended = this.#gaps.observe(world, now);
    if (ended.length > 0) {
      await this.#store.applyGaps(this.#term, ended);
    }
  }

  /** Forgets gaps that no preview can have lived through any more. */
  forgetBefore(time: string): void {
    this.#gaps.forgetBefore(time);
  }

  async measure(
    changes: readonly PreviewChange[],
    now: string,
  ): Promise<Consequences> {
    const gaps = this.#gaps.at(now);
    const relevant = changes.filter(isRelevant);
    // One that was not stored before has no timeline.
    const timelines = await this.#store.timelines(
      relevant.flatMap(({ before, stored }) =>
        before ? [stored.preview.id] : [],
      ),
    );
    const consequences: Consequences = {
      spans: [],
      troubled: [],
      nearEnd: changes.flatMap(({ before, stored }) => {
        const end = stored.memory.warnedOfEnd;
        const isNews = end !== before?.memory.warnedOfEnd;
        return end !== undefined && isNews ? [stored] : [];
      }),
    };
    for (const { before, stored, transitions } of relevant) {
      const earlier = timelines.get(stored.preview.id) ?? [];
      const timeline = [...earlier, ...transitions];
      const known = earlier.length;
      consequences.spans.push(
        ...endedSpans({
          stored,
          timeline,
          known,
          approvedBefore:
            before?.preview.mergeRequest.approvedAt !== undefined ||
            // One that was taken back since was the first all the same.
            earlier.some(({ kind }) => kind === 'approval'),
          gaps,
          noticedWithinSeconds: this.#noticedWithinSeconds,
        }),
      );
      // What was in trouble before anyone looked is no news.
      if (before && isFirstTrouble({ timeline, known })) {
        consequences.troubled.push(stored);
      }
    }
    return consequences;
  }
}

/** Whether anything in it can end a span or be trouble. */
function isRelevant({ before, stored, transitions }: PreviewChange): boolean {
  return (
    transitions.some(
      ({ kind, type }) => kind === 'phase' || type === 'ApplicationGenerated',
    ) ||
    stored.preview.mergeRequest.approvedAt !==
      before?.preview.mergeRequest.approvedAt
  );
}
