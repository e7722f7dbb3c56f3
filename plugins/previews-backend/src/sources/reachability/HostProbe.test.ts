import { createServer as createHttpsServer } from 'node:https';
import { IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo, createServer as createTcpServer, Server } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ProbeObservation } from '../../model';
import {
  inDays,
  TestAuthority,
  TestCertificate,
} from '../testing/TestAuthority';
import { AddressPolicy } from './AddressPolicy';
import { HostProbe, HostProbeOptions } from './HostProbe';
import { ResolvedHost } from './resolveHost';

const HOST = 'mr-7.preview.example.com';
const NOW = new Date('2026-11-29T12:00:00.000Z');
const authority = new TestAuthority();
const good = authority.issue([HOST]);
const secureContext = createSecureContext({ ca: authority.certificate });
const loopback = AddressPolicy.create({
  allowedNetworks: [
    { address: '127.0.0.1', prefix: 32, family: 'ipv4' },
    { address: '::1', prefix: 128, family: 'ipv6' },
  ],
});

const servers: Server[] = [];
/** What to do with connections that a server would never end. */
const cleanUps: (() => void)[] = [];

afterEach(async () => {
  cleanUps.splice(0).forEach(cleanUp => cleanUp());
  await Promise.all(
    servers
      .splice(0)
      .map(server => new Promise(resolve => server.close(resolve))),
  );
});

async function listen(server: Server, address: string): Promise<number> {
  servers.push(server);
  server.on('connection', socket => cleanUps.push(() => socket.destroy()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, resolve);
  });
  return (server.address() as AddressInfo).port;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server over TLS; returns its port and the requests that it got. */
async function serve(
  answer: Answer,
  options: { certificate?: TestCertificate; address?: string } = {},
) {
  const { certificate = good, address = '127.0.0.1' } = options;
  const requests: IncomingMessage[] = [];
  const names: (string | false | null)[] = [];
  const server = createHttpsServer(certificate, (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.on('secureConnection', socket => names.push(socket.servername));
  const port = await listen(server, address);
  return { port, requests, names };
}

const addresses =
  (...list: string[]) =>
  async (): Promise<ResolvedHost> => ({ addresses: list });

function visit(
  options: Partial<HostProbeOptions> & {
    port: number;
    host?: string;
    signal?: AbortSignal;
  },
): Promise<ProbeObservation> {
  const { host = HOST, signal = new AbortController().signal } = options;
  return HostProbe.create({
    policy: loopback,
    resolve: addresses('127.0.0.1'),
    timeoutMilliseconds: 5_000,
    secureContext,
    clock: () => NOW,
    ...options,
  }).visit(host, signal);
}

const ok: Answer = (_, response) => response.end('hello');
const redirectTo =
  (location: string, status = 302): Answer =>
  (_, response) =>
    response.writeHead(status, { location }).end();

describe('a visit of a server that is as it should be', () => {
  it('tells the status, the time and the certificate', async () => {
    const { port } = await serve(ok);
    const found = await visit({ port });
    expect(found).toEqual({
      host: HOST,
      observedAt: NOW.toISOString(),
      result: { kind: 'answered', status: 200 },
      milliseconds: expect.any(Number),
      certificate: {
        names: [HOST],
        issuer: 'Test Authority',
        chain: ['Test Authority'],
        notBefore: expect.stringMatching(/^\d{4}-.*Z$/),
        notAfter: expect.stringMatching(/^\d{4}-.*Z$/),
        namesHost: true,
        trusted: true,
      },
    });
  });

  it('names the host to the server, so that the right certificate is served', async () => {
    const { port, names, requests } = await serve(ok);
    await visit({ port });
    expect(names).toEqual([HOST]);
    expect(requests[0].headers.host).toBe(`${HOST}:${port}`);
  });

  it('sends neither credentials nor cookies, and asks for nothing but the first page', async () => {
    const { port, requests } = await serve((_, response) => {
      response.setHeader('set-cookie', 'session=secret');
      response.end();
    });
    await visit({ port });
    await visit({ port });
    for (const { method, url, headers } of requests) {
      expect([method, url]).toEqual(['GET', '/']);
      expect(Object.keys(headers).sort()).toEqual([
        'accept',
        'connection',
        'host',
        'user-agent',
      ]);
    }
    expect(requests).toHaveLength(2);
  });

  it.each([401, 404, 500, 503])('tells the status %d', async status => {
    const { port } = await serve((_, response) =>
      response.writeHead(status).end(),
    );
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'answered', status },
    });
  });

  it('takes a wildcard for the hosts one label below', async () => {
    const certificate = authority.issue(['*.preview.example.com']);
    const { port } = await serve(ok, { certificate });
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'answered' },
      certificate: { names: ['*.preview.example.com'], namesHost: true },
    });
    expect(
      await visit({ port, host: 'two.deep.preview.example.com' }),
    ).toMatchObject({ result: { kind: 'certificateRefused' } });
  });

  it('works over IPv6', async () => {
    const { port } = await serve(ok, { address: '::1' });
    expect(await visit({ port, resolve: addresses('::1') })).toMatchObject({
      result: { kind: 'answered', status: 200 },
    });
  });

  it('takes the other family where one leads nowhere', async () => {
    const { port } = await serve(ok, { address: '::1' });
    expect(
      await visit({ port, resolve: addresses('127.0.0.1', '::1') }),
    ).toMatchObject({ result: { kind: 'answered' } });
  });
});

describe('a certificate that is of no use', () => {
  it.each<[string, TestCertificate, object]>([
    [
      'that expired',
      authority.issue([HOST], { notBefore: inDays(-91), notAfter: inDays(-1) }),
      { namesHost: true, trusted: false, error: 'CERT_HAS_EXPIRED' },
    ],
    [
      'that is not in force yet',
      authority.issue([HOST], { notBefore: inDays(1) }),
      { namesHost: true, trusted: false, error: 'CERT_NOT_YET_VALID' },
    ],
    [
      'of another host',
      authority.issue(['ingress.local', 'other.example.com']),
      { names: ['ingress.local', 'other.example.com'], namesHost: false },
    ],
    [
      'that signed itself',
      TestAuthority.selfSigned([HOST]),
      {
        namesHost: true,
        trusted: false,
        error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
        issuer: HOST,
      },
    ],
    [
      'of an authority that nobody knows',
      new TestAuthority('Staging Authority').issue([HOST]),
      {
        namesHost: true,
        trusted: false,
        error: 'SELF_SIGNED_CERT_IN_CHAIN',
        issuer: 'Staging Authority',
      },
    ],
  ])('%s is told, and nothing is asked', async (_, certificate, expected) => {
    const { port, requests } = await serve(ok, { certificate });
    const found = await visit({ port });
    expect(found.result).toEqual({ kind: 'certificateRefused' });
    expect(found.certificate).toMatchObject(expected);
    expect(found.milliseconds).toBeUndefined();
    expect(requests).toEqual([]);
  });

  it('is not trusted by an authority that was not configured', async () => {
    const { port } = await serve(ok);
    expect(await visit({ port, secureContext: undefined })).toMatchObject({
      result: { kind: 'certificateRefused' },
      certificate: { trusted: false },
    });
  });

  it('with a thousand names is cut to a few', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `h${i}.example.com`);
    const { port } = await serve(ok, { certificate: authority.issue(names) });
    const { certificate } = await visit({ port });
    expect(certificate?.names).toHaveLength(20);
  });
});

describe('a server that does not answer as it should', () => {
  it('that takes its time over the handshake is given up', async () => {
    const port = await listen(createTcpServer(), '127.0.0.1');
    expect(await visit({ port, timeoutMilliseconds: 100 })).toMatchObject({
      result: { kind: 'failed', failure: 'timeout' },
    });
  });

  it('that takes its time over the answer is given up, its certificate known', async () => {
    const { port } = await serve(() => {});
    expect(await visit({ port, timeoutMilliseconds: 3_000 })).toMatchObject({
      result: { kind: 'failed', failure: 'timeout' },
      certificate: { trusted: true },
    });
  });

  it('that only ever says that it is at it is given up', async () => {
    const { port } = await serve((_, response) => {
      const timer = setInterval(() => response.writeProcessing(), 5);
      cleanUps.push(() => clearInterval(timer));
    });
    expect(await visit({ port, timeoutMilliseconds: 1_000 })).toMatchObject({
      result: { kind: 'failed', failure: 'timeout' },
    });
  });

  it('that takes its time over the body has answered', async () => {
    const { port } = await serve((_, response) => {
      response.writeHead(200);
      response.write('a');
    });
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'answered', status: 200 },
    });
  });

  it('that sends a gigabyte is hung up on', async () => {
    let sent = 0;
    let hungUp: (bytes: number) => void = () => {};
    const atHangUp = new Promise<number>(resolve => {
      hungUp = resolve;
    });
    const { port } = await serve((request, response) => {
      const megabyte = Buffer.alloc(1_048_576);
      response.writeHead(200, { 'content-length': 1024 * megabyte.length });
      const send = () => {
        while (sent < 1024 && !response.destroyed) {
          sent += 1;
          if (!response.write(megabyte)) {
            response.once('drain', send);
            return;
          }
        }
      };
      request.socket.once('close', () => hungUp(sent));
      send();
    });
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'answered', status: 200 },
    });
    expect(await atHangUp).toBeLessThan(64);
  });

  it('that breaks off the connection is told', async () => {
    const { port } = await serve(({ socket }) => socket.destroy());
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'failed', failure: 'reset' },
      certificate: { trusted: true },
    });
  });

  it('that resets the handshake is told', async () => {
    const port = await listen(
      createTcpServer(socket => {
        socket.on('error', () => {});
        socket.once('data', () => socket.resetAndDestroy());
      }),
      '127.0.0.1',
    );
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'failed', failure: 'reset' },
    });
  });

  it('that hangs up on the handshake is told', async () => {
    const port = await listen(
      createTcpServer(socket => socket.end()),
      '127.0.0.1',
    );
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'failed', failure: 'reset' },
    });
  });

  it('that is not there is told', async () => {
    const server = createTcpServer();
    const port = await listen(server, '127.0.0.1');
    await new Promise(resolve => server.close(resolve));
    servers.splice(servers.indexOf(server), 1);
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'failed', failure: 'refused' },
    });
  });

  it('that speaks HTTP without TLS is told', async () => {
    const port = await listen(
      createTcpServer(socket => {
        socket.on('error', () => {});
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      }),
      '127.0.0.1',
    );
    expect(await visit({ port })).toMatchObject({
      result: {
        kind: 'failed',
        failure: 'noTls',
        code: expect.stringMatching(/^ERR_SSL_/),
      },
    });
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a header larger than any', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(40_000)}`],
  ])('that speaks %s is told', async (_, text) => {
    const server = createHttpsServer(good);
    server.on('secureConnection', socket => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(text));
    });
    // Only what is written above is to be said.
    server.removeAllListeners('request');
    server.on('request', () => {});
    const port = await listen(server, '127.0.0.1');
    expect(await visit({ port })).toMatchObject({
      result: {
        kind: 'failed',
        failure: 'invalidAnswer',
        code: expect.stringMatching(/^HPE_/),
      },
    });
  });

  it('is given up when the portal stops', async () => {
    const { port, requests } = await serve(() => {});
    const stop = new AbortController();
    const visiting = visit({ port, signal: stop.signal });
    await new Promise<void>(resolve => {
      const look = () =>
        requests.length > 0 ? resolve() : void setImmediate(look);
      look();
    });
    stop.abort();
    await expect(visiting).resolves.toMatchObject({ host: HOST });
  });
});

describe('redirects', () => {
  it('away from the host are told and not followed', async () => {
    const elsewhere = await serve(ok);
    const { port } = await serve(
      redirectTo(`https://login.example.com:${elsewhere.port}/?next=secret`),
    );
    expect(await visit({ port })).toMatchObject({
      result: {
        kind: 'redirectedAway',
        status: 302,
        to: `https://login.example.com:${elsewhere.port}`,
      },
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it.each([
    ['another port of the host', `https://${HOST}:1/`, `https://${HOST}:1`],
    ['the host without TLS', `http://${HOST}/`, `http://${HOST}`],
    ['an address', 'http://169.254.169.254/latest', 'http://169.254.169.254'],
    [
      'another host, without a scheme',
      '//evil.example',
      'https://evil.example',
    ],
    [
      'another host, with the own one as a user',
      `https://${HOST}@evil.example/`,
      'https://evil.example',
    ],
  ])('to %s are not followed', async (_, location, to) => {
    const { port, requests } = await serve(redirectTo(location));
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'redirectedAway', to },
    });
    expect(requests).toHaveLength(1);
  });

  it('to a page of the host are followed, by the same address', async () => {
    const { port, requests } = await serve((request, response) =>
      request.url === '/'
        ? redirectTo('/en/?a=b', 308)(request, response)
        : response.writeHead(204).end(),
    );
    const resolve = jest.fn(addresses('127.0.0.1'));
    expect(await visit({ port, resolve })).toMatchObject({
      result: { kind: 'answered', status: 204 },
    });
    expect(requests.map(({ url }) => url)).toEqual(['/', '/en/?a=b']);
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it('in circles come to an end', async () => {
    const { port, requests } = await serve(redirectTo('/'));
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'redirectLoop' },
    });
    expect(requests).toHaveLength(6);
  });

  it.each([
    ['without a target', undefined],
    ['to nonsense', 'https://['],
    ['to no page', 'data:text/html,hello'],
    ['to a target that is too long', `/${'a'.repeat(3000)}`],
  ])('%s are answers', async (_, location) => {
    const { port } = await serve((__, response) =>
      response.writeHead(302, location ? { location } : {}).end(),
    );
    expect(await visit({ port })).toMatchObject({
      result: { kind: 'answered', status: 302 },
    });
  });
});

describe('addresses', () => {
  it.each([
    ['loopback', ['127.0.0.1'], '127.0.0.1'],
    ['a private network', ['10.0.0.7', 'fd00::7'], '10.0.0.7'],
    ['metadata', ['169.254.169.254'], '169.254.169.254'],
    ['IPv4 inside of IPv6', ['::ffff:127.0.0.1'], '::ffff:127.0.0.1'],
  ])('of %s are not visited unless allowed', async (_, list, address) => {
    const { port, requests } = await serve(ok);
    expect(
      await visit({
        port,
        policy: AddressPolicy.create({ allowedNetworks: [] }),
        resolve: addresses(...list),
      }),
    ).toEqual({
      host: HOST,
      observedAt: NOW.toISOString(),
      result: { kind: 'notAllowed', address },
    });
    expect(requests).toEqual([]);
  });

  it('are asked for once, so that no second answer can lead elsewhere', async () => {
    const { port, requests } = await serve((request, response) =>
      request.url === '/'
        ? redirectTo('/again')(request, response)
        : response.end(),
    );
    const resolve = jest
      .fn<Promise<ResolvedHost>, []>()
      .mockResolvedValueOnce({ addresses: ['127.0.0.1'] })
      .mockResolvedValue({ addresses: ['169.254.169.254'] });
    expect(await visit({ port, resolve })).toMatchObject({
      result: { kind: 'answered', status: 200 },
    });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(requests.map(({ url }) => url)).toEqual(['/', '/again']);
  });

  it('that may be visited are, whatever else DNS names', async () => {
    const { port } = await serve(ok);
    expect(
      await visit({ port, resolve: addresses('10.0.0.7', '127.0.0.1') }),
    ).toMatchObject({ result: { kind: 'answered' } });
  });

  it.each(['dnsNotFound', 'dnsUnavailable'] as const)(
    'that there are none of are told: %s',
    async failure => {
      expect(
        await visit({ port: 443, resolve: async () => ({ failure }) }),
      ).toMatchObject({ result: { kind: 'failed', failure } });
    },
  );

  it('that DNS does not tell in time are not waited for', async () => {
    expect(
      await visit({
        port: 443,
        timeoutMilliseconds: 50,
        resolve: (_, { signal }) =>
          new Promise(resolve => {
            signal.addEventListener('abort', () =>
              resolve({ failure: 'dnsUnavailable' }),
            );
          }),
      }),
    ).toMatchObject({ result: { kind: 'failed', failure: 'dnsUnavailable' } });
  });
});
