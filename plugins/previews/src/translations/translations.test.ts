import { phases } from '@previews/backstage-plugin-previews-common';
import catalan from './ca';
import spanish from './es';
import { flatten } from './flatten';
import french from './fr';
import { messages } from './messages';

/** Lower case without accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

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

  it('has one word for a phase, in a row and in the counts', () => {
    const stemOf = (text: string) =>
      plain(text).split(/[\s’]/).at(-1)!.slice(0, 5);
    const differing = phases.filter(
      phase =>
        // "None" is the answer to a question that the counts do not ask.
        phase !== 'NotSelected' &&
        !plain(translated[`count.${phase}`]).includes(
          stemOf(translated[`phase.${phase}`]),
        ),
    );
    expect(differing).toEqual([]);
  });

  it('has orders that fit where one is chosen', () => {
    const long = Object.entries(translated).filter(
      ([key, text]) => key.startsWith('sort.') && text.length > 27,
    );
    expect(long).toEqual([]);
  });

  it('leaves no sentence in English', () => {
    const left = english.filter(
      ([key, text]) => text.endsWith('.') && translated[key] === text,
    );
    expect(left).toEqual([]);
  });
});
