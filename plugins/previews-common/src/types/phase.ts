/**
 * All phases, those that need a person first. Lists are sorted by this order.
 *
 * @public
 */
export const phases = [
  'Failed',
  'Degraded',
  'Orphaned',
  'Unknown',
  'Updating',
  'Building',
  'Waiting',
  'Deploying',
  'Securing',
  'TearingDown',
  'Live',
  'NotSelected',
  'Gone',
] as const;

/**
 * One word derived from the conditions of a preview.
 *
 * @public
 */
export type Phase = (typeof phases)[number];
