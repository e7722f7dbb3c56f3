/**
 * A reference from an object to the one that owns it.
 *
 * @public
 */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/**
 * One entry of `metadata.managedFields`: who wrote which fields last.
 *
 * @public
 */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time: string;
  fieldsType: 'FieldsV1';
  fieldsV1: Record<string, any>;
  subresource?: string;
}

/**
 * Metadata of a stored object. Times are RFC 3339 in whole seconds.
 *
 * @public
 */
export interface ObjectMetadata {
  name: string;
  generateName?: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  /** Absent for kinds that have none, such as ConfigMap. */
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  managedFields?: ManagedFieldsEntry[];
}

/**
 * An object as the cluster stores and answers it.
 *
 * @public
 */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMetadata;
  spec?: Record<string, any>;
  status?: Record<string, any>;
  [field: string]: any;
}

/**
 * An object as a client sends it: the server fills in the rest.
 *
 * @public
 */
export interface KubernetesObjectInput {
  apiVersion: string;
  kind: string;
  metadata: Partial<ObjectMetadata>;
  spec?: Record<string, any>;
  status?: Record<string, any>;
  [field: string]: any;
}

/**
 * Names one object of a cluster.
 *
 * @public
 */
export interface ObjectReference {
  kind: string;
  /** Left out for cluster-scoped kinds. */
  namespace?: string;
  name: string;
}

/**
 * A change of the cluster, in the order of resource versions.
 * The object is frozen: it is the stored one.
 *
 * @public
 */
export interface ClusterEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: KubernetesObject;
}
