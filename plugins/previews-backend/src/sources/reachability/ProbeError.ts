import { ProbeFailure } from '../../model';
import { codeOf } from '../codeOf';

/** Why a visit did not get to its end. */
export class ProbeError extends Error {
  constructor(readonly failure: ProbeFailure, readonly code?: string) {
    super(`The visit ended: ${failure}${code === undefined ? '' : ` ${code}`}`);
    this.name = 'ProbeError';
  }
}

const FAILURES: Partial<Record<string, ProbeFailure>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

/** What a failure of a socket means, where nothing else is known of it. */
export function connectionError(error: unknown): ProbeError {
  const code = codeOf(error);
  const failure = code === undefined ? undefined : FAILURES[code];
  return new ProbeError(
    failure ?? 'noConnection',
    failure === undefined ? code : undefined,
  );
}

/** What a failure before the end of the handshake means. */
export function handshakeError(error: unknown): ProbeError {
  const known = connectionError(error);
  return known.failure === 'noConnection'
    ? new ProbeError('noTls', known.code)
    : known;
}

/** What a failure after the handshake means. */
export function answerError(error: unknown): ProbeError {
  const code = codeOf(error);
  return code?.startsWith('HPE_')
    ? new ProbeError('invalidAnswer', code)
    : connectionError(error);
}
