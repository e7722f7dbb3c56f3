import { formatDuration, parseTimeToLive } from './timeToLive';

describe('a time to live', () => {
  it.each([
    ['P7D', 604_800],
    ['P2W', 1_209_600],
    ['PT12H', 43_200],
    ['P1DT12H', 129_600],
    ['PT90M', 5400],
    ['PT1H0M30S', 3630],
    ['P3650D', 315_360_000],
    ['never', 'never'],
  ])('is read from %s', (value, expected) => {
    expect(parseTimeToLive(value)).toBe(expected);
  });

  it.each([
    '',
    'P',
    'PT',
    'P7DT',
    'P0D',
    'PT0S',
    '7d',
    '7 days',
    'p7d',
    'P1M',
    'P1Y',
    'P-7D',
    'P1.5D',
    'P7D ',
    'Never',
    'P3651D',
    'P9999999999D',
    `P${'9'.repeat(10_000)}D`,
  ])('is not read from %j', value => {
    expect(parseTimeToLive(value)).toBeUndefined();
  });

  it.each([
    [604_800, 'P7D'],
    [129_600, 'P1DT12H'],
    [3630, 'PT1H30S'],
    [59.9, 'PT59S'],
    [0, 'PT0S'],
  ])('of %s seconds is written as a duration', (seconds, expected) => {
    expect(formatDuration(seconds)).toBe(expected);
  });

  it.each([1, 60, 86_399, 86_400, 31_536_000])(
    'of %s seconds is read as it was written',
    seconds => {
      expect(parseTimeToLive(formatDuration(seconds))).toBe(seconds);
    },
  );
});
