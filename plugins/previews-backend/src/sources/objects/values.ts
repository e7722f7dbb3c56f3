/**
 * Readers of hostile JSON: each gives a value of the asked type or nothing, and
 * none throws.
 */

/** Longest text that is kept. */
export const MAXIMUM_TEXT = 2000;

/** Most items that are kept of a list, where a parser names no other number. */
export const MAXIMUM_ITEMS = 200;

export type JsonObject = Record<string, unknown>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The object at the end of a path; an empty one when there is none. */
export function objectAt(value: unknown, ...path: string[]): JsonObject {
  let current: unknown = value;
  for (const key of path) {
    current = asObject(current)?.[key];
  }
  return asObject(current) ?? {};
}

/** The objects of a list; anything else in it is left out. */
export function objectsOf(
  value: unknown,
  maximum: number = MAXIMUM_ITEMS,
): JsonObject[] {
  const objects: JsonObject[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      const object = asObject(item);
      if (object) {
        objects.push(object);
        if (objects.length === maximum) {
          break;
        }
      }
    }
  }
  return objects;
}

/** A text, cut to the maximum; an empty one counts as none. */
export function textOf(
  value: unknown,
  maximum: number = MAXIMUM_TEXT,
): string | undefined {
  if (typeof value !== 'string' || value === '') {
    return undefined;
  }
  // Slices of long strings keep the whole string alive.
  return value.length > maximum
    ? Buffer.from(value.slice(0, maximum)).toString()
    : value;
}

/**
 * A text that would mean something else when cut, such as a URL, a name or an
 * image; too long a one is none.
 */
export function wholeTextOf(
  value: unknown,
  maximum: number = MAXIMUM_TEXT,
): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maximum
    ? value
    : undefined;
}

/** The non-empty texts of a list that are not too long. */
export function textsOf(
  value: unknown,
  maximum: number = MAXIMUM_ITEMS,
): string[] {
  const texts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      const text = wholeTextOf(item);
      if (text !== undefined) {
        texts.push(text);
        if (texts.length === maximum) {
          break;
        }
      }
    }
  }
  return texts;
}

export function integerOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** Zero or more; anything else is the default. */
export function countOf(value: unknown, defaultCount: number = 0): number {
  const integer = integerOf(value);
  return integer !== undefined && integer >= 0 ? integer : defaultCount;
}

/** A time in ISO 8601 UTC: as given where it is in UTC, else converted. */
export function timeOf(value: unknown): string | undefined {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)$/.test(
      value,
    )
  ) {
    return undefined;
  }
  const time = Date.parse(value);
  if (Number.isNaN(time)) {
    return undefined;
  }
  return value.endsWith('Z') ? value : new Date(time).toISOString();
}

/** One of the allowed words, else the default. */
export function wordOf<T extends string, D extends string | undefined>(
  value: unknown,
  words: readonly T[],
  defaultWord: D,
): T | D {
  return words.includes(value as T) ? (value as T) : defaultWord;
}

/** A map of texts; `keep` decides by key and value which ones. */
export function textMapOf(
  value: unknown,
  keep: (key: string, value: string) => boolean = () => true,
): Record<string, string> {
  const texts: Record<string, string> = {};
  let count = 0;
  for (const [key, item] of Object.entries(asObject(value) ?? {})) {
    if (
      typeof item === 'string' &&
      key.length <= MAXIMUM_TEXT &&
      key !== '__proto__' &&
      keep(key, item)
    ) {
      texts[key] = textOf(item) ?? '';
      count += 1;
      if (count === MAXIMUM_ITEMS) {
        break;
      }
    }
  }
  return texts;
}

/**
 * An object without its undefined members, so that facts compare by value. Put
 * together anew: an object that members were deleted from takes several times the
 * memory for as long as it lives, and tens of thousands are kept.
 */
export function compact<T extends object>(object: T): T {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    if (value !== undefined) {
      result[key] = value;
    }
  }
  return result as T;
}

/**
 * A copy of an object that is kept as written, bounded in depth, items and
 * characters; what is beyond the bounds is left out.
 */
export function boundedCopy(
  value: JsonObject,
  options: { characters: number },
): JsonObject {
  let left = options.characters;
  const copy = (item: unknown, depth: number): unknown => {
    if (typeof item === 'string') {
      const text = textOf(item, Math.max(left, 0)) ?? '';
      left -= text.length;
      return text;
    }
    if (typeof item !== 'object' || item === null) {
      left -= 8;
      return item;
    }
    // Empty ones cost too: aliases of YAML may make a list that contains itself.
    left -= 1;
    if (depth > 30) {
      return undefined;
    }
    if (Array.isArray(item)) {
      const items: unknown[] = [];
      for (const member of item) {
        if (left <= 0) {
          break;
        }
        items.push(copy(member, depth + 1));
      }
      return items;
    }
    const members: JsonObject = {};
    for (const [key, member] of Object.entries(item)) {
      if (left <= 0) {
        break;
      }
      if (key !== '__proto__') {
        left -= key.length;
        members[key] = copy(member, depth + 1);
      }
    }
    return members;
  };
  return copy(value, 0) as JsonObject;
}
