import { mockCredentials, TestDatabaseId } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  auditReadPermission,
  Finding,
  previewReadPermission,
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
import { storedFinding } from '../testing/__testUtils__/storedFindings';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';

jest.setTimeout(60_000);

const databases = createTestDatabases();

const deny: Policy[string] = { result: AuthorizeResult.DENY };
const noAudits: Policy = { [auditReadPermission.name]: deny };

/** The catalog hides `component:default/secret` from this one. */
const dev = mockCredentials.user.header('user:default/dev1');
const reviewer = mockCredentials.user.header('user:default/reviewer1');
const service = mockCredentials.service.header();
const nobody = mockCredentials.none.header();

const secret = 'component:default/secret';
const previews = [
  storedPreview({ iid: 1 }),
  storedPreview({ iid: 2, entityRefs: [secret] }),
];
const [seen, hidden] = previews.map(({ preview }) => preview.id);

const findings = [
  storedFinding({
    id: 'shared',
    since: '2026-11-02T08:03:00.000Z',
    previewIds: [seen, hidden],
    cause: {
      type: 'ApplicationGenerated',
      reason: 'NameCollision',
      params: { name: 'web-1' },
      message: 'Another has the name.',
    },
    evidence: [
      {
        kind: 'MergeRequest',
        host: 'gitlab.example.com',
        name: 'shop/web!1',
        since: '2026-11-02T08:00:00.000Z',
        previewId: seen,
      },
      { kind: 'MergeRequest', name: 'shop/secret!2', previewId: hidden },
    ],
  }),
  storedFinding({
    id: 'secret-only',
    type: 'WithoutEnvironment',
    since: '2026-11-02T08:02:00.000Z',
    previewIds: [hidden],
  }),
  storedFinding({
    id: 'alarm',
    type: 'GeneratedSetShrank',
    since: '2026-11-02T08:01:00.000Z',
    previewIds: [seen],
  }),
  storedFinding({
    id: 'of-nobody',
    type: 'Unjoined',
    since: '2026-11-02T08:00:00.000Z',
  }),
];
const over = storedFinding({
  id: 'over',
  since: '2026-11-01T08:00:00.000Z',
  resolvedAt: '2026-11-01T09:00:00.000Z',
  previewIds: [seen],
});

describe.each(databases.eachSupportedId())('findings on %s', databaseId => {
  let started: StartedApi | undefined;

  afterEach(async () => {
    await started?.stop();
    started = undefined;
  });

  async function start(policy: Policy = {}): Promise<StartedApi> {
    started = await startApi({
      knex: await databases.init(databaseId as TestDatabaseId),
      entities: [entity('web'), entity('secret', 'group:default/secret')],
      hidden: { 'user:default/dev1': [secret] },
      policy,
    });
    const { store, term } = started;
    await store.apply(
      term,
      previews.map(stored => ({ stored, transitions: [] })),
    );
    await store.applyFindings(term, {
      put: [...findings, { ...over, finding: { ...over.finding } }],
      resolved: [],
      sets: [],
      forgottenSets: [],
    });
    return started;
  }

  function get(path: string, headers: string = reviewer) {
    return request(started!.server)
      .get(`/api/previews${path}`)
      .set('Authorization', headers);
  }

  const ids = ({ body }: Response): string[] =>
    body.items.map(({ id }: Finding) => id);

  const routes = [
    { path: '/v1/findings', url: '/v1/findings' },
    { path: '/v1/findings/{id}', url: '/v1/findings/shared' },
  ] as const;

  it.each(routes)(
    '$path is for users and services, as documented',
    async route => {
      await start();
      for (const [caller, status] of [
        [nobody, 401],
        [dev, 200],
        [reviewer, 200],
        [service, 200],
      ] as const) {
        const { body, ...answer } = await get(route.url, caller);
        expect(answer.status).toBe(status);
        assertDocumented({ path: route.path, method: 'get', status, body });
      }
    },
  );

  it.each(routes)(
    '$path is refused with 403 where neither previews nor audits may be read',
    async route => {
      await start({ ...noAudits, [previewReadPermission.name]: deny });
      for (const caller of [dev, service]) {
        const { body, status } = await get(route.url, caller);
        expect(status).toBe(403);
        assertDocumented({
          path: route.path,
          method: 'get',
          status: 403,
          body,
        });
      }
    },
  );

  it('are all there, whole, for readers of audits', async () => {
    await start({ [previewReadPermission.name]: deny });
    const response = await get('/v1/findings').expect(200);
    expect(ids(response)).toEqual([
      'shared',
      'secret-only',
      'alarm',
      'of-nobody',
    ]);
    expect(response.body.items[0]).toEqual(findings[0].finding);
    expect(response.body.totalItems).toBe(4);
  });

  it('are those of visible previews for anyone else, without a word of hidden ones', async () => {
    await start(noAudits);
    const response = await get('/v1/findings', dev).expect(200);
    expect(ids(response)).toEqual(['shared', 'alarm']);
    expect(response.body.totalItems).toBe(2);
    expect(response.body.items[0].previewIds).toEqual([seen]);
    expect(response.text).not.toMatch(/secret/);
    expect(ids(await get('/v1/findings'))).toEqual([
      'shared',
      'secret-only',
      'alarm',
    ]);
    expect(ids(await get('/v1/findings', service))).toEqual([
      'shared',
      'secret-only',
      'alarm',
    ]);
  });

  it.each(['secret-only', 'of-nobody', 'not-there'])(
    'answer 404 for %s, which is hidden or not there',
    async id => {
      await start(noAudits);
      const { body } = await get(`/v1/findings/${id}`, dev).expect(404);
      assertDocumented({
        path: '/v1/findings/{id}',
        method: 'get',
        status: 404,
        body,
      });
      expect(body.error.message).toBe(`No finding with id '${id}'`);
    },
  );

  it('filter by entity, preview, type and state', async () => {
    await start();
    expect(
      ids(await get('/v1/findings?entityRef=component:default/web')),
    ).toEqual(['shared', 'alarm']);
    expect(ids(await get(`/v1/findings?previewId=${hidden}`))).toEqual([
      'shared',
      'secret-only',
    ]);
    expect(
      ids(await get('/v1/findings?type=Unjoined,GeneratedSetShrank')),
    ).toEqual(['alarm', 'of-nobody']);
    expect(ids(await get('/v1/findings?state=resolved'))).toEqual(['over']);
    expect(ids(await get('/v1/findings?state=all&limit=1'))).toEqual([
      'shared',
    ]);
  });

  it('of a hidden entity are none, whoever asks for them by name', async () => {
    await start(noAudits);
    expect(ids(await get(`/v1/findings?entityRef=${secret}`, dev))).toEqual([]);
    expect(ids(await get(`/v1/findings?previewId=${hidden}`, dev))).toEqual([]);
  });

  it.each([
    ['/v1/findings?type=Nonsense', 'type'],
    ['/v1/findings?state=gone', 'state'],
    ['/v1/findings?limit=0', 'limit'],
    ['/v1/findings?cursor=x', 'cursor'],
    ['/v1/findings?entityRef=x%3A', 'entityRef'],
    ['/v1/findings/UPPER', 'id'],
  ])('answer 400 for %s and name the field', async (path, field) => {
    await start();
    const { body } = await get(path).expect(400);
    expect(body.error.message).toMatch(new RegExp(`^${field}: `));
  });

  it('are part of their preview, open ones only', async () => {
    await start(noAudits);
    const { body } = await get(`/v1/previews/${seen}`, dev).expect(200);
    assertDocumented({
      path: '/v1/previews/{id}',
      method: 'get',
      status: 200,
      body,
    });
    expect(body.findings.map(({ id }: Finding) => id)).toEqual([
      'shared',
      'alarm',
    ]);
    expect(JSON.stringify(body)).not.toMatch(/secret/);
  });

  it('are counted in the summary of the entity, with the alarms themselves', async () => {
    await start(noAudits);
    const url = '/v1/entities/component/default/web/summary';
    const { body } = await get(url, dev).expect(200);
    assertDocumented({
      path: '/v1/entities/{kind}/{namespace}/{name}/summary',
      method: 'get',
      status: 200,
      body,
    });
    expect(body.findingCounts).toEqual({ critical: 1, warning: 1 });
    expect(body.alarms.map(({ id }: Finding) => id)).toEqual(['alarm']);
  });

  it('change the tag of every answer that shows them, and nothing else does', async () => {
    const { store, term } = await start();
    const urls = [
      '/v1/findings',
      '/v1/findings/alarm',
      `/v1/previews/${seen}`,
      '/v1/entities/component/default/web/summary',
    ];
    const tags = new Map<string, string>();
    for (const url of urls) {
      tags.set(url, (await get(url).expect(200)).headers.etag);
      await get(url).set('If-None-Match', tags.get(url)!).expect(304);
    }
    const alarm = findings[2];
    await store.applyFindings(term, {
      put: [],
      resolved: [
        {
          ...alarm,
          finding: { ...alarm.finding, resolvedAt: '2026-11-02T09:00:00.000Z' },
        },
      ],
      sets: [],
      forgottenSets: [],
    });
    for (const url of urls) {
      const { status } = await get(url).set('If-None-Match', tags.get(url)!);
      expect({ url, status }).toEqual({ url, status: 200 });
    }
  });
});
