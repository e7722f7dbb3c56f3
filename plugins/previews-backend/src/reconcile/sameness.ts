import { StoredPreview } from '../model';

/**
 * Whether two states of a preview are equal but for the times that facts were
 * read at. Keys may stand in another order and undefined ones be left out, as
 * they come back from a database.
 */
export function isSame(before: StoredPreview, after: StoredPreview): boolean {
  return (
    isEqual(before.memory, after.memory) &&
    isEqual(before.preview, after.preview)
  );
}

/** Read times, wherever they stand. */
const IGNORED = new Set(['observedAt']);

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  ) {
    return false;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return (
      a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
    );
  }
  const [left, right] = [keysOf(a), keysOf(b)];
  return (
    left.length === right.length &&
    left.every(key =>
      isEqual(
        (a as Record<string, unknown>)[key],
        (b as Record<string, unknown>)[key],
      ),
    )
  );
}

function keysOf(object: object): string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    value === undefined || IGNORED.has(key) ? [] : [key],
  );
}
