import { createSentenceFormat, SentenceFormatOptions } from './format';
import { languageOf, languages, loadCatalogue } from './languages';

const now = new Date('2026-12-05T14:05:00Z');

function format(options: Partial<SentenceFormatOptions> = {}) {
  return createSentenceFormat({
    language: 'en',
    now,
    timeZone: 'UTC',
    ...options,
  });
}

describe('SentenceFormat', () => {
  it.each<[number, string]>([
    [0, '0 s'],
    [-5, '0 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [100, '1 min 40 s'],
    [3600, '1 h'],
    [3605, '1 h'],
    [7500, '2 h 5 min'],
    [86_400 * 3 + 7200, '3 d 2 h'],
    [86_400 * 1200, '1,200 d'],
  ])('writes %d seconds as %s', (seconds, expected) => {
    expect(format().duration(seconds)).toBe(expected);
  });

  it('writes days in French with their own letter', () => {
    expect(format({ language: 'fr' }).duration(86_400 * 2)).toBe('2 j');
  });

  it('tells how long ago something was', () => {
    expect(format().elapsed('2026-12-05T14:03:20Z')).toBe('1 min 40 s');
  });

  it('tells no elapsed time in what is stored, nor for a time to come', () => {
    expect(
      format({ now: undefined }).elapsed('2026-12-05T14:03:20Z'),
    ).toBeUndefined();
    expect(format().elapsed('2026-12-05T14:06:00Z')).toBeUndefined();
    expect(format().elapsed(undefined)).toBeUndefined();
  });

  it('tells no elapsed time of what has only begun', () => {
    expect(format().elapsed('2026-12-05T14:05:00Z')).toBeUndefined();
    expect(format().elapsed('2026-12-05T14:04:59.600Z')).toBeUndefined();
    expect(format().elapsed('2026-12-05T14:04:59Z')).toBe('1 s');
  });

  it('writes only the time of day today, and the date too on other days', () => {
    expect(format().time('2026-12-05T09:02:00Z')).toBe('09:02');
    expect(format().time('2026-12-04T09:02:00Z')).toBe('4 Dec 2026, 09:02');
    expect(format().date('2027-02-15T09:02:00Z')).toBe('15 Feb 2027');
  });

  it('decides what is today in the time zone of the reader', () => {
    const tokyo = format({ timeZone: 'Asia/Tokyo' });
    expect(tokyo.time('2026-12-04T15:30:00Z')).toBe('00:30');
    expect(tokyo.time('2026-12-04T14:30:00Z')).toBe('4 Dec 2026, 23:30');
  });

  it('writes complete times in UTC in what is stored', () => {
    const stored = format({ now: undefined, timeZone: undefined });
    expect(stored.time('2026-12-05T09:02:33+02:00')).toBe(
      '2026-12-05 07:02 UTC',
    );
    expect(stored.date('2026-12-05T09:02:33Z')).toBe('2026-12-05');
  });

  it('puts the words for one o’clock, other hours and dates before a moment', () => {
    const words = {
      hour: 'desde las',
      firstHour: 'desde la',
      date: 'desde el',
    };
    const spanish = format({ language: 'es' });
    expect(spanish.when('2026-12-05T14:02:00Z', words)).toBe('desde las 14:02');
    expect(spanish.when('2026-12-05T01:02:00Z', words)).toBe('desde la 01:02');
    expect(spanish.when('2026-12-01T01:02:00Z', words)).toMatch(
      /^desde el 1 dic 2026/,
    );
  });

  it('lists few things whole and counts the rest of many', () => {
    const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(format().list([])).toBe('');
    expect(format().list(['a'])).toBe('a');
    expect(format().list(['a', 'b', 'c'])).toBe('a, b and c');
    expect(format().list(items.slice(0, 6))).toBe('a, b, c, d, e and f');
    expect(format().list(items)).toBe('a, b, c, d, e and 2 more');
    expect(format({ language: 'ca' }).list(items)).toBe(
      'a, b, c, d, e i 2 més',
    );
    expect(format({ language: 'fr' }).list(items)).toBe(
      'a, b, c, d, e et 2 autres',
    );
    expect(format({ language: 'es' }).list(items)).toBe(
      'a, b, c, d, e y 2 más',
    );
  });

  it('adds what an upstream said without its full stop, or nothing', () => {
    expect(format().detail('it broke.')).toBe(': it broke');
    expect(format().detail('…')).toBe(': …');
    expect(format().detail(' . ')).toBe('');
    expect(format().detail('')).toBe('');
    expect(format().detail(undefined)).toBe('');
    expect(format({ language: 'fr' }).detail('x')).toBe('\u00a0: x');
  });

  it('shortens commits and leaves tags alone', () => {
    expect(format().shortSha('1a2b3c4d5e6f70819293a4b5c6d7e8f901234567')).toBe(
      '1a2b3c4d',
    );
    expect(format().shortSha('1a2b3c4')).toBe('1a2b3c4');
    expect(format().shortSha('v1.2.3-1a2b3c4d')).toBe('v1.2.3-1a2b3c4d');
  });

  it.each(['en_US', '', 'xx-nonsense-xx', '*'])(
    'falls back to the language for the locale "%s"',
    locale => {
      expect(format({ locale }).time('2026-12-04T09:02:00Z')).toContain('Dec');
    },
  );

  it('follows the locale within the language', () => {
    expect(format({ locale: 'en-US' }).date('2026-12-04T09:02:00Z')).toBe(
      'Dec 4, 2026',
    );
  });
});

describe('languages', () => {
  it.each([
    ['ca', 'ca'],
    ['ca-ES', 'ca'],
    ['fr_CA', 'fr'],
    ['ES-mx', 'es'],
    ['en-US', 'en'],
    ['de', 'en'],
    ['', 'en'],
    ['cab', 'en'],
  ])('reads the locale "%s" in %s', (locale, expected) => {
    expect(languageOf(locale)).toBe(expected);
  });

  it.each(languages)('loads %s', async language => {
    expect((await loadCatalogue(language)).language).toBe(language);
  });
});
