export * from './simulator';
export { AcmeServer, type AcmeBudget } from './acme/acmeServer';
export type { AcmeLimitName, AcmeLimits } from './acme/limits';
export { AwsFaults } from './aws/faults';
export { startAwsServer, type AwsRequest, type AwsServer } from './aws/server';
export { DnsZones, type HostedZone, type RecordSet } from './aws/zones';
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
export type {
  CertificateReference,
  Control,
  ControlledMergeRequest,
  TagOptions,
} from './control/control';
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
export type { CertificateMode } from './controllers/chartValues';
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
export type { IssuerOptions } from './scenarios/edge';
export {
  ScenarioBuilder,
  type AddServiceOptions,
  type Service,
  type ServiceTemplate,
} from './scenarios/scenarioBuilder';
