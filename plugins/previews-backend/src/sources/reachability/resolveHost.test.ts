import { createSocket, Socket } from 'node:dgram';
import { AddressInfo } from 'node:net';
import { createHostResolver } from './resolveHost';

const HOST = 'mr-7.preview.example.com';
const A = 1;
const AAAA = 28;

/** Codes of RFC 1035. */
const answers = { found: 0, serverFailure: 2, noSuchName: 3 };

type Script = (type: number) => { code: number; data?: Buffer } | undefined;

const sockets: Socket[] = [];

afterEach(async () => {
  await Promise.all(
    sockets
      .splice(0)
      .map(socket => new Promise<void>(resolve => socket.close(resolve))),
  );
});

/** A name server that answers with at most one record of the type that is asked for. */
async function nameServer(script: Script): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (query, { port, address }) => {
    // Header, then the labels of the name up to an empty one, type and class.
    const endOfName = query.indexOf(0, 12) + 1;
    const type = query.readUInt16BE(endOfName);
    const answer = script(type);
    if (!answer) {
      return;
    }
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 + answer.code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answer.data ? 1 : 0, 6);
    const record = Buffer.alloc(answer.data ? 12 : 0);
    if (answer.data) {
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(answer.data.length, 10);
    }
    socket.send(
      Buffer.concat([
        header,
        query.subarray(12, endOfName + 4),
        record,
        answer.data ?? Buffer.alloc(0),
      ]),
      port,
      address,
    );
  });
  await new Promise<void>(resolve => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

async function ask(
  script: Script,
  signal: AbortSignal = new AbortController().signal,
) {
  const server = await nameServer(script);
  return createHostResolver({ servers: [server] })(HOST, { signal });
}

const ipv4 = Buffer.from([192, 0, 2, 7]);
const ipv6 = Buffer.from('20010db8000000000000000000000007', 'hex');

describe('asking DNS', () => {
  it('gives the addresses of both families', async () => {
    expect(
      await ask(type => ({
        code: answers.found,
        data: type === A ? ipv4 : ipv6,
      })),
    ).toEqual({ addresses: ['192.0.2.7', '2001:db8::7'] });
  });

  it('is content with one family', async () => {
    expect(
      await ask(type =>
        type === AAAA
          ? { code: answers.found }
          : { code: answers.found, data: ipv4 },
      ),
    ).toEqual({ addresses: ['192.0.2.7'] });
  });

  it.each([
    ['there is no such name', answers.noSuchName],
    ['it has no address', answers.found],
  ])('tells that %s', async (_, code) => {
    expect(await ask(() => ({ code }))).toEqual({
      failure: 'dnsNotFound',
    });
  });

  it('concludes nothing from a server that fails, for one family even', async () => {
    expect(
      await ask(type => ({
        code: type === A ? answers.noSuchName : answers.serverFailure,
      })),
    ).toEqual({ failure: 'dnsUnavailable' });
  });

  it('gives up when nobody waits any more', async () => {
    const stop = new AbortController();
    const asked = ask(() => {
      stop.abort();
      return undefined;
    }, stop.signal);
    expect(await asked).toEqual({ failure: 'dnsUnavailable' });
  });
});
