import { CustomErrorBase } from '@backstage/errors';
import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';
import { withCode } from '../codeOf';

/**
 * A call to an Argo CD that did not give what was asked for. Neither a token nor
 * the body of the answer is part of it.
 */
export class ArgocdRequestError extends CustomErrorBase {
  name = 'ArgocdRequestError' as const;
  readonly reason: SourceErrorReason;

  constructor(options: {
    reason: SourceErrorReason;
    message: string;
    cause?: unknown;
  }) {
    super(withCode(options.message, options.cause));
    this.reason = options.reason;
  }
}

/** The error as it is; anything else is a mistake of this program. */
export function toArgocdRequestError(error: unknown): ArgocdRequestError {
  return error instanceof ArgocdRequestError
    ? error
    : new ArgocdRequestError({
        reason: 'UnexpectedAnswer',
        message: 'Argo CD was not understood.',
        cause: error,
      });
}
