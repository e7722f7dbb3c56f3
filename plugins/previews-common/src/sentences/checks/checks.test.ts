import { CheckDefinition, checkDefinitions, checkIds } from '../../checks';
import { ReasonParams } from '../../reasons';
import { languages } from '../languages';
import { englishChecks } from './english';
import { loadCheckCatalogue } from './loadCheckCatalogue';
import { renderCheck } from './renderCheck';
import { CheckCatalogue } from './types';

/** What a param that is not there, or not what it should be, leaves behind. */
const LEAKS =
  /undefined|null|NaN|\[object|function|Invalid Date| {2}|\( | \)|\(\)| ,| \.(?!n)|\.\.$/;

function sampleParams(declared: CheckDefinition['params']): ReasonParams {
  return Object.fromEntries(
    Object.entries(declared).map(([name, type]) => {
      switch (type) {
        case 'number':
          return [name, 7];
        case 'list':
          return [name, [`the-${name}-0`, `the-${name}-1`]];
        default:
          return [name, `the-${name}`];
      }
    }),
  );
}

/** What is wrong with a sentence; nothing, when it is as it should be. */
function faultsOf(sentence: string): string[] {
  return [
    LEAKS.test(sentence) && 'something leaks into it',
    !/^\p{Lu}|^the-/u.test(sentence) && 'it does not begin like one',
    !/[^.]\.$/.test(sentence) && 'it does not end in one full stop',
    /[!¡']/.test(sentence) && 'it shouts, or has a typewriter’s apostrophe',
  ]
    .filter(fault => typeof fault === 'string')
    .map(fault => `${fault}: ${sentence}`);
}

describe.each(languages)('the checks in %s', language => {
  let catalogue: CheckCatalogue;

  beforeAll(async () => {
    catalogue = (await loadCheckCatalogue(language)) ?? englishChecks;
  });

  it('have a sentence each, and no more', () => {
    expect(catalogue.language).toBe(language);
    expect(Object.keys(catalogue.checks)).toEqual(checkIds);
  });

  it.each(checkIds)('tell %s with all that is known, and its fix', id => {
    const params = sampleParams(checkDefinitions[id].params);
    const texts = renderCheck({ id, params }, { catalogue })!;
    expect(faultsOf(texts.problem)).toEqual([]);
    expect(faultsOf(texts.fix)).toEqual([]);
    const told = Object.values(params).flat();
    const missing = told.filter(
      text => typeof text === 'string' && !texts.problem.includes(text),
    );
    expect(missing).toEqual([]);
  });

  it.each(checkIds)('leave %s to its message without its facts', id => {
    expect(renderCheck({ id }, { catalogue })).toBeUndefined();
    expect(
      renderCheck({ id, params: { object: { odd: true } } }, { catalogue }),
    ).toBeUndefined();
  });

  it('are told briefly and inertly with hostile facts', () => {
    const hostile = `<img src=x>\u202e\u0000\n${'A'.repeat(1_000_000)}`;
    const { problem } = renderCheck(
      {
        id: 'TwoOwners',
        params: {
          object: hostile,
          managers: Array.from({ length: 1000 }, () => hostile),
        },
      },
      { catalogue },
    )!;
    expect(problem.length).toBeLessThan(4000);
    // eslint-disable-next-line no-control-regex
    expect(problem).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
  });

  it('leave what this version does not know to the message', () => {
    for (const id of ['FromTheFuture', 'toString', '__proto__']) {
      expect(
        renderCheck({ id, params: { object: 'a' } }, { catalogue }),
      ).toBeUndefined();
    }
  });
});

it.each(checkIds)('%s is told differently in every language', async id => {
  const texts = await Promise.all(
    languages.map(async language => {
      const catalogue = (await loadCheckCatalogue(language)) ?? englishChecks;
      return renderCheck(
        { id, params: sampleParams(checkDefinitions[id].params) },
        { catalogue },
      );
    }),
  );
  for (const part of ['problem', 'fix'] as const) {
    expect(new Set(texts.map(text => text?.[part])).size).toBe(
      languages.length,
    );
  }
});

it('checks are named in few words', () => {
  expect(checkIds.filter(id => !/^[A-Z][A-Za-z0-9]{4,30}$/.test(id))).toEqual(
    [],
  );
});
