import { ApplicationSetFact, PullRequestGenerator } from '../../model';
import { parseApplicationSet } from './applicationSet';

function parse(spec: object, status: object = {}): ApplicationSetFact {
  return parseApplicationSet(
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'shop', namespace: 'argocd', uid: 'u' },
      spec,
      status,
    },
    { cluster: 'management' },
  )!;
}

const gitlab = (fields: object = {}) => ({
  gitlab: { project: '42', ...fields },
});
const pullRequest = (fields: object = {}) => ({
  pullRequest: { ...gitlab(), ...fields },
});
const list = (...elements: unknown[]) => ({ list: { elements } });
const matrix = (...generators: object[]) => ({ matrix: { generators } });
const merge = (...generators: object[]) => ({
  merge: { mergeKeys: ['branch'], generators },
});

const defaults: PullRequestGenerator = {
  forge: 'gitlab',
  project: '42',
  labels: [],
  filters: [],
  requeueAfterSeconds: 1800,
  continueOnRepoNotFoundError: false,
  values: {},
  siblings: [{}],
};

describe('parseApplicationSet', () => {
  it('reads a set with all it can say', () => {
    const fact = parse(
      {
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
        generators: [
          pullRequest({
            gitlab: {
              project: 'group/shop',
              api: 'https://gitlab.example.com/git/',
              labels: ['preview', 'ready'],
              pullRequestState: 'opened',
            },
            filters: [
              { branchMatch: '^feature', titleMatch: 'x' },
              { targetBranchMatch: 'main' },
            ],
            requeueAfterSeconds: 120,
            continueOnRepoNotFoundError: true,
            values: { host: '{{.number}}.example.com', bad: 7 },
          }),
        ],
        template: { metadata: { name: 'shop-{{.number}}' }, spec: {} },
        templatePatch: 'spec: {}',
        syncPolicy: {
          applicationsSync: 'create-update',
          preserveResourcesOnDeletion: true,
        },
      },
      {
        conditions: [
          {
            type: 'ErrorOccurred',
            status: 'True',
            reason: 'ApplicationGenerationFromParamsError',
            message: 'no',
            lastTransitionTime: '2026-03-01T10:00:00Z',
          },
        ],
      },
    );
    expect(fact).toMatchObject({
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          forge: 'gitlab',
          project: 'group/shop',
          api: 'https://gitlab.example.com/git/',
          labels: ['preview', 'ready'],
          state: 'opened',
          filters: [
            { branchMatch: '^feature', titleMatch: 'x' },
            { targetBranchMatch: 'main' },
          ],
          requeueAfterSeconds: 120,
          continueOnRepoNotFoundError: true,
          values: { host: '{{.number}}.example.com' },
          siblings: [{}],
        },
      ],
      requeueAfterSeconds: 120,
      template: { metadata: { name: 'shop-{{.number}}' }, spec: {} },
      templatePatch: 'spec: {}',
      applicationsSync: 'create-update',
      preserveResourcesOnDeletion: true,
      conditions: [
        {
          type: 'ErrorOccurred',
          status: 'True',
          reason: 'ApplicationGenerationFromParamsError',
          message: 'no',
          lastTransitionAt: '2026-03-01T10:00:00Z',
        },
      ],
    });
  });

  it.each<[string, unknown, Partial<PullRequestGenerator>[]]>([
    ['none', [], []],
    [
      'none of pull requests',
      [list({ a: 1 }), { git: {} }, { plugin: {} }],
      [],
    ],
    ['one alone', [pullRequest()], [defaults]],
    [
      'a project as a number',
      [{ pullRequest: gitlab({ project: 42 }) }],
      [defaults],
    ],
    [
      'two in one set',
      [pullRequest(), pullRequest({ gitlab: { project: '43' } })],
      [defaults, { ...defaults, project: '43' }],
    ],
    [
      'another forge',
      [{ pullRequest: { github: { owner: 'a', repo: 'b' } } }],
      [{ ...defaults, forge: 'other', project: '' }],
    ],
    [
      'a matrix with a list',
      [matrix(list({ env: 'a' }, { env: 'b' }), pullRequest())],
      [{ ...defaults, siblings: [{ env: 'a' }, { env: 'b' }] }],
    ],
    [
      'a matrix with a list whose selector leaves out an element',
      [
        matrix(
          {
            ...list({ env: 'a' }, { env: 'b' }),
            selector: { matchLabels: { env: 'b' } },
          },
          pullRequest(),
        ),
      ],
      [{ ...defaults, siblings: [{ env: 'b' }] }],
    ],
    [
      'one with a selector, and what those around it ask',
      [
        {
          ...matrix({
            ...pullRequest(),
            selector: {
              matchExpressions: [
                { key: 'author', operator: 'NotIn', values: ['bot'] },
                { key: 'branch', operator: 'Guess' },
              ],
            },
          }),
          selector: { matchLabels: { target_branch: 'main' } },
        },
      ],
      [
        {
          ...defaults,
          selector: [
            { key: 'target_branch', operator: 'In', values: ['main'] },
            { key: 'author', operator: 'NotIn', values: ['bot'] },
          ],
        },
      ],
    ],
    [
      'a matrix the other way round',
      [matrix(pullRequest(), list({ env: 'a' }))],
      [{ ...defaults, siblings: [{ env: 'a' }] }],
    ],
    [
      'a matrix with two lists in a matrix',
      [matrix(matrix(list({ a: 1 }, { a: 2 }), list({ b: 3 })), pullRequest())],
      [
        {
          ...defaults,
          siblings: [
            { a: 1, b: 3 },
            { a: 2, b: 3 },
          ],
        },
      ],
    ],
    [
      'a matrix in a matrix',
      [matrix(list({ a: 1 }), matrix(list({ b: 2 }), pullRequest()))],
      [{ ...defaults, siblings: [{ a: 1, b: 2 }] }],
    ],
    [
      'a matrix with a list in YAML',
      [
        matrix(
          { list: { elementsYaml: '- env: a\n- env: b\n' } },
          pullRequest(),
        ),
      ],
      [{ ...defaults, siblings: [{ env: 'a' }, { env: 'b' }] }],
    ],
    [
      'a matrix with a list in a template',
      [matrix({ list: { elementsYaml: '{{ .x | toJson }}' } }, pullRequest())],
      [{ ...defaults, siblings: 'dynamic' }],
    ],
    [
      'a matrix with a list in broken YAML',
      [matrix({ list: { elementsYaml: '[' } }, pullRequest())],
      [{ ...defaults, siblings: 'dynamic' }],
    ],
    [
      'a matrix with projects of a group',
      [
        matrix(
          { scmProvider: { gitlab: {} } },
          pullRequest({ gitlab: { project: '{{ .repository }}' } }),
        ),
      ],
      [{ ...defaults, project: '{{ .repository }}', siblings: 'dynamic' }],
    ],
    [
      'a matrix with clusters',
      [matrix({ clusters: {} }, pullRequest())],
      [{ ...defaults, siblings: 'dynamic' }],
    ],
    [
      'a matrix with an empty list',
      [matrix(list(), pullRequest())],
      [{ ...defaults, siblings: [] }],
    ],
    [
      'a merge',
      [merge(pullRequest(), list({ branch: 'a', env: 'x' }))],
      [{ ...defaults, siblings: 'dynamic' }],
    ],
    ['a merge of one', [merge(pullRequest())], [defaults]],
    [
      'a matrix in a merge',
      [merge(matrix(list({ a: 1 }), pullRequest()), list({ b: 1 }))],
      [{ ...defaults, siblings: 'dynamic' }],
    ],
    [
      'nothing that is understood',
      [
        null,
        7,
        'x',
        { pullRequest: null },
        { matrix: [] },
        { merge: { generators: {} } },
      ],
      [],
    ],
  ])('finds pull request generators: %s', (_, generators, expected) => {
    expect(parse({ generators }).generators).toEqual(expected);
  });

  it('does not lay out more combinations than can be looked through', () => {
    const many = (key: string) =>
      list(...Array.from({ length: 100 }, (_, index) => ({ [key]: index })));
    const [generator] = parse({
      generators: [matrix(matrix(many('a'), many('b')), pullRequest())],
    }).generators;
    expect(generator.siblings).toBe('dynamic');
  });

  it.each<[string, unknown, number]>([
    ['nothing', [], 1800],
    ['the default of pull requests', [pullRequest()], 1800],
    ['what it says', [pullRequest({ requeueAfterSeconds: 60 })], 60],
    [
      'the smallest',
      [
        pullRequest({ requeueAfterSeconds: 600 }),
        pullRequest({ requeueAfterSeconds: 90 }),
      ],
      90,
    ],
    [
      'that of another generator',
      [pullRequest(), { git: { requeueAfterSeconds: 30 } }],
      30,
    ],
    ['the default of git', [pullRequest(), { git: {} }], 180],
    [
      'one inside a matrix',
      [matrix(list({}), pullRequest({ requeueAfterSeconds: 45 }))],
      45,
    ],
    [
      'one inside a merge',
      [merge(pullRequest(), { plugin: { requeueAfterSeconds: 20 } })],
      20,
    ],
    ['only lists', [list({ a: 1 })], 1800],
    [
      'something that is no time',
      [pullRequest({ requeueAfterSeconds: -5 })],
      1800,
    ],
    ['a text', [pullRequest({ requeueAfterSeconds: '60' })], 1800],
  ])('knows how often Argo CD looks: %s', (_, generators, seconds) => {
    expect(parse({ generators }).requeueAfterSeconds).toBe(seconds);
  });

  it('comes to an end with YAML that contains itself', () => {
    const elementsYaml = '- x: &a [*a, *a, *a]';
    const [generator] = parse({
      generators: [matrix({ list: { elementsYaml } }, pullRequest())],
    }).generators;
    expect(JSON.stringify(generator.siblings).length).toBeLessThan(500_000);
  });

  it('does not lay out combinations that are more than a set is worth', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`key${index}`, 'x']),
    );
    const many = Array.from({ length: 500 }, (_, index) => ({ n: index }));
    const [generator] = parse({
      generators: [matrix(list(wide), list(...many), pullRequest())],
    }).generators;
    expect(generator.siblings).toBe('dynamic');
  });

  it('reads a set that says nothing', () => {
    expect(parse({})).toMatchObject({
      goTemplate: false,
      goTemplateOptions: [],
      generators: [],
      template: {},
      preserveResourcesOnDeletion: false,
      conditions: [],
    });
  });
});
