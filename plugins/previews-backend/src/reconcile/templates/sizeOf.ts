const sizes = new WeakMap<object, number>();

/**
 * Characters of a value when it is written out, roughly. What is shared counts
 * wherever it stands, and what contains itself is infinite: a list that holds
 * another one twice, and so on, is small in memory and endless on paper.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') {
    return value.length;
  }
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  const known = sizes.get(value);
  if (known !== undefined) {
    return known;
  }
  sizes.set(value, Infinity);
  let size = 1;
  for (const [key, item] of Object.entries(value)) {
    size += 1 + sizeOf(item) + (Array.isArray(value) ? 0 : key.length);
  }
  sizes.set(value, size);
  return size;
}
