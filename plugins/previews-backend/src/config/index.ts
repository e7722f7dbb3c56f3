export { isClaimAllowed } from './catalog';
export { withModuleClusters } from './moduleClusters';
export { readPreviewsConfig } from './readPreviewsConfig';
export type {
  AllowedClaim,
  ArgocdInstanceConfig,
  CatalogConfig,
  ClusterAccess,
  ClusterConfig,
  GitLabHostConfig,
  PreviewsConfig,
  ScheduleConfig,
  UnsupportedClusterConfig,
} from './types';
