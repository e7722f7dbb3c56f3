import { createExtensionPoint } from '@backstage/backend-plugin-api';

/**
 * A cluster whose objects are read, as a module of the backend names it.
 *
 * @public
 */
export interface PreviewsCluster {
  /** Unique; the annotation `backstage.io/kubernetes-cluster` has it. */
  name: string;
  /** URL of the cluster's API. */
  url: string;
  /** Bearer token; absent: anonymous. */
  token?: string;
  /** File with a bearer token, read again as it is rotated. Wins over `token`. */
  tokenFile?: string;
  /** Certificate authority, PEM in base64. */
  caData?: string;
  /** File with the certificate authority, PEM. `caData` wins. */
  caFile?: string;
  /** Accept any certificate. Default false. */
  skipTlsVerify?: boolean;
  /** Server URLs and names under which Argo CD knows this cluster. */
  argocdDestinations?: string[];
  /** Base URL of the UI of the Argo CD in this cluster. */
  argocdWebUrl?: string;
}

/**
 * Finds clusters once, when the backend starts.
 *
 * @public
 */
export interface PreviewsClusterProvider {
  /** Rejecting stops the start. */
  getClusters(): Promise<PreviewsCluster[]>;
}

/**
 * Adds clusters to those of the configuration.
 *
 * @public
 */
export interface PreviewsClustersExtensionPoint {
  /** A name that the configuration has already stops the start. */
  addCluster(cluster: PreviewsCluster): void;
  addProvider(provider: PreviewsClusterProvider): void;
}

/**
 * Extension point of the plugin `previews` for clusters that the configuration
 * cannot name.
 *
 * @public
 */
export const previewsClustersExtensionPoint =
  createExtensionPoint<PreviewsClustersExtensionPoint>({
    id: 'previews.clusters',
  });
