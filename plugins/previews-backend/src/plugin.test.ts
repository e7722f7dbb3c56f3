import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import {
  coreServices,
  createBackendModule,
  createBackendPlugin,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { eventsServiceRef } from '@backstage/plugin-events-node';
import { previewsClustersExtensionPoint } from '@previews/backstage-plugin-previews-node';
import { JsonObject } from '@backstage/types';
import request from 'supertest';
import previewsPlugin from '.';

jest.setTimeout(60_000);

async function start(previews: JsonObject, ...modules: any[]) {
  const { server } = await startTestBackend({
    features: [
      previewsPlugin,
      catalogServiceMock.factory({ entities: [] }),
      mockServices.rootConfig.factory({ data: { previews } }),
      ...modules,
    ],
  });
  return server;
}

describe('the previews backend plugin', () => {
  it('starts without anything configured, and then has no previews and no sources', async () => {
    const server = await start({});
    const previews = await request(server).get('/api/previews/v1/previews');
    expect(previews.status).toBe(200);
    expect(previews.body).toMatchObject({ items: [], totalItems: 0 });
    const sources = await request(server).get('/api/previews/v1/sources');
    expect(sources.body).toEqual({ items: [] });
  });

  it('starts with visits of previews', async () => {
    const server = await start({
      probe: { enabled: true, domains: ['preview.example.com'] },
    });
    const { status } = await request(server).get('/api/previews/v1/previews');
    expect(status).toBe(200);
  });

  it('answers nobody without credentials', async () => {
    const server = await start({});
    for (const path of ['/v1/previews', '/v1/sources', '/openapi.json']) {
      const { status } = await request(server)
        .get(`/api/previews${path}`)
        .set('Authorization', mockCredentials.none.header());
      expect(status).toBe(401);
    }
  });

  it.each([
    ['previews.schedul', { schedul: {} }],
    ['previews.schedule.gitlabPoll', { schedule: { gitlabPoll: 'often' } }],
    ['previews.clusters[0]', { clusters: [{ name: 'main' }] }],
    ['previews.notifications.sent', { notifications: { sent: true } }],
    ['previews.catalog.projectClaims', { catalog: { projectClaims: 'some' } }],
    ['previews.probe.domains', { probe: { enabled: true } }],
  ])(
    'does not start with a wrong value at %s, and names it',
    async (key, previews) => {
      await expect(start(previews)).rejects.toThrow(key);
    },
  );

  it('reads clusters that a module adds', async () => {
    const server = await start(
      {},
      createBackendModule({
        pluginId: 'previews',
        moduleId: 'test-clusters',
        register(env) {
          env.registerInit({
            deps: { clusters: previewsClustersExtensionPoint },
            async init({ clusters }) {
              clusters.addCluster({ name: 'added', url: 'http://127.0.0.1:1' });
            },
          });
        },
      }),
    );
    const find = async () =>
      (await request(server).get('/api/previews/v1/sources')).body.items[0];
    for (
      let attempt = 0;
      attempt < 600 && !(await find())?.errors.length;
      attempt += 1
    ) {
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    expect(await find()).toMatchObject({
      id: 'cluster:added',
      errors: [{ reason: 'Unreachable' }],
    });
  });

  it('has nothing to do with events before every other plugin is up, the one that carries them among them', async () => {
    const order: string[] = [];
    const events = mockServices.events();
    await start(
      {},
      createServiceFactory({
        service: eventsServiceRef,
        deps: {},
        factory: () => ({
          publish: async params => {
            order.push('publishes');
            await events.publish(params);
          },
          subscribe: async options => {
            order.push('subscribes');
            await events.subscribe(options);
          },
        }),
      }),
      createBackendPlugin({
        pluginId: 'slow',
        register(env) {
          env.registerInit({
            deps: { discovery: coreServices.discovery },
            async init({ discovery }) {
              const url = await discovery.getBaseUrl('previews');
              // It is answered once the plugin itself has started.
              const { status } = await fetch(`${url}/v1/previews`);
              order.push(`previews answer ${status}`);
            },
          });
        },
      }),
    );
    expect(order).toEqual(['previews answer 200', 'subscribes']);
  });
});
