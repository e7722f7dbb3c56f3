import { InputError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import { Gitlab } from '@gitbeaker/rest';
import { plainText } from './plainText';

const TIMEOUT_MILLISECONDS = 30_000;

/** One GitLab that the portal is integrated with, and who asks it. */
export interface GitLabConnection {
  /** With the port, where it is not the usual one. */
  host: string;
  /** Where people see it, without a slash at the end. */
  baseUrl: string;
  /** Whose token is used: the person's who asks, or the portal's own. */
  as: 'user' | 'portal';
  api: InstanceType<typeof Gitlab<false>>;
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

/**
 * The API of a GitLab among `integrations.gitlab`. No other host is ever asked: what is filled in
 * only selects one.
 *
 * @param token - of the person who asks, by OAuth; the token of the integration where there is none
 * @throws InputError for a host without integration, and where there is no token at all
 */
export function connectGitLab(options: {
  integrations: ScmIntegrationRegistry;
  host: string;
  token?: string;
}): GitLabConnection {
  const { integrations, host, token } = options;
  const config = integrations.gitlab.byHost(host)?.config;
  if (!config) {
    throw new InputError(
      `${plainText(
        host,
      )} is not among integrations.gitlab of this portal: who runs the portal can add it`,
    );
  }
  if (!token && !config.token) {
    throw new InputError(
      `The portal has no credentials for ${host}: sign in to GitLab in the form, or let who runs the portal add some to integrations.gitlab`,
    );
  }
  return {
    host: config.host,
    baseUrl: trimmed(config.baseUrl),
    as: token ? 'user' : 'portal',
    api: new Gitlab({
      host: trimmed(config.apiBaseUrl).replace(/\/api\/v4$/, ''),
      queryTimeout: TIMEOUT_MILLISECONDS,
      ...(token ? { oauthToken: token } : { token: config.token! }),
    }),
  };
}
