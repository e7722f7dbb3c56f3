export { isClaimAllowed } from './catalog';
export { readPreviewsConfig } from './readPreviewsConfig';
export type {
  AllowedClaim,
  CatalogConfig,
  ClusterAccess,
  ClusterConfig,
  GitLabHostConfig,
  PreviewsConfig,
  ScheduleConfig,
  UnsupportedClusterConfig,
} from './types';
