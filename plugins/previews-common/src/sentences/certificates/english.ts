import { SentenceFormat } from '../format';
import { inParentheses } from '../phrases';
import { CertificatePhrases, CertificateSentences } from './types';

function forHosts(format: SentenceFormat, hosts: string[]): string {
  return hosts.length > 0 ? ` for ${format.list(hosts)}` : '';
}

function attemptsText(
  format: SentenceFormat,
  attempts: number | undefined,
): string | undefined {
  return attempts === undefined
    ? undefined
    : format.plural(attempts, {
        one: `${format.number(attempts)} attempt`,
        other: `${format.number(attempts)} attempts`,
      });
}

function nextTry(
  format: SentenceFormat,
  retryAt: string | undefined,
  attempts?: number,
): string {
  return inParentheses(
    [
      attemptsText(format, attempts),
      retryAt === undefined ? undefined : `next try: ${format.time(retryAt)}`,
    ]
      .filter(part => part !== undefined)
      .join('; '),
  );
}

function until(format: SentenceFormat, notAfter: string | undefined): string {
  return notAfter === undefined ? '' : ` until ${format.date(notAfter)}`;
}

/** The English sentences of certificates. */
export function englishCertificates({
  timing,
  since,
}: CertificatePhrases): CertificateSentences {
  return {
    Ready: ({ certificate, notAfter, issuer }, format) =>
      `The Certificate ${certificate} is valid${until(format, notAfter)}${
        issuer === undefined ? '' : `, issued by ${issuer}`
      }.`,
    RenewalFailing: ({ certificate, notAfter, error, retryAt }, format) =>
      `The Certificate ${certificate} is valid${until(
        format,
        notAfter,
      )} but cannot be renewed${nextTry(
        format,
        retryAt,
      )}; whoever runs the platform has to remove the cause before it ends${format.detail(
        error,
      )}.`,
    RenewalOverdue: ({ certificate, renewalTime, notAfter }, format) =>
      `The Certificate ${certificate} is valid${until(
        format,
        notAfter,
      )} and should have been renewed on ${format.date(
        renewalTime,
      )}; whoever runs the platform has to see whether cert-manager is running.`,
    Issuing: ({ certificate, hosts, since: start, usualSeconds }, format) =>
      `The Certificate ${certificate} is being issued${forHosts(
        format,
        hosts,
      )}${timing(format, { start, usualSeconds })}.`,
    CertificateMissing: ({ certificate, host, server }) =>
      `${server} waits for cert-manager to make the Certificate ${certificate} for ${host}.`,
    SecretMissing: ({ certificate, secret }) =>
      `The Secret ${secret} of the Certificate ${certificate} is gone; cert-manager issues it anew.`,
    ApprovalPending: ({ certificate, request }) =>
      `The CertificateRequest ${request} of the Certificate ${certificate} waits for an approval; whoever runs the platform can approve it.`,
    ChallengeQueued: ({ certificate, host, since: start }, format) =>
      `The Challenge for ${host} waits until cert-manager takes it up, which works at some at a time${inParentheses(
        format.elapsed(start),
      )}; then the Certificate ${certificate} can be issued.`,
    ChallengePending: (
      { certificate, host, since: start, usualSeconds },
      format,
    ) =>
      `The certificate authority checks that ${host} is ours, for the Certificate ${certificate}${timing(
        format,
        { start, usualSeconds },
      )}.`,
    DnsNotPropagated: (
      { certificate, host, since: start, usualSeconds },
      format,
    ) =>
      `The DNS record that proves ${host} for the Certificate ${certificate} is written and not seen everywhere yet${timing(
        format,
        { start, usualSeconds },
      )}.`,
    HttpNotReached: ({ certificate, host, error }, format) =>
      `The address of ${host} does not answer cert-manager over HTTP, which has to prove it for the Certificate ${certificate}; it has to lead to the cluster${format.detail(
        error,
      )}.`,
    DnsThrottled: ({ certificate, host }) =>
      `The DNS provider slows down the record for ${host}; the Certificate ${certificate} comes later by itself.`,
    ProviderUnreachable: ({ certificate, host, error }, format) =>
      `What has to prove ${host} for the Certificate ${certificate} does not answer; cert-manager tries again${format.detail(
        error,
      )}.`,
    PropagationStuck: ({ certificate, host, since: start }, format) =>
      `The DNS record for ${host} is written, but the resolver of cert-manager has not seen it${since(
        format,
        start,
      )}; whoever runs the platform has to look at the zone’s delegation, or the Certificate ${certificate} never comes.`,
    ChallengeStuck: ({ certificate, host, since: start, error }, format) =>
      `The Challenge for ${host} of the Certificate ${certificate} has been waiting${since(
        format,
        start,
      )}; whoever runs the platform has to look at cert-manager${format.detail(
        error,
      )}.`,
    IssuanceStuck: ({ certificate, hosts, since: start }, format) =>
      `The Certificate ${certificate} has been waiting to be issued${forHosts(
        format,
        hosts,
      )}${since(
        format,
        start,
      )}; whoever runs the platform has to look at cert-manager.`,
    ChallengeFailed: ({ certificate, host, error, retryAt }, format) =>
      `The certificate authority could not prove ${host} for the Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; whoever runs the platform has to correct its DNS or its route${format.detail(
        error,
      )}.`,
    ChallengeError: ({ certificate, host, error }, format) =>
      `The Challenge for ${host} of the Certificate ${certificate} meets an error that whoever runs the platform has to remove${format.detail(
        error,
      )}.`,
    AccessDenied: ({ certificate, host, action, zone }) =>
      `The DNS provider does not let cert-manager write the record for ${host}${inParentheses(
        [action, zone].filter(part => part !== undefined).join(', '),
      )}; whoever runs the platform has to allow it, then the Certificate ${certificate} is issued.`,
    CredentialsInvalid: ({ certificate, host, code }) =>
      `The DNS provider does not accept the credentials of cert-manager for ${host} (${code}); whoever runs the platform has to correct those of the issuer, then the Certificate ${certificate} is issued.`,
    ZoneNotFound: ({ certificate, host }) =>
      `No DNS zone for ${host} is found with the credentials of cert-manager; correct the host, or let whoever runs the platform add the zone to the issuer of the Certificate ${certificate}.`,
    NoSolver: ({ certificate, hosts, issuer }, format) =>
      `The issuer${
        issuer === undefined ? '' : ` ${issuer}`
      } of the Certificate ${certificate} has no solver${forHosts(
        format,
        hosts,
      )}; whoever runs the platform has to add one.`,
    RateLimitedForDomain: ({ certificate, domain, retryAt }, format) =>
      `The certificate authority has issued too many certificates${
        domain === undefined ? '' : ` for ${domain}`
      } this week and refuses the Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; a wildcard certificate for all previews needs none of its own.`,
    RateLimitedForNames: ({ certificate, hosts, retryAt }, format) =>
      `The certificate authority has issued the Certificate ${certificate}${forHosts(
        format,
        hosts,
      )} too often this week${nextTry(
        format,
        retryAt,
      )}; do not make the preview anew until then, or give it another host.`,
    RateLimitedForFailures: ({ certificate, hosts, retryAt }, format) =>
      `The certificate authority refuses the Certificate ${certificate} after too many failed checks${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}; whoever runs the platform has to remove their cause first.`,
    RateLimited: ({ certificate, error, retryAt }, format) =>
      `The certificate authority limits the orders of this platform and refuses the Certificate ${certificate}${nextTry(
        format,
        retryAt,
      )}; it is issued later without anyone’s doing${format.detail(error)}.`,
    OrderExpired: ({ certificate, order, retryAt }, format) =>
      `The Order ${order} of the Certificate ${certificate} expired before it was proved${nextTry(
        format,
        retryAt,
      )}; whoever runs the platform has to see what kept its Challenges.`,
    OrderFailed: ({ certificate, hosts, error, retryAt }, format) =>
      `The certificate authority refuses the order of the Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
      )}; whoever runs the platform has to remove the cause${format.detail(
        error,
      )}.`,
    AccountMissing: ({ certificate, issuer }) =>
      `The certificate authority does not know the account of the issuer${
        issuer === undefined ? '' : ` ${issuer}`
      }, so the Certificate ${certificate} cannot be issued; whoever runs the platform has to register it again.`,
    IdentifierRejected: ({ certificate, hosts, error }, format) =>
      `The certificate authority issues nothing${forHosts(
        format,
        hosts,
      )}, which the Certificate ${certificate} asks for; give the preview another host${format.detail(
        error,
      )}.`,
    CaaForbids: ({ certificate, hosts }, format) =>
      `A CAA record of the DNS forbids this certificate authority to issue the Certificate ${certificate}${forHosts(
        format,
        hosts,
      )}; whoever owns the domain can allow it.`,
    RequestDenied: ({ certificate, error }, format) =>
      `A policy of the cluster denied the request for the Certificate ${certificate}; correct its names, or let whoever runs the platform allow them${format.detail(
        error,
      )}.`,
    RequestInvalid: ({ certificate, error }, format) =>
      `The request for the Certificate ${certificate} is invalid; whoever owns the manifests has to correct the Certificate${format.detail(
        error,
      )}.`,
    IssuerNotFound: ({ certificate, issuer }) =>
      `The Certificate ${certificate} asks for the ${issuer}, which does not exist; correct the name, or let whoever runs the platform add it.`,
    IssuerNotReady: ({ certificate, issuer, error }, format) =>
      `The ${issuer} is not ready, so the Certificate ${certificate} cannot be issued; whoever runs the platform has to look${format.detail(
        error,
      )}.`,
    SecretConflict: ({ certificate, secret, others }, format) =>
      `The Certificate ${certificate} writes the Secret ${secret}${
        others.length > 0 ? ` as well as ${format.list(others)}` : ''
      }, each undoing the other; whoever owns the manifests has to give it a Secret of its own.`,
    IssuanceFailed: (
      { certificate, hosts, error, attempts, retryAt },
      format,
    ) =>
      `The Certificate ${certificate} could not be issued${forHosts(
        format,
        hosts,
      )}${nextTry(
        format,
        retryAt,
        attempts,
      )}; cert-manager tries again later, and whoever runs the platform can remove the cause${format.detail(
        error,
      )}.`,
    BackingOff: ({ certificate, attempts, retryAt }, format) =>
      `The Certificate ${certificate} could not be issued, and cert-manager waits before it tries again${nextTry(
        format,
        retryAt,
        attempts,
      )}; whoever runs the platform can see why in its CertificateRequest.`,
    Expired: ({ certificate, notAfter, error, retryAt }, format) =>
      `The Certificate ${certificate} ${
        notAfter === undefined
          ? 'has expired'
          : `expired on ${format.date(notAfter)}`
      }${nextTry(
        format,
        retryAt,
      )}; cert-manager should have renewed it, so whoever runs the platform has to look${format.detail(
        error,
      )}.`,
    NotCovered: ({ certificate, host, server, hosts }, format) =>
      `${server} serves ${host} with the Certificate ${certificate}, which is only valid${
        hosts.length > 0 ? forHosts(format, hosts) : ' for other names'
      }; give the preview a host that it covers, or let whoever owns the manifests add a certificate.`,
  };
}
