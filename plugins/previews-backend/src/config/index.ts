export { isClaimAllowed } from './catalog';
export { withModuleClusters } from './moduleClusters';
export { readPreviewsConfig } from './readPreviewsConfig';
export type {
  AcmeConfig,
  AllowedClaim,
  AllowedNetwork,
  ArgocdInstanceConfig,
  CatalogConfig,
  ClusterAccess,
  ClusterConfig,
  DnsConfig,
  GitLabHostConfig,
  NamedTokenConfig,
  PreviewsConfig,
  ProbeConfig,
  Route53ZoneConfig,
  ScheduleConfig,
  UnsupportedClusterConfig,
} from './types';
