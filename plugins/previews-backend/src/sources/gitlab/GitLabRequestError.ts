import { CustomErrorBase } from '@backstage/errors';
import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';
import { withCode } from '../codeOf';

/**
 * A call to GitLab that did not give what was asked for. Neither the token nor
 * the body of the answer is part of it.
 */
export class GitLabRequestError extends CustomErrorBase {
  name = 'GitLabRequestError' as const;
  readonly reason: SourceErrorReason;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  /** ISO: when GitLab, by its own word, can be asked again. */
  readonly retryAt?: string;

  constructor(options: {
    reason: SourceErrorReason;
    message: string;
    status?: number;
    retryAt?: string;
    cause?: unknown;
  }) {
    super(withCode(options.message, options.cause));
    this.reason = options.reason;
    this.status = options.status;
    this.retryAt = options.retryAt;
  }
}

/** The error as it is; anything else is a mistake of this program. */
export function toGitLabRequestError(error: unknown): GitLabRequestError {
  return error instanceof GitLabRequestError
    ? error
    : new GitLabRequestError({
        reason: 'UnexpectedAnswer',
        message: 'GitLab was not understood.',
        cause: error,
      });
}
