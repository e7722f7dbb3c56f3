import { isDeepStrictEqual } from 'node:util';

/**
 * A copy as it would arrive over the wire: without undefined fields, with
 * dates as text, and safe to change.
 */
export function wireCopy<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** Whether a JSON value is an object, neither a list nor null. */
export function isJsonObject(value: unknown): value is Record<string, any> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Freezes a JSON value all the way down. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
