import { PermissionCriteria } from '@backstage/plugin-permission-common';
import {
  isAndCriteria,
  isNotCriteria,
  isOrCriteria,
} from '@backstage/plugin-permission-node';
import { VisibilityCriteria } from '../store';
import { PreviewPermissionFilter } from './permissions';

/**
 * Criteria of a policy as the store applies them. Owners are resolved to the
 * entities that they own, since the store knows only entity refs.
 */
export async function toCriteria(
  criteria: PermissionCriteria<PreviewPermissionFilter>,
  options: { ownedBy(owners: readonly string[]): Promise<string[]> },
): Promise<VisibilityCriteria> {
  const convertAll = (parts: PermissionCriteria<PreviewPermissionFilter>[]) =>
    Promise.all(parts.map(part => toCriteria(part, options)));
  if (isAndCriteria(criteria)) {
    return { allOf: await convertAll(criteria.allOf) };
  }
  if (isOrCriteria(criteria)) {
    return { anyOf: await convertAll(criteria.anyOf) };
  }
  if (isNotCriteria(criteria)) {
    return { not: await toCriteria(criteria.not, options) };
  }
  return 'owners' in criteria
    ? { entityRefs: await options.ownedBy(criteria.owners) }
    : { entityRefs: criteria.entityRefs };
}

/** Whether a preview that exactly these entities claim meets the criteria. */
export function meetsCriteria(
  criteria: VisibilityCriteria,
  entityRefs: readonly string[],
): boolean {
  if ('allOf' in criteria) {
    return criteria.allOf.every(part => meetsCriteria(part, entityRefs));
  }
  if ('anyOf' in criteria) {
    return criteria.anyOf.some(part => meetsCriteria(part, entityRefs));
  }
  if ('not' in criteria) {
    return !meetsCriteria(criteria.not, entityRefs);
  }
  return criteria.entityRefs.some(ref => entityRefs.includes(ref));
}
