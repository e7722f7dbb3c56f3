export { draftTier, withRelease, type TierDraft } from './draftTier';
export { TierFinder, type FoundTier } from './findTiers';
export { handChangesOf } from './handChanges';
export { deploymentsOf, type Deployment } from './history';
export {
  mergeDrift,
  outOfSync,
  type Resource,
  type SeenChanges,
} from './mergeDrift';
export {
  comparisonOf,
  distanceOf,
  distanceQuestion,
  releasedCommit,
  releaseQuestion,
  type Comparison,
  type HostQuestion,
} from './questions';
