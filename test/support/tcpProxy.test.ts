import { AddressInfo, connect, createServer, Server, Socket } from 'node:net';
import { startTcpProxy, TcpProxy } from './tcpProxy';
import { waitFor } from './waitFor';

describe('startTcpProxy', () => {
  let server: Server;
  let target: { host: string; port: number };
  let proxy: TcpProxy;
  let client: Socket;
  let received: string;
  let echoed: string;
  const opened: Socket[] = [];

  function open() {
    const socket = connect({ host: '127.0.0.1', port: proxy.port });
    socket.on('error', () => {});
    opened.push(socket);
    return socket;
  }

  const untilEchoed = (text: string) =>
    waitFor(`${text} to come back`, () =>
      echoed.endsWith(text) ? true : undefined,
    );

  beforeEach(async () => {
    received = '';
    echoed = '';
    server = createServer(socket => {
      socket.on('error', () => {});
      socket.on('data', data => {
        received += data;
        socket.write(data);
      });
    });
    await new Promise<void>(resolve =>
      server.listen(0, '127.0.0.1', () => resolve()),
    );
    target = {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
    };
    proxy = await startTcpProxy(target);
    client = open();
    client.on('data', data => (echoed += data));
  });

  afterEach(async () => {
    opened.splice(0).forEach(socket => socket.destroy());
    await proxy.close();
    await new Promise(resolve => server.close(resolve));
  });

  it('ends connections where it is cut, and takes new ones once it is mended', async () => {
    client.write('one');
    await untilEchoed('one');
    proxy.cut();
    await waitFor('the end', () => (client.closed ? true : undefined));
    open();
    await waitFor('a refusal', () => proxy.refused || undefined);
    proxy.mend();
    client = open();
    client.on('data', data => (echoed += data));
    client.write('two');
    await untilEchoed('two');
    expect(received).toBe('onetwo');
  });

  it('swallows without a word where it is frozen, and passes it on once it is mended', async () => {
    client.write('one');
    await untilEchoed('one');
    proxy.freeze();
    client.write('two');
    const late = open();
    await waitFor('a connection', () => (late.pending ? undefined : true));
    late.write('late');
    // What is sent on a way of its own meanwhile arrives.
    const other = await startTcpProxy(target);
    const direct = connect({ host: '127.0.0.1', port: other.port });
    opened.push(direct);
    direct.write('direct');
    await waitFor('the other way', () =>
      received.includes('direct') ? true : undefined,
    );
    await other.close();
    expect(received).toBe('onedirect');
    expect([client.closed, late.closed]).toEqual([false, false]);
    proxy.mend();
    await untilEchoed('two');
    await waitFor('what was late', () =>
      received.includes('late') ? true : undefined,
    );
  });

  it('acts before a text is passed on, and once, though the act is to freeze', async () => {
    const before: string[] = [];
    client.write('one');
    await untilEchoed('one');
    proxy.before('lock', () => {
      before.push(received);
      proxy.freeze();
    });
    client.write('lock it');
    await waitFor('the text', () =>
      received.includes('lock it') ? true : undefined,
    );
    client.write('more');
    expect(before).toEqual(['one']);
    expect(echoed).toBe('one');
    proxy.mend();
    await untilEchoed('lock itmore');
    client.write('lock again');
    await untilEchoed('lock again');
    expect(before).toEqual(['one']);
  });
});
