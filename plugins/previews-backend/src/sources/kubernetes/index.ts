export { unsupportedClusterState } from './clusterState';
export { DefaultClusterSource } from './DefaultClusterSource';
export type { ClusterSourceOptions, ReflectorDelays } from './options';
