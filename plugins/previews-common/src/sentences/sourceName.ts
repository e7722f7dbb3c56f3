import { SourceState } from '../types';

/**
 * What the id of a source names; undefined for a kind that this version does
 * not know.
 */
export function parseSourceId(
  id: string,
): Pick<SourceState, 'kind' | 'name'> | undefined {
  const match = /^(gitlab|cluster):(.+)$/.exec(id);
  return match
    ? { kind: match[1] as SourceState['kind'], name: match[2] }
    : undefined;
}
