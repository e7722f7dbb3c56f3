import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import {
  GitLabIntegrationConfig,
  readGitLabIntegrationConfig,
} from '@backstage/integration';
import { assertKnownKeys, checkedBaseUrl, checkedHost } from './checks';
import { GitLabHostConfig } from './types';

/** Only those written down: the implied gitlab.com is nobody's decision. */
function readIntegrations(
  rootConfig: Config,
): Map<string, GitLabIntegrationConfig> {
  const integrations = new Map<string, GitLabIntegrationConfig>();
  for (const config of rootConfig.getOptionalConfigArray(
    'integrations.gitlab',
  ) ?? []) {
    const integration = readGitLabIntegrationConfig(config);
    integrations.set(integration.host.toLocaleLowerCase('en-US'), integration);
  }
  return integrations;
}

function hostConfig(options: {
  host: string;
  token?: string;
  webhookSecrets: string[];
  integration?: GitLabIntegrationConfig;
}): GitLabHostConfig {
  const { host, integration } = options;
  const webUrl = checkedBaseUrl(integration?.baseUrl ?? `https://${host}`, {
    at: 'integrations.gitlab',
  });
  const apiUrl = checkedBaseUrl(integration?.apiBaseUrl ?? `${webUrl}/api/v4`, {
    at: 'integrations.gitlab',
  });
  const token = options.token ?? integration?.token;
  let tokenFrom: GitLabHostConfig['tokenFrom'] = 'none';
  if (options.token) {
    tokenFrom = 'previews';
  } else if (token) {
    tokenFrom = 'integrations';
  }
  return {
    host,
    webUrl,
    apiUrl,
    ...(token && { token }),
    tokenFrom,
    webhookSecrets: options.webhookSecrets,
  };
}

/** Hosts of `previews.gitlab`, then those that only `integrations.gitlab` has. */
export function readGitLabHosts(rootConfig: Config): GitLabHostConfig[] {
  const integrations = readIntegrations(rootConfig);
  const hosts = new Map<string, GitLabHostConfig>();
  const entries = rootConfig.getOptionalConfigArray('previews.gitlab') ?? [];
  entries.forEach((entry, index) => {
    const at = `previews.gitlab[${index}]`;
    assertKnownKeys(entry, { at, known: ['host', 'token', 'webhookSecrets'] });
    const host = checkedHost(entry.getString('host'), { at: `${at}.host` });
    if (hosts.has(host)) {
      throw new InputError(
        `Config value at '${at}.host' names a host that an earlier entry has already`,
      );
    }
    hosts.set(
      host,
      hostConfig({
        host,
        token: entry.getOptionalString('token'),
        webhookSecrets: entry.getOptionalStringArray('webhookSecrets') ?? [],
        integration: integrations.get(host),
      }),
    );
  });
  for (const [host, integration] of integrations) {
    if (!hosts.has(host)) {
      hosts.set(host, hostConfig({ host, webhookSecrets: [], integration }));
    }
  }
  return [...hosts.values()];
}
