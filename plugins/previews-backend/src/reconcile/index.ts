export type { ClaimPolicy, EntityLink } from './claims';
export { DecisionCache } from './decisionCache';
export { HeadChecks } from './headChecks';
export { decideAll, isEnded, type Demand, type PassResult } from './pass';
export { defaultSettings, type DecisionSettings } from './settings';
export { keyString } from './worldIndex';
