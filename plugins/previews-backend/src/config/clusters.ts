import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { ANNOTATION_KUBERNETES_AUTH_PROVIDER } from '@backstage/plugin-kubernetes-common';
import { assertKnownKeys, checkedBaseUrl } from './checks';
import {
  ClusterAccess,
  ClusterConfig,
  UnsupportedClusterConfig,
} from './types';

const COMMON_KEYS = ['name', 'argocdDestinations', 'argocd'];
const URL_KEYS = [
  'url',
  'token',
  'tokenFile',
  'caData',
  'caFile',
  'skipTLSVerify',
];

function assertAtMostOne(
  config: Config,
  options: { at: string; keys: [string, string] },
): void {
  const [first, second] = options.keys;
  if (config.has(first) && config.has(second)) {
    throw new InputError(
      `Config value at '${options.at}' must have only one of '${first}' and '${second}'`,
    );
  }
}

function readAccess(config: Config, at: string): ClusterAccess {
  const given = ['inCluster', 'kubeconfig', 'url'].filter(key =>
    config.has(key),
  );
  if (given.length !== 1) {
    throw new InputError(
      `Config value at '${at}' must have exactly one of 'inCluster', 'kubeconfig' and 'url'`,
    );
  }
  if (given[0] === 'inCluster') {
    assertKnownKeys(config, { at, known: [...COMMON_KEYS, 'inCluster'] });
    if (!config.getBoolean('inCluster')) {
      throw new InputError(`Config value at '${at}.inCluster' must be true`);
    }
    return { type: 'inCluster' };
  }
  if (given[0] === 'kubeconfig') {
    assertKnownKeys(config, { at, known: [...COMMON_KEYS, 'kubeconfig'] });
    const kubeconfig = config.getConfig('kubeconfig');
    assertKnownKeys(kubeconfig, {
      at: `${at}.kubeconfig`,
      known: ['file', 'context'],
    });
    return {
      type: 'kubeconfig',
      file: kubeconfig.getOptionalString('file'),
      context: kubeconfig.getOptionalString('context'),
    };
  }
  assertKnownKeys(config, { at, known: [...COMMON_KEYS, ...URL_KEYS] });
  assertAtMostOne(config, { at, keys: ['token', 'tokenFile'] });
  assertAtMostOne(config, { at, keys: ['caData', 'caFile'] });
  return {
    type: 'url',
    url: checkedBaseUrl(config.getString('url'), { at: `${at}.url` }),
    token: config.getOptionalString('token'),
    tokenFile: config.getOptionalString('tokenFile'),
    caData: config.getOptionalString('caData'),
    caFile: config.getOptionalString('caFile'),
    skipTlsVerify: config.getOptionalBoolean('skipTLSVerify') ?? false,
  };
}

function readOwnClusters(entries: Config[]): {
  clusters: ClusterConfig[];
  webUrls: Record<string, string>;
} {
  const clusters: ClusterConfig[] = [];
  const webUrls: Record<string, string> = Object.create(null);
  entries.forEach((entry, index) => {
    const at = `previews.clusters[${index}]`;
    const name = entry.getString('name');
    if (clusters.some(cluster => cluster.name === name)) {
      throw new InputError(
        `Config value at '${at}.name' names a cluster that an earlier entry has already`,
      );
    }
    clusters.push({
      name,
      access: readAccess(entry, at),
      argocdDestinations:
        entry.getOptionalStringArray('argocdDestinations') ?? [],
    });
    const argocd = entry.getOptionalConfig('argocd');
    if (argocd) {
      assertKnownKeys(argocd, { at: `${at}.argocd`, known: ['webUrl'] });
      webUrls[name] = checkedBaseUrl(argocd.getString('webUrl'), {
        at: `${at}.argocd.webUrl`,
      });
    }
  });
  return { clusters, webUrls };
}

/**
 * Clusters of the Kubernetes plugin. Its keys are that plugin's to check: what
 * cannot be used here is told and does not stop the start.
 */
function readKubernetesPluginClusters(rootConfig: Config): {
  clusters: ClusterConfig[];
  unsupportedClusters: UnsupportedClusterConfig[];
} {
  const clusters: ClusterConfig[] = [];
  const unsupportedClusters: UnsupportedClusterConfig[] = [];
  const add = (cluster: ClusterConfig) => {
    if (!clusters.some(({ name }) => name === cluster.name)) {
      clusters.push(cluster);
    }
  };
  for (const method of rootConfig.getOptionalConfigArray(
    'kubernetes.clusterLocatorMethods',
  ) ?? []) {
    const type = method.getString('type');
    if (type === 'localKubectlProxy') {
      add({
        name: 'local',
        access: {
          type: 'url',
          url: 'http://localhost:8001',
          skipTlsVerify: false,
        },
        argocdDestinations: [],
      });
    } else if (type === 'config') {
      for (const config of method.getOptionalConfigArray('clusters') ?? []) {
        const name = config.getString('name');
        const authProvider =
          config.getOptionalString('authProvider') ??
          config
            .getOptionalConfig('authMetadata')
            ?.get<Record<string, string>>()[
            ANNOTATION_KUBERNETES_AUTH_PROVIDER
          ];
        if (authProvider !== 'serviceAccount') {
          unsupportedClusters.push({
            name,
            message: `Previews cannot use the auth provider '${
              authProvider ?? 'unknown'
            }' of the Kubernetes plugin: name the cluster in previews.clusters.`,
          });
          continue;
        }
        const token = config.getOptionalString('serviceAccountToken');
        const caData = config.getOptionalString('caData');
        add({
          name,
          // Without a token the Kubernetes plugin uses its own pod's account.
          access: token
            ? {
                type: 'url',
                url: checkedBaseUrl(config.getString('url'), {
                  at: 'kubernetes.clusterLocatorMethods',
                }),
                token,
                caData,
                caFile: caData ? undefined : config.getOptionalString('caFile'),
                skipTlsVerify:
                  config.getOptionalBoolean('skipTLSVerify') ?? false,
              }
            : { type: 'inCluster' },
          argocdDestinations: [],
        });
      }
    } else {
      unsupportedClusters.push({
        name: type,
        message: `Previews cannot use the cluster locator '${type}' of the Kubernetes plugin: name its clusters in previews.clusters.`,
      });
    }
  }
  return { clusters, unsupportedClusters };
}

/**
 * The clusters of `previews.clusters` where that key is given, also when it is
 * empty; else those of the Kubernetes plugin.
 */
export function readClusters(rootConfig: Config): {
  clusters: ClusterConfig[];
  unsupportedClusters: UnsupportedClusterConfig[];
  argocdWebUrls: Record<string, string>;
} {
  const own = rootConfig.getOptionalConfigArray('previews.clusters');
  if (own) {
    const { clusters, webUrls } = readOwnClusters(own);
    return { clusters, unsupportedClusters: [], argocdWebUrls: webUrls };
  }
  return { ...readKubernetesPluginClusters(rootConfig), argocdWebUrls: {} };
}
