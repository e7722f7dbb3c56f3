import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A listening HTTP server that can be told to refuse, and that closes at once. */
export interface Listener {
  /** Origin without a trailing slash, for example `http://127.0.0.1:7081`. */
  readonly url: string;
  readonly port: number;
  /** Destroys every open connection; the server keeps listening. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Options of {@link listen}. */
export interface ListenOptions {
  /** 0 or absent picks a free port. */
  port?: number;
  host?: string;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/**
 * Starts a plain HTTP server. A handler that rejects is answered with 500, so that a fault of the
 * simulator never looks like a hung upstream.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const host = options.host ?? '127.0.0.1';
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    options.handle(request, response).catch(error => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ message: `500 Internal Server Error: ${error}` }),
      );
    });
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const dropConnections = () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  return {
    url: `http://${host}:${port}`,
    port,
    dropConnections,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        dropConnections();
      }),
  };
}
