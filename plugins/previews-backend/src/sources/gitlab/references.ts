import { ProjectReference } from '../types';

/** Tells two references apart; paths of GitLab do not depend on case. */
export function referenceKeyOf(reference: ProjectReference): string {
  return 'id' in reference
    ? `id:${reference.id}`
    : `path:${reference.path.toLocaleLowerCase('en-US')}`;
}

/** The path, in lower case, of the key of a reference by path. */
export function pathOfKey(referenceKey: string): string | undefined {
  return referenceKey.startsWith('path:')
    ? referenceKey.slice('path:'.length)
    : undefined;
}

export function referenceNameOf(reference: ProjectReference): string {
  return 'id' in reference ? String(reference.id) : reference.path;
}

/**
 * Whether a reference can mean a project at all. Sets and annotations are
 * written by people; `..` must not get into the path of a call.
 */
export function isPossibleReference(reference: ProjectReference): boolean {
  return 'id' in reference
    ? Number.isSafeInteger(reference.id) && reference.id > 0
    : reference.path.length <= 1024 &&
        /^[^/\s]+(\/[^/\s]+)+$/.test(reference.path) &&
        !reference.path.split('/').some(part => /^\.+$/.test(part));
}
