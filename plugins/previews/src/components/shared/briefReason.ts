import { Preview } from '@previews/backstage-plugin-previews-common';

/** Reasons that repeat what an ApplicationSet reports, by condition. */
const ofSet: Readonly<Record<string, readonly string[]>> = {
  ApplicationGenerated: ['GeneratorError', 'FrozenByGenerator'],
  Synced: ['OldCommit'],
  CleanedUp: ['FrozenByGenerator'],
};

/**
 * The reason without the text of an ApplicationSet's error, which is long, of the
 * set and so the same in all its rows. The sentence still says that there is one.
 */
export function briefReason(reason: Preview['reason']): Preview['reason'] {
  return reason &&
    Object.hasOwn(ofSet, reason.type) &&
    ofSet[reason.type].includes(reason.reason) &&
    reason.params.error !== undefined
    ? { ...reason, params: { ...reason.params, error: '' } }
    : reason;
}
