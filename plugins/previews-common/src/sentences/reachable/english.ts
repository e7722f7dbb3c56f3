import { ReachableSentences } from './types';

export const englishReachable: ReachableSentences = {
  Answered: ({ host, status }) => `${host} answers the portal with ${status}.`,
  RedirectedAway: ({ host, status, to }) =>
    `${host} answers the portal with ${status} and sends visitors on to ${to}.`,
  RedirectLoop: ({ host }) =>
    `${host} redirects to itself again and again; whoever owns the service has to look at its redirects.`,
  Http5xx: ({ host, status }) =>
    `${host} answers the portal with ${status}; read the logs of the service.`,
  InvalidAnswer: ({ host, error }, format) =>
    `What answers at https://${host} is no HTTP that can be read; whoever owns the service has to look${format.detail(
      error,
    )}.`,
  TlsMismatch: ({ host, names }, format) =>
    `The certificate that ${host} serves is for ${
      names.length > 0 ? format.list(names) : 'no host at all'
    }; the route or the listener has to use the one for ${host}.`,
  TlsExpired: ({ host, notAfter }, format) =>
    `The certificate that ${host} serves expired on ${format.date(
      notAfter,
    )}; see whether it was renewed and whether the Gateway has taken it up.`,
  TlsUntrusted: ({ host, issuer, error }, format) =>
    `The certificate that ${host} serves${
      issuer === undefined ? '' : `, issued by ${issuer},`
    } is not trusted by the portal; use an issuer that browsers trust, or name its authority in previews.probe.caFile${format.detail(
      error,
    )}.`,
  TlsFailed: ({ host, error }, format) =>
    `${host} agrees on no TLS connection; whoever owns the listener has to look${format.detail(
      error,
    )}.`,
  Timeout: ({ host }) =>
    `${host} did not answer the portal in time; see whether the portal may reach it, and whether the service hangs.`,
  ConnectionRefused: ({ host }) =>
    `${host} refuses connections; see whether the Gateway or the load balancer listens.`,
  ConnectionReset: ({ host }) =>
    `${host} broke the connection off before it answered; see the logs of the Gateway and of the service.`,
  ConnectionFailed: ({ host, error }, format) =>
    `The portal has no connection to ${host}; see whether its network leads there${format.detail(
      error,
    )}.`,
  DnsNotFound: ({ host }) =>
    `${host} has no address in DNS; see whether external-dns made its record.`,
  DnsUnavailable: ({ host }) =>
    `The portal’s DNS did not say where ${host} is; it asks again by itself.`,
  NotAllowed: ({ host, address }) =>
    `${host} leads to ${address}, which the portal does not visit unless previews.probe.allowedNetworks has it.`,
  NotProbedYet: ({ host }) => `The portal is about to visit https://${host}.`,
};
