import { createHash } from 'node:crypto';
import { MergeRequestKey } from './mergeRequest';

/**
 * The id of a preview on the wire: opaque, `[a-z0-9-]`, and stable over renames
 * of the project, since only the host and GitLab's numbers go into it.
 */
export function previewIdOf(key: MergeRequestKey): string {
  const host = createHash('sha256').update(key.host).digest('hex').slice(0, 8);
  return `${host}-${key.projectId}-${key.iid}`;
}
