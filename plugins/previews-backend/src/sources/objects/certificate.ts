import { CertificateFact } from '../../model';
import { conditionOf, issuerOf } from './issuance';
import { isOfKind, parseObjectMeta, ParseContext } from './meta';
import {
  compact,
  integerOf,
  objectAt,
  textsOf,
  timeOf,
  wholeTextOf,
} from './values';

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
  return compact({
    meta,
    dnsNames: textsOf(spec.dnsNames),
    secretName: wholeTextOf(spec.secretName),
    issuer: issuerOf(spec),
    ready: conditionOf(status, 'Ready'),
    issuing: conditionOf(status, 'Issuing'),
    revision: integerOf(status.revision),
    notBefore: timeOf(status.notBefore),
    notAfter: timeOf(status.notAfter),
    renewalTime: timeOf(status.renewalTime),
    lastFailureTime: timeOf(status.lastFailureTime),
    failedIssuanceAttempts: integerOf(status.failedIssuanceAttempts),
  });
}
