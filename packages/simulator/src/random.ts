/**
 * A source of repeatable randomness: the same seed gives the same run.
 *
 * @public
 */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
  /** An integer from `minimum` to `maximum`, both included. */
  integer(minimum: number, maximum: number): number;
  /** One of the given values; throws a RangeError when there is none. */
  pick<T>(values: readonly T[]): T;
  /** A string of so many lower case hexadecimal digits. */
  hex(digits: number): string;
}

/**
 * Creates a generator (mulberry32) from a seed; text seeds are hashed (FNV-1a).
 *
 * @public
 */
export function createRandom(seed: number | string): Random {
  let state = typeof seed === 'number' ? seed >>> 0 : hash(seed);

  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (minimum: number, maximum: number) =>
    minimum + Math.floor(next() * (maximum - minimum + 1));

  return {
    next,
    integer,
    pick(values) {
      if (values.length === 0) {
        throw new RangeError('Nothing to pick from');
      }
      return values[integer(0, values.length - 1)];
    },
    hex: digits =>
      Array.from({ length: digits }, () => integer(0, 15).toString(16)).join(
        '',
      ),
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) {
    value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  }
  return value;
}
