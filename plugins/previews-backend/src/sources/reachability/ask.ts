import { request } from 'node:http';
import { TLSSocket } from 'node:tls';
import { settled } from './connect';
import { answerError, ProbeError } from './ProbeError';

const MAXIMUM_HEADER_BYTES = 16_384;

/** The head of an answer; its body is of no interest and never read. */
export interface AnswerHead {
  status: number;
  location?: string;
}

/**
 * Sends one `GET` without credentials or cookies, and hangs up at the first bytes
 * of the body.
 *
 * @throws ProbeError
 */
export function ask(
  socket: TLSSocket,
  options: { authority: string; path: string; signal: AbortSignal },
): Promise<AnswerHead> {
  const { authority, path, signal } = options;
  return settled(signal, (resolve, reject) => {
    const sent = request({
      createConnection: () => socket,
      method: 'GET',
      path,
      headers: {
        host: authority,
        accept: '*/*',
        'user-agent': 'backstage-previews',
        connection: 'close',
      },
      maxHeaderSize: MAXIMUM_HEADER_BYTES,
      setDefaultHeaders: false,
    });
    sent.once('response', answer => {
      const { location } = answer.headers;
      resolve({
        status: answer.statusCode ?? 0,
        ...(location !== undefined && { location }),
      });
      // An answer may be endless, or larger than memory.
      answer.on('error', () => {});
      sent.destroy();
    });
    // An error that comes after the answer is of nobody's interest.
    sent.on('error', error => reject(answerError(error)));
    sent.once('close', () => reject(new ProbeError('reset')));
    sent.end();
    return () => sent.destroy();
  });
}
