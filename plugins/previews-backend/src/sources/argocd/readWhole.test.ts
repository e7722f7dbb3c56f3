import { ObjectRequest } from '../../model';
import { ScriptedServer } from '../testing/ScriptedServer';
import { ArgocdClient } from './ArgocdClient';
import { readWhole } from './readWhole';

describe('a whole object of an Argo CD', () => {
  let server: ScriptedServer;
  let client: ArgocdClient;
  let status: number;

  beforeEach(async () => {
    status = 200;
    server = await ScriptedServer.listen((_, response) => {
      response.statusCode = status;
      response.end(JSON.stringify({ metadata: { name: 'shop' } }));
    });
    client = ArgocdClient.create({
      config: { name: 'argo', url: server.url, skipTlsVerify: false },
      callTimeoutMilliseconds: 5_000,
    });
  });

  afterEach(async () => {
    await client.close();
    await server.close();
  });

  function read(request: Omit<ObjectRequest, 'cluster'>) {
    return readWhole(
      { cluster: 'argo', ...request },
      { client, signal: new AbortController().signal },
    );
  }

  it.each<[ObjectRequest['kind'], string]>([
    ['Application', '/api/v1/applications/shop?appNamespace=team'],
    ['ApplicationSet', '/api/v1/applicationsets/shop?appsetNamespace=team'],
    ['AppProject', '/api/v1/projects/shop?'],
  ])('is read by its name: %s', async (kind, url) => {
    expect(await read({ kind, namespace: 'team', name: 'shop' })).toEqual({
      state: 'read',
      objects: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind,
          metadata: { name: 'shop' },
        },
      ],
    });
    const [{ path, query }] = server.requests;
    expect(`${path}?${query}`).toBe(url);
  });

  it.each<[string, Omit<ObjectRequest, 'cluster'>]>([
    ['what is deployed', { kind: 'Deployment', namespace: 'shop' }],
    ['all of a kind', { kind: 'Application', namespace: 'argocd' }],
    ['a name that no object has', { kind: 'AppProject', name: '..' }],
  ])('is not known, and not asked for, where it is %s', async (_, request) => {
    expect(await read(request)).toEqual({ state: 'unknown' });
    expect(server.requests).toEqual([]);
  });

  it.each<[number, string]>([
    [403, 'unknown'],
    [404, 'unknown'],
    [500, 'failed'],
  ])('is, where Argo CD answers %d, %s', async (answer, state) => {
    status = answer;
    expect(await read({ kind: 'AppProject', name: 'shop' })).toEqual({ state });
  });
});
