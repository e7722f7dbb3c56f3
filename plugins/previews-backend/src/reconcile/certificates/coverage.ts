import { isCoveredBy } from '../routes/hosts';
import { Verdict, verdict, worst } from '../verdict';
import { diagnose, DiagnosisOptions } from './diagnose';
import { ObservedCertificate, ObservedTls, TlsEndpoint } from './types';

const TYPE = 'CertificateReady';

/**
 * Whether the certificates that serve the preview's hosts are valid and name
 * them, and whether its own Certificates are. What serves a host is known only
 * where every Secret of its listener or Ingress is filled by a Certificate that is
 * read; else an own Certificate that names the host stands for it, and without
 * one it is not observed.
 */
export function coverage(
  { certificates, endpoints }: ObservedTls,
  options: DiagnosisOptions,
): Verdict | undefined {
  const own = certificates.filter(certificate => certificate.own);
  const served = endpoints.flatMap(
    endpoint => ofEndpoint(endpoint, own, options) ?? [],
  );
  const needed = own.filter(
    certificate => !isSurplus(certificate, endpoints, options),
  );
  return worst(TYPE, [
    ...needed.map(certificate => diagnose(certificate, options).verdict),
    ...served,
  ]);
}

/** Certificates of a Secret that name a host. */
function covering(endpoint: TlsEndpoint, options: DiagnosisOptions): Verdict[] {
  return endpoint.secrets
    .flatMap(({ certificates }) => certificates)
    .filter(certificate => namesHost(certificate, endpoint.host))
    .map(certificate => diagnose(certificate, options).verdict);
}

function ofEndpoint(
  endpoint: TlsEndpoint,
  own: readonly ObservedCertificate[],
  options: DiagnosisOptions,
): Verdict | undefined {
  const { cluster, host, server, secrets } = endpoint;
  if (cluster.kinds.certificates.state === 'notInstalled') {
    return undefined;
  }
  const verdicts = covering(endpoint, options);
  if (verdicts.length > 0) {
    // Which of several is sent is the server's choice: any valid one will do.
    return (
      verdicts.find(({ status }) => status === 'True') ?? worst(TYPE, verdicts)
    );
  }
  const named = secrets.flatMap(({ certificates }) => certificates);
  const unknown = secrets.find(({ certificates }) => certificates.length === 0);
  if (named.length > 0 && !unknown) {
    return verdict(TYPE, 'False', 'NotCovered', {
      certificate: named[0].fact.meta.name,
      host,
      server,
      hosts: [...new Set(named.flatMap(({ fact }) => fact.dnsNames))],
    });
  }
  if (own.some(certificate => namesHost(certificate, host))) {
    return undefined;
  }
  if (unknown && endpoint.asksForCertificate) {
    return verdict(TYPE, 'False', 'CertificateMissing', {
      certificate: unknown.name,
      host,
      server,
    });
  }
  return verdict(TYPE, 'Unknown', 'NotObserved', {
    what: unknown
      ? `Secret ${unknown.namespace}/${unknown.name}`
      : `TLS ${server}`,
  });
}

function namesHost({ fact }: ObservedCertificate, host: string): boolean {
  return fact.dnsNames.some(name => isCoveredBy(name, host));
}

/**
 * An own Certificate that nothing is served with, while all its names are served
 * with valid ones of others, keeps nobody from anything.
 */
function isSurplus(
  { fact }: ObservedCertificate,
  endpoints: readonly TlsEndpoint[],
  options: DiagnosisOptions,
): boolean {
  const isUsed = endpoints.some(({ secrets }) =>
    secrets.some(({ certificates }) =>
      certificates.some(certificate => certificate.fact === fact),
    ),
  );
  return (
    !isUsed &&
    fact.dnsNames.length > 0 &&
    fact.dnsNames.every(name =>
      endpoints.some(
        endpoint =>
          endpoint.host === name &&
          covering(endpoint, options).some(({ status }) => status === 'True'),
      ),
    )
  );
}
