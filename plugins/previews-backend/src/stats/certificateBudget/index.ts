export {
  certificateBudgets,
  domainKey,
  ISSUANCES_KEPT_MILLISECONDS,
  type BudgetOptions,
} from './certificateBudgets';
export { letsEncryptLimits, type AcmeLimits } from './limits';
export { registeredDomainOf } from './registeredDomain';
