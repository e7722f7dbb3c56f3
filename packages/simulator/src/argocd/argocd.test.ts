import { createRandom } from '../random';
import { Cluster } from '../kubernetes';
import { createManualClock } from '../testing/manualClock';
import { eventually } from '../testing/eventually';
import { ArgocdServer, startArgocdServer } from './server';

const TOKEN = 'argocd-token';

describe('the API of Argo CD', () => {
  let cluster: Cluster;
  let server: ArgocdServer;
  let aborts: AbortController[];

  beforeEach(async () => {
    cluster = new Cluster({
      name: 'test',
      clock: createManualClock(),
      random: createRandom('argocd'),
    });
    for (const name of ['argocd', 'team-a']) {
      cluster.create({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      });
    }
    create('Application', 'shop-mr-1');
    create('Application', 'shop-mr-2', 'team-a');
    create('ApplicationSet', 'shop');
    aborts = [];
    server = await startArgocdServer({ cluster, token: TOKEN });
  });

  afterEach(async () => {
    aborts.forEach(abort => abort.abort());
    await server.close();
  });

  function create(kind: string, name: string, namespace = 'argocd') {
    cluster.create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind,
      metadata: { name, namespace },
      spec: { project: 'default' },
    });
  }

  async function get(path: string, token: string | undefined = TOKEN) {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    return { status: response.status, body: await response.json() };
  }

  /** Reads a stream's events into a list for as long as it lasts. */
  function follow(path = '/stream/applications?resourceVersion=0') {
    const abort = new AbortController();
    aborts.push(abort);
    const followed = { events: [] as any[], isOver: false };
    const read = async () => {
      const response = await fetch(`${server.url}/api/v1${path}`, {
        headers: { authorization: `Bearer ${TOKEN}` },
        signal: abort.signal,
      });
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) {
        decoder
          .decode(chunk as Uint8Array)
          .split('\n')
          .filter(Boolean)
          .forEach(line => followed.events.push(JSON.parse(line).result));
      }
    };
    void read()
      .catch(() => {})
      .finally(() => {
        followed.isOver = true;
      });
    return followed;
  }

  const isStreaming = () =>
    eventually(() =>
      expect(server.requests.map(({ path }) => path)).toContainEqual(
        expect.stringContaining('/stream/'),
      ),
    );

  it('lists what is in any namespace, without kind and version', async () => {
    const { status, body } = await get('/applications');
    expect(status).toBe(200);
    expect(body.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(
      body.items.map((item: any) => [item.kind, item.metadata.name]),
    ).toEqual([
      [undefined, 'shop-mr-1'],
      [undefined, 'shop-mr-2'],
    ]);
    expect((await get('/applicationsets')).body.items).toHaveLength(1);
    expect((await get('/applications?projects=other')).body.items).toBeNull();
  });

  it('answers for one object', async () => {
    const found = await get('/applications/shop-mr-2?appNamespace=team-a');
    expect(found.body.metadata.name).toBe('shop-mr-2');
    expect(await get('/applications/gone')).toMatchObject({
      status: 403,
      body: { code: 7, message: 'permission denied' },
    });
    expect(await get('/applications/gone?project=default')).toMatchObject({
      status: 404,
      body: { code: 5, message: 'applications.argoproj.io "gone" not found' },
    });
  });

  it('tells a missing and a wrong token as Argo CD does', async () => {
    expect(await get('/applications', '')).toEqual({
      status: 401,
      body: {
        error: 'no session information',
        code: 16,
        message: 'no session information',
      },
    });
    expect((await get('/applications', 'wrong')).status).toBe(401);
    server.faults.rejectToken(TOKEN);
    expect((await get('/applications')).body.message).toMatch(
      /^invalid session/,
    );
  });

  it('hides what may not be seen instead of denying the list', async () => {
    server.faults.deny('applications');
    expect(await get('/applications')).toMatchObject({
      status: 200,
      body: { items: null },
    });
    expect((await get('/account/can-i/applications/get/*/*')).body).toEqual({
      value: 'no',
    });
    expect((await get('/account/can-i/applicationsets/get/*/*')).body).toEqual({
      value: 'yes',
    });
  });

  it('streams changes from now on, and repeats nothing', async () => {
    const followed = follow();
    await isStreaming();
    create('Application', 'shop-mr-3');
    create('ApplicationSet', 'other');
    cluster.delete({
      kind: 'Application',
      namespace: 'argocd',
      name: 'shop-mr-1',
    });
    await eventually(() =>
      expect(
        followed.events.map(({ type, application }) => [
          type,
          application.metadata.name,
        ]),
      ).toEqual([
        ['ADDED', 'shop-mr-3'],
        ['DELETED', 'shop-mr-1'],
      ]),
    );
  });

  it('begins with all that is there where no version is given', async () => {
    const followed = follow('/stream/applications');
    await eventually(() => expect(followed.events).toHaveLength(2));
    server.faults.cutStreams();
    await eventually(() => expect(followed.isOver).toBe(true));
  });

  it('lists and streams what a selector takes', async () => {
    const followed = follow(
      '/stream/applications?resourceVersion=0&selector=team%3Da',
    );
    await isStreaming();
    create('Application', 'shop-mr-3');
    cluster.create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name: 'shop-mr-4',
        namespace: 'argocd',
        labels: { team: 'a' },
      },
      spec: { project: 'default' },
    });
    await eventually(() => expect(followed.events).toHaveLength(1));
    expect(followed.events[0].application.metadata.name).toBe('shop-mr-4');
    const { body } = await get('/applications?selector=team%3Da');
    expect(body.items).toMatchObject([{ metadata: { name: 'shop-mr-4' } }]);
  });

  it('says nothing while it hangs', async () => {
    server.faults.hangStreams(true);
    const followed = follow();
    await isStreaming();
    create('Application', 'shop-mr-3');
    server.faults.hangStreams(false);
    await eventually(() => expect(followed.isOver).toBe(true));
    expect(followed.events).toEqual([]);
  });

  it('refuses connections and listens again at the same address', async () => {
    await server.faults.refuseConnections(true);
    await expect(get('/applications')).rejects.toThrow();
    await server.faults.clear();
    expect((await get('/applications')).status).toBe(200);
  });
});
