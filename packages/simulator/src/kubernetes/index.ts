export type { KubernetesToken } from './apiServer';
export {
  Cluster,
  type DeleteOptions,
  type WriteOptions,
  type WriteScope,
} from './cluster';
export { ApiStatusError } from './errors';
export { ClusterFaults } from './faults';
export { writeKubeconfig } from './kubeconfig';
export type {
  ClusterEvent,
  KubernetesObject,
  KubernetesObjectInput,
  ManagedFieldsEntry,
  ObjectMetadata,
  ObjectReference,
  OwnerReference,
} from './object';
export { parseManifests } from './manifests';
export { RequestCounter } from './requestCounter';
export {
  defaultResources,
  defineResource,
  type ResourceDefinition,
} from './resources';
export { startKubernetesServer, type KubernetesServer } from './server';
