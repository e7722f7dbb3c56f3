import { CustomErrorBase } from '@backstage/errors';
import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';
import { codeOf, withCode } from '../codeOf';

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

/** Codes of files that the chain of the SDK reads, such as the token of a web identity. */
const OF_FILES = /^(ENOENT|EACCES|EPERM|EISDIR|ENOTDIR)$/;

/** The SDK calls every connection that breaks off a timeout. */
const OF_CUT_CONNECTIONS = /^(ECONNRESET|EPIPE)$/;

interface AwsFailure {
  name?: unknown;
  message?: unknown;
  /** On every error of a call, also where there was no answer. */
  $metadata?: { httpStatusCode?: unknown };
  /** Where there was an answer that is not understood. */
  $response?: unknown;
}

/** The error of a call, by its name, its status or the network's code. */
export function toDnsRequestError(error: unknown): DnsRequestError {
  if (error instanceof DnsRequestError) {
    return error;
  }
  const { name, message, $metadata, $response } = (error ?? {}) as AwsFailure;
  const code = codeOf(error) ?? '';
  const known = OF_CUT_CONNECTIONS.test(code)
    ? undefined
    : MEANINGS.find(({ names }) => names.includes(String(name)));
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
  if (OF_FILES.test(code)) {
    return new DnsRequestError({
      reason: 'NotConfigured',
      message: 'A file that the AWS credentials come from cannot be read.',
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
  if ($metadata && status === 0 && $response === undefined) {
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
