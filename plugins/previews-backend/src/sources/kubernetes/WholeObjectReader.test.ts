import { ObjectRequest } from '../../model';
import { ScriptedServer } from '../testing/ScriptedServer';
import { ClusterConnection } from './ClusterConnection';
import { KubernetesClient } from './KubernetesClient';
import { WholeObjectReader } from './WholeObjectReader';

const ROUTES: Record<string, unknown> = {
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'argoproj.io',
        versions: [{ version: 'v1alpha1' }],
        preferredVersion: { version: 'v1alpha1' },
      },
    ],
  },
  '/apis/argoproj.io/v1alpha1': {
    kind: 'APIResourceList',
    resources: [{ name: 'applicationsets' }, { name: 'appprojects' }],
  },
  '/apis/argoproj.io/v1alpha1/namespaces/argocd/applicationsets/shop': {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'shop', namespace: 'argocd', managedFields: [{}] },
    spec: { untouched: ['x'.repeat(3000)] },
  },
  '/api/v1/namespaces/shop/services': {
    items: [{ metadata: { name: 'web' } }],
  },
  '/apis/apps/v1/namespaces/shop/deployments': { items: null },
  '/apis/apps/v1/namespaces/shop/statefulsets': {
    metadata: { continue: 'more' },
    items: [],
  },
  '/apis/policy/v1/namespaces/shop/poddisruptionbudgets': { items: 'none' },
};

describe('WholeObjectReader', () => {
  let server: ScriptedServer;
  let connection: ClusterConnection;
  let reader: WholeObjectReader;
  let status: Record<string, number>;
  let now: number;

  beforeEach(async () => {
    status = {};
    now = Date.parse('2026-11-29T12:00:00.000Z');
    server = await ScriptedServer.listen(({ path }, response) => {
      const body = ROUTES[path];
      response.statusCode = status[path] ?? (body === undefined ? 404 : 200);
      response.end(JSON.stringify(body ?? {}));
    });
    const clock = () => new Date(now);
    connection = await ClusterConnection.open({
      access: { type: 'url', url: server.url, skipTlsVerify: false },
      clock,
    });
    reader = WholeObjectReader.create({
      client: KubernetesClient.create({
        connection,
        callTimeoutMilliseconds: 5_000,
      }),
      clock,
    });
  });

  afterEach(async () => {
    await connection.close();
    await server.close();
  });

  function read(request: Omit<ObjectRequest, 'cluster'>) {
    return reader.read(
      { cluster: 'main', ...request },
      { signal: new AbortController().signal },
    );
  }

  const set = (name: string) =>
    read({ kind: 'ApplicationSet', namespace: 'argocd', name });

  it('reads an object whole by its name', async () => {
    expect(await set('shop')).toEqual({
      state: 'read',
      objects: [
        ROUTES[
          '/apis/argoproj.io/v1alpha1/namespaces/argocd/applicationsets/shop'
        ],
      ],
    });
  });

  it('knows that one is not there', async () => {
    expect(await set('missing')).toEqual({ state: 'read', objects: [] });
  });

  it('gives the objects of a list the kind that a list leaves out', async () => {
    expect(await read({ kind: 'Service', namespace: 'shop' })).toEqual({
      state: 'read',
      objects: [
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
      ],
    });
  });

  it('knows of none where the list is null, and tells where there are more', async () => {
    expect(await read({ kind: 'Deployment', namespace: 'shop' })).toEqual({
      state: 'read',
      objects: [],
    });
    expect(await read({ kind: 'StatefulSet', namespace: 'shop' })).toEqual({
      state: 'read',
      objects: [],
      isCut: true,
    });
  });

  it('knows of none of a kind that the cluster does not have', async () => {
    expect(await read({ kind: 'ScaledObject', namespace: 'shop' })).toEqual({
      state: 'read',
      objects: [],
    });
  });

  it.each<[string, string, number]>([
    ['it may not read', '/api/v1/namespaces/shop/services', 403],
    [
      'every cluster has and this one does not tell',
      '/api/v1/namespaces/shop/services',
      404,
    ],
  ])('knows nothing of a kind that %s', async (_, path, answer) => {
    status[path] = answer;
    expect(await read({ kind: 'Service', namespace: 'shop' })).toEqual({
      state: 'unknown',
    });
  });

  it('fails where the cluster does, or answers something else', async () => {
    status['/api/v1/namespaces/shop/services'] = 500;
    expect(await read({ kind: 'Service', namespace: 'shop' })).toEqual({
      state: 'failed',
    });
    expect(
      await read({ kind: 'PodDisruptionBudget', namespace: 'shop' }),
    ).toEqual({ state: 'failed' });
  });

  it('asks which kinds there are every ten minutes, and again after a failure', async () => {
    const asked = () =>
      server.requests.filter(({ path }) => path === '/apis').length;
    status['/apis'] = 503;
    expect(await set('shop')).toEqual({ state: 'failed' });
    status = {};
    await set('shop');
    await set('shop');
    expect(asked()).toBe(2);
    now += 11 * 60_000;
    await set('shop');
    expect(asked()).toBe(3);
  });

  it.each(['..', '../../secrets', 'a..b', 'x?y', 'X', '', 'a'.repeat(300)])(
    'calls nothing for the name %s, which no object has',
    async name => {
      expect(await set(name)).toEqual({ state: 'unknown' });
      expect(await read({ kind: 'Service', namespace: name })).toEqual({
        state: 'unknown',
      });
      expect(server.requests).toEqual([]);
    },
  );
});
