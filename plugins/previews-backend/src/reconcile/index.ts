export { clustersWithoutCertificates, issuancesIn } from './certificates';
export type { ClaimPolicy, EntityLink } from './claims';
export type { Decision } from './decide';
export { DecisionCache } from './decisionCache';
export {
  awaitedMergeRequests,
  diffWorld,
  RenderedNames,
  type DiffInput,
  type WorldDiff,
} from './diff';
export { subjectOf } from './further';
export { HeadChecks } from './headChecks';
export { byHostOf, isEnded, type Demand } from './demand';
export {
  decideChanged,
  type NarrowResult,
  type WorldChanges,
} from './narrowPass';
export { pathsOf } from './generator';
export { decideAll, type PassResult } from './pass';
export type { PassBasis } from './PassBasis';
export { defaultSettings, type DecisionSettings } from './settings';
export * from './tiers';
export { keyString, type WorldIndex } from './worldIndex';
