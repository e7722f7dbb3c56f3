import {
  conditionTypes,
  Transition,
} from '@previews/backstage-plugin-previews-common';

/** Not waited for, or not on the way to a preview that serves. */
const UNTIMED: readonly string[] = [
  'MergeRequestOpen',
  'Selected',
  'Reachable',
];

/** Steps whose duration people wait for. */
const TIMED: ReadonlySet<string> = new Set(
  conditionTypes.filter(type => !UNTIMED.includes(type)),
);

const SAMPLES_KEPT = 20;
const SAMPLES_NEEDED = 3;
/** Longer than this, something was wrong, and waiting for it is not usual. */
const LONGEST_SECONDS = 6 * 3600;
/** Coarse, so that one more sample does not change every row. */
const STEP_SECONDS = 5;

/** Seconds by condition type. */
export type Durations = Partial<Record<string, number>>;

/**
 * How long the steps of a service's previews usually take: the median of the
 * last ones, from the first word that a step is not done to its being done.
 */
export class UsualDurations {
  readonly #waiting = new Map<string, Map<string, number>>();
  readonly #samples = new Map<string, Map<string, number[]>>();

  /**
   * Takes up transitions in the order in which they happened.
   *
   * @param serviceOf - the service that a preview belongs to, by the preview's id.
   */
  add(
    transitions: readonly Pick<
      Transition,
      'previewId' | 'kind' | 'type' | 'to' | 'at'
    >[],
    serviceOf: (previewId: string) => string,
  ): void {
    for (const { previewId, kind, type, to, at } of transitions) {
      if (kind === 'head') {
        // What was waited for is now something else.
        this.#waiting.delete(previewId);
      } else if (
        kind === 'condition' &&
        type !== undefined &&
        TIMED.has(type)
      ) {
        this.#take({ previewId, type, to, at: Date.parse(at), serviceOf });
      }
    }
  }

  /** Rounded to 5 seconds; only steps of which enough was seen. */
  of(service: string): Durations {
    const durations: Durations = {};
    for (const [type, samples] of this.#samples.get(service) ?? []) {
      if (samples.length >= SAMPLES_NEEDED) {
        const sorted = [...samples].sort((a, b) => a - b);
        const median = sorted[Math.floor((sorted.length - 1) / 2)];
        durations[type] =
          Math.max(1, Math.round(median / STEP_SECONDS)) * STEP_SECONDS;
      }
    }
    return durations;
  }

  #take(step: {
    previewId: string;
    type: string;
    to: string;
    at: number;
    serviceOf: (previewId: string) => string;
  }) {
    const { previewId, type, to, at } = step;
    const waiting = this.#waiting.get(previewId) ?? new Map<string, number>();
    const since = waiting.get(type);
    if (to !== 'True') {
      if (since === undefined) {
        waiting.set(type, at);
        this.#waiting.set(previewId, waiting);
      }
      return;
    }
    waiting.delete(type);
    if (waiting.size === 0) {
      this.#waiting.delete(previewId);
    }
    const seconds = since === undefined ? undefined : (at - since) / 1000;
    if (seconds !== undefined && seconds > 0 && seconds <= LONGEST_SECONDS) {
      this.#keep(step.serviceOf(previewId), type, seconds);
    }
  }

  #keep(service: string, type: string, seconds: number) {
    const ofService = this.#samples.get(service) ?? new Map<string, number[]>();
    const samples = ofService.get(type) ?? [];
    samples.push(seconds);
    samples.splice(0, Math.max(0, samples.length - SAMPLES_KEPT));
    ofService.set(type, samples);
    this.#samples.set(service, ofService);
  }
}

/**
 * The service of a preview, by its id: all but the iid, since the id is made of
 * host, project and iid.
 */
export function serviceOfPreview(previewId: string): string {
  return previewId.slice(0, previewId.lastIndexOf('-'));
}
