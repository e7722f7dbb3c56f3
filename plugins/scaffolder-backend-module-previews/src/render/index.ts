export { refuseConflicts } from './conflicts';
export {
  onboardingInputSchema,
  parseOnboardingInput,
  refuseExpiredToken,
} from './input';
export type {
  OnboardingInput,
  OnboardingRequest,
  Tier,
  TierInput,
} from './input';
export { onboardingNames } from './names';
export type { OnboardingNames } from './names';
export { renderOnboarding } from './renderOnboarding';
export type { RenderedFile, SkeletonFile } from './files';
