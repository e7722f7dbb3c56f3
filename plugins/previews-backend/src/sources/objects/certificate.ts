import { CertificateFact } from '../../model';
import { ParsedCondition, parseConditions } from './conditions';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import {
  compact,
  integerOf,
  objectAt,
  textsOf,
  timeOf,
  wholeTextOf,
} from './values';

function conditionOf(
  conditions: ParsedCondition[],
  type: string,
): CertificateFact['ready'] {
  const condition = conditions.find(item => item.type === type);
  if (!condition) {
    return undefined;
  }
  const { status, reason, message, lastTransitionAt } = condition;
  return compact({ status, reason, message, lastTransitionAt });
}

/** Parses a Certificate of cert-manager; undefined for anything else. */
export function parseCertificate(
  value: unknown,
  context: ParseContext,
): CertificateFact | undefined {
  if (!isOfKind(value, { kind: 'Certificate', groups: ['cert-manager.io'] })) {
    return undefined;
  }
  const meta = parseObjectMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const spec = objectAt(value, 'spec');
  const status = objectAt(value, 'status');
  const issuerName = wholeTextOf(objectAt(spec, 'issuerRef').name);
  const conditions = parseConditions(status.conditions);
  return compact({
    meta,
    dnsNames: textsOf(spec.dnsNames),
    secretName: wholeTextOf(spec.secretName),
    issuer:
      issuerName === undefined
        ? undefined
        : {
            kind: wholeTextOf(objectAt(spec, 'issuerRef').kind) ?? 'Issuer',
            name: issuerName,
          },
    ready: conditionOf(conditions, 'Ready'),
    issuing: conditionOf(conditions, 'Issuing'),
    notBefore: timeOf(status.notBefore),
    notAfter: timeOf(status.notAfter),
    renewalTime: timeOf(status.renewalTime),
    lastFailureTime: timeOf(status.lastFailureTime),
    failedIssuanceAttempts: integerOf(status.failedIssuanceAttempts),
  });
}
