import {
  CertificateStep,
  CertificateSummary,
  Preview,
  ProbeSummary,
  ReasonParams,
  renderMessage,
  RouteSummary,
} from '@previews/backstage-plugin-previews-common';
import { createPreviews, fixtureNow } from './fixtures';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const at = (milliseconds: number) =>
  new Date(fixtureNow + milliseconds).toISOString();

/** English sentence of any reason; the table of reasons is not typed by name here. */
function messageOf(type: string, reason: string, params: ReasonParams): string {
  return renderMessage({ type, reason, params } as never);
}

const NAME = 'preview-mr-117';
const HOST = 'mr-117.preview.example.com';

type Statuses = Partial<
  Record<CertificateStep['kind'], Partial<CertificateStep>>
>;

/** Steps down to the deepest kind that is named. */
export function createChain(statuses: Statuses): CertificateStep[] {
  return Object.entries(statuses).map(([kind, change], index) => ({
    kind: kind as CertificateStep['kind'],
    name: index === 0 ? NAME : `${NAME}-${index}`,
    status: 'waiting',
    since: at(-70_000 + index * 1000),
    ...change,
  }));
}

function withCertificate(change: {
  reason: string;
  status?: 'True' | 'False' | 'Unknown';
  params?: ReasonParams;
  summary: Partial<CertificateSummary>;
}): Preview {
  const { reason, status = 'False', summary } = change;
  const base = createPreviews().find(({ id }) => id === 'p-42-117')!;
  const params: ReasonParams = { certificate: NAME, ...change.params };
  const told = {
    reason,
    params,
    message: messageOf('CertificateReady', reason, params),
  };
  return {
    ...base,
    ...(reason !== 'Ready' && {
      phase: status === 'True' ? 'Live' : 'Securing',
      reason: { type: 'CertificateReady', reason, params },
      message: told.message,
    }),
    conditions: base.conditions.map(condition =>
      condition.type === 'CertificateReady'
        ? { ...condition, ...told, status, since: at(-70_000) }
        : condition,
    ),
    certificates: base.certificates.map(certificate => ({
      ...certificate,
      ...told,
      ...summary,
    })),
  };
}

/** The preview !117 while its certificate is in one of the situations that people meet. */
export const certificateSituations = {
  waitingForDns: () =>
    withCertificate({
      reason: 'DnsNotPropagated',
      params: { host: HOST, since: at(-70_000), usualSeconds: 90 },
      summary: {
        state: 'waiting',
        notAfter: undefined,
        renewalTime: undefined,
        chain: createChain({
          Certificate: { state: 'DoesNotExist' },
          CertificateRequest: { state: 'Pending' },
          Order: { state: 'pending' },
          Challenge: {
            state: 'pending',
            host: HOST,
            type: 'DNS-01',
            reason:
              'Waiting for DNS-01 challenge propagation: DNS record not yet propagated',
          },
        }),
      },
    }),
  rateLimited: () =>
    withCertificate({
      reason: 'RateLimitedForDomain',
      params: { domain: 'example.com', retryAt: at(52 * MINUTE + 30_000) },
      summary: {
        state: 'failed',
        notAfter: undefined,
        renewalTime: undefined,
        retryAt: at(52 * MINUTE + 30_000),
        chain: createChain({
          Certificate: { status: 'failed', state: 'Failed' },
          CertificateRequest: { status: 'failed', state: 'Failed' },
          Order: {
            status: 'failed',
            state: 'errored',
            reason:
              '429 urn:ietf:params:acme:error:rateLimited: too many certificates (50) already issued for "example.com"',
          },
        }),
      },
    }),
  accessDenied: () =>
    withCertificate({
      reason: 'AccessDenied',
      params: {
        host: HOST,
        action: 'route53:ChangeResourceRecordSets',
        zone: 'Z0SIMULATED1',
      },
      summary: {
        state: 'failed',
        notAfter: undefined,
        renewalTime: undefined,
        chain: createChain({
          Certificate: { state: 'DoesNotExist' },
          CertificateRequest: { state: 'Pending' },
          Order: { state: 'pending' },
          Challenge: { state: 'pending', host: HOST, type: 'DNS-01' },
        }),
      },
    }),
  ready: () =>
    withCertificate({
      reason: 'Ready',
      status: 'True',
      summary: {
        chain: createChain({
          Certificate: { status: 'done', state: 'Ready' },
          CertificateRequest: { status: 'done', state: 'Issued' },
          Order: { status: 'done', state: 'valid' },
        }),
      },
    }),
  renewalFailing: () =>
    withCertificate({
      reason: 'RenewalFailing',
      status: 'True',
      params: {
        notAfter: at(20 * DAY),
        error: 'the DNS zone was not found',
        retryAt: at(4 * 60 * MINUTE + 30_000),
      },
      summary: {
        notAfter: at(20 * DAY + MINUTE),
        renewalTime: at(-10 * DAY),
        retryAt: at(4 * 60 * MINUTE + 30_000),
        chain: createChain({
          Certificate: { status: 'done', state: 'Ready' },
          CertificateRequest: { status: 'failed', state: 'Failed' },
          Order: {
            status: 'failed',
            state: 'errored',
            reason: 'zone not found',
          },
        }),
      },
    }),
  expiresSoon: () =>
    withCertificate({
      reason: 'Ready',
      status: 'True',
      summary: { notAfter: at(9 * DAY + MINUTE), renewalTime: undefined },
    }),
  expiredWhileReady: () =>
    withCertificate({
      reason: 'Expired',
      params: { notAfter: at(-DAY) },
      summary: {
        state: 'expired',
        notAfter: at(-DAY),
        renewalTime: at(-31 * DAY),
        chain: createChain({
          Certificate: {
            status: 'done',
            state: 'Ready',
            since: at(-91 * DAY),
          },
        }),
      },
    }),
} satisfies Record<string, () => Preview>;

/** A route with the reason that decides it. */
export function createRoute(
  reason: string,
  change: Partial<RouteSummary> = {},
): RouteSummary {
  const params: ReasonParams = { route: 'HTTPRoute shop', ...change.params };
  return {
    cluster: 'edge',
    namespace: NAME,
    kind: 'HTTPRoute',
    name: 'shop',
    hosts: [HOST],
    parents: ['gateway/edge'],
    accepted: 'False',
    reason,
    ...change,
    params,
    message: messageOf('RouteAccepted', reason, params),
  };
}

/** What a visit found, and the certificate that was shown to it. */
export function createProbe(
  reason: string,
  change: Partial<ProbeSummary> = {},
): ProbeSummary {
  const params: ReasonParams = { host: HOST, ...change.params };
  return {
    host: HOST,
    observedAt: at(-2 * MINUTE),
    status: 'False',
    reason,
    milliseconds: 85,
    certificate: {
      names: [HOST],
      issuer: 'R12',
      chain: ['R12', 'ISRG Root X1'],
      notBefore: at(-12 * DAY),
      notAfter: at(78 * DAY),
      namesHost: true,
      trusted: true,
    },
    ...change,
    params,
    message: messageOf('Reachable', reason, params),
  };
}
