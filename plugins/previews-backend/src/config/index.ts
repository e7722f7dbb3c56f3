export { isClaimAllowed } from './catalog';
export { withModuleClusters } from './moduleClusters';
export { readPreviewsConfig } from './readPreviewsConfig';
export type {
  AllowedClaim,
  AllowedNetwork,
  ArgocdInstanceConfig,
  CatalogConfig,
  ClusterAccess,
  ClusterConfig,
  DnsConfig,
  GitLabHostConfig,
  PreviewsConfig,
  ProbeConfig,
  Route53ZoneConfig,
  ScheduleConfig,
  UnsupportedClusterConfig,
} from './types';
