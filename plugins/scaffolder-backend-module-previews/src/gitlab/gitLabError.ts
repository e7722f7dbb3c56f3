import {
  InputError,
  NotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
} from '@backstage/errors';
import type { GitLabConnection } from './connectGitLab';
import { plainText } from './plainText';

interface Answered {
  cause?: { description?: unknown; response?: { status?: unknown } };
}

/** HTTP status of a call that GitLab refused; undefined where it did not answer. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as Answered)?.cause?.response?.status;
  return typeof status === 'number' ? status : undefined;
}

/** What a call answers, or undefined for 404. */
export async function orNone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (statusOf(error) === 404) {
      return undefined;
    }
    throw error;
  }
}

/**
 * What is told about a call that failed: who was refused what, and what to do. Only GitLab's own
 * description of it is shown, cleaned; never a token or a whole answer. Nor is the word "token" in it: the
 * scaffolder compares a step's input with and without secrets, takes the name of an input that is
 * missing in the one for a secret itself, and shows "***" wherever it is said.
 *
 * @param doing - such as "read project web/shop"
 */
export function gitLabError(
  error: unknown,
  options: { connection: GitLabConnection; doing: string },
): Error {
  const { connection, doing } = options;
  const { host } = connection;
  const who = connection.as === 'user' ? 'your account' : 'the portal';
  const status = statusOf(error);
  const said = plainText((error as Answered)?.cause?.description);
  switch (status) {
    case undefined:
      return new ServiceUnavailableError(
        `${host} did not answer when asked to ${doing}; try again later`,
        error,
      );
    case 401:
      return new NotAllowedError(
        connection.as === 'user'
          ? `${host} takes your sign-in no more: sign in to GitLab again`
          : `${host} does not take the credentials of the portal (401): who runs the portal has to renew them`,
      );
    case 403:
      return new NotAllowedError(
        `${host} does not let ${who} ${doing} (403${said && `: ${said}`})`,
      );
    case 404:
      return new NotFoundError(
        `${host} found nothing when asked to ${doing} (404): it is not there, or ${who} may not see it`,
      );
    case 400:
    case 409:
    case 422:
      return new InputError(
        `${host} refused to ${doing} (${status}${said && `: ${said}`})`,
      );
    default:
      return new ServiceUnavailableError(
        `${host} could not ${doing} (${status}); try again later`,
      );
  }
}
