export { toldOf } from './challenges';
export { coverage } from './coverage';
export { diagnose } from './diagnose';
export type { Diagnosis } from './diagnose';
export {
  clustersWithoutCertificates,
  issuancesIn,
  type IssuanceOptions,
} from './issuances';
export { observeTls, watchesOfTls } from './observeTls';
export { stepsOf } from './steps';
export type {
  CertificateChain,
  ObservedCertificate,
  ObservedTls,
  ServedSecret,
  TlsEndpoint,
} from './types';
