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

/** Read times and how long a visit took, wherever they stand: they differ with every reading. */
const IGNORED = new Set(['observedAt', 'milliseconds']);

/** Deep equality, but for the times that facts were read at. */
export function isEqual(a: unknown, b: unknown): boolean {
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
  return isEqualRecord(
    a as Record<string, unknown>,
    b as Record<string, unknown>,
  );
}

// Every preview is compared in every pass, so the values are looked at once.
function isEqualRecord(
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): boolean {
  let count = 0;
  for (const key of Object.keys(a)) {
    if (isCompared(a, key)) {
      if (!isEqual(a[key], b[key])) {
        return false;
      }
      count += 1;
    }
  }
  return count === Object.keys(b).filter(key => isCompared(b, key)).length;
}

function isCompared(object: Record<string, unknown>, key: string): boolean {
  return object[key] !== undefined && !IGNORED.has(key);
}
