import { isJsonObject, sameJson } from './json';
import { mergeKeyOf, mergesAsSet } from './mergeKeys';
import type { KubernetesObject, ManagedFieldsEntry } from './object';
import { apiVersionOf, type ResourceDefinition } from './resources';

/** Leaves of an object by path, a path being its `FieldsV1` elements. */
export type Leaves = Map<string, { path: string[]; value: unknown }>;

const OWNED_METADATA = [
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
];

/** The fields that a manager can own in an object, each with its value. */
export function leavesOf(
  object: Record<string, any>,
  resource: Pick<ResourceDefinition, 'custom'>,
): Leaves {
  const leaves: Leaves = new Map();
  const add = (path: string[], value: unknown) =>
    leaves.set(path.join('\n'), { path, value });

  const visit = (value: unknown, path: string[], fields: string[]) => {
    if (isJsonObject(value) && Object.keys(value).length > 0) {
      for (const [name, child] of Object.entries(value)) {
        visit(child, [...path, `f:${name}`], [...fields, name]);
      }
      return;
    }
    if (Array.isArray(value)) {
      // Lists of custom resources are taken as a whole, but for metadata.
      const merges = !resource.custom || fields[0] === 'metadata';
      const key = merges ? mergeKeyOf(fields) : undefined;
      if (key && value.every(item => item?.[key] !== undefined)) {
        for (const item of value) {
          const element = `k:${JSON.stringify({ [key]: item[key] })}`;
          add([...path, element, '.'], {});
          visit(item, [...path, element], fields);
        }
        return;
      }
      if (merges && mergesAsSet(fields)) {
        value.forEach(item =>
          add([...path, `v:${JSON.stringify(item)}`], item),
        );
        return;
      }
    }
    add(path, value);
  };

  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  for (const field of OWNED_METADATA) {
    if (metadata?.[field] !== undefined) {
      visit(metadata[field], ['f:metadata', `f:${field}`], ['metadata', field]);
    }
  }
  for (const [field, value] of Object.entries(rest)) {
    visit(value, [`f:${field}`], [field]);
  }
  return leaves;
}

/** The paths in a `FieldsV1`, joined as the keys of {@link Leaves}. */
export function pathsIn(fields: Record<string, any>): Set<string> {
  const paths = new Set<string>();
  const visit = (node: Record<string, any>, path: string[]) => {
    const entries = Object.entries(node);
    if (entries.length === 0) {
      paths.add(path.join('\n'));
    }
    entries.forEach(([element, child]) => visit(child, [...path, element]));
  };
  Object.entries(fields).forEach(([element, child]) => visit(child, [element]));
  return paths;
}

function fieldsFrom(paths: Iterable<string>): Record<string, any> {
  const root: Record<string, any> = {};
  for (const path of [...paths].sort()) {
    let node = root;
    for (const element of path.split('\n')) {
      node[element] ??= {};
      node = node[element];
    }
  }
  return root;
}

/** A write, as far as it decides about the ownership of fields. */
export interface TrackedWrite {
  resource: ResourceDefinition;
  previous?: KubernetesObject;
  /** Its `managedFields` are replaced. */
  next: KubernetesObject;
  options: {
    fieldManager?: string;
    operation?: 'Apply' | 'Update';
    scope?: string;
    /** With `Apply`: what was applied, all of which the manager then owns. */
    applied?: Record<string, any>;
  };
  /** The time of the write, RFC 3339. */
  now: string;
}

/**
 * Records in `next.metadata.managedFields` who owns which fields. A manager
 * comes to own what it changes, and with `Apply` also what it left as it was.
 */
export function trackManagedFields(write: TrackedWrite): void {
  const { resource, previous, next, options, now } = write;
  const before = previous?.metadata.managedFields ?? [];
  delete next.metadata.managedFields;
  if (!options.fieldManager) {
    if (before.length > 0) {
      next.metadata.managedFields = before;
    }
    return;
  }

  const oldLeaves = previous ? leavesOf(previous, resource) : new Map();
  const newLeaves = leavesOf(next, resource);
  const changed = new Set(
    [...newLeaves]
      .filter(([path, { value }]) => {
        const old = oldLeaves.get(path);
        return !old || !sameJson(old.value, value);
      })
      .map(([path]) => path),
  );
  const removed = new Set(
    [...oldLeaves.keys()].filter(path => !newLeaves.has(path)),
  );

  const operation = options.operation ?? 'Update';
  const subresource = options.scope === 'status' ? 'status' : undefined;
  const isOwn = (entry: ManagedFieldsEntry) =>
    entry.manager === options.fieldManager &&
    entry.operation === operation &&
    entry.subresource === subresource;

  const owned = before.find(isOwn);
  const applied = options.applied
    ? new Set(leavesOf(options.applied, resource).keys())
    : undefined;
  const ownPaths =
    applied ?? new Set([...(owned ? pathsIn(owned.fieldsV1) : []), ...changed]);
  removed.forEach(path => ownPaths.delete(path));
  const ownFields = fieldsFrom(ownPaths);
  const isUntouched =
    owned && changed.size === 0 && sameJson(owned.fieldsV1, ownFields);

  const others = before
    .filter(entry => !isOwn(entry))
    .map(entry => ({
      ...entry,
      fieldsV1: fieldsFrom(
        [...pathsIn(entry.fieldsV1)].filter(
          path => !changed.has(path) && !removed.has(path),
        ),
      ),
    }));
  const own: ManagedFieldsEntry = {
    manager: options.fieldManager,
    operation,
    apiVersion: apiVersionOf(resource),
    time: isUntouched ? owned.time : now,
    fieldsType: 'FieldsV1',
    fieldsV1: ownFields,
    ...(subresource ? { subresource } : {}),
  };
  const entries = [...others, own].filter(
    entry => Object.keys(entry.fieldsV1).length > 0,
  );
  if (entries.length > 0) {
    next.metadata.managedFields = keepOrder(before, entries);
  }
}

/** Entries stay where they were, so that a write without effect is one. */
function keepOrder(
  before: ManagedFieldsEntry[],
  entries: ManagedFieldsEntry[],
): ManagedFieldsEntry[] {
  const position = (entry: ManagedFieldsEntry) => {
    const index = before.findIndex(
      other =>
        other.manager === entry.manager &&
        other.operation === entry.operation &&
        other.subresource === entry.subresource,
    );
    return index < 0 ? before.length : index;
  };
  return [...entries].sort((one, other) => position(one) - position(other));
}
