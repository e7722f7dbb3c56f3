import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import { InputError } from '@backstage/errors';

/**
 * The full ref of a query's `entityRef`, in the case that refs are stored in.
 * @throws InputError when it is none.
 */
export function readEntityRef(value: string): string {
  try {
    return stringifyEntityRef(parseEntityRef(value));
  } catch (error) {
    throw new InputError(
      'entityRef: must be a full entity ref, such as component:default/web',
      error,
    );
  }
}
