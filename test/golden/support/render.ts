// The template's skeleton is no package, and neither is this folder one that others import.
// eslint-disable-next-line @backstage/no-relative-monorepo-imports
export {
  onboardingNames,
  parseOnboardingInput,
  renderOnboarding,
  type OnboardingInput,
  type OnboardingRequest,
  type RenderedFile,
} from '../../../plugins/scaffolder-backend-module-previews/src/render';
