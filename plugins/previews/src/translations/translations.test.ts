import catalan from './ca';
import spanish from './es';
import { flatten } from './flatten';
import french from './fr';
import { messages } from './messages';

function placeholders(text: string): string[] {
  return (text.match(/\{\{\w+\}\}/g) ?? []).sort();
}

const english = Object.entries(flatten(messages));

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

  it('tells all that English tells', () => {
    const lacking = english.filter(
      ([key, text]) =>
        translated[key].trim() === '' ||
        translated[key].endsWith('.') !== text.endsWith('.') ||
        placeholders(translated[key]).join() !== placeholders(text).join(),
    );
    expect(lacking).toEqual([]);
  });

  it('leaves no sentence in English', () => {
    const left = english.filter(
      ([key, text]) => text.endsWith('.') && translated[key] === text,
    );
    expect(left).toEqual([]);
  });
});
