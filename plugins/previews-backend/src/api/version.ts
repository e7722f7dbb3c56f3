import { createHash } from 'node:crypto';
import { SourceState } from '@previews/backstage-plugin-previews-common';

/** One short text for all parts, in their order. */
export function versionOf(parts: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify(parts))
    .digest('base64url')
    .slice(0, 32);
}

/**
 * States without the times of reading, which change with every poll and must not
 * make every browser fetch what it already has.
 */
export function withoutReadTimes(
  states: readonly SourceState[],
): Omit<SourceState, 'lastCompleteAt'>[] {
  return states.map(({ lastCompleteAt: _, ...state }) => state);
}
