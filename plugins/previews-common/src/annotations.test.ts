import { Entity } from '@backstage/catalog-model';
import {
  isPreviewsAvailable,
  ownLocationUrl,
  PreviewsAnnotations,
  readPreviewsAnnotations,
} from './annotations';

const SOURCE = 'https://gitlab.example.com/shop/api/-/tree/main/';
const FILE =
  'https://gitlab.example.com/shop/api/-/blob/main/catalog-info.yaml';

function entity(annotations?: Record<string, string>): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'api', ...(annotations && { annotations }) },
  };
}

describe('isPreviewsAvailable', () => {
  it.each<[string, Record<string, string> | undefined, boolean]>([
    ['no annotations', undefined, false],
    ['unrelated annotations', { 'example.com/a': 'b' }, false],
    ['a slug', { 'gitlab.com/project-slug': 'shop/api' }, true],
    ['an id', { 'gitlab.com/project-id': '12' }, true],
    ['a set', { 'previews/application-set': 'argocd/shop' }, true],
    ['a source', { 'backstage.io/source-location': `url:${SOURCE}` }, true],
    ['a file', { 'backstage.io/managed-by-location': `url:${FILE}` }, true],
    [
      'enabled alone, which names no project',
      { 'previews/enabled': 'true' },
      false,
    ],
    [
      'a slug that is switched off',
      { 'gitlab.com/project-slug': 'shop/api', 'previews/enabled': 'false' },
      false,
    ],
    [
      'a set that is switched off',
      { 'previews/application-set': 'a/b', 'previews/enabled': 'false' },
      false,
    ],
    [
      'a slug and an unknown word for enabled',
      { 'gitlab.com/project-slug': 'shop/api', 'previews/enabled': 'no' },
      true,
    ],
    [
      'a malformed slug, to show the problem',
      { 'gitlab.com/project-slug': 'x' },
      true,
    ],
    ['an empty slug', { 'gitlab.com/project-slug': '' }, false],
    ['a slug of spaces', { 'gitlab.com/project-slug': '  ' }, false],
    ['an empty set', { 'previews/application-set': '' }, false],
    [
      'an empty slug before a source',
      {
        'gitlab.com/project-slug': '',
        'backstage.io/source-location': `url:${SOURCE}`,
      },
      false,
    ],
    [
      'an empty id before a source',
      {
        'gitlab.com/project-id': '',
        'backstage.io/source-location': `url:${SOURCE}`,
      },
      false,
    ],
    [
      'an empty slug beside an id',
      { 'gitlab.com/project-slug': '', 'gitlab.com/project-id': '12' },
      true,
    ],
    [
      'an empty slug beside a set',
      { 'gitlab.com/project-slug': '', 'previews/application-set': 'a/b' },
      true,
    ],
    [
      'a source in another forge',
      {
        'backstage.io/source-location': 'url:https://github.com/a/b/tree/main/',
      },
      false,
    ],
    [
      'a source in another forge and a file in GitLab',
      {
        'backstage.io/source-location': 'url:https://github.com/a/b/tree/main/',
        'backstage.io/managed-by-location': `url:${FILE}`,
      },
      false,
    ],
    [
      'an empty source and a file in GitLab',
      {
        'backstage.io/source-location': '',
        'backstage.io/managed-by-location': `url:${FILE}`,
      },
      true,
    ],
    [
      'a source that is no URL',
      { 'backstage.io/source-location': 'url:not a url/-/tree/main/' },
      false,
    ],
    [
      'a source with a scheme that runs code',
      { 'backstage.io/source-location': 'url:javascript:/a/b/-/tree/main/' },
      false,
    ],
    [
      'a file on disk',
      { 'backstage.io/managed-by-location': 'file:/a/b/-/blob/main/c.yaml' },
      false,
    ],
  ])('with %s', (_, annotations, expected) => {
    expect(isPreviewsAvailable(entity(annotations))).toBe(expected);
  });
});

describe('readPreviewsAnnotations', () => {
  const nothing: PreviewsAnnotations = {
    enabled: true,
    explicit: false,
    applicationSets: [],
    problems: [],
  };

  it.each<
    [string, Record<string, string> | undefined, Partial<PreviewsAnnotations>]
  >([
    ['no annotations as nothing', undefined, {}],
    [
      'a slug',
      { 'gitlab.com/project-slug': 'shop/sub.group/api_v2' },
      { project: { slug: 'shop/sub.group/api_v2', from: 'slug' } },
    ],
    [
      'a slug with spaces around it',
      { 'gitlab.com/project-slug': ' shop/api\n' },
      { project: { slug: 'shop/api', from: 'slug' } },
    ],
    [
      'an id',
      { 'gitlab.com/project-id': '1415' },
      { project: { id: 1415, from: 'id' } },
    ],
    [
      'an id before a slug, because it survives a rename',
      {
        'gitlab.com/project-id': '1415',
        'gitlab.com/project-slug': 'shop/api',
      },
      { project: { id: 1415, slug: 'shop/api', from: 'id' } },
    ],
    [
      'the instance in lower case',
      {
        'gitlab.com/project-id': '1415',
        'gitlab.com/instance': 'GitLab.Example.com:8443',
      },
      { project: { id: 1415, host: 'gitlab.example.com:8443', from: 'id' } },
    ],
    [
      'an empty instance as none',
      { 'gitlab.com/project-id': '1415', 'gitlab.com/instance': '' },
      { project: { id: 1415, from: 'id' } },
    ],
    [
      'the source location where nothing names a project',
      { 'backstage.io/source-location': `url:${SOURCE}` },
      {
        project: { host: 'gitlab.example.com', from: 'source-location' },
        sourceLocationUrl: SOURCE,
      },
    ],
    [
      'the location of the file where there is no source location',
      { 'backstage.io/managed-by-location': `url:${FILE}` },
      {
        project: { host: 'gitlab.example.com', from: 'source-location' },
        sourceLocationUrl: FILE,
      },
    ],
    [
      'no source location when a slug is there',
      {
        'gitlab.com/project-slug': 'shop/api',
        'backstage.io/source-location': `url:${SOURCE}`,
      },
      { project: { slug: 'shop/api', from: 'slug' } },
    ],
    [
      'an empty slug as no project at all',
      {
        'gitlab.com/project-slug': '',
        'backstage.io/source-location': `url:${SOURCE}`,
      },
      {},
    ],
    [
      'enabled as asked for',
      { 'previews/enabled': 'true' },
      { explicit: true },
    ],
    ['disabled', { 'previews/enabled': 'false' }, { enabled: false }],
    ['an empty enabled as nothing said', { 'previews/enabled': '' }, {}],
    [
      'ApplicationSets in their order, once each',
      {
        'previews/application-set':
          'argocd/shop, prod:argocd/shop,, arn:aws:eks:eu-west-1:1:cluster/a:team-a/shop.v2 ,argocd/shop',
      },
      {
        explicit: true,
        applicationSets: [
          { namespace: 'argocd', name: 'shop' },
          { cluster: 'prod', namespace: 'argocd', name: 'shop' },
          {
            cluster: 'arn:aws:eks:eu-west-1:1:cluster/a',
            namespace: 'team-a',
            name: 'shop.v2',
          },
        ],
      },
    ],
    [
      'a path without slashes around it',
      { 'previews/path': './services/api/' },
      { path: 'services/api' },
    ],
    ['the root as no path', { 'previews/path': './' }, {}],
    ['a time to live', { 'previews/ttl': 'PT12H' }, { timeToLive: 43_200 }],
    [
      'that previews are kept',
      { 'previews/ttl': 'never' },
      { timeToLive: 'never' },
    ],
    ['an empty time to live as none', { 'previews/ttl': '' }, {}],
    [
      'the cluster',
      { 'backstage.io/kubernetes-cluster': 'prod-1' },
      { cluster: 'prod-1' },
    ],
    ['an empty cluster as none', { 'backstage.io/kubernetes-cluster': '' }, {}],
  ])('reads %s', (_, annotations, expected) => {
    expect(readPreviewsAnnotations(entity(annotations))).toEqual({
      ...nothing,
      ...expected,
    });
  });

  it.each<[string, string, string, string]>([
    [
      'a URL as slug',
      'gitlab.com/project-slug',
      'https://gitlab.com/a/b',
      'group/project',
    ],
    [
      'a host in the slug',
      'gitlab.com/project-slug',
      'gitlab.com/a/b',
      'group/project',
    ],
    [
      'a slug without a group',
      'gitlab.com/project-slug',
      'api',
      'group/project',
    ],
    [
      'a slug with a slash in front',
      'gitlab.com/project-slug',
      '/a/b',
      'group/project',
    ],
    [
      'a slug with an empty part',
      'gitlab.com/project-slug',
      'a//b',
      'group/project',
    ],
    ['a slug that climbs', 'gitlab.com/project-slug', '../b', 'group/project'],
    [
      'a slug of a clone URL',
      'gitlab.com/project-slug',
      'a/b.git',
      'group/project',
    ],
    [
      'a slug with a query',
      'gitlab.com/project-slug',
      'a/b?x=1',
      'group/project',
    ],
    ['a word as id', 'gitlab.com/project-id', 'twelve', '1234'],
    ['zero as id', 'gitlab.com/project-id', '0', '1234'],
    ['a fraction as id', 'gitlab.com/project-id', '1.5', '1234'],
    [
      'an id beyond exact numbers',
      'gitlab.com/project-id',
      '9'.repeat(16),
      '1234',
    ],
    [
      'a URL as instance',
      'gitlab.com/instance',
      'https://gitlab.com',
      'gitlab.example.com',
    ],
    ['another word for enabled', 'previews/enabled', 'yes', 'true|false'],
    ['enabled in capitals', 'previews/enabled', 'TRUE', 'true|false'],
    [
      'a set without namespace',
      'previews/application-set',
      'shop',
      '[cluster:]namespace/name',
    ],
    [
      'a set with an empty name',
      'previews/application-set',
      'argocd/',
      '[cluster:]namespace/name',
    ],
    [
      'a set with too many parts',
      'previews/application-set',
      'a/b/c',
      '[cluster:]namespace/name',
    ],
    [
      'a set with an empty cluster',
      'previews/application-set',
      ':a/b',
      '[cluster:]namespace/name',
    ],
    [
      'a set in capitals',
      'previews/application-set',
      'Argo/Shop',
      '[cluster:]namespace/name',
    ],
    ['a path that climbs', 'previews/path', 'a/../../b', 'services/api'],
    ['a time to live in words', 'previews/ttl', '7 days', 'P7D|PT12H|never'],
    ['a path with a pattern', 'previews/path', 'services/*', 'services/api'],
  ])('tells %s as a problem', (_, annotation, value, expected) => {
    const read = readPreviewsAnnotations(entity({ [annotation]: value }));

    expect(read.problems).toEqual([
      {
        annotation,
        reason: 'Malformed',
        params: { value, expected },
        message: `The annotation ${annotation} is “${value}” but has to look like “${expected}”; whoever owns the entity can correct it.`,
      },
    ]);
    expect(read.project).toBeUndefined();
    expect(read.applicationSets).toEqual([]);
    expect(read.path).toBeUndefined();
    expect(read.enabled).toBe(true);
    expect(read.explicit).toBe(false);
  });

  it('does not take the source for the project that a malformed slug meant', () => {
    const read = readPreviewsAnnotations(
      entity({
        'gitlab.com/project-slug': 'https://gitlab.example.com/other/thing',
        'backstage.io/source-location': `url:${SOURCE}`,
      }),
    );
    expect(read.project).toBeUndefined();
    expect(read.sourceLocationUrl).toBeUndefined();
  });

  it('does not look for the project on another instance than the malformed one', () => {
    const read = readPreviewsAnnotations(
      entity({
        'gitlab.com/project-id': '12',
        'gitlab.com/instance': 'https://gitlab.example.com',
      }),
    );
    expect(read.project).toBeUndefined();
  });

  it('takes the instance in front of a slug for a host', () => {
    const read = readPreviewsAnnotations(
      entity({
        'gitlab.com/project-slug': 'code.example.com/shop/api',
        'gitlab.com/instance': 'code.example.com',
      }),
    );
    expect(read.problems).toHaveLength(1);
  });

  it('keeps the well-formed sets beside a malformed one', () => {
    const read = readPreviewsAnnotations(
      entity({ 'previews/application-set': 'argocd/shop, nonsense' }),
    );
    expect(read.applicationSets).toEqual([
      { namespace: 'argocd', name: 'shop' },
    ]);
    expect(read.problems.map(problem => problem.params.value)).toEqual([
      'nonsense',
    ]);
  });

  it('answers a hostile megabyte with a few short problems', () => {
    const value = Array.from({ length: 100_000 }, (_, index) => `x${index}`);
    const read = readPreviewsAnnotations(
      entity({
        'previews/application-set': value.join(','),
        'gitlab.com/project-slug': '<img src=x>\u202e'.repeat(80_000),
      }),
    );
    expect(read.problems).toHaveLength(6);
    for (const problem of read.problems) {
      expect(problem.message.length).toBeLessThan(500);
      expect(problem.message).not.toContain('\u202e');
    }
  });

  it('does not throw on a value that is no text', () => {
    const odd = entity();
    odd.metadata.annotations = {
      'gitlab.com/project-id': 12,
      'previews/enabled': true,
      'gitlab.com/project-slug': null,
    } as unknown as Record<string, string>;
    expect(readPreviewsAnnotations(odd)).toEqual(nothing);
    expect(isPreviewsAvailable(odd)).toBe(false);
  });
});

describe('ownLocationUrl', () => {
  it('is where the catalog read the entity', () => {
    expect(
      ownLocationUrl(
        entity({ 'backstage.io/managed-by-location': `url:${FILE}` }),
      ),
    ).toBe(FILE);
  });

  it('is not what the author of the entity wrote as its source', () => {
    expect(
      ownLocationUrl(
        entity({ 'backstage.io/source-location': `url:${SOURCE}` }),
      ),
    ).toBeUndefined();
  });

  it('is nothing outside GitLab', () => {
    expect(
      ownLocationUrl(
        entity({
          'backstage.io/managed-by-location':
            'url:https://github.com/a/b/blob/main/catalog-info.yaml',
        }),
      ),
    ).toBeUndefined();
  });
});
