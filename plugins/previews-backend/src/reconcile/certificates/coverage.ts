import { isCoveredBy } from '../routes/hosts';
import { Verdict, verdict, worst } from '../verdict';
import { diagnose, DiagnosisOptions } from './diagnose';
import { ObservedCertificate, ObservedTls, TlsEndpoint } from './types';

const TYPE = 'CertificateReady';

type VerdictOf = (certificate: ObservedCertificate) => Verdict;

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
  const verdicts = new Map(
    certificates.map(certificate => [
      certificate,
      diagnose(certificate, options).verdict,
    ]),
  );
  const verdictOf: VerdictOf = certificate => verdicts.get(certificate)!;
  const own = certificates.filter(certificate => certificate.own);
  const isSurplus = surplusOf(endpoints, verdictOf);
  return worst(TYPE, [
    ...own.filter(certificate => !isSurplus(certificate)).map(verdictOf),
    ...endpoints.flatMap(
      endpoint => ofEndpoint(endpoint, own, verdictOf) ?? [],
    ),
  ]);
}

/** What is told of the certificates that an endpoint has for its host. */
function covering(endpoint: TlsEndpoint, verdictOf: VerdictOf): Verdict[] {
  return endpoint.secrets
    .flatMap(({ certificates }) => certificates)
    .filter(certificate => namesHost(certificate, endpoint.host))
    .map(verdictOf);
}

function ofEndpoint(
  endpoint: TlsEndpoint,
  own: readonly ObservedCertificate[],
  verdictOf: VerdictOf,
): Verdict | undefined {
  const { cluster, host, server, secrets } = endpoint;
  if (cluster.kinds.certificates.state === 'notInstalled') {
    return undefined;
  }
  const verdicts = covering(endpoint, verdictOf);
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
function surplusOf(
  endpoints: readonly TlsEndpoint[],
  verdictOf: VerdictOf,
): (certificate: ObservedCertificate) => boolean {
  const used = new Set(
    endpoints.flatMap(({ secrets }) =>
      secrets.flatMap(({ certificates }) => certificates),
    ),
  );
  const served = new Set(
    endpoints
      .filter(endpoint =>
        covering(endpoint, verdictOf).some(({ status }) => status === 'True'),
      )
      .map(({ host }) => host),
  );
  return certificate =>
    !used.has(certificate) &&
    certificate.fact.dnsNames.length > 0 &&
    certificate.fact.dnsNames.every(name => served.has(name));
}
