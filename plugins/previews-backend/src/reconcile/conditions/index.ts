import { ConditionType } from '@previews/backstage-plugin-previews-common';
import { Verdict } from '../verdict';
import { applicationGenerated } from './applicationGenerated';
import { available } from './available';
import { certificateReady } from './certificateReady';
import { cleanedUp } from './cleanedUp';
import { PolicyContext } from './context';
import { imageBuilt } from './imageBuilt';
import { reachable } from './reachable';
import { routeAccepted } from './routeAccepted';
import { synced } from './synced';

export type { PolicyContext } from './context';
export { errorOfSet } from './applicationGenerated';
export { hasUndeletedLeftovers } from './cleanedUp';
export { afterPull, expectedTag, pipelineOfHead } from './imageBuilt';
export { mergeRequestOpen } from './mergeRequestOpen';
export { settledTimes } from './podProblem';
export { selected } from './selected';

export type Verdicts = Partial<Record<ConditionType, Verdict>>;

/** All conditions after `Selected`, in the order of a preview's life; those that do not apply are left out. */
export function evaluateConditions(context: PolicyContext): Verdicts {
  const image = imageBuilt(context);
  const serving = available({ ...context, imageBuilt: image });
  const route = routeAccepted(context);
  const verdicts: Verdicts = {
    ImageBuilt: image,
    ApplicationGenerated: applicationGenerated(context),
    Synced: synced(context),
    Available: serving,
    CertificateReady: certificateReady(context),
    RouteAccepted: route,
    Reachable: reachable({
      ...context,
      available: serving,
      routeAccepted: route,
    }),
    CleanedUp: cleanedUp(context),
  };
  return Object.fromEntries(
    Object.entries(verdicts).filter(([, found]) => found !== undefined),
  );
}
