/**
 * Readers of hostile data: each gives a value of the asked type or nothing, and
 * none throws. Manifests come from files and clusters as they are.
 */
export type JsonObject = Record<string, unknown>;

/** Where something is in an object. */
export type Path = readonly (string | number)[];

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The value at the end of a path; undefined where it leads nowhere. */
export function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const key of path) {
    if (
      typeof current !== 'object' ||
      current === null ||
      !Object.hasOwn(current, key)
    ) {
      return undefined;
    }
    current = (current as Record<string | number, unknown>)[key];
  }
  return current;
}

/** The object at the end of a path; an empty one when there is none. */
export function objectAt(value: unknown, ...path: Path): JsonObject {
  return asObject(valueAt(value, path)) ?? {};
}

/** The list at the end of a path; an empty one when there is none. */
export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}

/** The objects of a list, with their places in it. */
export function objectsAt(
  value: unknown,
  ...path: Path
): { object: JsonObject; path: Path }[] {
  return listAt(value, ...path).flatMap((item, index) => {
    const object = asObject(item);
    return object ? [{ object, path: [...path, index] }] : [];
  });
}

/** The text at the end of a path; an empty one when there is none. */
export function textAt(value: unknown, ...path: Path): string {
  const text = valueAt(value, path);
  if (typeof text === 'number') {
    return String(text);
  }
  return typeof text === 'string' ? text : '';
}

/** The texts of the list at the end of a path. */
export function textsAt(value: unknown, ...path: Path): string[] {
  return listAt(value, ...path).filter(item => typeof item === 'string');
}

/** `spec.template.spec.containers[0].image`. */
export function pathText(path: Path): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') {
        return `[${key}]`;
      }
      if (!/^[\w$-]+$/.test(key)) {
        return `["${key}"]`;
      }
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}

/** Aliases of YAML may make an object that contains itself. */
const MAXIMUM_DEPTH = 30;

/** Most values that are looked at below one object. */
const MAXIMUM_VALUES = 50_000;

/** Longest text that is searched. */
const MAXIMUM_TEXT = 100_000;

/** Every text below a value, with its path; bounded, cut where it is very long. */
export function* textsBelow(
  value: unknown,
  start: Path = [],
): Generator<{ text: string; path: Path }> {
  let left = MAXIMUM_VALUES;
  const pending: { value: unknown; path: Path }[] = [{ value, path: start }];
  while (pending.length > 0 && left > 0) {
    left -= 1;
    const { value: current, path } = pending.pop()!;
    if (typeof current === 'string') {
      yield { text: current.slice(0, MAXIMUM_TEXT), path };
    } else if (
      typeof current === 'object' &&
      current !== null &&
      path.length < start.length + MAXIMUM_DEPTH
    ) {
      const members: [string | number, unknown][] = Array.isArray(current)
        ? current.slice(0, left).map((item, index) => [index, item])
        : Object.entries(current).slice(0, left);
      // The last one is taken first.
      for (const [key, member] of members.reverse()) {
        pending.push({ value: member, path: [...path, key] });
      }
    }
  }
}
