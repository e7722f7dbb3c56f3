import { FindingDefinition, findingDefinitions } from '../findings';
import {
  conditionTypes,
  ReasonDefinition,
  ReasonParams,
  reasons,
} from '../reasons';
import { sourceNotes } from '../sourceNotes';
import { timelineEvents } from '../timelineEvents';
import { SourceErrorReason } from '../types';
import { english } from './english';
import { languages, loadCatalogue } from './languages';
import {
  renderEvent,
  renderFinding,
  renderProblem,
  renderSentence,
  renderSourceError,
  renderSourceNote,
  RenderOptions,
} from './render';
import { Catalogue } from './types';

const now = new Date('2026-12-05T14:05:00Z');

const allReasons = conditionTypes.flatMap(type =>
  Object.entries<ReasonDefinition>(reasons[type]).map(
    ([reason, definition]) => ({
      type,
      reason,
      definition,
    }),
  ),
);

const isOptional = (type: string) => type.endsWith('?');
const isRequired = (type: string) => !isOptional(type);

/** Every reason once for each of its params of a sort. */
function withParam(isWanted: (type: string) => boolean) {
  return allReasons.flatMap(entry =>
    Object.entries(entry.definition.params)
      .filter(([, type]) => isWanted(type))
      .map(([name]) => ({ ...entry, name })),
  );
}

/** Params that every language is free to turn into words of its own. */
const TRANSLATED = new Set(['state']);

/** What a param that is not there, or not what it should be, leaves behind. */
const LEAKS =
  /undefined|null|NaN|\[object|function|\$\{|Invalid Date| {2}|\( | \)|\(\)| ,| \.|\.\.$/;

function sampleParams(
  declared: ReasonDefinition['params'],
  options: { withOptional: boolean; listLength: number },
): ReasonParams {
  const params: ReasonParams = {};
  for (const [name, type] of Object.entries(declared)) {
    if (type.endsWith('?') && !options.withOptional) {
      continue;
    }
    switch (type.replace('?', '')) {
      case 'number':
        params[name] = 7;
        break;
      case 'time':
        params[name] = '2026-12-05T14:02:00Z';
        break;
      case 'list':
        params[name] = Array.from(
          { length: options.listLength },
          (_, index) => `${name}-${index}`,
        );
        break;
      default:
        params[name] = `the-${name}`;
    }
  }
  return params;
}

/** Texts of the params that have to be found again in the sentence. */
function expectedTexts(params: ReasonParams): string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (TRANSLATED.has(name)) {
      return [];
    }
    if (Array.isArray(value)) {
      return value;
    }
    return typeof value === 'string' && value.startsWith('the-') ? [value] : [];
  });
}

/** What is wrong with a sentence; nothing, when it is as it should be. */
function faultsOf(sentence: string | undefined, texts: string[]): string[] {
  if (sentence === undefined) {
    return ['there is none'];
  }
  return [
    LEAKS.test(sentence) && 'something leaks into it',
    !/^[\p{Lu}\d]|^the-/u.test(sentence) && 'it does not begin like one',
    !/[^.]\.$/.test(sentence) && 'it does not end in one full stop',
    /[!¡]/.test(sentence) && 'it shouts',
    ...texts.map(text => !sentence.includes(text) && `it lacks ${text}`),
  ]
    .filter(fault => typeof fault === 'string')
    .map(fault => `${fault}: ${sentence}`);
}

describe.each(languages)('the catalogue of %s', language => {
  let catalogue: Catalogue;
  let options: RenderOptions;

  beforeAll(async () => {
    catalogue = await loadCatalogue(language);
    options = { catalogue, now, timeZone: 'UTC' };
  });

  it.each(allReasons)(
    'tells $type $reason with all that is known',
    ({ type, reason, definition }) => {
      for (const listLength of [1, 3]) {
        const params = sampleParams(definition.params, {
          withOptional: true,
          listLength,
        });
        expect(
          faultsOf(
            renderSentence({ type, reason, params }, options),
            expectedTexts(params),
          ),
        ).toEqual([]);
      }
    },
  );

  it.each(allReasons)(
    'tells $type $reason with the least that can be known',
    ({ type, reason, definition }) => {
      const params = sampleParams(definition.params, {
        withOptional: false,
        listLength: 0,
      });
      for (const name of ['error', 'group']) {
        if (name in params) {
          params[name] = '';
        }
      }
      expect(
        faultsOf(
          renderSentence({ type, reason, params }, options),
          expectedTexts(params),
        ),
      ).toEqual([]);
    },
  );

  it.each(withParam(isOptional))(
    'tells $type $reason also when its $name is odd',
    ({ type, reason, definition, name }) => {
      const params = sampleParams(definition.params, {
        withOptional: true,
        listLength: 1,
      });
      const sentence = renderSentence(
        { type, reason, params: { ...params, [name]: { odd: true } } },
        options,
      );
      expect(faultsOf(sentence, [])).toEqual([]);
    },
  );

  it.each(allReasons)(
    'tells $type $reason briefly and inertly with hostile params',
    ({ type, reason, definition }) => {
      const hostile = `<img src=x onerror=alert(1)>\u202e\u0000\n${'A'.repeat(
        1_000_000,
      )}`;
      const params = sampleParams(definition.params, {
        withOptional: true,
        listLength: 1,
      });
      for (const [name, value] of Object.entries(params)) {
        if (Array.isArray(value)) {
          params[name] = Array.from({ length: 1000 }, () => hostile);
        } else if (typeof value === 'string' && value.startsWith('the-')) {
          params[name] = hostile;
        }
      }
      const sentence = renderSentence({ type, reason, params }, options);
      expect(sentence).toBeDefined();
      expect(sentence!.length).toBeLessThan(4000);
      // eslint-disable-next-line no-control-regex
      expect(sentence).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
      expect(sentence).toMatch(/\.$/);
    },
  );

  it.each(allReasons)(
    'stores $type $reason without anything that is only true now',
    ({ type, reason, definition }) => {
      const params = sampleParams(definition.params, {
        withOptional: true,
        listLength: 2,
      });
      const sentence = renderSentence({ type, reason, params }, { catalogue });
      expect(faultsOf(sentence, [])).toEqual([]);
      expect(sentence).not.toContain('3 min');
    },
  );

  const problems = {
    Malformed: { value: 'the-value', expected: 'the-expected' },
    UnknownHost: { host: 'the-host' },
    ProjectNotFound: { project: 'the-project', host: 'the-host' },
    ProjectClaimedFromElsewhere: { project: 'the-project' },
    ApplicationSetNotFound: { applicationSet: 'the-set' },
  };

  it.each(Object.entries(problems))(
    'tells the problem %s',
    (reason, params) => {
      expect(
        faultsOf(
          renderProblem(
            { annotation: 'previews/path', reason, params },
            options,
          ),
          ['previews/path', ...Object.values<string>(params)],
        ),
      ).toEqual([]);
      expect(
        renderProblem(
          { annotation: 'previews/path', reason, params: {} },
          options,
        ),
      ).toBeUndefined();
    },
  );

  it('has a sentence for every problem', () => {
    expect(Object.keys(catalogue.problems).sort()).toEqual(
      Object.keys(problems).sort(),
    );
  });

  it.each(Object.keys(english.sourceErrors) as SourceErrorReason[])(
    'tells the source error %s',
    reason => {
      for (const kind of ['gitlab', 'cluster', 'argocd', 'dns'] as const) {
        const source = { kind, name: 'the-name' };
        expect(
          faultsOf(renderSourceError({ reason, source }, options), [
            'the-name',
          ]),
        ).toEqual([]);
        expect(
          faultsOf(
            renderSourceError(
              {
                reason,
                source,
                since: '2026-12-05T14:02:00Z',
                retryAt: '2026-12-05T14:10:00Z',
                subject: 'the-subject',
              },
              options,
            ),
            ['the-name'],
          ),
        ).toEqual([]);
      }
    },
  );

  it.each(Object.entries(timelineEvents))(
    'tells the event %s',
    (reason, declared) => {
      const params = sampleParams(declared, {
        withOptional: true,
        listLength: 1,
      });
      expect(
        faultsOf(
          renderEvent({ reason, params }, options),
          expectedTexts(params),
        ),
      ).toEqual([]);
      expect(renderEvent({ reason }, options) === undefined).toBe(
        Object.keys(declared).length > 0,
      );
    },
  );

  it.each(Object.entries<FindingDefinition>(findingDefinitions))(
    'tells the finding %s',
    (type, { params: declared }) => {
      for (const withOptional of [true, false]) {
        const params = sampleParams(declared, { withOptional, listLength: 1 });
        expect(
          faultsOf(
            renderFinding({ type, params }, options),
            expectedTexts(params),
          ),
        ).toEqual([]);
      }
      expect(renderFinding({ type }, options)).toBeUndefined();
      expect(
        renderFinding(
          {
            type,
            params: sampleParams(declared, {
              withOptional: true,
              listLength: 1,
            }),
          },
          { catalogue },
        ),
      ).not.toContain('3 min');
    },
  );

  it.each(Object.entries(sourceNotes))('notes %s', (reason, declared) => {
    const params = sampleParams(declared, {
      withOptional: true,
      listLength: 1,
    });
    const source = { kind: 'gitlab', name: 'the-name' } as const;
    expect(
      faultsOf(renderSourceNote({ source, reason, params }, options), [
        'the-name',
        ...expectedTexts(params),
      ]),
    ).toEqual([]);
  });

  it('leaves what this version does not know to the message', () => {
    for (const [type, reason] of [
      ['Synced', 'FromTheFuture'],
      ['FromTheFuture', 'Synced'],
      ['Synced', 'toString'],
      ['constructor', 'name'],
      ['__proto__', 'toString'],
    ]) {
      expect(renderSentence({ type, reason }, options)).toBeUndefined();
    }
    const source = { kind: 'gitlab', name: 'a' } as const;
    for (const reason of ['toString', 'FromTheFuture']) {
      expect(renderSourceError({ reason, source }, options)).toBeUndefined();
      expect(renderSourceNote({ reason, source }, options)).toBeUndefined();
      expect(renderEvent({ reason }, options)).toBeUndefined();
      expect(renderFinding({ type: reason }, options)).toBeUndefined();
    }
    expect(
      renderProblem(
        { annotation: 'a', reason: 'toString', params: {} },
        options,
      ),
    ).toBeUndefined();
  });
});

it.each(allReasons)(
  'tells $type $reason differently in every language',
  async ({ type, reason, definition }) => {
    const params = sampleParams(definition.params, {
      withOptional: true,
      listLength: 2,
    });
    const sentences = await Promise.all(
      languages.map(async language =>
        renderSentence(
          { type, reason, params },
          { catalogue: await loadCatalogue(language), now, timeZone: 'UTC' },
        ),
      ),
    );
    expect(new Set(sentences).size).toBe(languages.length);
  },
);

it.each(withParam(isRequired))(
  'leaves $type $reason to its message without its $name',
  ({ type, reason, definition, name }) => {
    const params = sampleParams(definition.params, {
      withOptional: true,
      listLength: 1,
    });
    const { [name]: _, ...rest } = params;
    expect(
      renderSentence(
        { type, reason, params: rest },
        { catalogue: english, now },
      ),
    ).toBeUndefined();
    expect(
      renderSentence(
        { type, reason, params: { ...rest, [name]: { odd: true } } },
        { catalogue: english, now },
      ),
    ).toBeUndefined();
  },
);
