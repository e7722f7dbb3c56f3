export { coverage } from './coverage';
export { diagnose } from './diagnose';
export type { Diagnosis } from './diagnose';
export { observeTls, placesOfTls } from './observeTls';
export { stepsOf } from './steps';
export type {
  CertificateChain,
  ObservedCertificate,
  ObservedTls,
  ServedSecret,
  TlsEndpoint,
} from './types';
