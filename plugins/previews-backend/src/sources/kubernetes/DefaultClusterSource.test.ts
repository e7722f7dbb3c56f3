import { mockServices } from '@backstage/backend-test-utils';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClusterAccess } from '../../config';
import { KindName } from '../../model';
import {
  eventually,
  ScriptedRequest,
  ScriptedServer,
  sendJson,
  sendText,
} from '../testing/ScriptedServer';
import { DefaultClusterSource } from './DefaultClusterSource';

type KubernetesObject = {
  metadata: { name: string; namespace?: string; resourceVersion: string };
} & Record<string, unknown>;

const GROUPS: Record<string, { version: string; plurals: string[] }> = {
  'argoproj.io': {
    version: 'v1alpha1',
    plurals: ['applications', 'applicationsets'],
  },
  'cert-manager.io': {
    version: 'v1',
    plurals: [
      'certificates',
      'certificaterequests',
      'issuers',
      'clusterissuers',
    ],
  },
  'acme.cert-manager.io': { version: 'v1', plurals: ['orders', 'challenges'] },
  'gateway.networking.k8s.io': {
    version: 'v1',
    plurals: ['httproutes', 'gateways', 'listenersets'],
  },
};

function pod(name: string, resourceVersion = '1', phase = 'Running') {
  return {
    metadata: {
      name,
      namespace: 'preview-1',
      uid: `uid-${name}`,
      resourceVersion,
    },
    spec: { containers: [] },
    status: { phase },
  };
}

/** A cluster of lists and open watches; a fault comes before it. */
class FakeCluster {
  groups = { ...GROUPS };
  /** By plural. */
  objects: Record<string, KubernetesObject[]> = {
    pods: [pod('web-1'), pod('web-2')],
  };
  resourceVersion = 100;
  watches: {
    plural: string;
    query: URLSearchParams;
    response: ServerResponse;
  }[] = [];
  fault?: (request: ScriptedRequest, response: ServerResponse) => boolean;

  answer = (request: ScriptedRequest, response: ServerResponse): void => {
    if (this.fault?.(request, response)) {
      return;
    }
    const { path, query } = request;
    const parts = path.split('/').slice(1);
    if (path === '/apis') {
      sendJson(response, {
        kind: 'APIGroupList',
        groups: Object.entries(this.groups).map(([name, { version }]) => ({
          name,
          versions: [{ groupVersion: `${name}/${version}`, version }],
          preferredVersion: { groupVersion: `${name}/${version}`, version },
        })),
      });
      return;
    }
    if (parts[0] === 'apis' && parts.length === 3) {
      const group = this.groups[parts[1]];
      sendJson(response, {
        kind: 'APIResourceList',
        resources: (group?.plurals ?? []).map(name => ({ name })),
      });
      return;
    }
    const plural = parts[parts.length - 1];
    if (query.get('watch') === 'true') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      this.watches.push({ plural, query, response });
      return;
    }
    const items = this.objects[plural] ?? [];
    const limit = Number(query.get('limit') ?? items.length) || 1;
    const from = Number(query.get('continue') ?? 0);
    const rest = from + limit < items.length ? String(from + limit) : undefined;
    sendJson(response, {
      metadata: {
        resourceVersion: String(this.resourceVersion),
        ...(rest && { continue: rest }),
      },
      items: items.slice(from, from + limit),
    });
  };

  open(plural: string) {
    return this.watches.filter(
      ({ plural: of, response }) =>
        of === plural && !response.destroyed && !response.writableEnded,
    );
  }

  send(plural: string, event: unknown) {
    this.open(plural)
      .at(-1)!
      .response.write(`${JSON.stringify(event)}\n`);
  }
}

describe('DefaultClusterSource', () => {
  const cluster = { current: new FakeCluster() };
  const allReady = Object.fromEntries(
    [
      'applications',
      'applicationSets',
      'namespaces',
      'deployments',
      'statefulSets',
      'replicaSets',
      'pods',
      'certificates',
      'certificateRequests',
      'orders',
      'challenges',
      'issuers',
      'clusterIssuers',
      'acmeEvents',
      'httpRoutes',
      'gateways',
      'listenerSets',
      'ingresses',
    ].map(name => [name, 'ready']),
  );

  let server: ScriptedServer;
  let stop: AbortController;
  let now: Date;

  beforeEach(async () => {
    cluster.current = new FakeCluster();
    now = new Date('2026-03-01T12:00:00.000Z');
    stop = new AbortController();
    server = await ScriptedServer.listen((request, response) =>
      cluster.current.answer(request, response),
    );
  });

  afterEach(async () => {
    stop.abort();
    await server.close();
  });

  function create(
    options: { access?: ClusterAccess; relistAfter?: number } = {},
  ): DefaultClusterSource {
    return DefaultClusterSource.create({
      config: {
        name: 'staging',
        access: options.access ?? {
          type: 'url',
          url: server.url,
          token: 'secret-token-value',
          skipTlsVerify: false,
        },
        argocdDestinations: ['https://staging.example.com/', 'staging-alias'],
      },
      schedule: {
        clusterRelistAfterMilliseconds: options.relistAfter ?? 60_000,
        clusterStaleAfterMilliseconds: 600_000,
      },
      logger: mockServices.logger.mock(),
      clock: () => now,
      delays: {
        backOffStart: 5,
        backOffMaximum: 40,
        notInstalledRecheck: 20,
        forbiddenRecheck: 20,
        callTimeout: 2_000,
      },
    });
  }

  async function started(
    options: Parameters<typeof create>[0] = {},
  ): Promise<DefaultClusterSource> {
    const source = create(options);
    source.start({ signal: stop.signal });
    await eventually(() => expect(states(source)).toEqual(allReady));
    await eventually(() =>
      expect(cluster.current.open('pods')).toHaveLength(1),
    );
    return source;
  }

  function states(source: DefaultClusterSource) {
    return Object.fromEntries(
      Object.entries(source.reading().kinds).map(([name, { state }]) => [
        name,
        state,
      ]),
    );
  }

  function kind(source: DefaultClusterSource, name: KindName) {
    return source.reading().kinds[name];
  }

  function pods(source: DefaultClusterSource) {
    return [...kind(source, 'pods').objects.keys()].sort();
  }

  /** Answers requests for pods only. */
  function onPods(
    answer: (request: ScriptedRequest, response: ServerResponse) => boolean,
  ) {
    cluster.current.fault = (request, response) =>
      request.path === '/api/v1/pods' && answer(request, response);
  }

  const isWatch = ({ query }: ScriptedRequest) => query.get('watch') === 'true';
  const status = (response: ServerResponse, code: number) => {
    sendJson(response, { kind: 'Status', code }, { status: code });
    return true;
  };

  it('is pending before it has read anything', () => {
    const source = create();
    expect(kind(source, 'pods')).toEqual({
      state: 'pending',
      objects: new Map(),
    });
    expect(source.state(now)).toMatchObject({
      id: 'cluster:staging',
      status: 'pending',
    });
  });

  it('reads every kind and keeps facts only', async () => {
    const source = await started();
    expect(kind(source, 'pods')).toMatchObject({
      state: 'ready',
      completeAt: '2026-03-01T12:00:00.000Z',
    });
    expect(kind(source, 'pods').objects.get('preview-1/web-1')).toEqual({
      meta: {
        cluster: 'staging',
        namespace: 'preview-1',
        name: 'web-1',
        uid: 'uid-web-1',
        labels: {},
        annotations: {},
        finalizers: [],
      },
      phase: 'Running',
      ready: false,
      containers: [],
    });
    expect(source.reading().destinations).toEqual([
      server.url,
      'https://staging.example.com',
      'staging-alias',
    ]);
    expect(source.state(now)).toEqual({
      id: 'cluster:staging',
      kind: 'cluster',
      name: 'staging',
      status: 'fresh',
      lastCompleteAt: '2026-03-01T12:00:00.000Z',
      errors: [],
      notes: [],
    });
  });

  it('only lists and watches, with its token', async () => {
    await started();
    for (const request of server.requests) {
      expect(request.method).toBe('GET');
      expect(request.headers.authorization).toBe('Bearer secret-token-value');
    }
  });

  it('lists in chunks and watches from where the list stood', async () => {
    cluster.current.objects.pods = Array.from({ length: 1203 }, (_, index) =>
      pod(`web-${index}`),
    );
    const source = await started();
    expect(pods(source)).toHaveLength(1203);
    expect(server.asked(/^\/api\/v1\/pods\?limit=500/)).toEqual([
      '/api/v1/pods?limit=500',
      '/api/v1/pods?limit=500&continue=500',
      '/api/v1/pods?limit=500&continue=1000',
    ]);
    const { query } = cluster.current.open('pods')[0];
    expect(query.get('resourceVersion')).toBe('100');
    expect(query.get('allowWatchBookmarks')).toBe('true');
    expect(Number(query.get('timeoutSeconds'))).toBeGreaterThan(60);
  });

  it('follows what is added, changed and deleted', async () => {
    const source = await started();
    const listener = jest.fn();
    source.onChange(listener);
    const before = source.reading();
    cluster.current.send('pods', {
      type: 'ADDED',
      object: pod('web-3', '101'),
    });
    cluster.current.send('pods', {
      type: 'MODIFIED',
      object: pod('web-1', '102', 'Failed'),
    });
    cluster.current.send('pods', {
      type: 'DELETED',
      object: pod('web-2', '103'),
    });
    await eventually(() =>
      expect(pods(source)).toEqual(['preview-1/web-1', 'preview-1/web-3']),
    );
    expect(kind(source, 'pods').objects.get('preview-1/web-1')).toMatchObject({
      phase: 'Failed',
    });
    expect(listener.mock.calls.map(([change]) => change)).toEqual(
      ['web-3', 'web-1', 'web-2'].map(name => ({
        kind: 'pods',
        keys: [`preview-1/${name}`],
      })),
    );
    const { state, completeAt, objects } = source.readObjects('pods', [
      'preview-1/web-1',
      'preview-1/web-2',
    ]);
    expect({ state, completeAt }).toEqual({
      state: 'ready',
      completeAt: kind(source, 'pods').completeAt,
    });
    expect([...objects.keys()]).toEqual(['preview-1/web-1']);
    expect([...before.kinds.pods.objects.keys()]).toEqual([
      'preview-1/web-1',
      'preview-1/web-2',
    ]);
  });

  it.each(['ADDED', 'MODIFIED', 'WHATEVER'])(
    'is not harmed by an event %s of something else',
    async type => {
      const source = await started();
      for (const object of [
        null,
        'text',
        {},
        { metadata: null },
        { kind: 'Node' },
      ]) {
        cluster.current.send('pods', { type, object });
      }
      cluster.current.send('pods', {
        type: 'ADDED',
        object: pod('web-3', '101'),
      });
      await eventually(() => expect(pods(source)).toHaveLength(3));
    },
  );

  it('knows by a bookmark that it is current, and resumes from there', async () => {
    const source = await started();
    now = new Date('2026-03-01T12:05:00.000Z');
    cluster.current.send('pods', {
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '250' } },
    });
    await eventually(() =>
      expect(kind(source, 'pods').completeAt).toBe('2026-03-01T12:05:00.000Z'),
    );
    expect(pods(source)).toHaveLength(2);
    cluster.current.open('pods')[0].response.end();
    await eventually(() =>
      expect(cluster.current.open('pods')).toHaveLength(1),
    );
    expect(cluster.current.open('pods')[0].query.get('resourceVersion')).toBe(
      '250',
    );
  });

  it('tells of no object by a bookmark, and of everything by a list', async () => {
    const source = await started();
    const told: unknown[] = [];
    source.onChange(change => told.push(change));
    now = new Date(now.getTime() + 1000);
    cluster.current.send('pods', {
      type: 'BOOKMARK',
      object: { kind: 'Pod', metadata: { resourceVersion: '150' } },
    });
    await eventually(() => expect(told).toEqual([{ kind: 'pods', keys: [] }]));
    await source.refresh();
    expect(told).toContain(undefined);
  });

  it('resumes a watch that was cut where it stood, without listing', async () => {
    const source = await started();
    cluster.current.send('pods', {
      type: 'ADDED',
      object: pod('web-3', '140'),
    });
    await eventually(() => expect(pods(source)).toHaveLength(3));
    cluster.current.open('pods')[0].response.destroy();
    await eventually(() =>
      expect(cluster.current.open('pods')).toHaveLength(1),
    );
    expect(cluster.current.open('pods')[0].query.get('resourceVersion')).toBe(
      '140',
    );
    cluster.current.send('pods', {
      type: 'ADDED',
      object: pod('web-4', '141'),
    });
    await eventually(() => expect(pods(source)).toHaveLength(4));
    expect(server.asked(/^\/api\/v1\/pods\?limit/)).toHaveLength(1);
    expect(kind(source, 'pods')).toMatchObject({ state: 'ready' });
    expect(kind(source, 'pods').error).toBeUndefined();
  });

  it('reads on over an event that comes in pieces', async () => {
    const source = await started();
    const line = `${JSON.stringify({
      type: 'ADDED',
      object: pod('wéb-3', '101'),
    })}\n`;
    const bytes = Buffer.from(line);
    const { response } = cluster.current.open('pods')[0];
    const middle = bytes.indexOf(0xc3) + 1;
    response.write(bytes.subarray(0, middle));
    await new Promise(resolve => setImmediate(resolve));
    response.write(bytes.subarray(middle));
    await eventually(() => expect(pods(source)).toContain('preview-1/wéb-3'));
  });

  it.each([
    [
      'as an event',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          `${JSON.stringify({
            type: 'ERROR',
            object: { kind: 'Status', code: 410 },
          })}\n`,
        );
        return true;
      },
    ],
    ['as a status', (response: ServerResponse) => status(response, 410)],
  ])(
    'lists again when the cluster does not remember that far: 410 %s',
    async (_, answer) => {
      const source = await started();
      cluster.current.objects.pods = [pod('web-9', '500')];
      cluster.current.resourceVersion = 500;
      let isFirst = true;
      onPods((request, response) => {
        if (isWatch(request) && isFirst) {
          isFirst = false;
          return answer(response);
        }
        return false;
      });
      cluster.current.open('pods')[0].response.end();
      await eventually(() => expect(pods(source)).toEqual(['preview-1/web-9']));
      await eventually(() =>
        expect(
          cluster.current.open('pods').at(-1)?.query.get('resourceVersion'),
        ).toBe('500'),
      );
      expect(kind(source, 'pods').error).toBeUndefined();
    },
  );

  it('begins the list again when a chunk has expired', async () => {
    cluster.current.objects.pods = Array.from({ length: 700 }, (_, index) =>
      pod(`web-${index}`),
    );
    let expiries = 1;
    onPods((request, response) =>
      request.query.has('continue') && expiries-- > 0
        ? status(response, 410)
        : false,
    );
    const source = await started();
    expect(pods(source)).toHaveLength(700);
  });

  it('lists in one piece when chunks expire again and again', async () => {
    cluster.current.objects.pods = Array.from({ length: 700 }, (_, index) =>
      pod(`web-${index}`),
    );
    onPods((request, response) =>
      request.query.has('continue') ? status(response, 410) : false,
    );
    const source = await started();
    expect(pods(source)).toHaveLength(700);
    expect(server.asked(/^\/api\/v1\/pods\?$/)).toHaveLength(1);
  });

  it('lists again when the watch says nothing for too long', async () => {
    const source = await started({ relistAfter: 150 });
    cluster.current.objects.pods = [pod('web-9')];
    await eventually(() => expect(pods(source)).toEqual(['preview-1/web-9']));
    expect(server.asked(/^\/api\/v1\/pods\?limit/).length).toBeGreaterThan(1);
  });

  it('tells in which time a silent watch missed something', async () => {
    // Long enough for no list to be under way when the time and the pods change.
    const source = await started({ relistAfter: 500 });
    const from = now.toISOString();
    now = new Date(now.getTime() + 240_000);
    cluster.current.objects.pods = [pod('web-9')];
    await eventually(() => expect(pods(source)).toEqual(['preview-1/web-9']));
    expect(kind(source, 'pods').missed).toEqual({
      from,
      to: now.toISOString(),
    });
    // Nothing else changed, though its watches were as silent.
    await eventually(() =>
      expect(
        server.asked(/^\/api\/v1\/namespaces\?limit/).length,
      ).toBeGreaterThan(1),
    );
    expect(kind(source, 'namespaces').missed).toBeUndefined();
  });

  it('keeps what it knows while the list fails, and heals', async () => {
    const source = await started();
    const { completeAt } = kind(source, 'pods');
    now = new Date('2026-03-01T12:01:00.000Z');
    onPods((_, response) => status(response, 500));
    cluster.current.open('pods')[0].response.destroy();
    await eventually(() => expect(kind(source, 'pods').state).toBe('failing'));
    expect(kind(source, 'pods')).toMatchObject({
      completeAt,
      error: {
        reason: 'ServerError',
        subject: 'pods',
        since: now.toISOString(),
      },
    });
    expect(pods(source)).toHaveLength(2);
    expect(source.state(now).status).toBe('failing');
    cluster.current.fault = undefined;
    await eventually(() => expect(kind(source, 'pods').state).toBe('ready'));
    expect(source.state(now)).toMatchObject({ status: 'fresh', errors: [] });
  });

  it('survives a restart of the API server', async () => {
    const source = await started();
    cluster.current.fault = (_, response) => {
      response.destroy();
      return true;
    };
    cluster.current.watches.forEach(({ response }) => response.destroy());
    await eventually(() =>
      expect(Object.values(states(source))).not.toContain('ready'),
    );
    expect(source.state(now).errors).toMatchObject([{ reason: 'Unreachable' }]);
    expect(pods(source)).toHaveLength(2);
    cluster.current.fault = undefined;
    await eventually(() => expect(states(source)).toEqual(allReady));
  });

  it('takes a chunk that fails for no list at all', async () => {
    cluster.current.objects.pods = Array.from({ length: 700 }, (_, index) =>
      pod(`web-${index}`),
    );
    const source = await started();
    cluster.current.objects.pods = cluster.current.objects.pods.slice(100);
    onPods((request, response) =>
      request.query.has('continue') ? status(response, 500) : false,
    );
    await source.refresh();
    expect(pods(source)).toHaveLength(700);
    expect(kind(source, 'pods').state).toBe('failing');
  });

  it.each([
    [
      'HTML',
      (response: ServerResponse) => {
        sendText(response, '<html>Sign in</html>', {
          status: 200,
          headers: { 'content-type': 'text/html' },
        });
        return true;
      },
    ],
    [
      'a list of nothing',
      (response: ServerResponse) => {
        sendJson(response, {});
        return true;
      },
    ],
    [
      'a redirect',
      (response: ServerResponse) => {
        response.writeHead(302, { location: 'http://127.0.0.1:9/' });
        response.end();
        return true;
      },
    ],
    [
      '404 for a kind that every cluster has',
      (response: ServerResponse) => status(response, 404),
    ],
  ])('does not take %s for an empty cluster', async (_, answer) => {
    const source = await started();
    onPods((__, response) => answer(response));
    await source.refresh();
    await eventually(() => expect(kind(source, 'pods').state).toBe('failing'));
    expect(pods(source)).toHaveLength(2);
  });

  it('names what is forbidden, and reads the rest', async () => {
    cluster.current.fault = ({ path }, response) =>
      path.endsWith('/certificates') && status(response, 403);
    const source = create();
    source.start({ signal: stop.signal });
    await eventually(() =>
      expect(states(source)).toEqual({
        ...allReady,
        certificates: 'forbidden',
      }),
    );
    expect(source.state(now)).toMatchObject({
      status: 'fresh',
      errors: [
        {
          reason: 'Forbidden',
          subject: 'certificates.cert-manager.io',
          message:
            "The cluster does not allow to list certificates in the API group 'cert-manager.io'.",
        },
      ],
    });
    cluster.current.fault = undefined;
    await eventually(() => expect(states(source)).toEqual(allReady));
  });

  it('names the verb when only watching is forbidden', async () => {
    onPods((request, response) => isWatch(request) && status(response, 403));
    const source = create();
    source.start({ signal: stop.signal });
    await eventually(() =>
      expect(kind(source, 'pods').error?.message).toBe(
        "The cluster does not allow to watch pods in the API group ''.",
      ),
    );
  });

  it('asks for Events of Orders and Challenges alone', async () => {
    await started();
    await eventually(() =>
      expect(cluster.current.open('events')).toHaveLength(1),
    );
    const selected =
      'involvedObject.apiVersion=acme.cert-manager.io/v1,type=Warning';
    expect(cluster.current.open('events')[0].query.get('fieldSelector')).toBe(
      selected,
    );
    const asked = server.asked(/\/events\?/);
    expect(asked.length).toBeGreaterThan(1);
    for (const path of asked) {
      const { searchParams } = new URL(path, 'http://cluster');
      expect(searchParams.getAll('fieldSelector')).toEqual([selected]);
    }
  });

  it('notices that a kind is not installed, and that it is later', async () => {
    delete cluster.current.groups['cert-manager.io'];
    const source = create();
    source.start({ signal: stop.signal });
    await eventually(() =>
      expect(states(source)).toEqual({
        ...allReady,
        certificates: 'notInstalled',
        certificateRequests: 'notInstalled',
        issuers: 'notInstalled',
        clusterIssuers: 'notInstalled',
      }),
    );
    expect(source.state(now)).toMatchObject({
      status: 'fresh',
      errors: [],
      notInstalled: [
        'certificates.cert-manager.io',
        'certificaterequests.cert-manager.io',
        'issuers.cert-manager.io',
        'clusterissuers.cert-manager.io',
      ],
    });
    cluster.current.groups = { ...GROUPS };
    await eventually(() => expect(states(source)).toEqual(allReady));
  });

  it.each([429, 500, 503])(
    'takes no kind for missing before the cluster serves all of its API, which it tells by %d',
    async code => {
      delete cluster.current.groups['argoproj.io'];
      cluster.current.fault = ({ path }, response) =>
        path === '/readyz' && status(response, code);
      const source = create();
      source.start({ signal: stop.signal });
      await eventually(() => {
        expect(kind(source, 'applications')).toMatchObject({
          state: 'pending',
          error: { reason: code === 429 ? 'RateLimited' : 'ServerError' },
        });
        expect(kind(source, 'applicationSets').state).toBe('pending');
      });
    },
  );

  it('keeps what it knows of a kind while the cluster begins to serve it again', async () => {
    cluster.current.objects.applications = [pod('shop')];
    const source = await started();
    await eventually(() =>
      expect(cluster.current.open('applications')).toHaveLength(1),
    );
    delete cluster.current.groups['argoproj.io'];
    cluster.current.fault = ({ path }, response) =>
      (path === '/readyz' && status(response, 500)) ||
      (path.includes('/argoproj.io/') && status(response, 404));
    cluster.current
      .open('applications')
      .forEach(({ response }) => response.destroy());
    await eventually(() =>
      expect(kind(source, 'applications')).toMatchObject({
        state: 'failing',
        error: { reason: 'ServerError' },
      }),
    );
    expect(kind(source, 'applications').objects.size).toBe(1);
    cluster.current.groups = { ...GROUPS };
    cluster.current.fault = undefined;
    await eventually(() => expect(states(source)).toEqual(allReady));
    expect(kind(source, 'applications').objects.size).toBe(1);
  });

  it.each([302, 401, 403, 404])(
    'takes a kind for missing where it is not told whether the cluster is ready (%d)',
    async code => {
      delete cluster.current.groups['cert-manager.io'];
      cluster.current.fault = ({ path }, response) =>
        path === '/readyz' && status(response, code);
      const source = create();
      source.start({ signal: stop.signal });
      await eventually(() =>
        expect(kind(source, 'certificates').state).toBe('notInstalled'),
      );
    },
  );

  it('notices a group that lacks one of its kinds', async () => {
    cluster.current.groups['gateway.networking.k8s.io'] = {
      version: 'v1',
      plurals: ['gateways'],
    };
    const source = create();
    source.start({ signal: stop.signal });
    await eventually(() =>
      expect(states(source)).toEqual({
        ...allReady,
        httpRoutes: 'notInstalled',
        listenerSets: 'notInstalled',
      }),
    );
  });

  it('reads a kind in a version that it does not know', async () => {
    cluster.current.groups['cert-manager.io'] = {
      version: 'v3beta7',
      plurals: GROUPS['cert-manager.io'].plurals,
    };
    await started();
    expect(server.asked(/certificates\?limit/)[0]).toMatch(
      /^\/apis\/cert-manager\.io\/v3beta7\/certificates/,
    );
  });

  it('does not conclude that nothing is installed from anything but discovery', async () => {
    cluster.current.fault = ({ path }, response) =>
      path === '/apis' && status(response, 404);
    const source = create();
    source.start({ signal: stop.signal });
    await eventually(() =>
      expect(kind(source, 'applications')).toMatchObject({
        state: 'pending',
        error: { reason: 'NotFound' },
      }),
    );
  });

  it('waits as long as a cluster asks that limits the calls', async () => {
    const source = create();
    onPods((_, response) => {
      sendJson(response, {}, { status: 429, headers: { 'retry-after': '30' } });
      return true;
    });
    source.start({ signal: stop.signal });
    await eventually(() =>
      expect(kind(source, 'pods').error).toMatchObject({
        reason: 'RateLimited',
        retryAt: '2026-03-01T12:00:30.000Z',
      }),
    );
    expect(server.asked(/^\/api\/v1\/pods/)).toHaveLength(1);
  });

  it('gives up on a cluster that does not answer, and says so', async () => {
    const source = create();
    onPods(() => true);
    source.start({ signal: stop.signal });
    await eventually(() =>
      expect(kind(source, 'pods').error?.reason).toBe('TimedOut'),
    );
  });

  it('begins afresh when it is started again', async () => {
    const source = await started();
    stop.abort();
    stop = new AbortController();
    cluster.current.fault = () => true;
    source.start({ signal: stop.signal });
    expect(kind(source, 'pods')).toEqual({
      state: 'pending',
      objects: new Map(),
    });
  });

  it('lets go of its connections when it is stopped', async () => {
    await started();
    stop.abort();
    await eventually(() => expect(cluster.current.open('pods')).toEqual([]));
  });

  it('is stale after its time', async () => {
    const source = await started();
    now = new Date('2026-03-01T12:10:01.000Z');
    expect(source.state(now).status).toBe('stale');
  });

  it('lists everything again when it is asked to', async () => {
    const source = await started();
    cluster.current.objects.pods = [];
    await source.refresh();
    expect(pods(source)).toEqual([]);
  });

  describe('credentials', () => {
    let folder: string;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'previews-'));
    });

    afterEach(async () => {
      await rm(folder, { recursive: true });
    });

    it('read a token file again when its token is not accepted any more, and nobody notices', async () => {
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, 'first\n');
      const source = await started({
        access: {
          type: 'url',
          url: server.url,
          tokenFile,
          skipTlsVerify: false,
        },
      });
      const seen = new Set<string>();
      const look = () => {
        const { status: health, errors } = source.state(now);
        seen.add([health, ...errors.map(({ reason }) => reason)].join(' '));
        seen.add(pods(source).join(' '));
      };
      source.onChange(look);
      look();
      await writeFile(tokenFile, 'second\n');
      let refused = 0;
      cluster.current.fault = ({ headers }, response) => {
        if (headers.authorization === 'Bearer second') {
          return false;
        }
        refused += 1;
        return status(response, 401);
      };
      await source.refresh();
      look();
      expect(states(source)).toEqual(allReady);
      expect([...seen]).toEqual(['fresh', 'preview-1/web-1 preview-1/web-2']);
      // Each kind is refused once at most, as it was asking: its call is made again at once.
      expect(refused).toBeGreaterThan(0);
      expect(refused).toBeLessThanOrEqual(Object.keys(allReady).length);
      const before = refused;
      await source.refresh();
      expect(refused).toBe(before);
    });

    it('that are not accepted are an error', async () => {
      cluster.current.fault = (_, response) => status(response, 401);
      const source = create();
      source.start({ signal: stop.signal });
      await eventually(() =>
        expect(source.state(now)).toMatchObject({
          status: 'failing',
          errors: [{ reason: 'TokenInvalid' }],
        }),
      );
    });

    it('come from a kubeconfig', async () => {
      const file = join(folder, 'config');
      await writeFile(join(folder, 'user-token'), 'from-file');
      await writeFile(
        file,
        [
          'current-context: other',
          `clusters: [{name: c, cluster: {server: "${server.url}"}}]`,
          'contexts: [{name: mine, context: {cluster: c, user: u}}]',
          'users: [{name: u, user: {tokenFile: user-token}}]',
        ].join('\n'),
      );
      const source = await started({
        access: { type: 'kubeconfig', file, context: 'mine' },
      });
      expect(server.requests[0].headers.authorization).toBe('Bearer from-file');
      expect(source.reading().destinations[0]).toBe(server.url);
    });

    it.each([
      ['a context that is not there', 'contexts: []', /context/],
      [
        'a program that gives the token',
        [
          'current-context: mine',
          'clusters: [{name: c, cluster: {server: "https://c.example.com"}}]',
          'contexts: [{name: mine, context: {cluster: c, user: u}}]',
          'users: [{name: u, user: {exec: {command: /bin/false}}}]',
        ].join('\n'),
        /program/,
      ],
      ['something else', '- a\n- b', /kubeconfig/],
      ['no YAML', '{', /kubeconfig/],
    ])('of a kubeconfig with %s are an error', async (_, content, message) => {
      const file = join(folder, 'config');
      await writeFile(file, content);
      const source = create({ access: { type: 'kubeconfig', file } });
      source.start({ signal: stop.signal });
      await eventually(() =>
        expect(source.state(now)).toMatchObject({
          status: 'failing',
          errors: [
            {
              reason: 'NotConfigured',
              message: expect.stringMatching(message),
            },
          ],
        }),
      );
    });

    it('of a kubeconfig that is no YAML are not quoted', async () => {
      const file = join(folder, 'config');
      await writeFile(file, 'users:\n- user:\n    token: s3cret: x\n');
      const source = create({ access: { type: 'kubeconfig', file } });
      source.start({ signal: stop.signal });
      await eventually(() =>
        expect(source.state(now).errors).toMatchObject([
          { reason: 'NotConfigured' },
        ]),
      );
      expect(JSON.stringify(source.state(now))).not.toContain('s3cret');
    });

    it('of the pod are an error outside of a cluster', async () => {
      const source = create({ access: { type: 'inCluster' } });
      source.start({ signal: stop.signal });
      await eventually(() =>
        expect(source.state(now).errors).toMatchObject([
          { reason: 'NotConfigured' },
        ]),
      );
    });
  });
});
