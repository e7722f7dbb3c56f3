import { ShownCertificate } from '@previews/backstage-plugin-previews-common';
import { ProbeFailure, ProbeObservation } from '../../model';
import { Verdict, verdict, worst } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'Reachable';

/**
 * Whether the preview's hosts answer over HTTPS with a certificate that matches, by
 * the visits of the portal; absent where none of its hosts is visited, and while
 * there is nothing to visit: a request before there is a record for the host would
 * only make resolvers remember that there is none.
 */
export function reachable(
  context: PolicyContext & { available?: Verdict; routeAccepted?: Verdict },
): Verdict | undefined {
  const { observed, wanted, available, routeAccepted } = context;
  const isServed =
    available?.status !== 'False' && routeAccepted?.status !== 'False';
  if (!wanted || observed.applications.length === 0 || !isServed) {
    return undefined;
  }
  return worst(
    TYPE,
    observed.probeHosts.map(host =>
      reachableVerdict(host, observed.index.probeOf(host)),
    ),
  );
}

/** What one visit says of its host. */
export function reachableVerdict(
  host: string,
  observation: ProbeObservation | undefined,
): Verdict {
  if (!observation) {
    return verdict(TYPE, 'Unknown', 'NotProbedYet', { host });
  }
  const { result, certificate, observedAt } = observation;
  switch (result.kind) {
    case 'answered': {
      const { status } = result;
      return status >= 500
        ? verdict(TYPE, 'False', 'Http5xx', { host, status })
        : verdict(TYPE, 'True', 'Answered', { host, status });
    }
    case 'redirectedAway': {
      const { status, to } = result;
      return verdict(TYPE, 'True', 'RedirectedAway', { host, status, to });
    }
    case 'redirectLoop':
      return verdict(TYPE, 'False', 'RedirectLoop', { host });
    case 'notAllowed':
      return verdict(TYPE, 'Unknown', 'NotAllowed', {
        host,
        address: result.address,
      });
    case 'certificateRefused':
      return certificate
        ? ofCertificate(host, certificate, observedAt)
        : verdict(TYPE, 'False', 'TlsFailed', { host });
    default:
      return ofFailure(host, result);
  }
}

/**
 * A wrong name says more than what else is wrong: the certificate that a controller
 * serves for want of another one is usually not trusted either.
 */
function ofCertificate(
  host: string,
  { names, namesHost, notAfter, issuer, error }: ShownCertificate,
  seenAt: string,
): Verdict {
  if (!namesHost) {
    return verdict(TYPE, 'False', 'TlsMismatch', { host, names });
  }
  if (Date.parse(notAfter) <= Date.parse(seenAt)) {
    return verdict(TYPE, 'False', 'TlsExpired', { host, notAfter });
  }
  return verdict(TYPE, 'False', 'TlsUntrusted', {
    host,
    issuer,
    error: error ?? 'UNTRUSTED',
  });
}

function ofFailure(
  host: string,
  { failure, code }: { failure: ProbeFailure; code?: string },
): Verdict {
  switch (failure) {
    case 'dnsNotFound':
      return verdict(TYPE, 'False', 'DnsNotFound', { host });
    case 'dnsUnavailable':
      return verdict(TYPE, 'Unknown', 'DnsUnavailable', { host });
    case 'timeout':
      return verdict(TYPE, 'False', 'Timeout', { host });
    case 'refused':
      return verdict(TYPE, 'False', 'ConnectionRefused', { host });
    case 'reset':
      return verdict(TYPE, 'False', 'ConnectionReset', { host });
    case 'noTls':
      return verdict(TYPE, 'False', 'TlsFailed', { host, error: code });
    case 'invalidAnswer':
      return verdict(TYPE, 'False', 'InvalidAnswer', { host, error: code });
    default:
      return verdict(TYPE, 'False', 'ConnectionFailed', { host, error: code });
  }
}
