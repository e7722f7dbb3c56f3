import { toDnsRequestError } from './DnsRequestError';

/** An error as the SDK throws it. */
function failure(fields: object): Error {
  return Object.assign(
    new Error('User: arn:aws:iam::123456789012:user/portal may not'),
    fields,
  );
}

describe('toDnsRequestError', () => {
  it.each([
    [
      'a cut connection',
      { name: 'TimeoutError', code: 'ECONNRESET' },
      'Unreachable',
    ],
    ['a timeout', { name: 'TimeoutError' }, 'TimedOut'],
    ['a call that was given up', { name: 'AbortError' }, 'TimedOut'],
    ['no connection', { code: 'ECONNREFUSED' }, 'Unreachable'],
    ['an unknown host', { code: 'ENOTFOUND' }, 'Unreachable'],
    [
      'an untrusted server',
      { code: 'SELF_SIGNED_CERT_IN_CHAIN' },
      'Unreachable',
    ],
    [
      'an answer that is no XML',
      { $metadata: { httpStatusCode: 200 }, $response: {} },
      'UnexpectedAnswer',
    ],
    [
      'a broken gateway',
      { $metadata: { httpStatusCode: 502 }, $response: {} },
      'ServerError',
    ],
    ['no credentials', { name: 'CredentialsProviderError' }, 'NotConfigured'],
  ])('takes %s for what it is, without what AWS said', (_, fields, reason) => {
    const { message, ...error } = toDnsRequestError(
      failure({ $metadata: { attempts: 1 }, ...fields }),
    );
    expect(error.reason).toBe(reason);
    expect(message).not.toMatch(/arn|123456789012/);
  });

  it.each([
    undefined,
    null,
    'text',
    7,
    {},
    new TypeError('x is not a function'),
  ])('takes %p for something that is not understood', error => {
    expect(toDnsRequestError(error).reason).toBe('UnexpectedAnswer');
  });
});
