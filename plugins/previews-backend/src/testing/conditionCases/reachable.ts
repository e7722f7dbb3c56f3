import { ProbeFailure, ProbeObservation, ProbeResult } from '../../model';
import { at, podStatus, routeParent, WorldBuilder } from '../world';
import { ConditionCase } from './types';

const { live } = WorldBuilder;
const HOST = 'mr-7.preview.example.com';
const OTHER = 'api.mr-7.preview.example.com';

const answered = (status = 200): ProbeResult => ({ kind: 'answered', status });
const failed = (failure: ProbeFailure, code?: string) => () =>
  live().visited({ kind: 'failed', failure, ...(code && { code }) });

/** A certificate as it was shown; good unless told. */
const shown = (
  patch: Partial<NonNullable<ProbeObservation['certificate']>> = {},
) => ({
  certificate: {
    names: [HOST],
    issuer: 'R11',
    chain: ['R11', 'ISRG Root X1'],
    notBefore: at(-86_400),
    notAfter: at(86_400),
    namesHost: true,
    trusted: true,
    ...patch,
  },
});

const refused = (patch: Parameters<typeof shown>[0]) => () =>
  live().visited({ kind: 'certificateRefused' }, shown(patch));

const twoHosts = () => live().httpRoute({ spec: { hostnames: [HOST, OTHER] } });

export const reachable: ConditionCase[] = [
  {
    title: 'does not apply where nothing is visited',
    world: live,
    expected: undefined,
  },
  {
    title: 'does not apply to hosts outside of the domains',
    world: () => live().visiting('other.example.com', 'review.example.com'),
    expected: undefined,
  },
  {
    title: 'a domain does not stand for another one that ends like it',
    world: () =>
      live()
        .httpRoute({ spec: { hostnames: ['evilpreview.example.com'] } })
        .visiting('preview.example.com'),
    expected: undefined,
  },
  {
    title: 'a host that was not visited yet is unknown',
    world: () => live().visiting('example.com'),
    expected: 'Unknown NotProbedYet',
    params: { host: HOST },
    message: `The portal is about to visit https://${HOST}.`,
  },
  {
    title: 'a host that answers is reachable',
    world: () => live().visited(answered(), shown()),
    expected: 'True Answered',
    params: { host: HOST, status: 200 },
    message: `${HOST} answers the portal with 200.`,
  },
  {
    title: 'an answer that asks who is there is an answer',
    world: () => live().visited(answered(401), shown()),
    expected: 'True Answered',
    params: { status: 401 },
  },
  {
    title: 'a host that sends visitors to a login is reachable',
    world: () =>
      live().visited(
        {
          kind: 'redirectedAway',
          status: 302,
          to: 'https://login.example.com',
        },
        shown(),
      ),
    expected: 'True RedirectedAway',
    params: { to: 'https://login.example.com' },
    message: `${HOST} answers the portal with 302 and sends visitors on to https://login.example.com.`,
  },
  {
    title: 'a host that sends visitors round in circles is not',
    world: () => live().visited({ kind: 'redirectLoop' }, shown()),
    expected: 'False RedirectLoop',
    message:
      'mr-7.preview.example.com redirects to itself again and again; whoever owns the service has to look at its redirects.',
  },
  {
    title: 'an answer of 500 and above is none',
    world: () => live().visited(answered(503), shown()),
    expected: 'False Http5xx',
    params: { status: 503 },
    message: `${HOST} answers the portal with 503; read the logs of the service.`,
  },
  {
    title: 'what is no HTTP is no answer',
    world: failed('invalidAnswer', 'HPE_INVALID_CONSTANT'),
    expected: 'False InvalidAnswer',
    params: { error: 'HPE_INVALID_CONSTANT' },
    message:
      'What answers at https://mr-7.preview.example.com is no HTTP that can be read; whoever owns the service has to look: HPE_INVALID_CONSTANT.',
  },
  {
    title: 'the certificate of another host is told with its names',
    world: refused({ names: ['ingress.local'], namesHost: false }),
    expected: 'False TlsMismatch',
    params: { host: HOST, names: ['ingress.local'] },
    message: `The certificate that ${HOST} serves is for ingress.local; the route or the listener has to use the one for ${HOST}.`,
  },
  {
    title: 'a wrong name goes before an issuer that is not trusted',
    world: refused({
      names: [],
      namesHost: false,
      trusted: false,
      error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    }),
    expected: 'False TlsMismatch',
    params: { names: [] },
  },
  {
    title: 'a certificate that expired and is still served is told',
    world: refused({
      notAfter: at(-3600),
      trusted: false,
      error: 'CERT_HAS_EXPIRED',
    }),
    expected: 'False TlsExpired',
    params: { notAfter: at(-3600) },
    message:
      'The certificate that mr-7.preview.example.com serves expired on 2026-11-29; see whether it was renewed and whether the Gateway has taken it up.',
  },
  {
    title: 'a certificate that nobody trusts is told with its issuer',
    world: refused({
      issuer: '(STAGING) Riddling Rhubarb R12',
      trusted: false,
      error: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    }),
    expected: 'False TlsUntrusted',
    params: { issuer: '(STAGING) Riddling Rhubarb R12' },
    message: `The certificate that ${HOST} serves, issued by (STAGING) Riddling Rhubarb R12, is not trusted by the portal; use an issuer that browsers trust, or name its authority in previews.probe.caFile: UNABLE_TO_VERIFY_LEAF_SIGNATURE.`,
  },
  {
    title: 'a certificate that expired above the host’s own is not trusted',
    world: refused({ trusted: false, error: 'CERT_HAS_EXPIRED' }),
    expected: 'False TlsUntrusted',
    params: { error: 'CERT_HAS_EXPIRED' },
  },
  {
    title: 'a connection without a certificate is told',
    world: () => live().visited({ kind: 'certificateRefused' }),
    expected: 'False TlsFailed',
    message:
      'mr-7.preview.example.com agrees on no TLS connection; whoever owns the listener has to look.',
  },
  {
    title: 'a handshake that fails is told with its code',
    world: failed('noTls', 'ERR_SSL_WRONG_VERSION_NUMBER'),
    expected: 'False TlsFailed',
    params: { error: 'ERR_SSL_WRONG_VERSION_NUMBER' },
  },
  {
    title: 'a host that does not answer in time is told',
    world: failed('timeout'),
    expected: 'False Timeout',
    message:
      'mr-7.preview.example.com did not answer the portal in time; see whether the portal may reach it, and whether the service hangs.',
  },
  {
    title: 'a host that refuses connections is told',
    world: failed('refused'),
    expected: 'False ConnectionRefused',
    message:
      'mr-7.preview.example.com refuses connections; see whether the Gateway or the load balancer listens.',
  },
  {
    title: 'a connection that is broken off is told',
    world: failed('reset'),
    expected: 'False ConnectionReset',
    message:
      'mr-7.preview.example.com broke the connection off before it answered; see the logs of the Gateway and of the service.',
  },
  {
    title: 'a network without a way there is told with its code',
    world: failed('noConnection', 'EHOSTUNREACH'),
    expected: 'False ConnectionFailed',
    params: { error: 'EHOSTUNREACH' },
    message:
      'The portal has no connection to mr-7.preview.example.com; see whether its network leads there: EHOSTUNREACH.',
  },
  {
    title: 'a host without a record is told',
    world: failed('dnsNotFound'),
    expected: 'False DnsNotFound',
    message: `${HOST} has no address in DNS; see whether external-dns made its record.`,
  },
  {
    title: 'a resolver that does not answer says nothing of the host',
    world: failed('dnsUnavailable'),
    expected: 'Unknown DnsUnavailable',
    message:
      'The portal’s DNS did not say where mr-7.preview.example.com is; it asks again by itself.',
  },
  {
    title: 'an address that may not be visited says nothing of the host',
    world: () => live().visited({ kind: 'notAllowed', address: '10.0.0.7' }),
    expected: 'Unknown NotAllowed',
    params: { host: HOST, address: '10.0.0.7' },
    message:
      'mr-7.preview.example.com leads to 10.0.0.7, which the portal does not visit unless previews.probe.allowedNetworks has it.',
  },
  {
    title: 'the worst of several hosts decides',
    world: () =>
      twoHosts().visited(answered()).visited(answered(502), { host: OTHER }),
    expected: 'False Http5xx',
    params: { host: OTHER, status: 502 },
  },
  {
    title: 'all hosts have to be visited',
    world: () => twoHosts().visited(answered()),
    expected: 'Unknown NotProbedYet',
    params: { host: OTHER },
  },
  {
    title: 'does not apply while the workloads do not serve',
    world: () =>
      live()
        .deployment({ status: { readyReplicas: 0, availableReplicas: 0 } })
        .replicaSet({ status: { readyReplicas: 0 } })
        .pod(podStatus({ state: { waiting: { reason: 'CrashLoopBackOff' } } }))
        .visited(answered(503)),
    expected: undefined,
  },
  {
    title: 'does not apply while the route is refused',
    world: () =>
      live()
        .httpRoute({
          status: {
            parents: [
              routeParent({
                accepted: { status: 'False', reason: 'NotAllowedByListeners' },
              }),
            ],
          },
        })
        .visited(answered(404)),
    expected: undefined,
  },
  {
    title: 'does not apply once no set wants the preview',
    world: () => live().mergeRequest({ labels: [] }).visited(answered(503)),
    expected: undefined,
  },
  {
    title: 'stays unknown after a start until routes are read',
    before: () => live().visited(answered()),
    world: () =>
      live()
        .kindReading('httpRoutes', { state: 'pending', completeAt: undefined })
        .without('httpRoutes')
        .visiting('example.com'),
    expected: 'Unknown NotReadYet',
    message:
      'The cluster main is being read for the first time; this is known as soon as that is complete.',
  },
  {
    title: 'is unknown where routes are denied from one day to the next',
    before: () => live().visited(answered()),
    world: () =>
      live()
        .without('httpRoutes')
        .kindReading('httpRoutes', { state: 'forbidden' })
        .visiting('example.com'),
    expected: 'Unknown KindForbidden',
    message:
      'The cluster main does not let the portal list httpRoutes (gateway.networking.k8s.io); whoever runs the cluster can allow it in the portal’s cluster role.',
  },
  {
    title: 'goes when nothing is visited any more',
    before: () => live().visited(answered()),
    world: live,
    expected: undefined,
  },
];
