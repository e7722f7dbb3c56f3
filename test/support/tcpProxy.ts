import { AddressInfo, connect, createServer, Socket } from 'node:net';

/** A way to a server that can be cut, or swallow what is sent. */
export interface TcpProxy {
  port: number;
  /** Connections that were not taken while it was cut. */
  readonly refused: number;
  /** Ends every connection and takes no new one. */
  cut(): void;
  /**
   * Passes nothing on any more, either way, and ends no connection: a black hole.
   * New connections are taken and never answered.
   */
  freeze(): void;
  /** Takes connections again, and passes on what has waited. */
  mend(): void;
  /**
   * Acts once, when a client is about to send this text: just before it is passed
   * on, which it is even where the act is to freeze. Texts that two packets share are
   * not found.
   */
  before(text: string, act: () => void): void;
  close(): Promise<void>;
}

interface Pair {
  incoming: Socket;
  outgoing: Socket;
}

export async function startTcpProxy(target: {
  host: string;
  port: number;
}): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let isCut = false;
  let isFrozen = false;
  let refused = 0;
  let awaited: { text: string; act: () => void } | undefined;

  function look(chunk: Buffer) {
    if (awaited && chunk.includes(awaited.text)) {
      const { act } = awaited;
      awaited = undefined;
      act();
    }
  }

  const server = createServer(incoming => {
    if (isCut) {
      refused += 1;
      incoming.destroy();
      return;
    }
    const pair = { incoming, outgoing: connect(target) };
    pairs.add(pair);
    for (const socket of [pair.incoming, pair.outgoing]) {
      socket.on('error', () => drop(pair));
      socket.on('close', () => drop(pair));
    }
    // Before the pipe, and so before anything is passed on.
    incoming.on('data', look);
    incoming.pause();
    if (!isFrozen) {
      join(pair);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  function drop(pair: Pair) {
    pairs.delete(pair);
    pair.incoming.destroy();
    pair.outgoing.destroy();
  }

  return {
    port: (server.address() as AddressInfo).port,
    get refused() {
      return refused;
    },
    cut() {
      isCut = true;
      pairs.forEach(drop);
    },
    freeze() {
      isFrozen = true;
      // What has no pipe left waits, and is told nothing of an end either.
      for (const { incoming, outgoing } of pairs) {
        incoming.unpipe(outgoing);
        outgoing.unpipe(incoming);
      }
    },
    mend() {
      isCut = false;
      if (isFrozen) {
        isFrozen = false;
        pairs.forEach(join);
      }
    },
    before(text, act) {
      awaited = { text, act };
    },
    async close() {
      pairs.forEach(drop);
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function join({ incoming, outgoing }: Pair) {
  incoming.pipe(outgoing);
  outgoing.pipe(incoming);
}
