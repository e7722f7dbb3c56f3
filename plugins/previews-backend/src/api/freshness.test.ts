import { SourceState } from '@previews/backstage-plugin-previews-common';
import { agedStates, oldestReading } from './freshness';

const state = (patch: Partial<SourceState> = {}): SourceState => ({
  id: 'gitlab:gitlab.example.com',
  kind: 'gitlab',
  name: 'gitlab.example.com',
  status: 'fresh',
  lastCompleteAt: '2026-11-29T12:00:00.000Z',
  errors: [],
  notes: [],
  ...patch,
});

describe('agedStates', () => {
  const now = new Date('2026-11-29T12:10:00.000Z');

  it.each([
    ['confirmed just now', '2026-11-29T12:09:55.000Z', 'fresh', 'fresh'],
    [
      'confirmed a minute ago',
      '2026-11-29T12:09:00.000Z',
      'failing',
      'failing',
    ],
    ['not confirmed for longer', '2026-11-29T12:08:59.000Z', 'fresh', 'stale'],
    [
      'not confirmed for longer',
      '2026-11-29T12:08:59.000Z',
      'failing',
      'stale',
    ],
    ['never confirmed', undefined, 'fresh', 'stale'],
    ['never confirmed', undefined, 'pending', 'pending'],
  ] as const)(
    '%s (%s): a %s source is %s',
    (_, confirmedAt, status, expected) => {
      const [aged] = agedStates([state({ status })], { confirmedAt, now });
      expect(aged.status).toBe(expected);
    },
  );
});

describe('oldestReading', () => {
  it('is that of the source that was read the longest ago', () => {
    const times = ['2026-11-29T12:00:00.000Z', '2026-11-29T11:58:00.000Z'];
    expect(
      oldestReading(times.map(lastCompleteAt => state({ lastCompleteAt }))),
    ).toBe(times[1]);
  });

  it('is none while a source was never read, and without sources', () => {
    expect(
      oldestReading([state(), state({ lastCompleteAt: undefined })]),
    ).toBeUndefined();
    expect(oldestReading([])).toBeUndefined();
  });
});
