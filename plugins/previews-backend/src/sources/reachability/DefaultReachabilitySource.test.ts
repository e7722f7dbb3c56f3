import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { ProbeConfig } from '../../config';
import { eventually } from '../testing/ScriptedServer';
import { TestAuthority } from '../testing/TestAuthority';
import { DefaultReachabilitySource } from './DefaultReachabilitySource';
import { HostResolver, ResolvedHost } from './resolveHost';

const authority = new TestAuthority();
const DOMAIN = 'preview.example.com';
const hostOf = (iid: number) => `mr-${iid}.${DOMAIN}`;
const target = (iid: number, state = 'Live') => ({ host: hostOf(iid), state });
const HOURLY = 3_600_000;

describe('DefaultReachabilitySource', () => {
  let server: Server;
  let port: number;
  let status: number;
  /** Resolved by the test where answers are held back. */
  let held: (() => void)[] | undefined;
  let requests: string[];
  let atOnce: { now: number; most: number };
  let stop: AbortController;
  const sockets = new Set<Duplex>();

  beforeEach(async () => {
    status = 200;
    held = undefined;
    requests = [];
    atOnce = { now: 0, most: 0 };
    stop = new AbortController();
    server = createServer(
      authority.issue([`*.${DOMAIN}`]),
      (request, response) => {
        requests.push(request.headers.host!.split(':')[0]);
        atOnce.now += 1;
        atOnce.most = Math.max(atOnce.most, atOnce.now);
        const answer = () => {
          atOnce.now -= 1;
          response.writeHead(status).end();
        };
        if (held) {
          held.push(answer);
        } else {
          answer();
        }
      },
    );
    server.on('connection', socket => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(async () => {
    stop.abort();
    sockets.forEach(socket => socket.destroy());
    await new Promise(resolve => server.close(resolve));
  });

  function create(
    config: Partial<ProbeConfig> = {},
    resolve: HostResolver = async (): Promise<ResolvedHost> => ({
      addresses: ['127.0.0.1'],
    }),
  ) {
    return DefaultReachabilitySource.create({
      config: {
        domains: [DOMAIN],
        allowedNetworks: [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' }],
        port,
        everyMilliseconds: HOURLY,
        timeoutMilliseconds: 5_000,
        concurrency: 2,
        caCertificates: [authority.certificate],
        ...config,
      },
      resolve,
    });
  }

  it('visits what it is asked to, and tells where to look', async () => {
    const source = create();
    const heard: unknown[] = [];
    source.onChange(change => heard.push(change));
    source.start({ signal: stop.signal });
    source.visit([target(7)]);
    await eventually(() =>
      expect(source.readHost(hostOf(7))).toMatchObject({
        result: { kind: 'answered', status: 200 },
        certificate: { names: [`*.${DOMAIN}`], trusted: true },
      }),
    );
    expect(source.reading()).toMatchObject({
      domains: [DOMAIN],
      observations: new Map([
        [hostOf(7), expect.objectContaining({ host: hostOf(7) })],
      ]),
    });
    expect(heard).toEqual([undefined, { hosts: [hostOf(7)] }]);
  });

  it('tells of nothing when it finds the same again', async () => {
    const source = create();
    source.start({ signal: stop.signal });
    source.visit([target(7)]);
    await source.refresh();
    const heard: unknown[] = [];
    source.onChange(change => heard.push(change));
    await source.refresh();
    expect(heard).toEqual([]);
    status = 503;
    await source.refresh();
    expect(heard).toEqual([{ hosts: [hostOf(7)] }]);
    expect(requests).toHaveLength(3);
  });

  it('visits nothing outside of its domains, whoever asks', async () => {
    const resolve = jest.fn(async () => ({ addresses: ['127.0.0.1'] }));
    const source = create({}, resolve);
    source.start({ signal: stop.signal });
    source.visit([
      { host: 'metadata.google.internal', state: '' },
      { host: `evil${DOMAIN}`, state: '' },
      { host: 'localhost', state: '' },
      target(7),
    ]);
    await source.refresh();
    expect(resolve.mock.calls.map(([host]: unknown[]) => host)).toEqual([
      hostOf(7),
    ]);
  });

  it('makes no more visits at once than it may', async () => {
    const source = create({ concurrency: 3 });
    held = [];
    source.start({ signal: stop.signal });
    source.visit(Array.from({ length: 12 }, (_, iid) => target(iid)));
    const visited = source.refresh();
    let isOver = false;
    void visited.then(() => {
      isOver = true;
    });
    await eventually(() => expect(held).toHaveLength(3));
    while (!isOver) {
      held.splice(0).forEach(answer => answer());
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(new Set(requests).size).toBe(12);
    expect(atOnce.most).toBe(3);
  });

  it('forgets what nobody asks for any more', async () => {
    const source = create();
    source.start({ signal: stop.signal });
    source.visit([target(7), target(8)]);
    await source.refresh();
    source.visit([target(8)]);
    expect([...source.reading().observations.keys()]).toEqual([hostOf(8)]);
  });

  it('does not vouch for what it found too long ago', async () => {
    const source = create({ everyMilliseconds: 1 });
    source.start({ signal: stop.signal });
    source.visit([target(7)]);
    await eventually(() => expect(source.readHost(hostOf(7))).toBeDefined());
    held = [];
    await eventually(() => expect(held).toHaveLength(1));
    await eventually(() => expect(source.reading().observations.size).toBe(0));
  });

  it('stops with the signal, in the midst of a visit too', async () => {
    const source = create();
    held = [];
    source.start({ signal: stop.signal });
    source.visit([target(7), target(8), target(9)]);
    await eventually(() => expect(held).toHaveLength(2));
    const refreshed = source.refresh();
    stop.abort();
    await refreshed;
    await eventually(() => expect(sockets.size).toBe(0));
    source.visit([target(10)]);
    expect(source.reading().observations.size).toBe(0);
    expect(requests).toHaveLength(2);
  });

  it('begins afresh when it is started again', async () => {
    const source = create();
    source.start({ signal: stop.signal });
    source.visit([target(7)]);
    await source.refresh();
    stop.abort();
    stop = new AbortController();
    source.start({ signal: stop.signal });
    expect(source.reading().observations.size).toBe(0);
    source.visit([target(7)]);
    await eventually(() => expect(source.readHost(hostOf(7))).toBeDefined());
    expect(requests).toHaveLength(2);
  });

  it('has nothing to wait for while nothing is visited', async () => {
    const source = create();
    await source.refresh();
    source.start({ signal: stop.signal });
    await source.refresh();
    expect(requests).toEqual([]);
  });
});
