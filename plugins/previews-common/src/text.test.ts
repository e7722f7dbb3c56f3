import { cleanText } from './text';

describe('cleanText', () => {
  it.each<[string, string, string]>([
    ['leaves ordinary text alone', 'Façade l·l 日本語', 'Façade l·l 日本語'],
    ['leaves markup as text', '<b onclick="x">a</b>', '<b onclick="x">a</b>'],
    ['makes one line of several', 'a\r\n\tb\u2028c\u00a0d', 'a b c d'],
    ['removes controls', 'a\u0000\u001b[31mb\u009fc', 'a[31mbc'],
    [
      'removes what turns the reading direction',
      'a\u202eb\u2066c\u200fd',
      'abcd',
    ],
    ['removes what is invisible', 'a\u200bb\u2060c\u{e0041}d', 'abcd'],
    ['removes lone surrogates', 'a\ud83db', 'ab'],
    ['keeps joined emoji', '👩‍💻', '👩‍💻'],
    ['is empty for what only looks empty', ' \u200b\u202e ', ''],
  ])('%s', (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it('keeps 300 characters whole', () => {
    expect(cleanText('a'.repeat(300))).toBe('a'.repeat(300));
  });

  it('cuts longer text to 300 characters with an ellipsis', () => {
    expect(cleanText('a'.repeat(301))).toBe(`${'a'.repeat(299)}…`);
    expect(cleanText('a'.repeat(1_000_000))).toBe(`${'a'.repeat(299)}…`);
  });

  it('does not cut a character in two', () => {
    expect(cleanText(`a${'😀'.repeat(200)}`)).toBe(`a${'😀'.repeat(149)}…`);
    expect(cleanText('😀'.repeat(200))).toBe(`${'😀'.repeat(149)}…`);
  });

  it('says that something was cut even when nothing visible came before', () => {
    expect(cleanText(`${'\u200b'.repeat(5000)}a`)).toBe('…');
  });
});
