import { connect as connectTcp, Socket } from 'node:net';
import { connect as connectTls, SecureContext, TLSSocket } from 'node:tls';
import { connectionError, handshakeError, ProbeError } from './ProbeError';

/** How a host is connected to. */
export interface ConnectOptions {
  host: string;
  /** Of the host, as DNS told it: it is not looked up again. */
  address: string;
  port: number;
  secureContext?: SecureContext;
  signal: AbortSignal;
}

/**
 * A connection over TLS, whatever certificate is shown: who calls has to look at it
 * before anything is sent.
 *
 * @throws ProbeError
 */
export async function connect(options: ConnectOptions): Promise<TLSSocket> {
  const socket = await openSocket(options);
  try {
    return await shakeHands(socket, options);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function openSocket({
  address,
  port,
  signal,
}: ConnectOptions): Promise<Socket> {
  return settled(signal, (resolve, reject) => {
    // An address is never looked up, so that nobody can answer otherwise by now.
    const socket = connectTcp({ host: address, port });
    socket.once('connect', () => resolve(socket));
    socket.once('error', error => reject(connectionError(error)));
    return () => socket.destroy();
  });
}

function shakeHands(
  socket: Socket,
  { host, secureContext, signal }: ConnectOptions,
): Promise<TLSSocket> {
  return settled(signal, (resolve, reject) => {
    const secure = connectTls({
      socket,
      servername: host,
      ALPNProtocols: ['http/1.1'],
      // A certificate that is refused is what there is to tell of.
      rejectUnauthorized: false,
      ...(secureContext && { secureContext }),
    });
    secure.once('secureConnect', () => resolve(secure));
    secure.on('error', error => reject(handshakeError(error)));
    secure.once('close', () => reject(new ProbeError('reset')));
    return () => secure.destroy();
  });
}

/** Gives up with the signal, as a time-out. */
export function settled<T>(
  signal: AbortSignal,
  begin: (
    resolve: (value: T) => void,
    reject: (error: ProbeError) => void,
  ) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) {
      reject(new ProbeError('timeout'));
      return;
    }
    let giveUp = () => {};
    const onAbort = () => {
      giveUp();
      reject(new ProbeError('timeout'));
    };
    const ended = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    giveUp = begin(
      value => {
        ended();
        resolve(value);
      },
      error => {
        ended();
        reject(error);
      },
    );
  });
}
