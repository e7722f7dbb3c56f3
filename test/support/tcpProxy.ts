import { AddressInfo, connect, createServer, Socket } from 'node:net';

/** A way to a server that can be cut. */
export interface TcpProxy {
  port: number;
  /** Connections that were not taken while it was cut. */
  readonly refused: number;
  /** Ends every connection and takes no new one. */
  cut(): void;
  /** Takes connections again. */
  mend(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: {
  host: string;
  port: number;
}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  const server = createServer(incoming => {
    if (isCut) {
      refused += 1;
      incoming.destroy();
      return;
    }
    const outgoing = connect(target);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const drop = () => sockets.forEach(socket => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    get refused() {
      return refused;
    },
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    async close() {
      drop();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
