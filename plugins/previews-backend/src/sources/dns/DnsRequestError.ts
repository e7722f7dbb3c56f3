import { CustomErrorBase } from '@backstage/errors';
import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';
import { withCode } from '../codeOf';

/**
 * A call to Route 53 that did not give what was asked for. What AWS says is no
 * part of it: its messages name accounts, roles and users.
 */
export class DnsRequestError extends CustomErrorBase {
  name = 'DnsRequestError' as const;
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

/** Names of errors as AWS and its SDK give them, by what they mean here. */
const MEANINGS: readonly {
  names: readonly string[];
  reason: SourceErrorReason;
  message: string;
}[] = [
  {
    names: ['AccessDenied', 'AccessDeniedException', 'NotAuthorized'],
    reason: 'Forbidden',
    message: 'AWS does not allow to list the records of the hosted zone.',
  },
  {
    names: [
      'Throttling',
      'ThrottlingException',
      'ThrottledException',
      'RequestThrottled',
      'RequestLimitExceeded',
      'TooManyRequestsException',
      'PriorRequestNotComplete',
      'SlowDown',
    ],
    reason: 'RateLimited',
    message: 'Route 53 limits the calls of the account.',
  },
  {
    names: ['ExpiredToken', 'ExpiredTokenException', 'RequestExpired'],
    reason: 'TokenExpired',
    message: 'The AWS credentials have expired.',
  },
  {
    names: [
      'InvalidClientTokenId',
      'UnrecognizedClientException',
      'SignatureDoesNotMatch',
      'IncompleteSignature',
      'MissingAuthenticationToken',
      'MissingAuthenticationTokenException',
      'InvalidIdentityToken',
      'InvalidIdentityTokenException',
      'IDPRejectedClaim',
    ],
    reason: 'TokenInvalid',
    message: 'AWS does not accept the credentials.',
  },
  {
    names: ['NoSuchHostedZone', 'InvalidInput'],
    reason: 'NotFound',
    message: 'Route 53 has no such hosted zone.',
  },
  {
    names: ['CredentialsProviderError', 'TokenProviderError'],
    reason: 'NotConfigured',
    message: 'The AWS SDK finds no credentials.',
  },
  {
    names: ['TimeoutError', 'RequestTimeout', 'AbortError'],
    reason: 'TimedOut',
    message: 'Route 53 did not answer in time.',
  },
];

/** Codes of the network itself, such as `ECONNREFUSED`. */
const OF_NETWORK = /^(E[A-Z]{3,}|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/;

interface AwsFailure {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  $metadata?: { httpStatusCode?: unknown };
}

/** The error of a call, by its name, its status or the network's code. */
export function toDnsRequestError(error: unknown): DnsRequestError {
  if (error instanceof DnsRequestError) {
    return error;
  }
  const { name, message, code, $metadata } = (error ?? {}) as AwsFailure;
  const known = MEANINGS.find(({ names }) => names.includes(String(name)));
  if (known) {
    return new DnsRequestError({ ...known, cause: error });
  }
  if (message === 'Region is missing') {
    return new DnsRequestError({
      reason: 'NotConfigured',
      message: 'The AWS SDK finds no region.',
      cause: error,
    });
  }
  const status = Number($metadata?.httpStatusCode ?? 0);
  if (status >= 500) {
    return new DnsRequestError({
      reason: 'ServerError',
      message: `Route 53 answered with status ${status}.`,
    });
  }
  if (typeof code === 'string' && OF_NETWORK.test(code)) {
    return new DnsRequestError({
      reason: 'Unreachable',
      message: 'Route 53 cannot be reached.',
      cause: error,
    });
  }
  return new DnsRequestError({
    reason: 'UnexpectedAnswer',
    message: 'Route 53 answered with something that is not understood.',
    cause: error,
  });
}
