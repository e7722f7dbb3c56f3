import { InputError } from '@backstage/errors';

/** Values that a cursor carries: the sort key of the last row that was handed out. */
export type CursorValue = string | number;

/**
 * Opaque to callers. `kind` says what it continues, so that a cursor of another
 * sort order is refused instead of skipping rows.
 */
export function encodeCursor(
  kind: string,
  values: readonly CursorValue[],
): string {
  return Buffer.from(JSON.stringify([kind, ...values])).toString('base64url');
}

/**
 * @throws InputError when it is not a cursor of this kind and shape.
 */
export function decodeCursor(
  cursor: string,
  options: { kind: string; types: readonly ('string' | 'number')[] },
): CursorValue[] {
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (error) {
    throw new InputError('cursor: not one that this API handed out', error);
  }
  if (!Array.isArray(decoded)) {
    throw new InputError('cursor: not one that this API handed out');
  }
  const [kind, ...values] = decoded;
  if (kind !== options.kind) {
    throw new InputError('cursor: it belongs to a list in another order');
  }
  const fits =
    values.length === options.types.length &&
    values.every(
      (value, index) =>
        typeof value === options.types[index] &&
        (typeof value !== 'number' || Number.isSafeInteger(value)) &&
        (typeof value !== 'string' || !value.includes('\0')),
    );
  if (!fits) {
    throw new InputError('cursor: not one that this API handed out');
  }
  return values;
}
