/** An error as AWS answers it. */
export class AwsError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(options: { status: number; code: string; message: string }) {
    super(options.message);
    this.name = 'AwsError';
    this.status = options.status;
    this.code = options.code;
  }
}

/** Whom a request is from, as AWS names it. */
export interface AwsPrincipal {
  arn: string;
}

/** The 403 for a principal whose policies do not allow an action. */
export function accessDenied(options: {
  principal: AwsPrincipal;
  /** Such as `route53:GetHostedZone`. */
  action: string;
  resource: string;
}): AwsError {
  const { principal, action, resource } = options;
  return new AwsError({
    status: 403,
    code: 'AccessDenied',
    message: `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
  });
}
