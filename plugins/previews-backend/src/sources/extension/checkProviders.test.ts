import {
  PreviewsConditionProvider,
  PreviewsSourceProvider,
} from '@previews/backstage-plugin-previews-node';
import { checkProviders } from './checkProviders';

const source: PreviewsSourceProvider = {
  id: 'quality-gate',
  read: async () => new Map(),
};

const condition: PreviewsConditionProvider = {
  type: 'QualityGate',
  title: { en: 'Quality gate' },
  source: 'quality-gate',
  reasons: { Passed: { effect: 'fulfilled', sentence: { en: 'It passed.' } } },
  evaluate: () => undefined,
};

describe('checkProviders', () => {
  it('lets good ones pass', () => {
    expect(() =>
      checkProviders({ sources: [source], conditions: [condition] }),
    ).not.toThrow();
  });

  it.each<[string, object, RegExp]>([
    ['no id', { id: '' }, /lower-case letters/],
    ['an id with a colon', { id: 'a:b' }, /lower-case letters/],
    ['a reading too often', { everySeconds: 5 }, /at least 10/],
    ['a number that is none', { everySeconds: Number.NaN }, /at least 10/],
    ['no time to answer', { timeoutSeconds: 0 }, /at most 300/],
    ['an hour to answer', { timeoutSeconds: 3600 }, /at most 300/],
  ])('stops the start for a source with %s', (_, patch, message) => {
    expect(() =>
      checkProviders({ sources: [{ ...source, ...patch }], conditions: [] }),
    ).toThrow(message);
  });

  it.each<[string, object, RegExp]>([
    ['a type in another case', { type: 'quality gate' }, /CamelCase/],
    ['a type of the plugin itself', { type: 'Synced' }, /plugin's own/],
    ['a source that nobody adds', { source: 'other' }, /no module adds/],
    ['no English title', { title: { ca: 'Porta' } }, /title.*'en'/],
    ['no reasons', { reasons: {} }, /reasons/],
    [
      'a reason in another case',
      { reasons: { passed: condition.reasons.Passed } },
      /'passed'/,
    ],
    [
      'an effect of its own',
      { reasons: { Passed: { effect: 'fine', sentence: { en: 'x' } } } },
      /one of the effects/,
    ],
    [
      'an empty sentence',
      { reasons: { Passed: { effect: 'warning', sentence: { en: ' ' } } } },
      /sentence for 'Passed'/,
    ],
    [
      'an endless sentence in French',
      {
        reasons: {
          Passed: {
            effect: 'warning',
            sentence: { en: 'x', fr: 'x'.repeat(301) },
          },
        },
      },
      /'fr'/,
    ],
  ])('stops the start for a condition with %s', (_, patch, message) => {
    expect(() =>
      checkProviders({
        sources: [source],
        conditions: [{ ...condition, ...patch }],
      }),
    ).toThrow(message);
  });

  it('stops the start for one that comes twice, and for too many', () => {
    expect(() =>
      checkProviders({ sources: [source, source], conditions: [] }),
    ).toThrow(/'quality-gate' more than once/);
    expect(() =>
      checkProviders({ sources: [source], conditions: [condition, condition] }),
    ).toThrow(/'QualityGate' more than once/);
    expect(() =>
      checkProviders({
        sources: Array.from({ length: 21 }, () => source),
        conditions: [],
      }),
    ).toThrow(/more than 20/);
  });
});
