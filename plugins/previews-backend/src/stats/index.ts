export {
  certificateBudgets,
  domainKey,
  ISSUANCES_KEPT_MILLISECONDS,
  letsEncryptLimits,
  registeredDomainOf,
  type AcmeLimits,
} from './certificateBudget';
export { endedSpans, type TimelineEvent } from './endedSpans';
export { isFirstTrouble } from './firstTrouble';
export { ObservationGaps } from './ObservationGaps';
export { summariseSpans } from './summariseSpans';
export {
  serviceOfPreview,
  UsualDurations,
  type Durations,
} from './UsualDurations';
