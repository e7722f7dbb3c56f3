import { ApiStatusError, badRequest } from './errors';
import { isJsonObject, sameJson, wireCopy } from './json';
import { mergeKeyOf, mergesAsSet } from './mergeKeys';

/** Applies a JSON merge patch (RFC 7386). */
export function applyMergePatch(target: unknown, patch: unknown): any {
  if (!isJsonObject(patch)) {
    return patch;
  }
  const result: Record<string, any> = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else {
      result[key] = applyMergePatch(result[key], value);
    }
  }
  return result;
}

/** One operation of a JSON patch. */
export interface JsonPatchOperation {
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  path: string;
  from?: string;
  value?: unknown;
}

/**
 * Applies a JSON patch (RFC 6902).
 *
 * @throws ApiStatusError 422 when an operation or a test fails
 */
export function applyJsonPatch(
  target: unknown,
  operations: JsonPatchOperation[],
): any {
  if (!Array.isArray(operations)) {
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    );
  }
  // The document is wrapped so that the root, too, is a field of something.
  const holder = { root: wireCopy(target) };
  for (const operation of operations) {
    applyOperation(holder, operation);
  }
  return holder.root;
}

function applyOperation(holder: object, operation: JsonPatchOperation): void {
  const { op, path } = operation;
  switch (op) {
    case 'add':
      addAt(holder, path, operation.value);
      break;
    case 'remove':
      removeAt(holder, path);
      break;
    case 'replace':
      valueAt(holder, path);
      removeAt(holder, path);
      addAt(holder, path, operation.value);
      break;
    case 'move': {
      const from = operation.from ?? '';
      const value = valueAt(holder, from);
      removeAt(holder, from);
      addAt(holder, path, value);
      break;
    }
    case 'copy':
      addAt(holder, path, wireCopy(valueAt(holder, operation.from ?? '')));
      break;
    case 'test':
      if (!sameJson(valueAt(holder, path), operation.value)) {
        throw rejected(`testing value ${path} failed: test failed`);
      }
      break;
    default:
      throw rejected(`Unexpected kind: ${op}`);
  }
}

function tokensOf(pointer: string): string[] {
  if (pointer !== '' && !pointer.startsWith('/')) {
    throw rejected(`unable to parse path "${pointer}"`);
  }
  return [
    'root',
    ...pointer
      .split('/')
      .slice(1)
      .map(token => token.replace(/~1/g, '/').replace(/~0/g, '~')),
  ];
}

function locate(holder: object, pointer: string) {
  const tokens = tokensOf(pointer);
  let parent: any = holder;
  for (const token of tokens.slice(0, -1)) {
    parent = own(parent, token);
    if (typeof parent !== 'object' || parent === null) {
      throw missing(pointer);
    }
  }
  return { parent, token: tokens[tokens.length - 1] };
}

function own(parent: any, token: string): any {
  return Object.hasOwn(parent, token) ? parent[token] : undefined;
}

function valueAt(holder: object, pointer: string): unknown {
  const { parent, token } = locate(holder, pointer);
  const value = own(parent, token);
  if (value === undefined) {
    throw missing(pointer);
  }
  return value;
}

function addAt(holder: object, pointer: string, value: unknown): void {
  const { parent, token } = locate(holder, pointer);
  if (Array.isArray(parent)) {
    const index = token === '-' ? parent.length : Number(token);
    if (!Number.isInteger(index) || index < 0 || index > parent.length) {
      throw rejected(`Unable to access invalid index: ${token}`);
    }
    parent.splice(index, 0, value);
  } else {
    defineField(parent, token, value);
  }
}

function removeAt(holder: object, pointer: string): void {
  valueAt(holder, pointer);
  const { parent, token } = locate(holder, pointer);
  if (Array.isArray(parent)) {
    parent.splice(Number(token), 1);
  } else {
    delete parent[token];
  }
}

/** Unlike assignment, makes a field even of the name `__proto__`. */
function defineField(parent: object, name: string, value: unknown): void {
  Object.defineProperty(parent, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function missing(pointer: string): ApiStatusError {
  return rejected(
    `operation does not apply: doc is missing path: "${pointer}"`,
  );
}

function rejected(cause: string): ApiStatusError {
  return new ApiStatusError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {
      causes: [{ reason: 'UnexpectedServerResponse', message: cause }],
    },
  });
}

/**
 * Applies a strategic merge patch: as a merge patch, but lists of the built-in
 * kinds merge by key, and `$patch`, `$retainKeys`, `$setElementOrder` and
 * `$deleteFromPrimitiveList` are obeyed.
 */
export function applyStrategicMergePatch(target: unknown, patch: unknown): any {
  return mergeStrategically(target, patch, []);
}

const ORDER = '$setElementOrder/';
const DELETE_PRIMITIVES = '$deleteFromPrimitiveList/';

function mergeStrategically(
  target: unknown,
  patch: unknown,
  path: string[],
): any {
  if (Array.isArray(patch)) {
    return mergeLists(Array.isArray(target) ? target : [], patch, path);
  }
  if (!isJsonObject(patch)) {
    return patch;
  }
  if (patch.$patch === 'replace') {
    const { $patch: _directive, ...replacement } = patch;
    return replacement;
  }
  if (patch.$patch === 'delete') {
    return {};
  }
  const result: Record<string, any> = isJsonObject(target) ? { ...target } : {};
  if (Array.isArray(patch.$retainKeys)) {
    for (const key of Object.keys(result)) {
      if (!patch.$retainKeys.includes(key)) {
        delete result[key];
      }
    }
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) {
      continue;
    }
    if (value === null) {
      delete result[key];
    } else {
      result[key] = mergeStrategically(result[key], value, [...path, key]);
    }
  }
  applyListDirectives(result, patch, path);
  return result;
}

function applyListDirectives(
  result: Record<string, any>,
  patch: Record<string, any>,
  path: string[],
): void {
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(DELETE_PRIMITIVES)) {
      const field = key.slice(DELETE_PRIMITIVES.length);
      result[field] = (result[field] ?? []).filter(
        (item: unknown) => !value.includes(item),
      );
    }
    if (key.startsWith(ORDER)) {
      const field = key.slice(ORDER.length);
      if (Array.isArray(result[field])) {
        const mergeKey = mergeKeyOf([...path, field]);
        const identity = (item: any) => (mergeKey ? item?.[mergeKey] : item);
        const order: unknown[] = value.map(identity);
        const rank = (item: unknown) => {
          const index = order.indexOf(identity(item));
          return index < 0 ? order.length : index;
        };
        result[field] = [...result[field]].sort(
          (one, other) => rank(one) - rank(other),
        );
      }
    }
  }
}

function mergeLists(target: any[], patch: any[], path: string[]): any[] {
  if (patch.some(item => isJsonObject(item) && item.$patch === 'replace')) {
    return patch.filter(item => item?.$patch !== 'replace');
  }
  const key = mergeKeyOf(path);
  if (key && patch.every(isJsonObject)) {
    let result = [...target];
    for (const item of patch) {
      const index = result.findIndex(other => other?.[key] === item[key]);
      if (item.$patch === 'delete') {
        result = result.filter(other => other?.[key] !== item[key]);
      } else if (index < 0) {
        result.push(mergeStrategically(undefined, item, path));
      } else {
        result[index] = mergeStrategically(result[index], item, path);
      }
    }
    return result;
  }
  return mergesAsSet(path) ? [...new Set([...target, ...patch])] : patch;
}
