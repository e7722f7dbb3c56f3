import type {
  Cluster,
  KubernetesObject,
  KubernetesObjectInput,
  ObjectReference,
} from '../kubernetes';

/** Where Argo CD runs, and where its AppProjects are, wherever Applications are. */
export const CONTROL_NAMESPACE = 'argocd';

/** The reference to an object. */
export function referenceTo(
  object: KubernetesObject | KubernetesObjectInput,
): ObjectReference {
  return {
    kind: object.kind,
    namespace: object.metadata.namespace,
    name: object.metadata.name as string,
  };
}

/** A stored object, frozen: controllers that only look need no copy. */
export function peek(
  cluster: Cluster,
  { kind, namespace, name }: ObjectReference,
): KubernetesObject | undefined {
  return cluster.store.get(kind, namespace ?? '', name);
}

/** The stored objects of a kind, frozen. */
export function peekAll(
  cluster: Cluster,
  kind: string,
  namespace?: string,
): KubernetesObject[] {
  return cluster.store.list(kind, namespace);
}

/** The stored objects of a kind that an object owns, by name, frozen. */
export function peekOwned(
  cluster: Cluster,
  owner: KubernetesObject,
  kind: string,
): KubernetesObject[] {
  return cluster.store
    .dependentsOf(owner.metadata.uid)
    .filter(object => object.kind === kind)
    .sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}

/** The controller reference to an owner. */
export function ownedBy(owner: KubernetesObject) {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Changes an object if it is still the one that was seen; says whether it was. */
export function patchIfSame(
  cluster: Cluster,
  seen: KubernetesObject,
  change: (draft: KubernetesObject) => void,
): boolean {
  const reference = referenceTo(seen);
  if (cluster.get(reference)?.metadata.uid !== seen.metadata.uid) {
    return false;
  }
  cluster.patch(reference, change);
  return true;
}

/** Deletes what may be gone already. */
export function deleteIfThere(
  cluster: Cluster,
  reference: ObjectReference,
): void {
  const live = cluster.get(reference);
  if (live && !live.metadata.deletionTimestamp) {
    cluster.delete(reference);
  }
}

/** API group of an object, empty for the core. */
export function groupOf(object: { apiVersion: string }): string {
  return object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
}

/** API version of an object, without its group. */
export function versionOf(object: { apiVersion: string }): string {
  return object.apiVersion.split('/').at(-1) as string;
}
