import { ApplicationSetFact, MergeRequestFact, ProjectFact } from '../model';
import { parseApplicationSet, parseMergeRequest } from '../sources/objects';
import { HEAD, HOST, Json, WorldBuilder } from '../testing/world';
import {
  GeneratorUse,
  hostOfApi,
  iidPattern,
  namesFor,
  parametersFor,
  selects,
  usesOf,
  usesProject,
} from './generator';
import { ProjectPattern } from './ProjectPattern';

const project: ProjectFact = { id: 42, path: 'group/shop' };

function mergeRequest(patch: Json = {}): MergeRequestFact {
  return WorldBuilder.empty()
    .mergeRequest(patch)
    .build()
    .gitlab[0].projects.get(42)!
    .mergeRequests.values()
    .next().value!.fact;
}

function set(spec: Json): ApplicationSetFact {
  return parseApplicationSet(
    {
      kind: 'ApplicationSet',
      metadata: { name: 'previews', namespace: 'argocd', uid: 'set' },
      spec: {
        goTemplate: true,
        template: { metadata: { name: 'preview-{{.number}}' } },
        ...spec,
      },
    },
    { cluster: 'main' },
  )!;
}

function uses(spec: Json, hosts = [HOST]): GeneratorUse[] {
  return usesOf('main', set(spec), host => hosts.includes(host));
}

const pullRequest = (gitlab: Json = {}, rest: Json = {}) => ({
  pullRequest: {
    gitlab: { api: `https://${HOST}`, project: '42', ...gitlab },
    ...rest,
  },
});

const oneUse = (gitlab: Json = {}, rest: Json = {}) =>
  uses({ generators: [pullRequest(gitlab, rest)] })[0];

describe('which GitLab a generator means', () => {
  it.each([
    [undefined, 'gitlab.com'],
    ['', 'gitlab.com'],
    ['https://gitlab.example.com', 'gitlab.example.com'],
    ['https://gitlab.example.com/', 'gitlab.example.com'],
    ['HTTPS://GitLab.Example.COM//', 'gitlab.example.com'],
    ['https://gitlab.example.com:443/', 'gitlab.example.com'],
    ['https://gitlab.example.com:8443', 'gitlab.example.com:8443'],
    ['https://gitlab.example.com/api/v4', 'gitlab.example.com'],
    ['https://example.com/gitlab/', 'example.com'],
    ['gitlab.example.com', 'gitlab.example.com'],
    ['https://', undefined],
    ['http://[', undefined],
  ])('%j selects the host %j', (api, host) => {
    expect(hostOfApi(api)).toBe(host);
  });

  it('leaves alone a host that is not configured', () => {
    expect(uses({ generators: [pullRequest()] }, ['gitlab.com'])).toEqual([]);
  });

  it.each(['github', 'gitea', 'bitbucketServer', 'azuredevops'])(
    'leaves alone a generator for %s',
    forge => {
      expect(uses({ generators: [{ pullRequest: { [forge]: {} } }] })).toEqual(
        [],
      );
    },
  );
});

describe('which project a generator means', () => {
  it.each([
    ['42', true],
    ['43', false],
    ['group/shop', true],
    ['Group/SHOP', true],
    ['/group/shop/', true],
    [' group/shop ', true],
    ['group/shop-api', false],
    ['shop', false],
  ])('project %j lists group/shop: %s', (name, expected) => {
    expect(usesProject(oneUse({ project: name }), project)).toBe(expected);
  });

  it('means nothing without a project', () => {
    expect(uses({ generators: [pullRequest({ project: ' ' })] })).toEqual([]);
  });

  const matrix = (
    list: Json[],
    pull: Json = pullRequest({ project: '{{.path}}' }),
  ) => [{ matrix: { generators: [{ list: { elements: list } }, pull] } }];

  it('lays out the projects that a matrix lists', () => {
    const found = uses({
      generators: matrix([{ path: 'group/shop' }, { path: '7' }]),
    });
    expect(found.map(use => use.project)).toEqual([
      { kind: 'path', path: 'group/shop' },
      { kind: 'id', id: 7 },
    ]);
    expect(found[0].sibling).toEqual({ path: 'group/shop' });
  });

  it('takes a project that only a running Argo CD knows for a pattern', () => {
    const [use] = uses({
      generators: [
        {
          matrix: {
            generators: [
              { scmProvider: { gitlab: { group: 'group' } } },
              pullRequest({ project: 'group/{{.repository}}' }),
            ],
          },
        },
      ],
    });
    expect(usesProject(use, project)).toBe(true);
    expect(usesProject(use, { id: 1, path: 'Group/Other' })).toBe(true);
    expect(usesProject(use, { id: 1, path: 'elsewhere/shop' })).toBe(false);
  });

  it('takes the dots of a pattern for dots', () => {
    const [use] = uses({
      generators: [
        {
          matrix: {
            generators: [
              { plugin: {} },
              pullRequest({ project: 'a.b/{{.x}}' }),
            ],
          },
        },
      ],
    });
    expect(usesProject(use, { id: 1, path: 'a.b/c' })).toBe(true);
    expect(usesProject(use, { id: 1, path: 'aXb/c' })).toBe(false);
  });
});

describe('what is rendered', () => {
  const long = '{{repeat 300 (repeat 100 "/")}}';

  it('is no project where it is longer than a path can be', () => {
    const generators = [
      {
        matrix: {
          generators: [
            { list: { elements: [{ x: '1' }] } },
            pullRequest({ project: `a${long}b` }),
          ],
        },
      },
    ];
    expect(uses({ generators })).toEqual([]);
  });

  it('is no name where it is longer than a name can be', () => {
    const use = oneUse();
    const template = { metadata: { name: `a${long}` } };
    expect(
      namesFor({ ...use, set: { ...use.set, template } }, mergeRequest()),
    ).toEqual([]);
  });
});

describe('a project that is a template', () => {
  it.each([
    ['{{.a}}', 'group/shop', true],
    ['{{.a}}/shop', '/shop', false],
    ['group/{{.a}}', 'group/', false],
    ['group/{{.a}}-api', 'group/shop-api', true],
    ['group/{{.a}}-api', 'group/-api', false],
    ['{{.a}}/x/{{.b}}', 'a/x/x/b', true],
    ['{{.a}}{{.b}}', 'ab', true],
    ['{{.a}}{{.b}}', 'a', false],
    ['{{.a}}aba{{.b}}aba', 'xababa', false],
    ['{{.a}}aba{{.b}}aba', 'xaba-aba', true],
  ])('%s fits %s: %s', (template, path, expected) => {
    expect(ProjectPattern.fromTemplate(template).test(path)).toBe(expected);
  });

  it('takes no longer for having many actions', () => {
    const pattern = ProjectPattern.fromTemplate(`${'{{.a}}a'.repeat(250)}z`);
    expect(pattern.test('a'.repeat(1000))).toBe(false);
  });
});

describe('what a generator selects', () => {
  it('takes an expression that is too large to compile for one that is invalid', () => {
    const titleMatch = '(?:x{0,999})?'.repeat(100);
    expect(
      selects(oneUse({}, { filters: [{ titleMatch }] }), mergeRequest()),
    ).toMatchObject({ selected: false, reason: 'TitleFiltered' });
  });

  const filters = (...list: Json[]) => oneUse({}, { filters: list });

  it.each<[string, GeneratorUse, Json, string]>([
    ['everything by default', oneUse(), {}, 'yes'],
    ['closed ones too without a state', oneUse(), { state: 'closed' }, 'yes'],
    [
      'merged ones too with state all',
      oneUse({ pullRequestState: 'all' }),
      { state: 'merged' },
      'yes',
    ],
    ['opened ones', oneUse({ pullRequestState: 'opened' }), {}, 'yes'],
    [
      'locked ones as opened',
      oneUse({ pullRequestState: 'opened' }),
      { state: 'locked' },
      'yes',
    ],
    [
      'no closed ones where opened are asked for',
      oneUse({ pullRequestState: 'opened' }),
      { state: 'closed' },
      'StateExcluded',
    ],
    [
      'no opened ones where merged are asked for',
      oneUse({ pullRequestState: 'merged' }),
      {},
      'StateExcluded',
    ],
    [
      'what has all labels',
      oneUse({ labels: ['a', 'b'] }),
      { labels: ['b', 'a', 'c'] },
      'yes',
    ],
    [
      'nothing that has one of two labels',
      oneUse({ labels: ['a', 'b'] }),
      { labels: ['a'] },
      'LabelMissing',
    ],
    [
      'labels by their exact case',
      oneUse({ labels: ['Preview'] }),
      { labels: ['preview'] },
      'LabelMissing',
    ],
    [
      'several labels in one text, as GitLab reads them',
      oneUse({ labels: ['a, b', ' c '] }),
      { labels: ['a', 'b', 'c'] },
      'yes',
    ],
    [
      'nothing that lacks one of several labels in one text',
      oneUse({ labels: ['a,b'] }),
      { labels: ['a'] },
      'LabelMissing',
    ],
    [
      'whatever has a label where any is asked for',
      oneUse({ labels: ['any'] }),
      { labels: ['b'] },
      'yes',
    ],
    [
      'nothing without a label where any is asked for',
      oneUse({ labels: ['Any'] }),
      { labels: [] },
      'LabelMissing',
    ],
    [
      'what has no label where none is asked for',
      oneUse({ labels: ['None'] }),
      { labels: [] },
      'yes',
    ],
    [
      'nothing with a label where none is asked for',
      oneUse({ labels: ['None'] }),
      { labels: ['b'] },
      'LabelMissing',
    ],
    [
      'a branch that the expression finds anywhere',
      filters({ branchMatch: 'basket' }),
      {},
      'yes',
    ],
    [
      'no branch that an anchor excludes',
      filters({ branchMatch: '^basket' }),
      {},
      'BranchFiltered',
    ],
    ['a target branch', filters({ targetBranchMatch: 'main' }), {}, 'yes'],
    [
      'no other target branch',
      filters({ targetBranchMatch: 'stable' }),
      {},
      'TargetFiltered',
    ],
    ['a title', filters({ titleMatch: '(?i)BASKET' }), {}, 'yes'],
    ['no other title', filters({ titleMatch: 'BASKET' }), {}, 'TitleFiltered'],
    [
      'all of one filter',
      filters({ branchMatch: 'basket', titleMatch: 'nope' }),
      {},
      'TitleFiltered',
    ],
    [
      'any of several filters',
      filters({ branchMatch: 'nope' }, { titleMatch: 'basket' }),
      {},
      'yes',
    ],
    [
      'nothing that no filter takes, told by the first',
      filters({ branchMatch: 'nope' }, { titleMatch: 'nope' }),
      {},
      'BranchFiltered',
    ],
    ['an empty filter takes everything', filters({}), {}, 'yes'],
    [
      'nothing by an expression that is none',
      filters({ branchMatch: '(' }),
      {},
      'BranchFiltered',
    ],
    [
      'nothing by what RE2 does not know',
      filters({ branchMatch: '(?=basket)' }),
      {},
      'BranchFiltered',
    ],
    [
      'an expression that would hang elsewhere',
      filters({ branchMatch: '(a+)+$' }),
      { source_branch: `${'a'.repeat(190)}!` },
      'BranchFiltered',
    ],
    [
      'no word of the branch in the title’s filter',
      filters({ titleMatch: 'feature' }),
      {},
      'TitleFiltered',
    ],
    ['an MR from a fork', oneUse(), { source_project_id: 99 }, 'yes'],
  ])('is %s', (_, use, patch, expected) => {
    const selection = selects(use, mergeRequest({ labels: [], ...patch }));
    expect(selection.selected ? 'yes' : selection.reason).toBe(expected);
  });

  describe('where the generator has a selector', () => {
    const selecting = (
      requirement: Json,
      around: (generator: Json) => Json = generator => generator,
    ) =>
      uses({
        generators: [
          around({
            ...pullRequest({}, { values: { team: 'blue' } }),
            selector: { matchExpressions: [requirement] },
          }),
        ],
      })[0];
    const inMatrixWith = (sibling: Json) => (generator: Json) => ({
      matrix: { generators: [sibling, generator] },
    });
    const takes = (use: GeneratorUse, patch: Json = {}) =>
      selects(use, mergeRequest(patch)).selected;

    it.each<[boolean, string, string, string[]]>([
      [false, 'author', 'NotIn', ['dev1', 'bot']],
      [true, 'author', 'NotIn', ['bot']],
      [true, 'author', 'In', ['dev1']],
      [false, 'author', 'In', ['bot']],
      [true, 'values.team', 'In', ['blue']],
      [false, 'values.team', 'In', ['green']],
      [true, 'labels.0', 'In', ['preview']],
      [true, 'number', 'Exists', []],
      [false, 'number', 'DoesNotExist', []],
      [false, 'env', 'Exists', []],
      [true, 'env', 'DoesNotExist', []],
      [true, 'env', 'NotIn', ['a']],
      [false, 'env', 'In', ['a']],
    ])(
      'is %s that it takes what %s %s %j',
      (expected, key, operator, values) => {
        expect(takes(selecting({ key, operator, values }))).toBe(expected);
      },
    );

    it.each([
      ['a', true],
      ['b', false],
    ])('asks what a list of the matrix gives: %s', (env, expected) => {
      const use = selecting(
        { key: 'env', operator: 'In', values: ['a'] },
        inMatrixWith({ list: { elements: [{ env }] } }),
      );
      expect(takes(use)).toBe(expected);
    });

    it('asks nothing that only a running Argo CD knows', () => {
      const ofCluster = { key: 'name', operator: 'In', values: ['a'] };
      expect(takes(selecting(ofCluster, inMatrixWith({ clusters: {} })))).toBe(
        true,
      );
    });

    it('takes for met what an element leaves to a template', () => {
      const inside = { matchLabels: { owner: 'team' } };
      const list = { list: { elements: [{ owner: '{{.author}}' }] } };
      const matrix = (selectors: { element?: Json; all?: Json }) =>
        uses({
          generators: [
            {
              matrix: {
                generators: [
                  pullRequest(),
                  { ...list, selector: selectors.element },
                ],
              },
              selector: selectors.all,
            },
          ],
        });
      for (const found of [
        matrix({ element: inside }),
        matrix({ all: inside }),
      ]) {
        expect(found.map(use => takes(use))).toEqual([true]);
      }
    });

    it('tells which requirement an MR does not meet', () => {
      const use = selecting({
        key: 'author',
        operator: 'NotIn',
        values: ['dev1', 'bot'],
      });
      expect(selects(use, mergeRequest())).toEqual({
        selected: false,
        reason: 'SelectorExcluded',
        params: {
          applicationSet: 'argocd/previews',
          requirement: 'author NotIn (dev1, bot)',
        },
      });
    });
  });

  describe('where labels and filters are templates of a matrix', () => {
    const inMatrix = (sibling: Json, gitlab: Json, rest: Json = {}) =>
      uses({
        generators: [
          { matrix: { generators: [sibling, pullRequest(gitlab, rest)] } },
        ],
      })[0];
    const teams = { list: { elements: [{ team: 'blue' }] } };
    const dynamic = { clusters: {} };
    const selected = (use: GeneratorUse, patch: Json) =>
      selects(use, mergeRequest(patch)).selected;

    it.each([
      ['blue', true],
      ['green', false],
    ])('takes the label of %s: %s', (team, expected) => {
      const use = inMatrix(teams, { labels: ['preview-{{.team}}'] });
      expect(selected(use, { labels: [`preview-${team}`] })).toBe(expected);
    });

    it.each([
      [['blue', 'preview'], true],
      [['blue'], false],
    ])('takes the several labels of an element: %j, %s', (labels, expected) => {
      const several = { list: { elements: [{ labels: 'blue, preview' }] } };
      const use = inMatrix(several, { labels: ['{{.labels}}'] });
      expect(selected(use, { labels })).toBe(expected);
    });

    it('takes a comma within a template for no other label', () => {
      const use = inMatrix(teams, {
        labels: ['{{.team | replace "blue" "a,b"}},preview'],
      });
      expect(use.generator.labels).toEqual(['a', 'b', 'preview']);
    });

    it('takes any labels where an element has none', () => {
      const none = { list: { elements: [{ labels: '' }] } };
      const use = inMatrix(none, { labels: ['{{.labels}}'] });
      expect(selected(use, { labels: [] })).toBe(true);
    });

    it.each([
      ['blue/basket', true],
      ['green/basket', false],
    ])('takes the branch %s: %s', (branch, expected) => {
      const use = inMatrix(
        teams,
        {},
        { filters: [{ branchMatch: '^{{.team}}/' }] },
      );
      expect(selected(use, { source_branch: branch })).toBe(expected);
    });

    it.each([
      [['preview-blue'], true],
      [['ready'], false],
    ])(
      'takes any label that fits where only Argo CD knows it: %j, %s',
      (labels, expected) => {
        const use = inMatrix(dynamic, { labels: ['preview-{{.name}}'] });
        expect(selected(use, { labels })).toBe(expected);
      },
    );

    it.each([
      [teams, 'opened', 'opened', true],
      [teams, 'opened', 'merged', false],
      [dynamic, '{{.state}}', 'merged', true],
    ])(
      'leaves out no MR by a state that only Argo CD knows: %#',
      (sibling, pullRequestState, state, expected) => {
        const use = inMatrix(sibling, { pullRequestState });
        expect(selected(use, { state })).toBe(expected);
      },
    );

    it('refuses no branch by an expression that only Argo CD knows', () => {
      const use = inMatrix(
        dynamic,
        {},
        { filters: [{ branchMatch: '^{{.name}}/' }] },
      );
      expect(selected(use, { source_branch: 'basket' })).toBe(true);
    });
  });
});

describe('the parameters that a generator gives', () => {
  it('gives all that Argo CD gives, the number as text', () => {
    expect(parametersFor(oneUse(), mergeRequest())).toEqual({
      number: '7',
      title: 'Show the basket',
      branch: 'feature/basket',
      branch_slug: 'feature-basket',
      target_branch: 'main',
      target_branch_slug: 'main',
      head_sha: HEAD,
      head_short_sha: HEAD.slice(0, 8),
      head_short_sha_7: HEAD.slice(0, 7),
      author: 'dev1',
      labels: ['preview'],
    });
  });

  it('gives labels to Go templates only', () => {
    const [use] = uses({ goTemplate: false, generators: [pullRequest()] });
    expect(parametersFor(use, mergeRequest())).not.toHaveProperty('labels');
  });

  it('gives values, rendered with the other parameters', () => {
    const use = oneUse({}, { values: { host: 'mr-{{.number}}.example.com' } });
    expect(parametersFor(use, mergeRequest())).toMatchObject({
      values: { host: 'mr-7.example.com' },
    });
  });

  it('gives an empty SHA where the source branch is gone', () => {
    expect(parametersFor(oneUse(), mergeRequest({ sha: null }))).toMatchObject({
      head_sha: '',
      head_short_sha: '',
    });
  });
});

describe('the names that a set gives', () => {
  const named = (name: string, spec: Json = {}) =>
    uses({
      template: { metadata: { name } },
      generators: [pullRequest()],
      ...spec,
    })[0];

  it.each<[string, GeneratorUse, Json, string[]]>([
    ['by number', named('preview-{{.number}}'), {}, ['preview-7']],
    [
      'by branch slug',
      named('shop-{{.branch_slug}}'),
      {},
      ['shop-feature-basket'],
    ],
    [
      'by branch slug under both rules where they differ',
      named('shop-{{.branch_slug}}'),
      { source_branch: 'release/1.2.x' },
      ['shop-release-1-2-x', 'shop-release-1.2.x'],
    ],
    [
      'by an older template',
      named('shop-{{number}}', { goTemplate: false }),
      {},
      ['shop-7'],
    ],
    [
      'not at all where an older template stays unrendered',
      named('shop-{{nope}}', { goTemplate: false }),
      {},
      [],
    ],
    [
      'not at all where a key is missing and that is an error',
      named('shop-{{.nope}}', { goTemplateOptions: ['missingkey=error'] }),
      {},
      [],
    ],
    [
      'not at all by a function that is not known',
      named('shop-{{randAlpha 5}}'),
      {},
      [],
    ],
    [
      'by a function',
      named('{{.branch | lower | replace "/" "-" | trunc 10}}'),
      {},
      ['feature-ba'],
    ],
    ['as a literal', named('the-one'), {}, ['the-one']],
  ])('%s', (_, use, patch, names) => {
    expect(namesFor(use, mergeRequest(patch))).toEqual(names);
  });

  it('has none without a template', () => {
    expect(
      namesFor(
        uses({ template: {}, generators: [pullRequest()] })[0],
        mergeRequest(),
      ),
    ).toEqual([]);
  });

  it.each<[string, GeneratorUse, string, string | undefined]>([
    ['a number at the end', named('preview-{{.number}}'), 'preview-12', '12'],
    ['a number in the middle', named('mr-{{.number}}-web'), 'mr-3-web', '3'],
    [
      'a number in an older template',
      named('mr-{{number}}', { goTemplate: false }),
      'mr-3',
      '3',
    ],
    [
      'a number through a function that keeps it',
      named('{{printf "mr-%s" .number}}'),
      'mr-44',
      '44',
    ],
    [
      'nothing from another name',
      named('preview-{{.number}}'),
      'other-12',
      undefined,
    ],
    [
      'nothing from more than the number',
      named('preview-{{.number}}'),
      'preview-12-x',
      undefined,
    ],
    [
      'no number with a leading zero',
      named('preview-{{.number}}'),
      'preview-012',
      undefined,
    ],
    [
      'nothing where the branch is in the name',
      named('{{.branch_slug}}-{{.number}}'),
      'a-12',
      undefined,
    ],
    [
      'nothing where the number stands twice',
      named('{{.number}}-{{.number}}'),
      '1-1',
      undefined,
    ],
    ['nothing from a literal', named('the-one'), 'the-one', undefined],
    [
      'nothing where the number is cut',
      named('mr-{{trunc 3 .number}}'),
      'mr-314',
      undefined,
    ],
  ])('reads back %s', (_, use, name, iid) => {
    expect(iidPattern(use)?.exec(name)?.[1]).toBe(iid);
  });

  it('takes the dots of a literal for dots', () => {
    expect(iidPattern(named('a.b-{{.number}}'))?.exec('aXb-1')).toBeNull();
  });

  it('reads back a number between constants of a matrix', () => {
    const [use] = uses({
      template: { metadata: { name: '{{.app}}-{{.number}}' } },
      generators: [
        {
          matrix: {
            generators: [
              { list: { elements: [{ app: 'shop' }] } },
              pullRequest(),
            ],
          },
        },
      ],
    });
    expect(iidPattern(use)?.exec('shop-9')?.[1]).toBe('9');
  });
});

it('parses the MRs of these tests', () => {
  expect(parseMergeRequest({}, { host: HOST })).toBeUndefined();
  expect(mergeRequest().key).toEqual({ host: HOST, projectId: 42, iid: 7 });
});
