import {
  createServer as createHttpServer,
  type RequestListener,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import type { SelfSignedCertificate } from './selfSignedCertificate';

/** First byte of a TLS handshake record; no HTTP method begins with it. */
const TLS_HANDSHAKE = 0x16;

/**
 * Listens for HTTP and HTTPS on one port, and can stop and listen again there.
 */
export class Listener {
  readonly #tcp: Server;
  readonly #sockets = new Set<Socket>();
  #address: { port: number; host: string };

  private constructor(tcp: Server, address: { port: number; host: string }) {
    this.#tcp = tcp;
    this.#address = address;
    tcp.on('connection', socket => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** Begins to listen; port 0 takes a free one. */
  static async open(options: {
    port: number;
    host: string;
    certificate: SelfSignedCertificate;
    onRequest: RequestListener;
  }): Promise<Listener> {
    const { port, host, certificate, onRequest } = options;
    // Watches have no end, so neither have requests.
    const limits = { keepAliveTimeout: 60_000, requestTimeout: 0 };
    const http = createHttpServer(limits, onRequest);
    const https = createHttpsServer(
      {
        ...limits,
        cert: certificate.certificate,
        key: certificate.privateKey,
      },
      onRequest,
    );
    const tcp = createTcpServer(socket => {
      // A client that goes away while it is asked is no matter.
      socket.on('error', () => socket.destroy());
      socket.once('data', first => {
        socket.pause();
        socket.unshift(first);
        const server = first[0] === TLS_HANDSHAKE ? https : http;
        server.emit('connection', socket);
        process.nextTick(() => socket.resume());
      });
    });
    const listener = new Listener(tcp, { port, host });
    await listener.setListening(true);
    listener.#address = {
      port: (tcp.address() as AddressInfo).port,
      host,
    };
    return listener;
  }

  /** `host:port` as connected to. */
  get authority(): string {
    return `${this.#address.host}:${this.#address.port}`;
  }

  /** Listens again, or stops and drops every connection. */
  async setListening(listening: boolean): Promise<void> {
    if (listening === this.#tcp.listening) {
      return;
    }
    await new Promise<void>((resolve, reject) => {
      if (listening) {
        this.#tcp.once('error', reject);
        this.#tcp.listen(this.#address.port, this.#address.host, () => {
          this.#tcp.off('error', reject);
          resolve();
        });
      } else {
        this.#tcp.close(error => (error ? reject(error) : resolve()));
        this.#sockets.forEach(socket => socket.destroy());
      }
    });
  }
}
