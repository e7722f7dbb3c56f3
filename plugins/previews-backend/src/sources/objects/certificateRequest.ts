import { CertificateRequestFact } from '../../model';
import { conditionOf, issuerOf } from './issuance';
import { isOfKind, parseLeanMeta, ParseContext } from './meta';
import { compact, objectAt, timeOf } from './values';

const REVISION = 'cert-manager.io/certificate-revision';

/** Parses a CertificateRequest of cert-manager; undefined for anything else. */
export function parseCertificateRequest(
  value: unknown,
  context: ParseContext,
): CertificateRequestFact | undefined {
  if (
    !isOfKind(value, {
      kind: 'CertificateRequest',
      groups: ['cert-manager.io'],
    })
  ) {
    return undefined;
  }
  const meta = parseLeanMeta(value, context);
  if (!meta) {
    return undefined;
  }
  const status = objectAt(value, 'status');
  const revision = objectAt(value, 'metadata', 'annotations')[REVISION];
  return compact({
    meta,
    revision:
      typeof revision === 'string' && /^\d{1,9}$/.test(revision)
        ? Number(revision)
        : undefined,
    issuer: issuerOf(objectAt(value, 'spec')),
    ready: conditionOf(status, 'Ready'),
    approved: conditionOf(status, 'Approved'),
    denied: conditionOf(status, 'Denied'),
    invalid: conditionOf(status, 'InvalidRequest'),
    failureTime: timeOf(status.failureTime),
  });
}
