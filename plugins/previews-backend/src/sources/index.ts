export { DefaultArgocdSource } from './argocd';
export type { ArgocdDelays, ArgocdSourceOptions } from './argocd';
export { DefaultCatalogSource } from './catalog';
export type { CatalogSourceOptions } from './catalog';
export { DefaultRoute53Source } from './dns';
export type { Route53SourceOptions } from './dns';
export { DefaultGitLabSource } from './gitlab';
export type { GitLabSourceOptions } from './gitlab';
export { DefaultClusterSource, unsupportedClusterState } from './kubernetes';
export type { ClusterSourceOptions, ReflectorDelays } from './kubernetes';
export type {
  CatalogSource,
  ClusterSource,
  DnsSource,
  GitLabSource,
  ProjectReference,
  Source,
} from './types';
