import { RouteParentReference } from '../../model';

/** A parent as a sentence names it, such as `Gateway gateways/public (https)`. */
export function parentName({
  kind,
  namespace,
  name,
  sectionName,
}: RouteParentReference): string {
  return `${kind} ${namespace}/${name}${
    sectionName ? ` (${sectionName})` : ''
  }`;
}

export function isSameParent(
  a: RouteParentReference,
  b: RouteParentReference,
): boolean {
  return (
    a.kind === b.kind &&
    a.namespace === b.namespace &&
    a.name === b.name &&
    (a.sectionName ?? '') === (b.sectionName ?? '') &&
    (a.port ?? 0) === (b.port ?? 0)
  );
}
