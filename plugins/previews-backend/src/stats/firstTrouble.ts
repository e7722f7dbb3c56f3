import { TimelineEvent } from './endedSpans';

const TROUBLE: ReadonlySet<string> = new Set(['Failed', 'Degraded']);

/**
 * Whether the newest transitions bring the first trouble of the head: it fails or
 * is degraded now, and has not been either since the head was pushed.
 */
export function isFirstTrouble(options: {
  /** All transitions of the preview, the oldest first. */
  timeline: readonly TimelineEvent[];
  /** How many of them are old. */
  known: number;
}): boolean {
  const { timeline, known } = options;
  const last = timeline.findLastIndex(({ kind }) => kind === 'phase');
  if (last < known || !TROUBLE.has(timeline[last].to)) {
    return false;
  }
  const pushed = timeline.findLastIndex(({ kind }) => kind === 'head');
  return !timeline
    .slice(Math.max(0, pushed), last)
    .some(({ kind, to }) => kind === 'phase' && TROUBLE.has(to));
}
