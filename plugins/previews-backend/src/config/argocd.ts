import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { assertKnownKeys, checkedBaseUrl } from './checks';
import { ArgocdInstanceConfig } from './types';

const INSTANCE_KEYS = ['name', 'url', 'token', 'skipTLSVerify', 'selector'];

function readLinks(config: Config): Record<string, string> {
  const webUrls: Record<string, string> = Object.create(null);
  (config.getOptionalConfigArray('links') ?? []).forEach((link, index) => {
    const at = `previews.argocd.links[${index}]`;
    assertKnownKeys(link, { at, known: ['cluster', 'webUrl'] });
    webUrls[link.getString('cluster')] = checkedBaseUrl(
      link.getString('webUrl'),
      { at: `${at}.webUrl` },
    );
  });
  return webUrls;
}

function readInstances(
  config: Config,
  clusters: ReadonlySet<string>,
): ArgocdInstanceConfig[] {
  const instances: ArgocdInstanceConfig[] = [];
  (config.getOptionalConfigArray('instances') ?? []).forEach((entry, index) => {
    const at = `previews.argocd.instances[${index}]`;
    assertKnownKeys(entry, { at, known: INSTANCE_KEYS });
    const name = entry.getString('name');
    if (instances.some(instance => instance.name === name)) {
      throw new InputError(
        `Config value at '${at}.name' names an Argo CD that an earlier entry has already`,
      );
    }
    if (clusters.has(name)) {
      throw new InputError(
        `Config value at '${at}.name' is the name of a cluster; an Argo CD needs one of its own`,
      );
    }
    instances.push({
      name,
      url: checkedBaseUrl(entry.getString('url'), { at: `${at}.url` }),
      token: entry.getOptionalString('token'),
      skipTlsVerify: entry.getOptionalBoolean('skipTLSVerify') ?? false,
      selector: entry.getOptionalString('selector'),
    });
  });
  return instances;
}

/** `previews.argocd`; the UI of an instance is at its own URL unless a link says otherwise. */
export function readArgocdConfig(
  config: Config | undefined,
  options: { clusters: readonly { name: string }[] },
): { webUrls: Record<string, string>; instances: ArgocdInstanceConfig[] } {
  if (!config) {
    return { webUrls: {}, instances: [] };
  }
  assertKnownKeys(config, {
    at: 'previews.argocd',
    known: ['links', 'instances'],
  });
  const instances = readInstances(
    config,
    new Set(options.clusters.map(({ name }) => name)),
  );
  return {
    instances,
    webUrls: {
      ...Object.fromEntries(instances.map(({ name, url }) => [name, url])),
      ...readLinks(config),
    },
  };
}
