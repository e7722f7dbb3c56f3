import { TimelineEvent } from './endedSpans';
import { isFirstTrouble } from './firstTrouble';

/** `head` is a push, everything else a phase. */
function timelineOf(...words: string[]): TimelineEvent[] {
  return words.map(word => ({
    kind: word === 'head' ? 'head' : 'phase',
    to: word,
    at: '2026-11-01T08:00:00.000Z',
  }));
}

describe('isFirstTrouble', () => {
  it.each<[string, string[], string[], boolean]>([
    ['it fails', ['Waiting'], ['Failed'], true],
    ['it is degraded', ['Live'], ['Degraded'], true],
    ['it goes on well', ['Waiting'], ['Live'], false],
    [
      'it fails again on the same head',
      ['Failed', 'Deploying'],
      ['Failed'],
      false,
    ],
    ['it fails after it was degraded', ['Degraded'], ['Failed'], false],
    [
      'it fails on a new head',
      ['Failed', 'head', 'Building'],
      ['Failed'],
      true,
    ],
    ['it fails with the push', ['Failed', 'Live'], ['head', 'Failed'], true],
    ['it failed before', ['Failed'], ['head'], false],
  ])('is told by the newest phase: %s', (_, before, now, expected) => {
    expect(
      isFirstTrouble({
        timeline: [...timelineOf(...before), ...timelineOf(...now)],
        known: before.length,
      }),
    ).toBe(expected);
  });
});
