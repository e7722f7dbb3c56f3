import { InputError } from '@backstage/errors';
import {
  PreviewsCluster,
  PreviewsClusterProvider,
} from '@previews/backstage-plugin-previews-node';
import { checkedBaseUrl } from './checks';
import { PreviewsConfig } from './types';

/**
 * The configuration with the clusters that modules added. Checked like those of
 * the configuration.
 *
 * @throws InputError that names the cluster.
 */
export async function withModuleClusters(
  config: PreviewsConfig,
  added: {
    clusters: readonly PreviewsCluster[];
    providers: readonly PreviewsClusterProvider[];
  },
): Promise<PreviewsConfig> {
  const provided = await Promise.all(
    added.providers.map(provider => provider.getClusters()),
  );
  const clusters = [...config.clusters];
  const webUrls = { ...config.argocd.webUrls };
  for (const cluster of [...added.clusters, ...provided.flat()]) {
    const { name } = cluster;
    const taken = [...clusters, ...config.argocd.instances];
    if (!name || taken.some(other => other.name === name)) {
      throw new InputError(
        `A module adds the cluster '${name}', a name that is empty or taken`,
      );
    }
    clusters.push({
      name,
      access: {
        type: 'url',
        url: checkedBaseUrl(cluster.url, {
          at: `module cluster '${name}' url`,
        }),
        token: cluster.tokenFile ? undefined : cluster.token,
        tokenFile: cluster.tokenFile,
        caData: cluster.caData,
        caFile: cluster.caData ? undefined : cluster.caFile,
        skipTlsVerify: cluster.skipTlsVerify ?? false,
      },
      argocdDestinations: cluster.argocdDestinations ?? [],
    });
    if (cluster.argocdWebUrl) {
      webUrls[name] = checkedBaseUrl(cluster.argocdWebUrl, {
        at: `module cluster '${name}' argocdWebUrl`,
      });
    }
  }
  return { ...config, clusters, argocd: { ...config.argocd, webUrls } };
}
