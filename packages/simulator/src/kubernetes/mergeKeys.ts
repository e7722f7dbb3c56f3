/**
 * How lists of the built-in kinds merge: by which field their items are told
 * apart. Lists that are not here are replaced as a whole.
 */
const MERGE_KEYS: Record<string, string> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  conditions: 'type',
  ownerReferences: 'uid',
  secrets: 'name',
};

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

/**
 * The key of a list's items.
 *
 * @param path - names of the fields that lead to the list, itself included
 */
export function mergeKeyOf(path: string[]): string | undefined {
  const field = path[path.length - 1];
  if (field === 'ports') {
    return CONTAINER_LISTS.includes(path[path.length - 2])
      ? 'containerPort'
      : 'port';
  }
  return MERGE_KEYS[field];
}

/** Whether a list of plain values merges as a set. */
export function mergesAsSet(path: string[]): boolean {
  return path.join('.') === 'metadata.finalizers';
}
