import { InputError, isError } from '@backstage/errors';

/**
 * Reads all parts of a configuration, so that whoever mends it sees at once what is
 * wrong with each of them.
 *
 * @throws InputError that names the key of every part that is malformed, and no value.
 */
export function readParts<Parts extends object>(readers: {
  [Name in keyof Parts]: () => Parts[Name];
}): Parts {
  const parts: Partial<Parts> = {};
  const errors: Error[] = [];
  for (const name of Object.keys(readers) as (keyof Parts)[]) {
    try {
      parts[name] = readers[name]();
    } catch (error) {
      if (!isError(error)) {
        throw error;
      }
      errors.push(error);
    }
  }
  if (errors.length > 0) {
    throw malformed(errors);
  }
  return parts as Parts;
}

function malformed(errors: readonly Error[]): Error {
  const [first] = errors;
  if (errors.length > 1) {
    const told = errors.map(({ message }) => message).join('; ');
    return new InputError(
      `${errors.length} parts of the configuration are malformed: ${told}`,
    );
  }
  // The errors of the reader of Backstage name the key, but are no input errors.
  return first.name === 'InputError'
    ? first
    : new InputError('The configuration is malformed', first);
}
