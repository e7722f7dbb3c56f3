import { Phase } from '@previews/backstage-plugin-previews-common';

const ended: ReadonlySet<Phase> = new Set<Phase>([
  'TearingDown',
  'Gone',
  'NotSelected',
  'Orphaned',
]);

/** No set wants the preview: what once was well is no success of now. */
export function hasEnded(phase: Phase): boolean {
  return ended.has(phase);
}
