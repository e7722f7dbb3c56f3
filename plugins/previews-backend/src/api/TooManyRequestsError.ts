import { CustomErrorBase } from '@backstage/errors';

/** Asked for too often; Backstage's error handler answers by `statusCode`. */
export class TooManyRequestsError extends CustomErrorBase {
  name = 'TooManyRequestsError' as const;
  readonly statusCode = 429;
  readonly retryAfterSeconds: number;

  constructor(options: { message: string; retryAfterSeconds: number }) {
    super(options.message);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
