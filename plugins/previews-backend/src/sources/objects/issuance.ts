import { IssuanceCondition, IssuerReference } from '../../model';
import { parseConditions } from './conditions';
import { stableErrorOf } from './stableText';
import { compact, JsonObject, objectAt, wholeTextOf } from './values';

/** A condition of an object of cert-manager, with a message that stays the same over tries. */
export function conditionOf(
  status: JsonObject,
  type: string,
): IssuanceCondition | undefined {
  const condition = parseConditions(status.conditions).find(
    item => item.type === type,
  );
  return (
    condition &&
    compact({
      status: condition.status,
      reason: condition.reason,
      message: stableErrorOf(condition.message),
      lastTransitionAt: condition.lastTransitionAt,
      observedGeneration: condition.observedGeneration,
    })
  );
}

/** `spec.issuerRef` of a Certificate, of a CertificateRequest or of an Order. */
export function issuerOf(spec: JsonObject): IssuerReference | undefined {
  const reference = objectAt(spec, 'issuerRef');
  const name = wholeTextOf(reference.name);
  const group = wholeTextOf(reference.group);
  return name === undefined
    ? undefined
    : compact({
        kind: wholeTextOf(reference.kind) ?? 'Issuer',
        name,
        group: group === 'cert-manager.io' ? undefined : group,
      });
}
