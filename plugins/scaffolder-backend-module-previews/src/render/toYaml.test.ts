import { parse } from 'yaml';
import { toYaml } from './toYaml';

describe('toYaml', () => {
  it('writes comments above the document and above single keys', () => {
    expect(
      toYaml({
        value: { spec: { list: [{ name: 'a' }] } },
        comment: 'What it is.\nMore of it.',
        notes: { 'spec.list.0.name': 'Why.' },
      }),
    ).toBe(
      '# What it is.\n# More of it.\n\nspec:\n  list:\n    - # Why.\n      name: a\n',
    );
  });

  it('separates documents', () => {
    expect(toYaml({ value: { a: 1 } }, { value: { b: 2 } })).toBe(
      'a: 1\n---\nb: 2\n',
    );
  });

  it.each([
    'yes',
    'no',
    'on',
    '12345678',
    '1234e567',
    '0e000001',
    '1_000',
    '08',
  ])('quotes %s, which older readers would not take for text', text => {
    const written = toYaml({ value: { text } });
    expect(written).toBe(`text: "${text}"\n`);
    expect(parse(written, { version: '1.1' })).toEqual({ text });
  });

  it('refuses a note above a key that there is not', () => {
    expect(() => toYaml({ value: {}, notes: { 'spec.name': 'Why.' } })).toThrow(
      'No spec.name to write a note above',
    );
  });
});
