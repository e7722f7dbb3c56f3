export { DefaultArgocdSource } from './argocd';
export type { ArgocdDelays, ArgocdSourceOptions } from './argocd';
export { DefaultCatalogSource } from './catalog';
export type { CatalogSourceOptions } from './catalog';
export { DefaultGitLabSource } from './gitlab';
export type { GitLabSourceOptions } from './gitlab';
export { DefaultClusterSource, unsupportedClusterState } from './kubernetes';
export type { ClusterSourceOptions, ReflectorDelays } from './kubernetes';
export type {
  CatalogSource,
  ClusterSource,
  GitLabSource,
  ProjectReference,
  Source,
} from './types';
