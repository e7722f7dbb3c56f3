import { CertificateFact } from '../../model';
import { ObservedNamespace } from '../gather';
import { kindUnknown } from '../readability';
import { hasElapsed } from '../time';
import { Verdict, verdict, worst } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'CertificateReady';

/** Whether the preview's own Certificates are valid; absent where it has none. */
export function certificateReady(context: PolicyContext): Verdict | undefined {
  const { observed, now, settings, wanted } = context;
  if (!wanted || observed.applications.length === 0) {
    return undefined;
  }
  const verdicts = observed.namespaces.flatMap(namespace => {
    const unread = kindUnknown(TYPE, namespace.cluster, 'certificates', {
      now,
      settings,
    });
    return unread
      ? [unread]
      : namespace.certificates.map(fact => ofCertificate(fact, now));
  });
  return worst(TYPE, verdicts);
}

/**
 * The state of one Certificate. Ready may stay True past the expiry date when the
 * controller is down, and while a renewal runs or fails; an issuance that failed
 * shows as Issuing=False, since success removes the condition.
 */
export function ofCertificate(fact: CertificateFact, now: string): Verdict {
  const certificate = fact.meta.name;
  const hosts = fact.dnsNames;
  const { notAfter, ready, issuing } = fact;
  if (notAfter !== undefined && hasElapsed(notAfter, now, 0)) {
    return verdict(TYPE, 'False', 'Expired', { certificate, notAfter });
  }
  if (ready?.status === 'True') {
    return verdict(TYPE, 'True', 'Ready', {
      certificate,
      notAfter,
      issuer: fact.issuer?.name,
    });
  }
  if (issuing?.status === 'False') {
    return verdict(TYPE, 'False', 'IssuanceFailed', {
      certificate,
      hosts,
      error: issuing.message ?? issuing.reason ?? '',
      attempts: fact.failedIssuanceAttempts,
    });
  }
  const since =
    issuing?.lastTransitionAt ?? ready?.lastTransitionAt ?? fact.meta.createdAt;
  return verdict(TYPE, 'False', 'Issuing', { certificate, hosts, since });
}

/** Every Certificate of the preview with its namespace. */
export function certificatesOf(
  namespaces: readonly ObservedNamespace[],
): { namespace: ObservedNamespace; fact: CertificateFact }[] {
  return namespaces.flatMap(namespace =>
    namespace.certificates.map(fact => ({ namespace, fact })),
  );
}
