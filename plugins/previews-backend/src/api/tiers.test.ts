import { mockCredentials, TestDatabaseId } from '@backstage/backend-test-utils';
import { TierState } from '@previews/backstage-plugin-previews-common';
import request from 'supertest';
import { assertDocumented } from '../testing/__testUtils__/answers';
import { createTestDatabases } from '../testing/__testUtils__/databases';
import { entity, startApi } from '../testing/__testUtils__/startApi';

jest.setTimeout(60_000);

const databases = createTestDatabases();

const WEB = 'component:default/web';
const SECRET = 'component:default/secret';
const dev = mockCredentials.user.header('user:default/dev1');
const TIME = '2026-11-29T12:00:00.000Z';
const SHA = 'd00d1e0123456789abcdef0123456789abcdef01';

/** With everything that a tier can have. */
const prod: TierState = {
  tier: 'prod',
  application: {
    cluster: 'main',
    namespace: 'argocd',
    name: 'web-prod',
    webUrl: 'https://argocd.example.com/applications/argocd/web-prod',
  },
  targetRevision: 'v1.1.0',
  revision: SHA,
  repository: {
    host: 'gitlab.example.com',
    project: 'group/gitops',
    webUrl: 'https://gitlab.example.com/group/gitops',
  },
  image: 'prod-1a2b3c4d',
  sync: 'OutOfSync',
  health: 'Healthy',
  urls: [
    {
      url: 'https://web.example.com',
      host: 'web.example.com',
      clickable: true,
    },
  ],
  distance: {
    from: 'dev',
    behind: 3,
    atLeast: true,
    project: 'group/gitops',
    webUrl: 'https://gitlab.example.com/group/gitops/-/compare/a...b',
  },
  release: {
    deployedAt: TIME,
    initiatedBy: 'dev1',
    automated: false,
    commit: {
      sha: SHA,
      title: 'Release',
      author: 'dev1',
      committedAt: TIME,
      webUrl: `https://gitlab.example.com/group/gitops/-/commit/${SHA}`,
      mergeRequest: {
        iid: 3,
        title: 'Release',
        author: 'dev1',
        mergedBy: 'reviewer1',
        webUrl: 'https://gitlab.example.com/group/gitops/-/merge_requests/3',
      },
    },
  },
  previousRevision: 'v1.0.0',
  pin: {
    line: 'targetRevision',
    repository: 'group/gitops',
    host: 'gitlab.example.com',
    path: 'argocd/web/application-prod.yaml',
    branch: 'main',
  },
  drift: [
    {
      group: 'apps',
      kind: 'Deployment',
      namespace: 'web-prod',
      name: 'web',
      status: 'OutOfSync',
      changes: [
        {
          manager: 'kubectl-edit',
          at: TIME,
          fields: ['spec.replicas'],
          restoredAt: TIME,
        },
      ],
    },
  ],
  stale: ['gitlab:gitlab.example.com'],
};

describe.each(databases.eachSupportedId())('tiers of an entity on %s', id => {
  async function summaryOf(name: string, tiers: TierState[] = [prod]) {
    const api = await startApi({
      knex: await databases.init(id as TestDatabaseId),
      entities: [entity('web'), entity('secret'), entity('idle')],
      hidden: { 'user:default/dev1': [SECRET] },
    });
    try {
      await api.store.applyTiers(api.term, [
        { entityRef: WEB, tiers },
        { entityRef: SECRET, tiers },
      ]);
      return await request(api.server)
        .get(`/api/previews/v1/entities/component/default/${name}/summary`)
        .set('authorization', dev);
    } finally {
      await api.stop();
    }
  }

  it('are in its summary as the writer found them', async () => {
    const answer = await summaryOf('web');
    assertDocumented({
      path: '/v1/entities/{kind}/{namespace}/{name}/summary',
      method: 'get',
      status: answer.status,
      body: answer.body,
    });
    expect(answer.body.tiers).toEqual([prod]);
  });

  it('are hidden with the entity', async () => {
    const answer = await summaryOf('secret');
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('web-prod');
  });

  it('change the version of the summary when they change', async () => {
    const tagOf = async (tiers: TierState[]) =>
      (await summaryOf('web', tiers)).headers.etag;
    const first = await tagOf([prod]);
    expect(await tagOf([prod])).toBe(first);
    expect(await tagOf([{ ...prod, sync: 'Synced' }])).not.toBe(first);
  });

  it('are absent where there are none', async () => {
    const answer = await summaryOf('idle');
    expect(answer.status).toBe(200);
    expect(answer.body.tiers).toBeUndefined();
  });
});
