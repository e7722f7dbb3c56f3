export * from './simulator';
export { ArgocdFaults } from './argocd/faults';
export {
  startArgocdServer,
  type ArgocdRequest,
  type ArgocdServer,
  type ArgocdServerOptions,
} from './argocd/server';
export type { Clock, RealClock } from './clock';
export { createRealClock } from './clock';
export { createRandom, type Random } from './random';
export type { Control, ControlledMergeRequest } from './control/control';
export {
  faultNames,
  STUCK_FINALIZER,
  type SimulatorFaults,
} from './control/faults';
export {
  PlatformFaults,
  type PlatformFaultKind,
  type PlatformFaultValues,
} from './controllers/faults';
export type { Delays, Platform, PlatformCluster } from './controllers/platform';
export {
  gitlabAnswers,
  GitLabFaults,
  type FaultyAnswer,
  type PathFault,
} from './gitlab/faults';
export type * from './gitlab/model';
export {
  startGitlabServer,
  type GitLabServer,
  type GitLabServerOptions,
  type RecordedRequest,
} from './gitlab/server';
export * from './gitlab/state';
export { standardWebhookSignature, type Delivery } from './gitlab/webhooks';
export * from './kubernetes';
export {
  ScenarioBuilder,
  type AddServiceOptions,
  type Service,
  type ServiceTemplate,
} from './scenarios/scenarioBuilder';
