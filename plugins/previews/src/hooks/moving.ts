import { Phase } from '@previews/backstage-plugin-previews-common';

/** Phases that end without a person doing something. */
const movingPhases: ReadonlySet<Phase> = new Set<Phase>([
  'Waiting',
  'Building',
  'Deploying',
  'Securing',
  'Updating',
  'TearingDown',
]);

/** Whether a preview is on its way somewhere. */
export function isMovingPhase(phase: Phase): boolean {
  return movingPhases.has(phase);
}
