import { ApiStatusError } from './errors';
import { isJsonObject, sameJson, wireCopy } from './json';
import { leavesOf, pathsIn } from './managedFields';
import { mergeKeyOf, mergesAsSet } from './mergeKeys';
import type { KubernetesObject } from './object';
import type { ResourceDefinition } from './resources';

/**
 * Merges an applied configuration into an object: sets what it says, and takes
 * away what the manager applied before and says no longer.
 *
 * @throws ApiStatusError 409 when it would change what others own, unless forced
 */
export function applyConfiguration(options: {
  resource: ResourceDefinition;
  current: KubernetesObject;
  configuration: Record<string, any>;
  fieldManager: string;
  force: boolean;
}): KubernetesObject {
  const { resource, current, configuration, fieldManager } = options;
  if (!options.force) {
    checkConflicts(options);
  }
  const merged = merge(current, configuration, [], resource);

  const applied = leavesOf(configuration, resource);
  const entries = current.metadata.managedFields ?? [];
  const isOwn = ({ manager, operation }: (typeof entries)[number]) =>
    manager === fieldManager && operation === 'Apply';
  const ownedByOthers = new Set(
    entries
      .filter(entry => !isOwn(entry))
      .flatMap(entry => [...pathsIn(entry.fieldsV1)]),
  );
  for (const entry of entries.filter(isOwn)) {
    for (const path of pathsIn(entry.fieldsV1)) {
      if (!applied.has(path) && !ownedByOthers.has(path)) {
        removePath(merged, path.split('\n'));
      }
    }
  }
  return merged;
}

function checkConflicts(options: {
  resource: ResourceDefinition;
  current: KubernetesObject;
  configuration: Record<string, any>;
  fieldManager: string;
}): void {
  const { resource, current, configuration, fieldManager } = options;
  const live = leavesOf(current, resource);
  const wanted = leavesOf(configuration, resource);
  const conflicts = (current.metadata.managedFields ?? [])
    .filter(entry => entry.manager !== fieldManager)
    .flatMap(entry =>
      [...pathsIn(entry.fieldsV1)]
        .filter(path => {
          const value = wanted.get(path);
          return value && !sameJson(value.value, live.get(path)?.value);
        })
        .map(path => ({
          field: path
            .split('\n')
            .map(element =>
              element.startsWith('f:')
                ? `.${element.slice(2)}`
                : `[${element.slice(2)}]`,
            )
            .join(''),
          by: `"${entry.manager}" using ${entry.apiVersion}`,
        })),
    );
  if (conflicts.length > 0) {
    throw new ApiStatusError({
      code: 409,
      reason: 'Conflict',
      message: `Apply failed with ${conflicts.length} conflict${
        conflicts.length === 1 ? '' : 's'
      }: ${conflicts
        .map(({ field, by }) => `conflict with ${by}: ${field}`)
        .join('\n')}`,
      details: {
        causes: conflicts.map(({ field, by }) => ({
          reason: 'FieldManagerConflict',
          message: `conflict with ${by}`,
          field,
        })),
      },
    });
  }
}

function merge(
  current: unknown,
  wanted: unknown,
  path: string[],
  resource: ResourceDefinition,
): any {
  if (isJsonObject(wanted)) {
    const result: Record<string, any> = isJsonObject(current)
      ? wireCopy(current)
      : {};
    for (const [field, value] of Object.entries(wanted)) {
      result[field] = merge(result[field], value, [...path, field], resource);
    }
    return result;
  }
  const merges = !resource.custom || path[0] === 'metadata';
  if (Array.isArray(wanted) && Array.isArray(current) && merges) {
    const key = mergeKeyOf(path);
    if (key) {
      const result = wireCopy(current);
      for (const item of wanted) {
        const index = result.findIndex(other => other?.[key] === item?.[key]);
        if (index < 0) {
          result.push(item);
        } else {
          result[index] = merge(result[index], item, path, resource);
        }
      }
      return result;
    }
    if (mergesAsSet(path)) {
      return [...new Set([...current, ...wanted])];
    }
  }
  return wanted;
}

function removePath(target: any, path: string[]): void {
  const [element, ...rest] = path;
  if (typeof target !== 'object' || target === null) {
    return;
  }
  if (element.startsWith('f:')) {
    const field = element.slice(2);
    const next = target[field];
    if (rest.length === 0) {
      delete target[field];
      return;
    }
    if (Array.isArray(next)) {
      target[field] = withoutItem(next, rest);
      return;
    }
    removePath(next, rest);
    if (isJsonObject(next) && Object.keys(next).length === 0) {
      delete target[field];
    }
  }
}

function withoutItem(list: any[], path: string[]): any[] {
  const [element, ...rest] = path;
  const identity = JSON.parse(element.slice(2));
  const matches = (item: any) =>
    element.startsWith('k:')
      ? Object.entries(identity).every(([key, value]) => item?.[key] === value)
      : sameJson(item, identity);
  if (element.startsWith('v:') || rest[0] === '.') {
    return list.filter(item => !matches(item));
  }
  list.filter(matches).forEach(item => removePath(item, rest));
  return list;
}
