import { mockCredentials, TestDatabaseId } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  auditReadPermission,
  previewReadPermission,
  previewRefreshPermission,
  sourceReadPermission,
  SourceState,
  statsReadPermission,
} from '@previews/backstage-plugin-previews-common';
import request, { Response } from 'supertest';
import { assertDocumented } from '../testing/__testUtils__/answers';
import { createTestDatabases } from '../testing/__testUtils__/databases';
import {
  entity,
  Policy,
  startApi,
  StartedApi,
} from '../testing/__testUtils__/startApi';
import {
  storedPreview,
  StoredPreviewOptions,
} from '../testing/__testUtils__/storedPreviews';
import {
  createPreviewConditionalDecision,
  previewConditions,
} from './permissions';

jest.setTimeout(60_000);

const databases = createTestDatabases();

const deny: Policy[string] = { result: AuthorizeResult.DENY };

/** Sees all entities. */
const reviewer = mockCredentials.user.header('user:default/reviewer1');
/** The catalog hides `component:default/secret` from this one. */
const dev = mockCredentials.user.header('user:default/dev1');
const service = mockCredentials.service.header();
const nobody = mockCredentials.none.header();

const secretRef = 'component:default/secret';
const previews: StoredPreviewOptions[] = [
  { iid: 1, activityAt: '2026-11-02T08:01:00.000Z' },
  {
    iid: 2,
    phase: 'Failed',
    activityAt: '2026-11-02T08:02:00.000Z',
    mergeRequest: { author: { username: 'dev2' } },
  },
  {
    iid: 3,
    phase: 'Gone',
    activityAt: '2026-11-02T08:03:00.000Z',
    mergeRequest: { state: 'merged', mergedAt: '2026-11-02T08:00:00.000Z' },
    preview: { goneAt: '2026-11-02T08:03:00.000Z' },
  },
  {
    iid: 4,
    entityRefs: [secretRef],
    projectId: 202,
    activityAt: '2026-11-02T08:04:00.000Z',
    mergeRequest: {
      project: 'shop/secret',
      author: { username: 'hidden-dev' },
    },
  },
  {
    iid: 5,
    entityRefs: ['component:default/web', secretRef],
    activityAt: '2026-11-02T08:05:00.000Z',
  },
  {
    iid: 6,
    entityRefs: [],
    projectId: 303,
    activityAt: '2026-11-02T08:06:00.000Z',
    mergeRequest: { project: 'shop/unclaimed' },
  },
];

const gitlab: SourceState = {
  id: 'gitlab:gitlab.example.com',
  kind: 'gitlab',
  name: 'gitlab.example.com',
  status: 'failing',
  lastCompleteAt: '2026-11-02T08:00:00.000Z',
  errors: [
    {
      reason: 'NotFound',
      subject: 'shop/secret',
      message: 'shop/secret does not answer.',
      since: '2026-11-02T08:00:00.000Z',
    },
    {
      reason: 'NotFound',
      subject: 'shop/web',
      message: 'shop/web does not answer.',
      since: '2026-11-02T08:00:00.000Z',
    },
  ],
  notes: [
    {
      reason: 'TokenCanWrite',
      params: {},
      message: 'The token can do more than read.',
    },
  ],
};
const cluster: SourceState = {
  id: 'cluster:main',
  kind: 'cluster',
  name: 'main',
  status: 'fresh',
  lastCompleteAt: '2026-11-02T08:00:00.000Z',
  errors: [],
  notes: [],
};
const elsewhere: SourceState = {
  ...cluster,
  id: 'cluster:elsewhere',
  name: 'elsewhere',
};

function idOf(iid: number): string {
  const options = previews.find(preview => preview.iid === iid);
  return storedPreview(options ?? { iid }).preview.id;
}

function iids(response: Response): number[] {
  return response.body.items.map(
    (item: { mergeRequest: { iid: number } }) => item.mergeRequest.iid,
  );
}

describe.each(databases.eachSupportedId())('the API on %s', databaseId => {
  let started: StartedApi | undefined;
  let now = '2026-11-02T08:11:00.000Z';

  afterEach(async () => {
    await started?.stop();
    started = undefined;
    now = '2026-11-02T08:11:00.000Z';
  });

  async function start(policy: Policy = {}): Promise<StartedApi> {
    started = await startApi({
      knex: await databases.init(databaseId as TestDatabaseId),
      entities: [
        entity('web'),
        entity('secret', 'group:default/secret'),
        entity('empty'),
      ],
      hidden: { 'user:default/dev1': [secretRef] },
      policy,
      clock: () => new Date(now),
    });
    const { store, term } = started;
    await store.apply(
      term,
      previews.map(options => {
        const stored = storedPreview(options);
        return {
          stored,
          transitions: [
            {
              previewId: stored.preview.id,
              at: '2026-11-02T08:00:00.000Z',
              kind: 'phase',
              to: stored.preview.phase,
              message: 'It changed.',
            },
          ],
        };
      }),
      {
        spans: previews.map(options => {
          const { preview } = storedPreview(options);
          return {
            previewId: preview.id,
            host: preview.mergeRequest.host,
            projectId: preview.mergeRequest.projectId,
            project: preview.mergeRequest.project,
            kind: 'spinUp',
            startedAt: '2026-11-02T08:00:00.000Z',
            endedAt: `2026-11-02T08:0${options.iid}:00.000Z`,
            imprecise: false,
            stages: { Building: 60 * options.iid },
          };
        }),
      },
    );
    await store.applySources(term, [gitlab, cluster, elsewhere], {
      readAt: '2026-11-02T08:10:00.000Z',
    });
    await store.applyReconciled(term, '2026-11-02T08:10:00.000Z');
    await store.applyClaims(term, [
      {
        entityRef: 'component:default/web',
        project: { host: 'gitlab.example.com', path: 'shop/web', id: 101 },
        applicationSets: ['main:argocd/web-previews'],
        sources: [gitlab.id, cluster.id],
        problems: [],
      },
      {
        entityRef: secretRef,
        project: { host: 'gitlab.example.com', path: 'shop/secret', id: 202 },
        applicationSets: [],
        sources: [elsewhere.id],
        problems: [],
      },
    ]);
    return started;
  }

  function get(path: string, headers: string = reviewer) {
    return request(started!.server)
      .get(`/api/previews${path}`)
      .set('Authorization', headers);
  }

  describe('who may ask', () => {
    const routes = [
      { method: 'get', path: '/openapi.json', url: '/openapi.json' },
      { method: 'get', path: '/v1/previews', url: '/v1/previews' },
      {
        method: 'get',
        path: '/v1/previews/{id}',
        url: `/v1/previews/${idOf(1)}`,
      },
      {
        method: 'get',
        path: '/v1/previews/{id}/timeline',
        url: `/v1/previews/${idOf(1)}/timeline`,
      },
      {
        method: 'post',
        path: '/v1/previews/{id}/refresh',
        url: `/v1/previews/${idOf(1)}/refresh`,
        ok: 202,
      },
      {
        method: 'get',
        path: '/v1/entities/{kind}/{namespace}/{name}/summary',
        url: '/v1/entities/component/default/web/summary',
      },
      { method: 'get', path: '/v1/stats', url: '/v1/stats' },
      { method: 'get', path: '/v1/findings', url: '/v1/findings' },
      { method: 'get', path: '/v1/health', url: '/v1/health' },
      { method: 'get', path: '/v1/sources', url: '/v1/sources' },
    ] as const;

    function ask(route: (typeof routes)[number], headers: string) {
      const agent = request(started!.server);
      const url = `/api/previews${route.url}`;
      return (route.method === 'post' ? agent.post(url) : agent.get(url)).set(
        'Authorization',
        headers,
      );
    }

    it('is a user or a service, on every route and as documented', async () => {
      await start();
      for (const route of routes) {
        const ok = 'ok' in route ? route.ok : 200;
        for (const [caller, status] of [
          [nobody, 401],
          [dev, ok],
          [service, ok],
        ] as const) {
          const response = await ask(route, caller);
          expect({ ...route, status: response.status }).toEqual({
            ...route,
            status,
          });
          assertDocumented({ ...route, status, body: response.body });
          // The same preview may be refreshed again only after a while.
          await started!.clearRefreshLog();
        }
      }
    });

    it('is refused with 403 on every route whose permission is denied', async () => {
      await start({
        [previewReadPermission.name]: deny,
        [sourceReadPermission.name]: deny,
        [statsReadPermission.name]: deny,
        [auditReadPermission.name]: deny,
      });
      for (const route of routes.filter(({ url }) => url !== '/openapi.json')) {
        const response = await ask(route, reviewer);
        expect({ ...route, status: response.status }).toEqual({
          ...route,
          status: 403,
        });
        assertDocumented({ ...route, status: 403, body: response.body });
        expect(response.body.error.name).toBe('NotAllowedError');
      }
    });

    it('gets 404 for a preview that the catalog hides, on every route of it', async () => {
      const { refreshed } = await start();
      for (const iid of [4, 99]) {
        const id = iid === 4 ? idOf(4) : 'aaaaaaaa-1-99';
        for (const route of routes.filter(({ path }) =>
          path.includes('{id}'),
        )) {
          const response = await ask(
            { ...route, url: route.url.replace(idOf(1), id) } as never,
            dev,
          );
          expect(response.status).toBe(404);
          assertDocumented({ ...route, status: 404, body: response.body });
          expect(response.body.error.message).toBe(
            `No preview with id '${id}'`,
          );
        }
      }
      expect(refreshed).toEqual([]);
    });

    it('gets 404 for the summary of an entity that the catalog hides', async () => {
      await start();
      const hidden = await get(
        '/v1/entities/component/default/secret/summary',
        dev,
      ).expect(404);
      const missing = await get(
        '/v1/entities/component/default/missing/summary',
        dev,
      ).expect(404);
      expect(hidden.body.error.message.replace('secret', 'missing')).toBe(
        missing.body.error.message,
      );
    });

    it('needs the permission to refresh beside that to read', async () => {
      const { refreshed } = await start({
        [previewRefreshPermission.name]: deny,
      });
      await get(`/v1/previews/${idOf(1)}`).expect(200);
      await request(started!.server)
        .post(`/api/previews/v1/previews/${idOf(1)}/refresh`)
        .set('Authorization', reviewer)
        .expect(403);
      expect(refreshed).toEqual([]);
    });

    it('needs the permission for statistics beside that to read', async () => {
      await start({ [statsReadPermission.name]: deny });
      await get('/v1/previews').expect(200);
      expect((await get('/v1/stats')).status).toBe(403);
      await started!.stop();
      await start({ [previewReadPermission.name]: deny });
      expect((await get('/v1/stats')).status).toBe(403);
    });

    it('finds no route that is not documented', async () => {
      await start();
      for (const path of [
        '/v1',
        '/v1/nothing',
        `/v1/previews/${idOf(1)}/nothing`,
        '/v1/entities/component/default/web',
      ]) {
        const response = await get(path).expect(404);
        expect(response.body.error.name).toBe('NotFoundError');
      }
      await get('/v1/nothing', nobody).expect(401);
      await request(started!.server)
        .delete(`/api/previews/v1/previews/${idOf(1)}`)
        .set('Authorization', reviewer)
        .expect(404);
    });
  });

  describe('what is seen', () => {
    it('is all of it, for a reader of audits whom the catalog hides nothing from', async () => {
      await start();
      const response = await get('/v1/previews?sort=iid').expect(200);
      expect(iids(response)).toEqual([1, 2, 4, 5, 6]);
      expect(response.body.signal).toEqual({ channel: 'channel-all' });
      expect(response.body.phaseCounts).toEqual({
        Live: 4,
        Failed: 1,
      });
      const gone = await get('/v1/previews?phase=Gone').expect(200);
      expect(gone.body.phaseCounts).toEqual({ Live: 4, Failed: 1, Gone: 1 });
    });

    it('is all of it for services', async () => {
      const { catalog } = await start();
      const response = await get('/v1/previews?sort=iid', service).expect(200);
      expect(iids(response)).toEqual([1, 2, 4, 5, 6]);
      expect(catalog.getEntitiesByRefs).not.toHaveBeenCalled();
    });

    it('is nothing of a hidden entity: not in lists, counts, authors, search, entities, sources or signals', async () => {
      await start({ [auditReadPermission.name]: deny });
      const response = await get('/v1/previews?sort=iid', dev).expect(200);
      expect(iids(response)).toEqual([1, 2, 5]);
      expect(response.body.totalItems).toBe(3);
      expect(response.body.authors).toEqual(['dev1', 'dev2']);
      expect(response.body.signal).toBeUndefined();
      expect(JSON.stringify(response.body)).not.toContain('secret');

      const search = await get('/v1/previews?q=hidden-dev', dev).expect(200);
      expect(search.body).toMatchObject({ totalItems: 0, phaseCounts: {} });

      const byEntity = await get(
        `/v1/previews?entityRef=${secretRef}`,
        dev,
      ).expect(200);
      expect(byEntity.body).toEqual({
        items: [],
        totalItems: 0,
        phaseCounts: {},
        authors: [],
        sources: [],
      });

      const shared = await get(`/v1/previews/${idOf(5)}`, dev).expect(200);
      expect(shared.body.preview.entityRefs).toEqual(['component:default/web']);
      expect(shared.body.signal).toEqual({
        channel: 'channel-component:default/web',
      });
    });

    it('is no unclaimed preview without the permission to read audits', async () => {
      await start({ [auditReadPermission.name]: deny });
      expect(
        iids(await get('/v1/previews?project=shop/unclaimed').expect(200)),
      ).toEqual([]);
      await get(`/v1/previews/${idOf(6)}`).expect(404);
    });

    it('is what a policy allows by entity', async () => {
      await start({
        [previewReadPermission.name]: createPreviewConditionalDecision(
          previewReadPermission,
          previewConditions.hasEntity({ entityRefs: [secretRef] }),
        ),
        [auditReadPermission.name]: deny,
      });
      expect(iids(await get('/v1/previews?sort=iid'))).toEqual([4, 5]);
      await get(`/v1/previews/${idOf(4)}`).expect(200);
      await get(`/v1/previews/${idOf(1)}`).expect(404);
      // The policy and the catalog each have to allow it.
      expect(iids(await get('/v1/previews?sort=iid', dev))).toEqual([5]);
      await get(`/v1/previews/${idOf(4)}`, dev).expect(404);
      const summary = await get('/v1/entities/component/default/web/summary');
      expect(summary.body.phaseCounts).toEqual({ Live: 1 });
      expect(summary.body.signal).toBeUndefined();
    });

    it('is what a policy allows by owner, for what the caller may read of it', async () => {
      await start({
        [previewReadPermission.name]: createPreviewConditionalDecision(
          previewReadPermission,
          {
            anyOf: [
              previewConditions.hasOwner({ owners: ['group:default/secret'] }),
              {
                not: previewConditions.hasOwner({
                  owners: ['group:default/secret', 'group:default/web'],
                }),
              },
            ],
          },
        ),
        [auditReadPermission.name]: deny,
      });
      expect(iids(await get('/v1/previews?sort=iid'))).toEqual([4, 5]);
      expect(iids(await get('/v1/previews?sort=iid', dev))).toEqual([]);
    });

    it('may be refreshed only where the policy allows that too', async () => {
      const { refreshed } = await start({
        [previewRefreshPermission.name]: createPreviewConditionalDecision(
          previewRefreshPermission,
          previewConditions.hasEntity({ entityRefs: [secretRef] }),
        ),
      });
      const refresh = (iid: number) =>
        request(started!.server)
          .post(`/api/previews/v1/previews/${idOf(iid)}/refresh`)
          .set('Authorization', reviewer);
      await refresh(1).expect(403);
      await refresh(4).expect(202);
      expect(refreshed).toEqual([
        { host: 'gitlab.example.com', projectId: 202, iid: 4 },
      ]);
    });

    it('is asked of the catalog once in a while, and not with every request', async () => {
      const { catalog } = await start();
      await get('/v1/previews', dev).expect(200);
      const calls = catalog.getEntitiesByRefs.mock.calls.length;
      await get('/v1/previews', dev).expect(200);
      await get(`/v1/previews/${idOf(1)}`, dev).expect(200);
      expect(catalog.getEntitiesByRefs.mock.calls).toHaveLength(calls);
      await get('/v1/previews', reviewer).expect(200);
      expect(catalog.getEntitiesByRefs.mock.calls.length).toBeGreaterThan(
        calls,
      );
    });

    it('is nothing while the catalog does not answer, with 503', async () => {
      const { catalog } = await start();
      catalog.getEntitiesByRefs.mockRejectedValue(
        Object.assign(new Error('no'), { statusCode: 401 }),
      );
      const response = await get('/v1/previews', dev).expect(503);
      expect(response.body.error.name).toBe('ServiceUnavailableError');
    });
  });

  describe('lists', () => {
    it('put first what needs a person, then what happened last', async () => {
      await start();
      expect(iids(await get('/v1/previews'))).toEqual([2, 6, 5, 4, 1]);
    });

    it('take phases repeated and separated by commas', async () => {
      await start();
      for (const query of [
        'phase=Failed&phase=Gone',
        'phase=Failed,Gone',
        'phase=Failed%2CGone',
      ]) {
        expect(
          iids(await get(`/v1/previews?sort=iid&${query}`).expect(200)),
        ).toEqual([2, 3]);
      }
    });

    it('filter, search and page by what the URL says', async () => {
      await start();
      const list = async (query: string) =>
        iids(await get(`/v1/previews?sort=iid&${query}`).expect(200));
      expect(await list('author=dev2')).toEqual([2]);
      expect(await list('project=shop%2Fweb')).toEqual([1, 2, 5]);
      expect(await list('cluster=main&draft=false')).toEqual([1, 2, 4, 5, 6]);
      expect(await list('draft=true')).toEqual([]);
      expect(await list('q=!5')).toEqual([5]);
      expect(await list('entityRef=Component:default/WEB')).toEqual([1, 2, 5]);

      const first = await get('/v1/previews?sort=-iid&limit=2').expect(200);
      const { nextCursor } = first.body;
      const second = await get(
        `/v1/previews?sort=-iid&limit=2&cursor=${nextCursor}`,
      ).expect(200);
      expect([...iids(first), ...iids(second)]).toEqual([6, 5, 4, 2]);
    });

    it('of an entity name its channel, and its sources with errors of its own project only', async () => {
      await start();
      const response = await get(
        '/v1/previews?entityRef=component:default/web',
      ).expect(200);
      expect(response.body.signal).toEqual({
        channel: 'channel-component:default/web',
      });
      expect(response.body.sources).toEqual([
        { ...gitlab, errors: [gitlab.errors[1]], notes: [] },
        cluster,
      ]);
    });

    it.each([
      ['limit', 'limit=0'],
      ['limit', 'limit=201'],
      ['limit', 'limit=ten'],
      ['limit', 'limit=5&limit=6'],
      ['sort', 'sort=name'],
      ['phase', 'phase=Alive'],
      ['phase', 'phase='],
      ['draft', 'draft=yes'],
      ['cursor', 'cursor=rubbish'],
      ['cursor', 'cursor='],
      ['entityRef', 'entityRef=web'],
      ['entityRef', 'entityRef=component:default/'],
      ['author', 'author=a&author=b'],
      ['q', `q=${'x'.repeat(201)}`],
      ['unknown', 'unknown=1'],
      ['phase[]', 'phase[]=Live'],
      ['__proto__', '__proto__=1'],
    ])('answer 400 and name %s for %s', async (field, query) => {
      await start();
      const response = await get(`/v1/previews?${query}`).expect(400);
      expect(response.body.error.name).toBe('InputError');
      expect(response.body.error.message).toMatch(
        new RegExp(`^${field.replace(/[[\]]/g, '\\$&')}: `),
      );
      assertDocumented({
        path: '/v1/previews',
        method: 'get',
        status: 400,
        body: response.body,
      });
    });
  });

  it.each([
    ['/v1/previews/NOT_AN_ID', 'id'],
    ['/v1/previews/a%00b', 'id'],
    [`/v1/previews/${idOf(1)}?verbose=1`, 'verbose'],
    [`/v1/previews/${idOf(1)}/timeline?limit=x`, 'limit'],
    ['/v1/entities/component/default/a%2Fb/summary', 'name'],
    ['/v1/sources?all=1', 'all'],
    ['/v1/health?deep=1', 'deep'],
  ])('answers 400 for %s and names the field', async (path, field) => {
    await start();
    const response = await get(path).expect(400);
    expect(response.body.error.message).toMatch(new RegExp(`^${field}: `));
  });

  it('shows one preview, also when it is gone', async () => {
    await start();
    const response = await get(`/v1/previews/${idOf(3)}`).expect(200);
    expect(response.body.preview).toEqual(storedPreview(previews[2]).preview);
    const timeline = await get(`/v1/previews/${idOf(3)}/timeline`).expect(200);
    expect(timeline.body.items).toEqual([
      expect.objectContaining({ to: 'Gone', previewId: idOf(3) }),
    ]);
  });

  it('takes a refresh at most once in 10 s a preview, and says when again', async () => {
    const { refreshed } = await start();
    const refresh = () =>
      request(started!.server)
        .post(`/api/previews/v1/previews/${idOf(1)}/refresh`)
        .set('Authorization', reviewer);
    await refresh().expect(202, { accepted: true });
    const response = await refresh().expect(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(10);
    assertDocumented({
      path: '/v1/previews/{id}/refresh',
      method: 'post',
      status: 429,
      body: response.body,
    });
    expect(refreshed).toHaveLength(1);
  });

  it('sums an entity up for its card', async () => {
    await start({ [auditReadPermission.name]: deny });
    const response = await get(
      '/v1/entities/Component/default/web/summary',
      dev,
    ).expect(200);
    const { latest, attention, ...rest } = response.body;
    expect(rest).toEqual({
      entityRef: 'component:default/web',
      onboarded: true,
      project: 'shop/web',
      applicationSets: ['main:argocd/web-previews'],
      phaseCounts: { Live: 2, Failed: 1 },
      problems: [],
      findingCounts: {},
      alarms: [],
      sources: [{ ...gitlab, errors: [gitlab.errors[1]], notes: [] }, cluster],
      readAt: '2026-11-02T08:00:00.000Z',
      signal: { channel: 'channel-component:default/web' },
    });
    expect(iids({ body: { items: latest } } as Response)).toEqual([5, 1, 2]);
    expect(attention.mergeRequest.iid).toBe(2);
  });

  it('has no row of a card stay as it was that changes while the card is read', async () => {
    const { store, term } = await start();
    const list = store.list.bind(store);
    const failed = previews.find(({ iid }) => iid === 2)!;
    let haveRead = () => {};
    const isRead = new Promise<void>(resolve => {
      haveRead = resolve;
    });
    let left = 2;
    const lists = jest
      .spyOn(store, 'list')
      .mockImplementation(async (query, visibility) => {
        if (!query.phases) {
          await isRead;
          const title = 'Renamed meanwhile';
          const mergeRequest = { ...failed.mergeRequest, title };
          await store.apply(term, [
            {
              stored: storedPreview({ ...failed, mergeRequest }),
              transitions: [],
            },
          ]);
        }
        const page = await list(query, visibility);
        left -= query.phases ? 1 : 0;
        if (left === 0) {
          haveRead();
        }
        return page;
      });
    const url = '/v1/entities/component/default/web/summary';
    const before = await get(url).expect(200);
    lists.mockRestore();
    const after = await get(url).set('If-None-Match', before.headers.etag);
    expect(before.body.attention.mergeRequest.title).not.toBe(
      'Renamed meanwhile',
    );
    expect(after.status).toBe(200);
    expect(after.body.attention.mergeRequest.title).toBe('Renamed meanwhile');
  });

  it('does not call an entity not onboarded whose project was not read yet', async () => {
    const { store, term } = await start();
    await store.applyClaims(term, [
      {
        entityRef: 'component:default/empty',
        applicationSets: [],
        unread: true,
        sources: [gitlab.id],
        problems: [],
      },
    ]);
    const response = await get(
      '/v1/entities/component/default/empty/summary',
    ).expect(200);
    expect(response.body.onboarded).toBe(true);
  });

  it('says of an entity without a claim that it is not onboarded', async () => {
    await start();
    const response = await get(
      '/v1/entities/component/default/empty/summary',
    ).expect(200);
    expect(response.body).toMatchObject({
      onboarded: false,
      applicationSets: [],
      phaseCounts: {},
      latest: [],
    });
  });

  it('shows every source with its errors and notes on the platform page', async () => {
    await start();
    const response = await get('/v1/sources').expect(200);
    expect(response.body).toEqual({ items: [gitlab, cluster, elsewhere] });
  });

  describe('the health', () => {
    it('is degraded while a source is not fresh, and names it', async () => {
      await start();
      const { body, headers } = await get('/v1/health').expect(200);
      expect(body).toEqual({
        status: 'degraded',
        reconciledAt: expect.any(String),
        sources: [gitlab, cluster, elsewhere]
          .filter(({ status }) => status !== 'fresh')
          .map(({ id, status }) => ({ id, status })),
      });
      expect(headers['cache-control']).toBe('no-store');
    });

    it('is ok when all sources are fresh', async () => {
      await start();
      const { store, term } = started!;
      await store.applySources(term, [{ ...cluster, status: 'fresh' }], {
        readAt: now,
      });
      await store.applyReconciled(term, now);
      const { body } = await get('/v1/health').expect(200);
      expect(body).toEqual({ status: 'ok', reconciledAt: now, sources: [] });
    });

    it('is down, with 503, when no replica has reconciled for a minute', async () => {
      await start();
      now = '2026-11-02T08:11:01.000Z';
      const { body, status } = await get('/v1/health');
      expect(status).toBe(503);
      expect(body.status).toBe('down');
      assertDocumented({ method: 'get', path: '/v1/health', status, body });
    });
  });

  it('is down, and no source fresh, while all is read and nothing can be written', async () => {
    await start();
    now = '2026-11-02T08:11:01.000Z';
    const { store, term } = started!;
    await store.applySources(term, [{ ...cluster, status: 'fresh' }], {
      readAt: now,
    });
    const health = await get('/v1/health').expect(503);
    expect(health.body).toEqual({
      status: 'down',
      reconciledAt: '2026-11-02T08:10:00.000Z',
      sources: [{ id: cluster.id, status: 'stale' }],
    });
    const sources = await get('/v1/sources').expect(200);
    expect(sources.body.items).toMatchObject([{ status: 'stale' }]);
  });

  it('calls every source stale when no replica has confirmed it for a minute', async () => {
    await start();
    now = '2026-11-02T08:11:01.000Z';
    const sources = await get('/v1/sources').expect(200);
    expect(sources.body.items.map((item: SourceState) => item.status)).toEqual([
      'stale',
      'stale',
      'stale',
    ]);
    const list = await get(
      '/v1/previews?entityRef=component:default/web',
    ).expect(200);
    expect(list.body.sources[0].status).toBe('stale');
  });

  describe('an answer that the caller has already', () => {
    const url = '/v1/previews?entityRef=component:default/web';

    it('is 304 with the time of reading, also for a fetch with its own If-None-Match', async () => {
      const { store, term } = await start();
      const first = await get(url).expect(200);
      expect(first.headers).toMatchObject({
        etag: expect.stringMatching(/^W\/".+"$/),
        'cache-control': 'private, no-cache',
        'previews-read-at': '2026-11-02T08:00:00.000Z',
      });
      expect(first.headers.vary).toMatch(/Authorization.*Cookie/);

      await store.applySources(
        term,
        [gitlab, cluster, elsewhere].map(state => ({
          ...state,
          lastCompleteAt: '2026-11-02T08:11:00.000Z',
        })),
        { readAt: '2026-11-02T08:11:00.000Z' },
      );
      const second = await get(url)
        .set('If-None-Match', `"other", ${first.headers.etag}`)
        .set('Cache-Control', 'no-cache')
        .expect(304);
      expect(second.text).toBe('');
      expect(second.headers).toMatchObject({
        etag: first.headers.etag,
        'cache-control': 'private, no-cache',
        'previews-read-at': '2026-11-02T08:11:00.000Z',
      });
    });

    it.each<[string, (api: StartedApi) => Promise<void>]>([
      [
        'a row changed',
        async ({ store, term }) =>
          store.apply(term, [
            {
              stored: storedPreview({ ...previews[0], phase: 'Updating' }),
              transitions: [],
            },
          ]),
      ],
      [
        'a row went',
        async ({ store, term }) =>
          store.apply(term, [
            {
              stored: storedPreview({
                ...previews[0],
                phase: 'Gone',
                mergeRequest: { state: 'merged' },
              }),
              transitions: [],
            },
          ]),
      ],
      [
        'a source fails',
        async ({ store, term }) =>
          store.applySources(
            term,
            [gitlab, { ...cluster, status: 'failing' }, elsewhere],
            { readAt: '2026-11-02T08:11:00.000Z' },
          ),
      ],
    ])('is sent again when %s', async (_name, change) => {
      const api = await start();
      const paths = [url, '/v1/entities/component/default/web/summary'];
      const tags: string[] = [];
      for (const path of paths) {
        tags.push((await get(path).expect(200)).headers.etag);
      }
      await change(api);
      for (const [index, path] of paths.entries()) {
        const again = await get(path)
          .set('If-None-Match', tags[index])
          .expect(200);
        expect(again.headers.etag).not.toBe(tags[index]);
      }
    });

    it('is not the same for another caller or another query', async () => {
      await start();
      const tags = new Set<string>();
      for (const [path, caller] of [
        [url, reviewer],
        [url, dev],
        [url, service],
        [`${url}&sort=iid`, reviewer],
      ] as const) {
        tags.add((await get(path, caller).expect(200)).headers.etag);
      }
      expect(tags.size).toBe(4);
    });

    it('of one preview, its timeline and the sources is 304 too', async () => {
      await start();
      for (const path of [
        `/v1/previews/${idOf(1)}`,
        `/v1/previews/${idOf(1)}/timeline`,
        '/v1/sources',
      ]) {
        const { etag } = (await get(path).expect(200)).headers;
        const again = await get(path).set('If-None-Match', etag);
        expect({ path, status: again.status }).toEqual({ path, status: 304 });
      }
    });
  });

  describe('the certificate budget', () => {
    const url = '/v1/stats';
    const issued = (iid: number | undefined, name: string) => ({
      kind: 'issued' as const,
      id: `${name}/1`,
      server: 'acme.test',
      names: [name],
      at: '2026-11-02T08:00:00.000Z',
      ...(iid !== undefined && { previewId: idOf(iid) }),
    });

    async function startWithCertificates(policy: Policy = {}) {
      const { store, term } = await start(policy);
      await store.applyIssuances(term, {
        records: [
          issued(1, 'mr-1.example.com'),
          issued(4, 'mr-4.example.com'),
          {
            ...issued(4, 'mr-4.example.com'),
            id: 'again/2',
            at: '2026-11-02T08:01:00.000Z',
          },
          issued(4, 'mr-4.example.org'),
          issued(undefined, 'shared.example.net'),
        ],
        memory: {
          since: '2026-10-01T08:00:00.000Z',
          unread: [],
          told: {},
        },
      });
    }

    const domains = async (path: string, headers: string = reviewer) =>
      (await get(path, headers).expect(200)).body.certificateBudget.domains.map(
        ({ domain, used }: { domain: string; used: number }) =>
          `${domain} ${used}`,
      );

    it('is of all domains for those from whom nothing is hidden', async () => {
      await startWithCertificates();
      const { body } = await get(url, service).expect(200);
      expect(body.certificateBudget).toMatchObject({
        atLeast: false,
        observedSince: '2026-10-01T08:00:00.000Z',
      });
      expect(await domains(url, service)).toEqual([
        'example.com 2',
        'example.net 1',
        'example.org 1',
      ]);
      assertDocumented({ path: url, method: 'get', status: 200, body });
    });

    it('counts what others use of a domain, and tells neither their names nor their domains', async () => {
      await startWithCertificates({ [auditReadPermission.name]: deny });
      expect(await domains(url, dev)).toEqual(['example.com 2']);
      const { body } = await get(url, dev).expect(200);
      expect(JSON.stringify(body)).not.toMatch(/mr-4|example\.(org|net)/);
    });

    it('is of the domains of one entity, for those who may see it', async () => {
      await startWithCertificates();
      const path = `${url}?entityRef=${encodeURIComponent(secretRef)}`;
      expect(await domains(path)).toEqual(['example.com 2', 'example.org 1']);
      expect(await domains(path, dev)).toEqual([]);
    });

    it('is not for those who may not read statistics', async () => {
      await startWithCertificates({ [statsReadPermission.name]: deny });
      expect((await get(url)).status).toBe(403);
    });

    it('is sent again when a certificate was issued', async () => {
      await startWithCertificates();
      const { etag } = (await get(url).expect(200)).headers;
      const ask = async () =>
        (await get(url).set('If-None-Match', etag)).status;
      expect(await ask()).toBe(304);
      await started!.store.applyIssuances(started!.term, {
        records: [issued(1, 'mr-1-new.example.com')],
      });
      expect(await ask()).toBe(200);
    });
  });

  describe('statistics', () => {
    const count = async (path: string, headers: string = reviewer) =>
      (await get(path, headers).expect(200)).body.overall.spinUp.count;

    it('are of the previews that the caller may see', async () => {
      await start({ [auditReadPermission.name]: deny });
      expect(await count('/v1/stats')).toBe(5);
      expect(await count('/v1/stats', dev)).toBe(4);
      await started!.stop();
      await start();
      expect(await count('/v1/stats')).toBe(6);
      expect(await count('/v1/stats', service)).toBe(6);
      const { body } = await get('/v1/stats', dev);
      expect(JSON.stringify(body)).not.toContain('shop/secret');
    });

    it('are of what the policy allows', async () => {
      await start({
        [previewReadPermission.name]: createPreviewConditionalDecision(
          previewReadPermission,
          previewConditions.hasEntity({ entityRefs: [secretRef] }),
        ),
        [auditReadPermission.name]: deny,
      });
      expect(await count('/v1/stats')).toBe(2);
    });

    it('are of one entity, and of none that the catalog hides', async () => {
      await start();
      const path = `/v1/stats?entityRef=${encodeURIComponent(secretRef)}`;
      expect(await count(path)).toBe(2);
      expect(await count(path, dev)).toBe(0);
    });

    it('are of the range that is asked for, else of the last 90 days', async () => {
      await start();
      const { body } = await get('/v1/stats').expect(200);
      expect(body).toMatchObject({
        from: '2026-08-04T08:11:00.000Z',
        to: now,
        overall: { spinUp: { p50Seconds: 180, p95Seconds: 360 } },
        totalServices: 3,
      });
      const range = 'from=2026-11-02T08:02:00Z&to=2026-11-02T08:04:00Z';
      expect(await count(`/v1/stats?${range}`)).toBe(2);
      now = '2027-11-02T08:11:00.000Z';
      expect(await count('/v1/stats')).toBe(0);
    });

    it.each([
      'from=yesterday',
      'to=2026-13-01T00:00:00Z',
      'to=2016-12-31T23:59:60Z',
      'from=2016-12-31T23:59:60Z',
      'project=shop/web',
    ])('refuse %s, and name the parameter', async query => {
      await start();
      const { body } = await get(`/v1/stats?${query}`).expect(400);
      expect(body.error.message).toContain(query.split('=')[0]);
    });

    it('refuse a range that ends before it begins', async () => {
      await start();
      const { body } = await get(
        '/v1/stats?from=2026-11-03T00:00:00Z&to=2026-11-02T00:00:00Z',
      ).expect(400);
      expect(body.error.message).toContain("'from'");
    });

    it('are not sent again while nothing ended', async () => {
      await start();
      const { headers } = await get('/v1/stats').expect(200);
      now = '2026-11-02T08:12:00.000Z';
      const { status } = await get('/v1/stats').set(
        'If-None-Match',
        headers.etag,
      );
      expect(status).toBe(304);
    });
  });

  describe('the permission framework', () => {
    const wellKnown = '/api/previews/.well-known/backstage/permissions';

    it('finds the permissions and rules', async () => {
      await start();
      const { body } = await request(started!.server)
        .get(`${wellKnown}/metadata`)
        .set('Authorization', service)
        .expect(200);
      expect(
        body.permissions.map(({ name }: { name: string }) => name).sort(),
      ).toEqual([
        'previews.audit.read',
        'previews.preview.read',
        'previews.preview.refresh',
        'previews.source.read',
        'previews.stats.read',
      ]);
      expect(body.rules.map(({ name }: { name: string }) => name)).toEqual([
        'HAS_ENTITY',
        'HAS_OWNER',
      ]);
    });

    it.each([
      [
        'an entity it has',
        1,
        {
          rule: 'HAS_ENTITY',
          params: { entityRefs: ['component:default/web'] },
        },
        'ALLOW',
      ],
      [
        'an entity it has not',
        4,
        {
          rule: 'HAS_ENTITY',
          params: { entityRefs: ['component:default/web'] },
        },
        'DENY',
      ],
      [
        'an owner it has',
        5,
        { rule: 'HAS_OWNER', params: { owners: ['group:default/secret'] } },
        'ALLOW',
      ],
      [
        'an owner it has not',
        1,
        { rule: 'HAS_OWNER', params: { owners: ['group:default/secret'] } },
        'DENY',
      ],
      [
        'an owner, without an entity',
        6,
        { rule: 'HAS_OWNER', params: { owners: ['group:default/web'] } },
        'DENY',
      ],
      [
        'any entity, where there is no preview',
        99,
        {
          rule: 'HAS_ENTITY',
          params: { entityRefs: ['component:default/web'] },
        },
        'DENY',
      ],
    ])('judges %s', async (_name, iid, condition, result) => {
      await start();
      const { body } = await request(started!.server)
        .post(`${wellKnown}/apply-conditions`)
        .set('Authorization', service)
        .send({
          items: [
            {
              id: '1',
              resourceRef: iid === 99 ? 'aaaaaaaa-9-99' : idOf(iid),
              resourceType: 'preview',
              conditions: { ...condition, resourceType: 'preview' },
            },
          ],
        })
        .expect(200);
      expect(body.items).toEqual([{ id: '1', result }]);
    });
  });
});
