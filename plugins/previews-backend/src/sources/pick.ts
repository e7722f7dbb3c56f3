/** The entries of these keys, where there are any. */
export function pick<T>(
  all: ReadonlyMap<string, T>,
  keys: Iterable<string>,
): Map<string, T> {
  const picked = new Map<string, T>();
  for (const key of keys) {
    const found = all.get(key);
    if (found !== undefined) {
      picked.set(key, found);
    }
  }
  return picked;
}
