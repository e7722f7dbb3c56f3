import { mockServices } from '@backstage/backend-test-utils';
import { ServerResponse } from 'node:http';
import { ClusterReading, kindNames } from '../../model';
import {
  eventually,
  Script,
  ScriptedRequest,
  ScriptedServer,
  sendJson,
} from '../testing/ScriptedServer';
import { DefaultArgocdSource } from './DefaultArgocdSource';

const TOKEN = 'argocd-s3cret';

const object = (name: string, version: number, more: object = {}) => ({
  metadata: {
    name,
    namespace: 'argocd',
    uid: `uid-${name}`,
    resourceVersion: String(version),
  },
  spec: { project: 'default' },
  ...more,
});

/** What Argo CD holds and says. */
class Argocd {
  version = 10;
  applications = [object('one', 3), object('two', 5)];
  applicationSets = [object('set', 4)];
  isAllowed = true;
  streams: ServerResponse[] = [];
  /** Instead of an answer, for paths that it matches. */
  broken?: { path: RegExp; script: Script };

  readonly answer: Script = (request, response) => {
    if (this.broken?.path.test(request.path)) {
      this.broken.script(request, response);
    } else if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      sendJson(response, { code: 16 }, { status: 401 });
    } else {
      this.#answer(request, response);
    }
  };

  #answer({ path }: ScriptedRequest, response: ServerResponse) {
    const list = (items: object[]) =>
      sendJson(response, {
        metadata: { resourceVersion: String(this.version) },
        items: this.isAllowed && items.length > 0 ? items : null,
      });
    if (path === '/api/v1/applications') {
      list(this.applications);
    } else if (path === '/api/v1/applicationsets') {
      list(this.applicationSets);
    } else if (path.startsWith('/api/v1/account/can-i/')) {
      sendJson(response, { value: this.isAllowed ? 'yes' : 'no' });
    } else if (path === '/api/v1/stream/applications') {
      this.streams.push(response);
      response.on('close', () => {
        this.streams = this.streams.filter(stream => stream !== response);
      });
    } else {
      sendJson(response, { code: 5 }, { status: 404 });
    }
  }

  tell(type: string, application: object) {
    const line = JSON.stringify({ result: { type, application } });
    this.streams.forEach(stream => stream.write(`${line}\n`));
  }

  cut() {
    this.streams.forEach(stream => stream.destroy());
  }
}

describe('DefaultArgocdSource', () => {
  let argocd: Argocd;
  let server: ScriptedServer;
  let stop: AbortController;
  let now: Date;
  let logged: string[];

  beforeEach(async () => {
    argocd = new Argocd();
    server = await ScriptedServer.listen(argocd.answer);
    stop = new AbortController();
    now = new Date('2026-03-01T12:00:00.000Z');
    logged = [];
  });

  afterEach(async () => {
    stop.abort();
    await server.close();
  });

  function create(
    options: { relistAfter?: number; token?: string; selector?: string } = {},
  ) {
    const note = (message: string, meta: unknown) => {
      logged.push(`${message} ${JSON.stringify(meta)}`);
    };
    const logger = mockServices.logger.mock({
      child: () => logger,
      warn: note,
      debug: note,
    });
    return DefaultArgocdSource.create({
      config: {
        name: 'central',
        url: server.url,
        token: options.token ?? TOKEN,
        skipTlsVerify: false,
        selector: options.selector,
      },
      schedule: {
        clusterRelistAfterMilliseconds: options.relistAfter ?? 60_000,
        clusterStaleAfterMilliseconds: 600_000,
      },
      logger,
      clock: () => now,
      delays: {
        backOffStart: 10,
        backOffMaximum: 40,
        applicationSetsPoll: 30,
        streamHeadStart: 20,
        callTimeout: 2000,
      },
    });
  }

  function start(options: Parameters<typeof create>[0] = {}) {
    const source = create(options);
    source.start({ signal: stop.signal });
    return source;
  }

  const names = (reading: ClusterReading) =>
    [...reading.kinds.applications.objects.keys()].sort();

  /** Started, listed, and with an open stream. */
  async function ready(options: Parameters<typeof create>[0] = {}) {
    const source = start(options);
    await eventually(() => {
      expect(source.state(now).status).toBe('fresh');
      expect(argocd.streams).toHaveLength(1);
    });
    return source;
  }

  it('carries Applications and ApplicationSets, and says so of all else', async () => {
    const source = await ready();
    const reading = source.reading();
    expect(reading).toMatchObject({
      sourceId: 'argocd:central',
      cluster: 'central',
      destinations: [],
    });
    expect(names(reading)).toEqual(['argocd/one', 'argocd/two']);
    expect([...reading.kinds.applicationSets.objects.keys()]).toEqual([
      'argocd/set',
    ]);
    expect(
      kindNames.filter(kind => reading.kinds[kind].state !== 'notObserved'),
    ).toEqual(['applications', 'applicationSets']);
    expect(source.state(now)).toEqual({
      id: 'argocd:central',
      kind: 'argocd',
      name: 'central',
      status: 'fresh',
      lastCompleteAt: now.toISOString(),
      errors: [],
      notes: [],
    });
  });

  it('lists and streams what the selector takes, and every ApplicationSet', async () => {
    const selector = 'previews/project-id,team in (a, b)';
    await ready({ selector });
    const asked = (path: string) =>
      server.requests
        .filter(request => request.path === path)
        .map(({ query }) => query.get('selector'));
    expect(asked('/api/v1/applications')).toEqual([selector]);
    expect(asked('/api/v1/stream/applications')).toEqual([selector]);
    expect(new Set(asked('/api/v1/applicationsets'))).toEqual(new Set([null]));
  });

  it('is pending before the first list', () => {
    expect(create().state(now)).toMatchObject({
      status: 'pending',
      errors: [],
    });
  });

  it('follows the stream', async () => {
    const source = await ready();
    const changed = jest.fn();
    source.onChange(changed);
    argocd.tell('ADDED', object('three', 11));
    argocd.tell('MODIFIED', object('two', 12, { spec: { project: 'shop' } }));
    argocd.tell('DELETED', object('one', 13));
    await eventually(() => {
      expect(names(source.reading())).toEqual(['argocd/three', 'argocd/two']);
    });
    expect(
      source.reading().kinds.applications.objects.get('argocd/two')?.project,
    ).toBe('shop');
    expect(changed.mock.calls.map(([change]) => change)).toEqual(
      ['three', 'two', 'one'].map(name => ({
        kind: 'applications',
        keys: [`argocd/${name}`],
      })),
    );
    const { state, objects } = source.readObjects('applications', [
      'argocd/one',
      'argocd/two',
    ]);
    expect(state).toBe('ready');
    expect([...objects.keys()]).toEqual(['argocd/two']);
    expect(source.readObjects('pods', ['a/b']).state).toBe('notObserved');
  });

  it('takes no event for news that the list knew already', async () => {
    const source = await ready();
    argocd.tell('ADDED', object('deleted-before-the-list', 9));
    argocd.tell('MODIFIED', object('two', 4, { spec: { project: 'older' } }));
    argocd.tell('ADDED', object('three', 11));
    await eventually(() => {
      expect(names(source.reading())).toContain('argocd/three');
    });
    expect(names(source.reading())).toEqual([
      'argocd/one',
      'argocd/three',
      'argocd/two',
    ]);
    expect(
      source.reading().kinds.applications.objects.get('argocd/two')?.project,
    ).toBe('default');
  });

  it('keeps what the stream tells while the list is on its way', async () => {
    argocd.broken = {
      path: /^\/api\/v1\/applications$/,
      script: (request, response) => {
        argocd.broken = undefined;
        argocd.tell('ADDED', object('three', 11));
        argocd.answer(request, response);
      },
    };
    const source = start();
    await eventually(() => {
      expect(names(source.reading())).toEqual([
        'argocd/one',
        'argocd/three',
        'argocd/two',
      ]);
    });
  });

  it('lists again when the stream ends, without an error', async () => {
    const source = await ready();
    argocd.applications = [object('two', 5), object('four', 14)];
    argocd.version = 14;
    argocd.cut();
    await eventually(() => {
      expect(names(source.reading())).toEqual(['argocd/four', 'argocd/two']);
    });
    expect(source.state(now).errors).toEqual([]);
    expect(server.asked(/stream/).pop()).toBe(
      '/api/v1/stream/applications?resourceVersion=10',
    );
  });

  it('lists again every so often, since the stream may drop events', async () => {
    const source = await ready({ relistAfter: 50 });
    argocd.applications = [object('two', 5)];
    argocd.version = 20;
    await eventually(() => {
      expect(names(source.reading())).toEqual(['argocd/two']);
    });
    await eventually(() => expect(argocd.streams).toHaveLength(1));
  });

  it('reads the ApplicationSets again and again', async () => {
    const source = await ready();
    argocd.applicationSets = [];
    await eventually(() => {
      expect(source.reading().kinds.applicationSets).toMatchObject({
        state: 'ready',
        objects: new Map(),
      });
    });
  });

  it('does not take a list for complete that leaves out what may not be seen', async () => {
    const source = await ready();
    argocd.isAllowed = false;
    await source.refresh();
    const { applications, applicationSets } = source.reading().kinds;
    expect(names(source.reading())).toEqual(['argocd/one', 'argocd/two']);
    expect(applications.state).toBe('failing');
    expect(applicationSets.state).toBe('failing');
    expect(source.state(now)).toMatchObject({
      status: 'failing',
      errors: [
        { reason: 'Forbidden', subject: 'applications' },
        { reason: 'Forbidden', subject: 'applicationsets' },
      ],
    });
    argocd.isAllowed = true;
    await eventually(() => expect(source.state(now).status).toBe('fresh'));
  });

  it('asks what it may get before and after a list, and for none that would not count', async () => {
    argocd.isAllowed = false;
    const source = start();
    await eventually(() => {
      expect(source.state(now).errors).toHaveLength(2);
    });
    expect(server.asked(/v1\/(applications|applicationsets)\?/)).toEqual([]);
    argocd.broken = {
      path: /^\/api\/v1\/applications$/,
      script: (request, response) => {
        argocd.isAllowed = false;
        argocd.broken = undefined;
        argocd.answer(request, response);
      },
    };
    argocd.isAllowed = true;
    await eventually(() => expect(argocd.broken).toBeUndefined());
    // The check after the list has to be answered before the right comes back.
    const checks = () => server.asked(/\/can-i\//).length;
    const atTheList = checks();
    await eventually(() => expect(checks()).toBeGreaterThan(atTheList + 3));
    expect(source.reading().kinds.applications.state).toBe('pending');
    argocd.isAllowed = true;
    await eventually(() => expect(source.state(now).status).toBe('fresh'));
    expect(names(source.reading())).toEqual(['argocd/one', 'argocd/two']);
  });

  it.each([
    [401, 'TokenInvalid'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [429, 'RateLimited'],
    [502, 'ServerError'],
    [307, 'UnexpectedAnswer'],
  ])(
    'tells the status %i as %s and keeps what it knew',
    async (status, reason) => {
      const source = await ready();
      argocd.broken = {
        path: /./,
        script: (_, response) => sendJson(response, { code: 0 }, { status }),
      };
      argocd.cut();
      await eventually(() => {
        const { errors } = source.state(now);
        expect(new Set(errors.map(error => error.reason))).toEqual(
          new Set([reason]),
        );
        expect(source.reading().kinds.applications.state).toBe('failing');
        expect(source.reading().kinds.applicationSets.state).toBe('failing');
      });
      expect(names(source.reading())).toEqual(['argocd/one', 'argocd/two']);
      now = new Date(now.getTime() + 601_000);
      expect(source.state(now).status).toBe('stale');
      argocd.broken = undefined;
      await eventually(() => expect(source.state(now).status).toBe('fresh'));
    },
  );

  it.each<[string, Script]>([
    [
      'a page of a proxy',
      (_, response) => {
        response.end('<html>');
      },
    ],
    ['a list that is none', (_, response) => sendJson(response, { items: 1 })],
  ])('does not understand %s', async (_, script) => {
    argocd.broken = { path: /^\/api\/v1\/applications/, script };
    const source = start();
    await eventually(() => {
      expect(source.state(now)).toMatchObject({
        status: 'failing',
        errors: expect.arrayContaining([
          expect.objectContaining({ reason: 'UnexpectedAnswer' }),
        ]),
      });
    });
    expect(source.reading().kinds.applications.state).toBe('pending');
  });

  it('bears hostile items and events', async () => {
    argocd.applications = [
      object('one', 3),
      null,
      7,
      { metadata: null },
      { metadata: { name: 'x'.repeat(5000), namespace: 'argocd' } },
    ] as unknown as Argocd['applications'];
    const source = await ready();
    expect(names(source.reading())).toContain('argocd/one');
    argocd.streams.forEach(stream => stream.write('{"error":{"code":13}}\n'));
    await eventually(() =>
      expect(server.asked(/stream/).length).toBeGreaterThan(1),
    );
    expect(source.state(now).errors).toEqual([]);
  });

  it('cannot be reached where nothing listens', async () => {
    await server.close();
    const source = start();
    await eventually(() => {
      expect(source.state(now)).toMatchObject({
        status: 'failing',
        errors: [{ reason: 'Unreachable' }],
      });
    });
  });

  it('keeps the token out of logs and errors, and sends it in the header only', async () => {
    const token = 'wrong-s3cret';
    const source = start({ token });
    await eventually(() => {
      expect(source.state(now).errors).toMatchObject([
        { reason: 'TokenInvalid' },
      ]);
    });
    expect(logged.length).toBeGreaterThan(0);
    const told = JSON.stringify([logged, source.state(now)]);
    expect(told).not.toContain(token);
    expect(server.asked(/s3cret/)).toEqual([]);
  });

  it('begins afresh when it is started again', async () => {
    const source = await ready();
    stop.abort();
    await eventually(() => expect(argocd.streams).toHaveLength(0));
    stop = new AbortController();
    source.start({ signal: stop.signal });
    expect(source.reading().kinds.applications).toMatchObject({
      state: 'pending',
      objects: new Map(),
    });
    await eventually(() => expect(source.state(now).status).toBe('fresh'));
  });
});
