export {
  certificateBudgets,
  domainKey,
  ISSUANCES_KEPT_MILLISECONDS,
  letsEncryptLimits,
  type AcmeLimits,
  type BudgetOptions,
} from './certificateBudgets';
export { registeredDomainOf } from './registeredDomain';
