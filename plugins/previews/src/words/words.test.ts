import { secondsBetween, toClock, toDuration, toNearestDuration } from './time';
import { localeOf } from './useLanguage';

describe('durations', () => {
  it.each([
    [-5, 'seconds', 0],
    [59.9, 'seconds', 59],
    [60, 'minutes', 1],
    [7_199, 'hours', 1],
    [47 * 3600, 'hours', 47],
    [48 * 3600, 'days', 2],
    [78.9 * 86_400, 'days', 78],
  ])('of %s s are told in %s: %s', (seconds, unit, number) => {
    expect(toDuration(seconds)).toEqual({ unit, number });
  });

  it.each([
    [0.4, 'seconds', 0],
    [59.6, 'minutes', 1],
    [177 * 60, 'hours', 3],
    [149 * 60, 'hours', 2],
    [59.6 * 60, 'hours', 1],
    [47.6 * 3600, 'days', 2],
  ])(
    'to come of %s s are told in %s, to the nearest: %s',
    (seconds, unit, number) => {
      expect(toNearestDuration(seconds)).toEqual({ unit, number });
    },
  );

  it.each([
    [0, '0:00'],
    [100, '1:40'],
    [3600, '1:00:00'],
    [7_505, '2:05:05'],
    [-1, '0:00'],
  ])('of %s s are %s on a clock', (seconds, text) => {
    expect(toClock(seconds)).toBe(text);
  });

  it('are undefined between what is no time', () => {
    expect(secondsBetween('nonsense', '2026-11-29T14:00:00Z')).toBeUndefined();
    expect(secondsBetween(undefined, 0)).toBeUndefined();
    expect(secondsBetween('2026-11-29T14:00:00Z', '2026-11-29T14:01:40Z')).toBe(
      100,
    );
  });
});

describe('the locale of dates', () => {
  it("is the reader's own variant of the portal's language", () => {
    expect(localeOf('en', ['ca-ES', 'en-GB'])).toBe('en-GB');
    expect(localeOf('fr', ['en-GB'])).toBe('fr');
    expect(localeOf('ca', ['ca'])).toBe('ca');
    expect(localeOf('en', ['en-US@posix', 'en-GB'])).toBe('en-GB');
  });

  it('is one that dates can be written in, whatever browser and portal say', () => {
    expect(localeOf('en', ['en-US@posix'])).toBe('en');
    expect(localeOf('corporate_english', [])).toBe('en');
  });
});
