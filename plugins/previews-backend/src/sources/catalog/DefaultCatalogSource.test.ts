import { mockServices } from '@backstage/backend-test-utils';
import { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { GitLabHostConfig } from '../../config';
import { DefaultCatalogSource } from './DefaultCatalogSource';
import { parseEntity } from './parseEntity';

const hosts: GitLabHostConfig[] = [
  {
    host: 'gitlab.example.com',
    webUrl: 'https://gitlab.example.com/git',
    apiUrl: 'https://gitlab.example.com/git/api/v4',
    tokenFrom: 'none',
    webhookSecrets: [],
  },
  {
    host: 'gitlab.com',
    webUrl: 'https://gitlab.com',
    apiUrl: 'https://gitlab.com/api/v4',
    tokenFrom: 'none',
    webhookSecrets: [],
  },
];

const LOCATION =
  'url:https://gitlab.example.com/git/group/sub/shop/-/blob/main/catalog-info.yaml';

function entity(
  name: string,
  annotations: Record<string, string>,
  kind = 'Component',
): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind,
    metadata: { name, uid: `uid-${name}`, annotations },
  };
}

describe('parseEntity', () => {
  it.each<[string, Record<string, string>, object]>([
    [
      'a slug: the first host where nothing says which',
      { 'gitlab.com/project-slug': 'group/shop' },
      {
        project: { host: 'gitlab.example.com', path: 'group/shop' },
        explicit: false,
        problems: [],
      },
    ],
    [
      'a slug and its host',
      {
        'gitlab.com/project-slug': 'group/shop',
        'gitlab.com/instance': 'gitlab.com',
      },
      { project: { host: 'gitlab.com', path: 'group/shop' } },
    ],
    [
      'a slug: the host of the own location',
      {
        'gitlab.com/project-slug': 'group/shop',
        'backstage.io/managed-by-location':
          'url:https://gitlab.com/group/shop/-/blob/main/c.yaml',
      },
      {
        project: { host: 'gitlab.com', path: 'group/shop' },
        ownGroup: { host: 'gitlab.com', group: 'group' },
      },
    ],
    [
      'an id',
      { 'gitlab.com/project-id': '42' },
      { project: { host: 'gitlab.example.com', id: 42 } },
    ],
    [
      'its location below a subpath',
      { 'backstage.io/managed-by-location': LOCATION },
      {
        project: { host: 'gitlab.example.com', path: 'group/sub/shop' },
        ownGroup: { host: 'gitlab.example.com', group: 'group' },
      },
    ],
    [
      'a host that is not configured',
      {
        'gitlab.com/project-slug': 'group/shop',
        'gitlab.com/instance': 'evil.example.com',
      },
      {
        project: undefined,
        problems: [
          {
            annotation: 'gitlab.com/instance',
            reason: 'UnknownHost',
            params: { host: 'evil.example.com' },
          },
        ],
      },
    ],
    [
      'a location on a host that is not configured',
      {
        'backstage.io/managed-by-location':
          'url:https://git.other.com/a/b/-/blob/main/c.yaml',
      },
      {
        project: undefined,
        problems: [
          { reason: 'UnknownHost', params: { host: 'git.other.com' } },
        ],
      },
    ],
    [
      'an ApplicationSet alone',
      {
        'previews/application-set': 'staging:argocd/previews',
        'backstage.io/kubernetes-cluster': 'staging',
      },
      {
        applicationSets: [
          { cluster: 'staging', namespace: 'argocd', name: 'previews' },
        ],
        explicit: true,
        cluster: 'staging',
        project: undefined,
      },
    ],
    [
      'a path in a monorepo',
      { 'gitlab.com/project-slug': 'a/b', 'previews/path': './services/api/' },
      { path: 'services/api' },
    ],
    [
      'a time to live',
      { 'gitlab.com/project-slug': 'a/b', 'previews/ttl': 'P7D' },
      { timeToLive: 604_800, problems: [] },
    ],
    [
      'a malformed time to live, which keeps its previews until it is put right',
      { 'gitlab.com/project-slug': 'a/b', 'previews/ttl': '7 days' },
      {
        timeToLive: 'never',
        problems: [{ annotation: 'previews/ttl', reason: 'Malformed' }],
      },
    ],
    [
      'a request',
      { 'gitlab.com/project-slug': 'a/b', 'previews/enabled': 'true' },
      { explicit: true },
    ],
    [
      'a malformed slug',
      { 'gitlab.com/project-slug': 'https://gitlab.com/a/b' },
      {
        project: undefined,
        problems: [
          { annotation: 'gitlab.com/project-slug', reason: 'Malformed' },
        ],
      },
    ],
  ])('understands an entity with %s', (_, annotations, expected) => {
    const fact = parseEntity(entity('shop', annotations), { hosts });
    expect({ project: undefined, ...fact }).toMatchObject({
      entityRef: 'component:default/shop',
      ...expected,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    [
      'another forge',
      {
        'backstage.io/managed-by-location':
          'url:https://github.com/a/b/blob/main/c.yaml',
      },
    ],
    [
      'previews that are off',
      { 'gitlab.com/project-slug': 'a/b', 'previews/enabled': 'false' },
    ],
  ])('leaves out an entity with %s', (_, annotations) => {
    expect(parseEntity(entity('shop', annotations), { hosts })).toBeUndefined();
  });

  it('takes no group from a source location that the author wrote', () => {
    const fact = parseEntity(
      entity('shop', {
        'gitlab.com/project-slug': 'victim/app',
        'backstage.io/source-location':
          'url:https://gitlab.com/victim/app/-/tree/main/',
        'backstage.io/managed-by-location': LOCATION,
      }),
      { hosts },
    );
    expect(fact?.ownGroup).toEqual({
      host: 'gitlab.example.com',
      group: 'group',
    });
  });
});

describe('DefaultCatalogSource', () => {
  const stop = { current: new AbortController() };
  const now = new Date('2026-03-01T12:00:00.000Z');

  beforeEach(() => {
    stop.current = new AbortController();
  });

  afterEach(() => stop.current.abort());

  function create(catalog: ReturnType<typeof catalogServiceMock>) {
    return DefaultCatalogSource.create({
      catalog,
      auth: mockServices.auth(),
      gitlab: hosts,
      schedule: { catalogPollMilliseconds: 3_600_000 },
      logger: mockServices.logger.mock(),
      clock: () => now,
    });
  }

  it('reads components, and others that are annotated', async () => {
    const source = create(
      catalogServiceMock({
        entities: [
          entity('by-location', {
            'backstage.io/managed-by-location': LOCATION,
          }),
          entity('by-slug', { 'gitlab.com/project-slug': 'a/b' }, 'Resource'),
          entity('nothing', {}),
          entity(
            'api',
            { 'backstage.io/managed-by-location': LOCATION },
            'API',
          ),
        ],
      }),
    );
    expect(source.reading()).toEqual({ state: 'pending', entities: [] });
    source.start({ signal: stop.current.signal });
    await source.refresh();
    expect(source.reading()).toMatchObject({
      state: 'ready',
      completeAt: now.toISOString(),
    });
    expect(
      source
        .reading()
        .entities.map(({ entityRef }) => entityRef)
        .sort(),
    ).toEqual(['component:default/by-location', 'resource:default/by-slug']);
  });

  it('follows all pages, with its own credentials', async () => {
    const catalog = catalogServiceMock.mock();
    const page = (name: string, nextCursor?: string) => ({
      items: [entity(name, { 'gitlab.com/project-slug': 'a/b' })],
      totalItems: 2,
      pageInfo: { ...(nextCursor && { nextCursor }) },
    });
    catalog.queryEntities.mockImplementation(async request =>
      request && 'cursor' in request ? page('second') : page('first', 'next'),
    );
    const source = create(catalog as never);
    source.start({ signal: stop.current.signal });
    await source.refresh();
    expect(source.reading().entities).toHaveLength(2);
    expect(catalog.queryEntities).toHaveBeenCalledWith(
      expect.anything(),
      expect.objectContaining({ credentials: expect.anything() }),
    );
  });

  it('keeps the last complete reading when a page fails', async () => {
    const catalog = catalogServiceMock.mock();
    catalog.queryEntities.mockResolvedValue({
      items: [entity('shop', { 'gitlab.com/project-slug': 'a/b' })],
      totalItems: 1,
      pageInfo: {},
    });
    const source = create(catalog as never);
    source.start({ signal: stop.current.signal });
    await source.refresh();
    catalog.queryEntities.mockImplementation(async request => {
      if (request && 'cursor' in request) {
        throw new Error('gone');
      }
      return { items: [], totalItems: 0, pageInfo: { nextCursor: 'next' } };
    });
    await source.refresh();
    expect(source.reading()).toMatchObject({
      state: 'failing',
      completeAt: now.toISOString(),
      entities: [{ entityRef: 'component:default/shop' }],
    });
  });

  it('stays pending while the catalog has never answered', async () => {
    const catalog = catalogServiceMock.mock();
    catalog.queryEntities.mockRejectedValue(new Error('gone'));
    const source = create(catalog as never);
    const listener = jest.fn();
    source.onChange(listener);
    source.start({ signal: stop.current.signal });
    await source.refresh();
    expect(source.reading()).toEqual({ state: 'pending', entities: [] });
    expect(listener).toHaveBeenCalled();
  });
});
