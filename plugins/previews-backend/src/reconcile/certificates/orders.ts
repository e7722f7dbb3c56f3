import { CertificateFact } from '../../model';
import { Verdict, verdict } from '../verdict';
import { coreOf, orderCauseOf } from './causes';
import { ObservedCertificate } from './types';

const TYPE = 'CertificateReady';

/** Why an Order came to nothing, or does not begin; undefined while it goes its way. */
export function orderVerdict(
  { fact, chain: { order, events, issuer } }: ObservedCertificate,
  retryAt: string | undefined,
): Verdict | undefined {
  if (!order) {
    return undefined;
  }
  const certificate = fact.meta.name;
  const hosts = order.dnsNames.length > 0 ? order.dnsNames : fact.dnsNames;
  const error = coreOf(order.reason);
  switch (order.state) {
    case 'expired':
      return verdict(TYPE, 'False', 'OrderExpired', {
        certificate,
        order: order.meta.name,
        retryAt,
      });
    case 'invalid':
    case 'errored':
      return (
        orderFailure(fact, error, retryAt) ??
        verdict(TYPE, 'False', 'OrderFailed', {
          certificate,
          hosts,
          error,
          retryAt,
        })
      );
    case '':
    case 'pending': {
      // cert-manager tells of this in an Event alone.
      const unsolvable = events.find(
        ({ involved, reason }) =>
          involved?.uid === order.meta.uid && reason === 'Solver',
      );
      return unsolvable
        ? verdict(TYPE, 'False', 'NoSolver', {
            certificate,
            hosts,
            issuer: issuer?.meta.name ?? fact.issuer?.name,
          })
        : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * The limit or rule of the certificate authority that an issuance met, by the
 * words of its refusal; undefined for any other failure.
 */
export function orderFailure(
  fact: CertificateFact,
  error: string,
  retryAt: string | undefined,
): Verdict | undefined {
  const certificate = fact.meta.name;
  const hosts = fact.dnsNames;
  const found = orderCauseOf(error);
  switch (found.cause) {
    case 'RateLimitedForDomain':
      return verdict(TYPE, 'False', 'RateLimitedForDomain', {
        certificate,
        domain: found.domain,
        retryAt,
      });
    case 'RateLimitedForNames':
      return verdict(TYPE, 'False', 'RateLimitedForNames', {
        certificate,
        hosts,
        retryAt,
      });
    case 'RateLimitedForFailures':
      return verdict(TYPE, 'False', 'RateLimitedForFailures', {
        certificate,
        hosts,
        retryAt,
      });
    case 'RateLimited':
      return verdict(TYPE, 'False', 'RateLimited', {
        certificate,
        error,
        retryAt,
      });
    case 'CaaForbids':
      return verdict(TYPE, 'False', 'CaaForbids', { certificate, hosts });
    case 'IdentifierRejected':
      return verdict(TYPE, 'False', 'IdentifierRejected', {
        certificate,
        hosts,
        error,
      });
    case 'AccountMissing':
      return verdict(TYPE, 'False', 'AccountMissing', {
        certificate,
        issuer: fact.issuer?.name,
      });
    default:
      return undefined;
  }
}
