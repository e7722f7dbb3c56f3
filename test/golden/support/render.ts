export {
  onboardingNames,
  parseOnboardingInput,
  renderOnboarding,
  type OnboardingInput,
  type OnboardingRequest,
  type RenderedFile,
} from '@previews/backstage-plugin-scaffolder-backend-module-previews';
