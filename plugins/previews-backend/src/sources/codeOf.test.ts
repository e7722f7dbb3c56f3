import { ArgocdRequestError } from './argocd/ArgocdRequestError';
import { codeOf } from './codeOf';
import { GitLabRequestError } from './gitlab/GitLabRequestError';
import { KubernetesRequestError } from './kubernetes/KubernetesRequestError';

const kinds = [GitLabRequestError, KubernetesRequestError, ArgocdRequestError];

function causeOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe('an error of a source', () => {
  it.each(kinds)('quotes no answer that is no JSON: %p', Kind => {
    const cause = causeOf(() => JSON.parse('{"a":s3cret}'));
    expect(String(cause)).toContain('s3cret');
    const error = new Kind({
      reason: 'UnexpectedAnswer',
      message: 'No.',
      cause,
    });
    expect(error.message).toBe('No.');
    expect(error.stack).not.toContain('s3cret');
  });

  it.each(kinds)('quotes no header that cannot be sent: %p', Kind => {
    const cause = causeOf(
      () => new Headers({ authorization: 'Bearer s3\ncret' }),
    );
    expect(String(cause)).toContain('s3');
    const error = new Kind({ reason: 'Unreachable', message: 'No.', cause });
    expect(error.message).toBe('No.');
    expect(error.stack).not.toContain('s3');
  });

  it('tells the code of the connection that failed', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    const error = new GitLabRequestError({
      reason: 'Unreachable',
      message: 'GitLab cannot be reached.',
      cause: new TypeError('fetch failed', { cause: refused }),
    });
    expect(error.message).toBe('GitLab cannot be reached. (ECONNREFUSED)');
  });
});

describe('codeOf', () => {
  it('takes nothing for a code that is none', () => {
    expect(codeOf({ code: 'a token: s3cret' })).toBeUndefined();
    expect(codeOf({ code: 23 })).toBeUndefined();
    expect(codeOf('ECONNREFUSED')).toBeUndefined();
    expect(codeOf(undefined)).toBeUndefined();
  });

  it('ends where a cause is its own', () => {
    const cause: { cause?: unknown } = {};
    cause.cause = cause;
    expect(codeOf(cause)).toBeUndefined();
  });
});
