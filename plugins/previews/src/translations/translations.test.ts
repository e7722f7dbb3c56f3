import catalan from './ca';
import spanish from './es';
import french from './fr';
import { messages } from './messages';

function flatten(nested: object, prefix = ''): [key: string, text: string][] {
  return Object.entries(nested).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${key}`, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
}

function placeholders(text: string): string[] {
  return (text.match(/\{\{\w+\}\}/g) ?? []).sort();
}

const english = flatten(messages);

describe.each([
  ['Catalan', catalan],
  ['French', french],
  ['Spanish', spanish],
])('%s', (_, translated: Record<string, string>) => {
  it('has every word and no other', () => {
    expect(Object.keys(translated).sort()).toEqual(
      english.map(([key]) => key).sort(),
    );
  });

  it.each(english)('tells all that English tells in %s', (key, text) => {
    expect(placeholders(translated[key])).toEqual(placeholders(text));
    expect(translated[key].trim()).not.toBe('');
    expect(translated[key].endsWith('.')).toBe(text.endsWith('.'));
  });

  it('differs from English wherever a sentence does', () => {
    const same = english.filter(
      ([key, text]) => text.includes(' ') && translated[key] === text,
    );
    // Units, signs and the name of a product.
    expect(same.map(([key]) => key)).toEqual(
      expect.not.arrayContaining(['state.noOpen', 'stale.since']),
    );
    expect(same.length).toBeLessThan(8);
  });
});
