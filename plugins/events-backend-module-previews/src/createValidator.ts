import { RequestValidator } from '@backstage/plugin-events-node';
import { isGenuine } from './isGenuine';
import { WebhookSecrets } from './secrets';

/** GitLab's hooks for MRs and pipelines are far smaller, long descriptions included. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Headers that prove or grant something; nobody behind the ingress needs them. */
const secretHeaders = [
  'x-gitlab-token',
  'webhook-signature',
  'authorization',
  'proxy-authorization',
  'cookie',
];

/**
 * Lets in only what proves to come from a configured GitLab. The answer to
 * everything else is the same, so that it tells nothing about the secrets.
 */
export function createValidator(options: {
  secrets: WebhookSecrets;
  now?: () => number;
}): RequestValidator {
  const { secrets, now = Date.now } = options;
  return async (request, context) => {
    const headers = { ...request.headers };
    // The events backend publishes this very object as the event's metadata.
    for (const name of secretHeaders) {
      delete request.headers[name];
    }
    const { body } = request.raw;
    if (body.length > MOST_BYTES) {
      context.reject({ status: 413, payload: { message: 'Too large' } });
    } else if (!isGenuine({ headers, body, secrets, now: now() })) {
      context.reject({ status: 403, payload: { message: 'Forbidden' } });
    }
  };
}
