/* eslint-disable no-script-url -- hostile on purpose */
import { kindNames } from '../../model';
import {
  kindDefinitions,
  parseAnyObject,
  parseMergeRequest,
  parsePipeline,
  parseProject,
  parseRegistryRepository,
  parseRegistryTag,
} from '.';

const context = { cluster: 'c', host: 'gitlab.example.com' };

const deep = (() => {
  let value: unknown = 'end';
  for (let depth = 0; depth < 5000; depth += 1) {
    value = { spec: value, generators: [{ matrix: value }] };
  }
  return value;
})();

/** What can stand in any place of an object. */
const hostileValues: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['true', true],
  ['zero', 0],
  ['a negative number', -1],
  ['a fraction', 1.5],
  ['not a number', Number.NaN],
  ['infinity', Infinity],
  ['an empty text', ''],
  ['a text', 'text'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['a script URL', 'javascript:alert(1)'],
  ['a name of the prototype', '__proto__'],
  ['a megabyte', 'x'.repeat(1_000_000)],
  ['half a character', '\ud800'],
  ['a null character', '\u0000'],
  ['an empty list', []],
  ['a list of nulls', [null, null]],
  ['a list of texts', ['a', 'b']],
  ['a list of lists', [[[]]]],
  [
    'a long list',
    Array.from({ length: 20_000 }, () => ({ name: 'a', type: 'b' })),
  ],
  ['an empty object', {}],
  ['an object', { name: 'a', kind: 'b', message: 'c' }],
  [
    'a polluting object',
    JSON.parse(
      '{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}}',
    ),
  ],
  ['a deep object', deep],
];

/** Every member that some parser reads. */
const metadataMembers = [
  'namespace',
  'uid',
  'labels',
  'annotations',
  'creationTimestamp',
  'deletionTimestamp',
  'finalizers',
  'generation',
  'ownerReferences',
];
const specMembers = [
  'source',
  'sources',
  'destination',
  'info',
  'project',
  'generators',
  'template',
  'templatePatch',
  'syncPolicy',
  'goTemplate',
  'goTemplateOptions',
  'replicas',
  'containers',
  'initContainers',
  'dnsNames',
  'issuerRef',
  'secretName',
  'hostnames',
  'parentRefs',
  'listeners',
  'rules',
  'tls',
  'ingressClassName',
];
const statusMembers = [
  'sync',
  'health',
  'operationState',
  'history',
  'resources',
  'summary',
  'conditions',
  'reconciledAt',
  'phase',
  'readyReplicas',
  'observedGeneration',
  'containerStatuses',
  'initContainerStatuses',
  'startTime',
  'notAfter',
  'parents',
  'listeners',
  'loadBalancer',
];

describe('hostile objects', () => {
  it.each(hostileValues)('%s is no object of any kind', (_, value) => {
    for (const kind of kindNames) {
      expect(kindDefinitions[kind].parse(value, context)).toBeUndefined();
    }
    expect(parseMergeRequest(value, context)).toBeUndefined();
    expect(parsePipeline(value)).toBeUndefined();
    expect(parseProject(value)).toBeUndefined();
    expect(parseRegistryTag(value)).toBeUndefined();
    expect(parseRegistryRepository(value)).toBeUndefined();
    expect(parseAnyObject(value, context)).toBe('not read yet');
  });

  describe.each(kindNames)('%s', name => {
    const { kind, group, parse } = kindDefinitions[name];
    const apiVersion = group === '' ? 'v1' : `${group}/v1`;

    it.each(hostileValues)(
      'are read as far as it goes with %s anywhere',
      (_, value) => {
        const whole = (
          part: 'metadata' | 'spec' | 'status',
          members: string[],
        ) =>
          members.map(member => ({
            apiVersion,
            kind,
            metadata: { name: 'a' },
            [part]: {
              ...(part === 'metadata' && { name: 'a' }),
              [member]: value,
            },
          }));
        const objects = [
          {
            apiVersion,
            kind,
            metadata: { name: 'a' },
            spec: value,
            status: value,
          },
          { apiVersion, kind, metadata: { name: 'a' }, operation: value },
          ...whole('metadata', metadataMembers),
          ...whole('spec', specMembers),
          ...whole('status', statusMembers),
        ];
        for (const object of objects) {
          const fact = parse(object, context);
          expect(fact).toMatchObject({ meta: { name: 'a', cluster: 'c' } });
          // Whatever was sent, what is kept is bounded.
          expect(JSON.stringify(fact).length).toBeLessThan(1_200_000);
        }
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      },
    );

    it.each([
      ['another kind', { apiVersion, kind: 'Node' }],
      ['another group', { apiVersion: 'example.com/v1', kind }],
      ['a version that is none', { apiVersion: 7, kind }],
      ['a kind that is none', { apiVersion, kind: {} }],
      ['no name', { apiVersion, kind, metadata: {} }],
      ['an empty name', { apiVersion, kind, metadata: { name: '' } }],
      ['a name that is none', { apiVersion, kind, metadata: { name: 7 } }],
      [
        'a name that is too long',
        { apiVersion, kind, metadata: { name: 'a'.repeat(300) } },
      ],
    ])('are not taken from %s', (_, object) => {
      expect(
        parse({ metadata: { name: 'a', namespace: 'b' }, ...object }, context),
      ).toBeUndefined();
    });

    it('are read in a version that is not known', () => {
      const version = group === '' ? 'v9' : `${group}/v9alpha3`;
      expect(
        parse({ apiVersion: version, kind, metadata: { name: 'a' } }, context),
      ).toBeDefined();
    });

    it('are read as items of a list, which do not say their kind', () => {
      expect(parse({ metadata: { name: 'a' } }, context)).toBeDefined();
    });
  });

  const json = {
    mergeRequest: {
      iid: 1,
      project_id: 2,
      state: 'opened',
      source_branch: 'a',
      target_branch: 'b',
      created_at: '2026-03-01T10:00:00Z',
      updated_at: '2026-03-01T10:00:00Z',
    },
    pipeline: { id: 1, sha: 'a'.repeat(40), status: 'running' },
    project: { id: 1, path_with_namespace: 'a/b' },
  };
  const members = [
    'title',
    'web_url',
    'author',
    'labels',
    'draft',
    'work_in_progress',
    'sha',
    'source_project_id',
    'target_project_id',
    'merged_at',
    'closed_at',
    'source',
    'created_at',
    'finished_at',
    'http_url_to_repo',
  ];

  it.each(hostileValues)(
    'of GitLab are read as far as it goes with %s anywhere',
    (_, value) => {
      for (const member of members) {
        expect(
          parseMergeRequest({ ...json.mergeRequest, [member]: value }, context),
        ).toMatchObject({ key: { iid: 1, projectId: 2 } });
        expect(
          parseProject({ ...json.project, [member]: value }),
        ).toMatchObject({ id: 1 });
        expect(
          parsePipeline({ [member]: value, ...json.pipeline }),
        ).toMatchObject({ id: 1 });
      }
    },
  );
});
