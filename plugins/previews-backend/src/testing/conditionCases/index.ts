import { applicationGenerated, synced } from './argo';
import { certificateReady } from './certificates';
import { cleanedUp } from './cleanup';
import { imageBuilt } from './image';
import { mergeRequestOpen, selected } from './mergeRequest';
import { reachable } from './reachable';
import { routeAccepted } from './routes';
import { available } from './serving';
import { ConditionCases } from './types';

export type { ConditionCase, ConditionCases } from './types';

/** Every state that the conditions are held to. */
export const conditionCases: ConditionCases = {
  MergeRequestOpen: mergeRequestOpen,
  Selected: selected,
  ImageBuilt: imageBuilt,
  ApplicationGenerated: applicationGenerated,
  Synced: synced,
  Available: available,
  CertificateReady: certificateReady,
  RouteAccepted: routeAccepted,
  Reachable: reachable,
  CleanedUp: cleanedUp,
};
