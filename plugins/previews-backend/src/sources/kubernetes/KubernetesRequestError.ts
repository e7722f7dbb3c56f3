import { CustomErrorBase } from '@backstage/errors';
import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';
import { withCode } from '../codeOf';

/**
 * A call to a cluster that did not give what was asked for. Neither a token nor
 * the body of the answer is part of it.
 */
export class KubernetesRequestError extends CustomErrorBase {
  name = 'KubernetesRequestError' as const;
  readonly reason: SourceErrorReason;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  /** How long the cluster asked to be left alone. */
  readonly retryAfterMilliseconds?: number;

  constructor(options: {
    reason: SourceErrorReason;
    message: string;
    status?: number;
    retryAfterMilliseconds?: number;
    cause?: unknown;
  }) {
    super(withCode(options.message, options.cause));
    this.reason = options.reason;
    this.status = options.status;
    this.retryAfterMilliseconds = options.retryAfterMilliseconds;
  }
}

/** The error as it is; anything else is a mistake of this program. */
export function toKubernetesRequestError(
  error: unknown,
): KubernetesRequestError {
  return error instanceof KubernetesRequestError
    ? error
    : new KubernetesRequestError({
        reason: 'UnexpectedAnswer',
        message: 'The cluster was not understood.',
        cause: error,
      });
}
