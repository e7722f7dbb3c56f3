import { CertificateFact } from '../../model';
import { addSeconds, latest } from '../time';
import { retryAfterOf } from './causes';

const HOUR = 3600;
const MOST_DOUBLINGS = 5;

/**
 * When cert-manager tries a failed issuance again: an hour after the first
 * failure, doubling to 32 hours. Not before the time that the ACME server names,
 * since it would be refused. Undefined where neither is told.
 */
export function nextTryOf(
  fact: CertificateFact,
  texts: readonly (string | undefined)[],
): string | undefined {
  return latest(backOffOf(fact), ...texts.map(retryAfterOf));
}

function backOffOf({
  meta,
  issuing,
  lastFailureTime,
  failedIssuanceAttempts: attempts = 1,
}: CertificateFact): string | undefined {
  const isFailing = issuing?.status === 'False';
  // After a change of the spec cert-manager does not wait.
  const isOfThisSpec =
    issuing?.observedGeneration === undefined ||
    meta.generation === undefined ||
    issuing.observedGeneration >= meta.generation;
  if (!isFailing || !isOfThisSpec || lastFailureTime === undefined) {
    return undefined;
  }
  const doublings = Math.min(Math.max(attempts - 1, 0), MOST_DOUBLINGS);
  return addSeconds(lastFailureTime, HOUR * 2 ** doublings);
}
