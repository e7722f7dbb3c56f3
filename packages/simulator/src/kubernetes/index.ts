export {
  Cluster,
  type DeleteOptions,
  type WriteOptions,
  type WriteScope,
} from './cluster';
export { ApiStatusError } from './errors';
export type {
  ClusterEvent,
  KubernetesObject,
  KubernetesObjectInput,
  ManagedFieldsEntry,
  ObjectMetadata,
  ObjectReference,
  OwnerReference,
} from './object';
export {
  defaultResources,
  defineResource,
  type ResourceDefinition,
} from './resources';
