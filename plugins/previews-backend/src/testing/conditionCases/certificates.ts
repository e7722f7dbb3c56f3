import { at, CLUSTER, Json, WorldBuilder } from '../world';
import { coverageCases } from './coverage';
import { ConditionCase } from './types';

const { live } = WorldBuilder;
const HOST = 'mr-7.preview.example.com';
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Never issued: conditions of a Certificate while cert-manager is at it. */
const FIRST_ISSUE: Json = {
  notBefore: null,
  notAfter: null,
  renewalTime: null,
  revision: null,
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      reason: 'DoesNotExist',
      message: 'Issuing certificate as Secret does not exist',
    },
    {
      type: 'Issuing',
      status: 'True',
      reason: 'DoesNotExist',
      lastTransitionTime: at(-300),
    },
  ],
};

/** The first issuance failed, and cert-manager waits. */
const failed = (message: string | null, status: Json = {}): Json => ({
  ...FIRST_ISSUE,
  lastFailureTime: at(-600),
  failedIssuanceAttempts: 1,
  conditions: [
    { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
    {
      type: 'Issuing',
      status: 'False',
      reason: 'Failed',
      ...(message !== null && { message }),
    },
  ],
  ...status,
});

const certificate = (status: Json) => () => live().certificate({ status });

const issuing = () => live().certificate({ status: FIRST_ISSUE });
const requested = (status: Json | null = {}) =>
  issuing().certificateRequest({ status });
const ordered = (status: Json | null = {}) => requested().order({ status });

/** A Challenge in this state; a merge patch on one that is being checked. */
const challenged =
  (status: Json | null, patch: Json = {}) =>
  () =>
    ordered().challenge({ status, ...patch });

const LONG_AGO = { metadata: { creationTimestamp: at(-3 * DAY) } };

const PROPAGATION =
  'Waiting for DNS-01 challenge propagation: DNS record for "mr-7.preview.example.com" not yet propagated';

/** The order was refused; the newest cert-manager keeps no Challenge of it. */
const refused =
  (reason: string, state = 'errored') =>
  () =>
    live()
      .certificate({
        status: failed(
          `The certificate request has failed to complete and will be retried: Failed to wait for order resource "shop-tls-1-100" to become ready: order is in "${state}" state: ${reason}`,
        ),
      })
      .certificateRequest({
        status: {
          conditions: [
            { type: 'Approved', status: 'True' },
            {
              type: 'Ready',
              status: 'False',
              reason: 'Failed',
              message: `Failed to wait for order resource "shop-tls-1-100" to become ready: order is in "${state}" state: ${reason}`,
            },
          ],
          failureTime: at(-600),
        },
      })
      .order({ status: { state, reason, failureTime: at(-600) } });

const rateLimited = (detail: string) =>
  refused(
    `Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: ${detail}`,
  );

const issuance: ConditionCase[] = [
  {
    title: 'a valid certificate is ready until it ends',
    world: live,
    expected: 'True Ready',
    params: { certificate: 'shop-tls', issuer: 'letsencrypt' },
    message:
      'The Certificate shop-tls is valid until 2027-02-26, issued by letsencrypt.',
  },
  {
    title: 'a certificate without a status is on its way, not ready',
    world: certificate(null as unknown as Json),
    expected: 'False Issuing',
    params: { certificate: 'shop-tls', hosts: [HOST] },
    message:
      'The Certificate shop-tls is being issued for mr-7.preview.example.com.',
  },
  {
    title: 'a first issue is waited for',
    world: issuing,
    expected: 'False Issuing',
    params: { since: at(-300) },
  },
  {
    title: 'a request that nobody has approved yet is waited for',
    world: () => requested(null),
    expected: 'False ApprovalPending',
    params: { request: 'shop-tls-1' },
    message:
      'The CertificateRequest shop-tls-1 of the Certificate shop-tls waits for an approval; whoever runs the platform can approve it.',
  },
  {
    title: 'an order that is being placed is part of the issue',
    world: () => ordered({ state: null }),
    expected: 'False Issuing',
  },
  {
    title: 'an order without a Challenge whose names are proved needs none',
    world: () => ordered({ state: 'ready' }),
    expected: 'False Issuing',
  },
  {
    title: 'an order that is valid is being turned into a certificate',
    world: () => ordered({ state: 'valid' }),
    expected: 'False Issuing',
  },
  {
    title: 'Challenges that are valid are done',
    world: challenged({ state: 'valid', presented: false, processing: false }),
    expected: 'False Issuing',
  },
  {
    title: 'a Challenge that no worker has taken up is queued',
    world: challenged({ state: null, processing: null, presented: null }),
    expected: 'False ChallengeQueued',
    params: { host: HOST },
    message:
      'The Challenge for mr-7.preview.example.com waits until cert-manager takes it up, which works at some at a time; then the Certificate shop-tls can be issued.',
  },
  {
    title: 'a Challenge that is presented is being checked',
    world: challenged({}),
    expected: 'False ChallengePending',
    params: { host: HOST, since: at(-280) },
    message:
      'The certificate authority checks that mr-7.preview.example.com is ours, for the Certificate shop-tls.',
  },
  {
    title: 'a Challenge counts from when it was presented where that is told',
    world: challenged({ presentedAt: at(-100) }),
    expected: 'False ChallengePending',
    params: { since: at(-100) },
  },
  {
    title: 'a record that is not seen yet is waited for',
    world: challenged({ reason: PROPAGATION }),
    expected: 'False DnsNotPropagated',
    params: { host: HOST, since: at(-280) },
    message:
      'The DNS record that proves mr-7.preview.example.com for the Certificate shop-tls is written and not seen everywhere yet.',
  },
  {
    title: 'a wildcard’s Challenge names the wildcard',
    world: challenged(
      { reason: PROPAGATION },
      { spec: { dnsName: 'preview.example.com', wildcard: true } },
    ),
    expected: 'False DnsNotPropagated',
    params: { host: '*.preview.example.com' },
  },
  {
    title:
      'a record that is not seen for days is blocked, naming what to look at',
    world: challenged({ reason: PROPAGATION }, LONG_AGO),
    expected: 'False PropagationStuck',
    params: { host: HOST, since: at(-3 * DAY) },
    message:
      'The DNS record for mr-7.preview.example.com is written, but the resolver of cert-manager has not seen it since 2026-11-26 12:00 UTC; whoever runs the platform has to look at the zone’s delegation, or the Certificate shop-tls never comes.',
  },
  {
    title: 'a Challenge that waits for half an hour is blocked',
    world: challenged({}, { metadata: { creationTimestamp: at(-1800) } }),
    expected: 'False ChallengeStuck',
    params: { since: at(-1800) },
    message:
      'The Challenge for mr-7.preview.example.com of the Certificate shop-tls has been waiting since 2026-11-29 11:30 UTC; whoever runs the platform has to look at cert-manager.',
  },
  {
    title: 'a Challenge that waits a second less is not',
    world: challenged({}, { metadata: { creationTimestamp: at(-1799) } }),
    expected: 'False ChallengePending',
  },
  {
    title: 'a Challenge that stays queued is blocked at last',
    world: challenged(
      { state: null, processing: null, presented: null },
      LONG_AGO,
    ),
    expected: 'False ChallengeStuck',
  },
  {
    title: 'an address that does not answer over HTTP is told',
    world: challenged(
      {
        reason:
          "Waiting for HTTP-01 challenge propagation: wrong status code '404', expected '200'",
      },
      { spec: { type: 'HTTP-01' } },
    ),
    expected: 'False HttpNotReached',
    params: { error: "wrong status code '404', expected '200'" },
    message:
      "The address of mr-7.preview.example.com does not answer cert-manager over HTTP, which has to prove it for the Certificate shop-tls; it has to lead to the cluster: wrong status code '404', expected '200'.",
  },
  {
    title: 'a zone that is not found is told',
    world: challenged({
      presented: false,
      reason:
        'failed to determine Route 53 hosted zone ID: zone  not found in Route 53 for domain _acme-challenge.mr-7.preview.example.com.',
    }),
    expected: 'False ZoneNotFound',
    params: { host: HOST },
    message:
      'No DNS zone for mr-7.preview.example.com is found with the credentials of cert-manager; correct the host, or let whoever runs the platform add the zone to the issuer of the Certificate shop-tls.',
  },
  {
    title: 'a denied change of the zone names action and zone, and no account',
    world: challenged({
      presented: false,
      reason:
        'failed to change Route 53 record set: AccessDenied: User: arn:aws:sts::111122223333:assumed-role/cert-manager/1700000000000000001 is not authorized to perform: route53:ChangeResourceRecordSets on resource: arn:aws:route53:::hostedzone/Z0EXAMPLE because no identity-based policy allows the route53:ChangeResourceRecordSets action',
    }),
    expected: 'False AccessDenied',
    params: {
      host: HOST,
      action: 'route53:ChangeResourceRecordSets',
      zone: 'Z0EXAMPLE',
    },
    message:
      'The DNS provider does not let cert-manager write the record for mr-7.preview.example.com (route53:ChangeResourceRecordSets, Z0EXAMPLE); whoever runs the platform has to allow it, then the Certificate shop-tls is issued.',
  },
  {
    title: 'a role that cannot be assumed is denied access',
    world: challenged({
      presented: false,
      reason:
        'error instantiating route53 challenge solver: unable to assume role: AccessDenied: User: arn:aws:iam::111122223333:user/ci is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::111122223333:role/dns',
    }),
    expected: 'False AccessDenied',
    params: { action: 'sts:AssumeRole' },
  },
  {
    title: 'what the status hides is read from the Event',
    world: () =>
      challenged({
        presented: false,
        reason:
          'failed to change Route 53 record set: operation error Route 53: ChangeResourceRecordSets, <redacted AWS SDK error: http.ResponseError: see events and logs for details>',
      })().acmeEvent({
        message:
          'Error presenting challenge: failed to change Route 53 record set: operation error Route 53: ChangeResourceRecordSets, https response error StatusCode: 403, RequestID: 8f3f6f0e-1f2b-4c1d-9a52-000000000001, api error AccessDenied: User: arn:aws:sts::111122223333:assumed-role/cert-manager/1700000000000000001 is not authorized to perform: route53:ChangeResourceRecordSets on resource: arn:aws:route53:::hostedzone/Z0EXAMPLE',
      }),
    expected: 'False AccessDenied',
    params: { action: 'route53:ChangeResourceRecordSets', zone: 'Z0EXAMPLE' },
  },
  {
    title: 'credentials that are not accepted are told by their code',
    world: () =>
      challenged({
        presented: false,
        reason:
          'failed to determine Route 53 hosted zone ID: <redacted AWS SDK error: see events and logs for details>',
      })().acmeEvent({
        message:
          'Error presenting challenge: failed to determine Route 53 hosted zone ID: operation error Route 53: ListHostedZonesByName, https response error StatusCode: 403, RequestID: 8f3f6f0e-1f2b-4c1d-9a52-000000000002, api error SignatureDoesNotMatch: The request signature does not match',
      }),
    expected: 'False CredentialsInvalid',
    params: { code: 'SignatureDoesNotMatch' },
    message:
      'The DNS provider does not accept the credentials of cert-manager for mr-7.preview.example.com (SignatureDoesNotMatch); whoever runs the platform has to correct those of the issuer, then the Certificate shop-tls is issued.',
  },
  {
    title: 'without its Event a hidden error is told as hidden',
    world: challenged({
      presented: false,
      reason:
        'failed to change Route 53 record set: <redacted AWS SDK error: see events and logs for details>',
    }),
    expected: 'False ChallengeError',
    message:
      'The Challenge for mr-7.preview.example.com of the Certificate shop-tls meets an error that whoever runs the platform has to remove: failed to change Route 53 record set: <redacted AWS SDK error: see events and logs for details>.',
  },
  {
    title: 'where Events may not be read the status has to do',
    world: () =>
      challenged({ reason: PROPAGATION })().kindReading('acmeEvents', {
        state: 'forbidden',
      }),
    expected: 'False DnsNotPropagated',
  },
  {
    title: 'the Event of another Challenge says nothing',
    world: () =>
      challenged({})().acmeEvent({
        message: 'Error presenting challenge: AccessDenied',
        involvedObject: { uid: 'challenge-of-another' },
      }),
    expected: 'False ChallengePending',
  },
  {
    title: 'an error that is over since the record is presented is not told',
    world: () =>
      challenged({})().acmeEvent({
        message: 'Error presenting challenge: AccessDenied',
        lastTimestamp: at(-200),
      }),
    expected: 'False ChallengePending',
  },
  {
    title: 'an error that the status does not tell yet is read from the Event',
    world: () =>
      challenged({ presented: false })().acmeEvent({
        message: 'Error presenting challenge: AccessDenied',
      }),
    expected: 'False AccessDenied',
  },
  {
    title: 'a provider that slows down is waited for',
    world: challenged({
      presented: false,
      reason:
        'failed to change Route 53 record set: api error Throttling: Rate exceeded',
    }),
    expected: 'False DnsThrottled',
    message:
      'The DNS provider slows down the record for mr-7.preview.example.com; the Certificate shop-tls comes later by itself.',
  },
  {
    title: 'a provider that does not answer is waited for',
    world: challenged({
      presented: false,
      reason:
        'Post "https://route53.amazonaws.com/2013-04-01/hostedzone": dial tcp: i/o timeout',
    }),
    expected: 'False ProviderUnreachable',
    message:
      'What has to prove mr-7.preview.example.com for the Certificate shop-tls does not answer; cert-manager tries again: Post "https://route53.amazonaws.com": dial tcp: i/o timeout.',
  },
  {
    title: 'any other error of a Challenge is told in its own words',
    world: challenged({
      presented: false,
      reason: 'the webhook of the solver panicked',
    }),
    expected: 'False ChallengeError',
    params: { error: 'the webhook of the solver panicked' },
  },
  {
    title: 'a Challenge that failed tells why, and when it is tried again',
    world: () =>
      live()
        .certificate({ status: failed('order is invalid') })
        .certificateRequest()
        .order({ status: { state: 'invalid' } })
        .challenge({
          status: {
            state: 'invalid',
            reason:
              'Error accepting authorization: acme: authorization error for mr-7.preview.example.com: 403 urn:ietf:params:acme:error:unauthorized: Incorrect TXT record',
          },
        }),
    expected: 'False ChallengeFailed',
    params: { host: HOST, retryAt: at(-600 + HOUR) },
    message:
      'The certificate authority could not prove mr-7.preview.example.com for the Certificate shop-tls (next try: 2026-11-29 12:50 UTC); whoever runs the platform has to correct its DNS or its route: acme: authorization error for mr-7.preview.example.com: 403 urn:ietf:params:acme:error:unauthorized: Incorrect TXT record.',
  },
  {
    title: 'a CAA record that forbids it is told',
    world: () =>
      live()
        .certificate({ status: failed('order is invalid') })
        .certificateRequest()
        .order({ status: { state: 'invalid' } })
        .challenge({
          status: {
            state: 'invalid',
            reason:
              'acme: authorization error for mr-7.preview.example.com: 403 urn:ietf:params:acme:error:caa: CAA record for example.com prevents issuance',
          },
        }),
    expected: 'False CaaForbids',
    params: { hosts: [HOST] },
    message:
      'A CAA record of the DNS forbids this certificate authority to issue the Certificate shop-tls for mr-7.preview.example.com; whoever owns the domain can allow it.',
  },
  {
    title: 'the worst of several Challenges is told',
    world: () =>
      challenged({ reason: PROPAGATION })().challenge({
        metadata: { name: 'shop-tls-1-100-300' },
        spec: { dnsName: 'admin.mr-7.preview.example.com' },
        status: { presented: false, reason: 'AccessDenied' },
      }),
    expected: 'False AccessDenied',
    params: { host: 'admin.mr-7.preview.example.com' },
  },
  {
    title: 'an issuer without a solver for the names is told by its Event',
    world: () =>
      ordered({ state: null }).acmeEvent({
        reason: 'Solver',
        message:
          'Failed to determine a valid solver configuration for the set of domains on the Order: no configured challenge solvers can be used for this challenge',
        involvedObject: {
          kind: 'Order',
          name: 'shop-tls-1-100',
          uid: 'order-shop-tls-1-100',
        },
      }),
    expected: 'False NoSolver',
    params: { issuer: 'letsencrypt', hosts: [HOST] },
    message:
      'The issuer letsencrypt of the Certificate shop-tls has no solver for mr-7.preview.example.com; whoever runs the platform has to add one.',
  },
  {
    title: 'an order that expired is tried again',
    world: refused('', 'expired'),
    expected: 'False OrderExpired',
    params: { order: 'shop-tls-1-100', retryAt: at(-600 + HOUR) },
    message:
      'The Order shop-tls-1-100 of the Certificate shop-tls expired before it was proved (next try: 2026-11-29 12:50 UTC); whoever runs the platform has to see what kept its Challenges.',
  },
  {
    title: 'an order that is refused is told in the authority’s words',
    world: refused(
      'Failed to create Order: 400 urn:ietf:params:acme:error:malformed: no good',
    ),
    expected: 'False OrderFailed',
    params: { error: '400 urn:ietf:params:acme:error:malformed: no good' },
    message:
      'The certificate authority refuses the order of the Certificate shop-tls for mr-7.preview.example.com (next try: 2026-11-29 12:50 UTC); whoever runs the platform has to remove the cause: 400 urn:ietf:params:acme:error:malformed: no good.',
  },
  {
    title: 'the limit of the registered domain names it and the next try',
    world: rateLimited(
      'too many certificates (50) already issued for "example.com" in the last 168h0m0s, retry after 2026-12-01 20:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/#new-certificates-per-registered-domain',
    ),
    expected: 'False RateLimitedForDomain',
    params: { domain: 'example.com', retryAt: '2026-12-01T20:00:00.000Z' },
    message:
      'The certificate authority has issued too many certificates for example.com this week and refuses the Certificate shop-tls (next try: 2026-12-01 20:00 UTC); a wildcard certificate for all previews needs none of its own.',
  },
  {
    title: 'the limit of the same names tells not to make the preview anew',
    world: rateLimited(
      'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-12-01 20:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/#new-certificates-per-exact-set-of-identifiers',
    ),
    expected: 'False RateLimitedForNames',
    params: { hosts: [HOST], retryAt: '2026-12-01T20:00:00.000Z' },
    message:
      'The certificate authority has issued the Certificate shop-tls for mr-7.preview.example.com too often this week (next try: 2026-12-01 20:00 UTC); do not make the preview anew until then, or give it another host.',
  },
  {
    title: 'the words of an older authority for the same names are known too',
    world: rateLimited(
      'Error creating new order :: too many certificates (5) already issued for this exact set of domains in the last 168 hours: mr-7.preview.example.com, retry after 2026-12-01T20:00:08Z: see https://letsencrypt.org/docs/duplicate-certificate-limit/',
    ),
    expected: 'False RateLimitedForNames',
    params: { retryAt: '2026-12-01T20:00:08.000Z' },
  },
  {
    title:
      'the limit of failed checks without a date is tried after the back-off',
    world: rateLimited(
      'Error creating new order :: too many failed authorizations recently: see https://letsencrypt.org/docs/rate-limits/',
    ),
    expected: 'False RateLimitedForFailures',
    params: { retryAt: at(-600 + HOUR) },
    message:
      'The certificate authority refuses the Certificate shop-tls after too many failed checks for mr-7.preview.example.com (next try: 2026-11-29 12:50 UTC); whoever runs the platform has to remove their cause first.',
  },
  {
    title: 'a limit of the account is told as one',
    world: rateLimited(
      'too many new orders (300) from this account in the last 3h0m0s, retry after 2026-11-29 12:00:36 UTC',
    ),
    expected: 'False RateLimited',
    // The back-off of cert-manager is later than what the authority asks for.
    params: { retryAt: at(-600 + HOUR) },
    message:
      'The certificate authority limits the orders of this platform and refuses the Certificate shop-tls (next try: 2026-11-29 12:50 UTC); it is issued later without anyone’s doing: 429 urn:ietf:params:acme:error:rateLimited: too many new orders (300) from this account in the last 3h0m0s, retry after 2026-11-29 12:00:36 UTC.',
  },
  {
    title:
      'a limit is known by the Certificate alone, where nothing else is read',
    world: () =>
      rateLimited(
        'too many certificates (50) already issued for "example.com" in the last 168h0m0s',
      )()
        .without(['certificateRequests', 'orders'])
        .kindReading(['certificateRequests', 'orders', 'challenges'], {
          state: 'forbidden',
        }),
    expected: 'False RateLimitedForDomain',
    params: { domain: 'example.com' },
  },
  {
    title: 'a limit without any date names none',
    world: () =>
      live().certificate({
        status: failed(
          '429 urn:ietf:params:acme:error:rateLimited: slow down',
          {
            lastFailureTime: null,
          },
        ),
      }),
    expected: 'False RateLimited',
    message:
      'The certificate authority limits the orders of this platform and refuses the Certificate shop-tls; it is issued later without anyone’s doing: 429 urn:ietf:params:acme:error:rateLimited: slow down.',
  },
  {
    title: 'an account that is missing is told',
    world: refused(
      'Failed to create Order: 400 urn:ietf:params:acme:error:accountDoesNotExist: Account not found',
    ),
    expected: 'False AccountMissing',
    params: { issuer: 'letsencrypt' },
    message:
      'The certificate authority does not know the account of the issuer letsencrypt, so the Certificate shop-tls cannot be issued; whoever runs the platform has to register it again.',
  },
  {
    title: 'a name that the authority does not issue for is told',
    world: refused(
      'Failed to create Order: 400 urn:ietf:params:acme:error:rejectedIdentifier: Policy forbids issuing for "mr-7.preview.example.com"',
    ),
    expected: 'False IdentifierRejected',
    params: { hosts: [HOST] },
    message:
      'The certificate authority issues nothing for mr-7.preview.example.com, which the Certificate shop-tls asks for; give the preview another host: 400 urn:ietf:params:acme:error:rejectedIdentifier: Policy forbids issuing for "mr-7.preview.example.com".',
  },
  {
    title: 'a request that a policy denied is told in its words',
    world: () =>
      requested({
        conditions: [
          {
            type: 'Denied',
            status: 'True',
            reason: 'policy.cert-manager.io',
            message: 'No policy approved this request',
          },
          { type: 'Ready', status: 'False', reason: 'Denied' },
        ],
      }),
    expected: 'False RequestDenied',
    params: { error: 'No policy approved this request' },
    message:
      'A policy of the cluster denied the request for the Certificate shop-tls; correct its names, or let whoever runs the platform allow them: No policy approved this request.',
  },
  {
    title: 'a request that is invalid is told',
    world: () =>
      requested({
        conditions: [
          {
            type: 'InvalidRequest',
            status: 'True',
            message: 'the CSR is malformed',
          },
        ],
      }),
    expected: 'False RequestInvalid',
    params: { error: 'the CSR is malformed' },
    message:
      'The request for the Certificate shop-tls is invalid; whoever owns the manifests has to correct the Certificate: the CSR is malformed.',
  },
  {
    title:
      'a request that failed at once tells why, how often and the next try',
    world: () =>
      live()
        .certificate({
          status: failed('will be retried', { failedIssuanceAttempts: 3 }),
        })
        .certificateRequest({
          status: {
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'Failed',
                message:
                  'The CSR PEM requests a commonName that is not present',
              },
            ],
          },
        }),
    expected: 'False IssuanceFailed',
    params: {
      error: 'The CSR PEM requests a commonName that is not present',
      attempts: 3,
      retryAt: at(-600 + 4 * HOUR),
    },
    message:
      'The Certificate shop-tls could not be issued for mr-7.preview.example.com (3 attempts; next try: 2026-11-29 15:50 UTC); cert-manager tries again later, and whoever runs the platform can remove the cause: The CSR PEM requests a commonName that is not present.',
  },
  {
    title:
      'an issuance that failed tells why where only the Certificate is read',
    world: certificate(failed('order is errored')),
    expected: 'False IssuanceFailed',
    params: { error: 'order is errored', attempts: 1 },
  },
  {
    title: 'the back-off grows to 32 hours and no further',
    world: certificate(failed('no', { failedIssuanceAttempts: 9 })),
    expected: 'False IssuanceFailed',
    params: { retryAt: at(-600 + 32 * HOUR) },
  },
  {
    title: 'a spec that was changed is tried without waiting',
    world: () =>
      live().certificate({
        metadata: { generation: 2 },
        status: failed('no', {
          conditions: [
            { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
            {
              type: 'Issuing',
              status: 'False',
              message: 'no',
              observedGeneration: 1,
            },
          ],
        }),
      }),
    expected: 'False IssuanceFailed',
    message:
      'The Certificate shop-tls could not be issued for mr-7.preview.example.com (1 attempt); cert-manager tries again later, and whoever runs the platform can remove the cause: no.',
  },
  {
    title: 'a failure that nothing explains is a back-off with its end',
    world: certificate(failed(null)),
    expected: 'False BackingOff',
    params: { attempts: 1, retryAt: at(-600 + HOUR) },
    message:
      'The Certificate shop-tls could not be issued, and cert-manager waits before it tries again (1 attempt; next try: 2026-11-29 12:50 UTC); whoever runs the platform can see why in its CertificateRequest.',
  },
  {
    title: 'of two requests the one of the next revision counts',
    world: () =>
      live()
        .certificate({
          status: { ...FIRST_ISSUE, revision: 1 },
        })
        .certificateRequest()
        .certificateRequest({
          metadata: {
            name: 'shop-tls-2',
            creationTimestamp: at(-200),
            annotations: { 'cert-manager.io/certificate-revision': '2' },
          },
          status: {
            conditions: [
              { type: 'Denied', status: 'True', message: 'not this time' },
            ],
          },
        }),
    expected: 'False RequestDenied',
    params: { error: 'not this time' },
  },
  {
    title: 'an issuer that does not exist is named',
    world: () => issuing().without('clusterIssuers'),
    expected: 'False IssuerNotFound',
    params: { issuer: 'ClusterIssuer letsencrypt' },
    message:
      'The Certificate shop-tls asks for the ClusterIssuer letsencrypt, which does not exist; correct the name, or let whoever runs the platform add it.',
  },
  {
    title:
      'an issuer of the namespace that does not exist is named by cert-manager’s word',
    world: () =>
      issuing()
        .certificate({
          spec: { issuerRef: { kind: 'Issuer', name: 'staging' } },
        })
        .kindReading('issuers', { state: 'forbidden' })
        .certificateRequest({
          status: {
            conditions: [
              { type: 'Approved', status: 'True' },
              {
                type: 'Ready',
                status: 'False',
                reason: 'Pending',
                message:
                  'Referenced "Issuer" not found: issuer.cert-manager.io "staging" not found',
              },
            ],
          },
        }),
    expected: 'False IssuerNotFound',
    params: { issuer: 'Issuer staging' },
  },
  {
    title: 'issuers that may not be read are not called missing',
    world: () =>
      issuing()
        .without('clusterIssuers')
        .kindReading('clusterIssuers', { state: 'forbidden' }),
    expected: 'False Issuing',
  },
  {
    title: 'an issuer of another maker is left alone',
    world: () =>
      issuing().certificate({
        spec: {
          issuerRef: {
            group: 'awspca.cert-manager.io',
            kind: 'AWSPCAClusterIssuer',
            name: 'private',
          },
        },
      }),
    expected: 'False Issuing',
  },
  {
    title: 'an issuer whose account could not be registered is not ready',
    world: () =>
      issuing().clusterIssuer({
        status: {
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'ErrRegisterACMEAccount',
              message: 'Failed to verify ACME account: 404 page not found',
            },
          ],
        },
      }),
    expected: 'False IssuerNotReady',
    params: {
      issuer: 'ClusterIssuer letsencrypt',
      error: 'Failed to verify ACME account: 404 page not found',
    },
    message:
      'The ClusterIssuer letsencrypt is not ready, so the Certificate shop-tls cannot be issued; whoever runs the platform has to look: Failed to verify ACME account: 404 page not found.',
  },
  {
    title: 'a Secret that is gone is issued anew',
    world: certificate({
      ...FIRST_ISSUE,
      revision: 3,
    }),
    expected: 'False SecretMissing',
    params: { secret: 'shop-tls' },
    message:
      'The Secret shop-tls of the Certificate shop-tls is gone; cert-manager issues it anew.',
  },
  {
    title: 'two Certificates that write one Secret are told',
    world: () =>
      live()
        .certificate({
          status: {
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'IncorrectCertificate',
                message:
                  'Secret was issued for "second". If this message is not transient, you might have two conflicting Certificates pointing to the same secret.',
              },
            ],
          },
        })
        .certificate({
          metadata: { name: 'second' },
          spec: { secretName: 'shop-tls' },
        }),
    expected: 'False SecretConflict',
    params: { secret: 'shop-tls', others: ['second'] },
    message:
      'The Certificate shop-tls writes the Secret shop-tls as well as second, each undoing the other; whoever owns the manifests has to give it a Secret of its own.',
  },
  {
    title: 'an issue that takes over half an hour is blocked',
    world: () =>
      live().certificate({
        status: {
          ...FIRST_ISSUE,
          conditions: [
            {
              type: 'Issuing',
              status: 'True',
              lastTransitionTime: at(-2 * HOUR),
            },
          ],
        },
      }),
    expected: 'False IssuanceStuck',
    params: { since: at(-2 * HOUR) },
    message:
      'The Certificate shop-tls has been waiting to be issued for mr-7.preview.example.com since 2026-11-29 10:00 UTC; whoever runs the platform has to look at cert-manager.',
  },
  {
    title: 'a spec that cert-manager has not looked at yet is being issued',
    world: () =>
      live().certificate({
        metadata: { generation: 2 },
        status: {
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              observedGeneration: 1,
              lastTransitionTime: at(-60),
            },
          ],
        },
      }),
    expected: 'False Issuing',
  },
  {
    title: 'a renewal that runs leaves it ready',
    world: certificate({
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Issuing', status: 'True' },
      ],
    }),
    expected: 'True Ready',
  },
  {
    title: 'a renewal that was begun hours ago is no warning',
    world: certificate({
      renewalTime: at(-9 * HOUR),
      conditions: [
        { type: 'Ready', status: 'True' },
        {
          type: 'Issuing',
          status: 'True',
          reason: 'Renewing',
          message: 'Renewing certificate as renewal was scheduled',
          lastTransitionTime: at(-9 * HOUR),
        },
      ],
    }),
    expected: 'True Ready',
  },
  {
    title:
      'a renewal whose issuer is gone names it, and not why it is to be renewed',
    world: () =>
      live()
        .without('clusterIssuers')
        .certificate({
          status: {
            conditions: [
              { type: 'Ready', status: 'True' },
              {
                type: 'Issuing',
                status: 'True',
                message: 'Renewing certificate as renewal was scheduled',
              },
            ],
          },
        }),
    expected: 'True RenewalFailing',
    params: { error: 'ClusterIssuer letsencrypt not found' },
  },
  {
    title: 'a renewal that fails while the old one is valid is a warning',
    world: certificate({
      lastFailureTime: at(-600),
      failedIssuanceAttempts: 2,
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Issuing', status: 'False', message: 'no solver' },
      ],
    }),
    expected: 'True RenewalFailing',
    params: { error: 'no solver', retryAt: at(-600 + 2 * HOUR) },
    message:
      'The Certificate shop-tls is valid until 2027-02-26 but cannot be renewed (next try: 2026-11-29 13:50 UTC); whoever runs the platform has to remove the cause before it ends: no solver.',
  },
  {
    title: 'a renewal whose Challenge is denied is a warning with the cause',
    world: () =>
      live()
        .certificate({
          status: {
            conditions: [
              { type: 'Ready', status: 'True' },
              { type: 'Issuing', status: 'True' },
            ],
          },
        })
        .certificateRequest({
          metadata: {
            annotations: { 'cert-manager.io/certificate-revision': '2' },
          },
        })
        .order()
        .challenge({
          status: {
            presented: false,
            reason: 'the webhook of the solver panicked',
          },
        }),
    expected: 'True RenewalFailing',
    params: { error: 'the webhook of the solver panicked' },
  },
  {
    title: 'a renewal that DNS holds up for days is a warning with its words',
    world: () =>
      live()
        .certificate({
          status: {
            conditions: [
              { type: 'Ready', status: 'True' },
              { type: 'Issuing', status: 'True' },
            ],
          },
        })
        .certificateRequest({
          metadata: {
            annotations: { 'cert-manager.io/certificate-revision': '2' },
          },
        })
        .order()
        .challenge({ ...LONG_AGO, status: { reason: PROPAGATION } }),
    expected: 'True RenewalFailing',
    params: { error: PROPAGATION },
  },
  {
    title: 'a renewal that nobody begins is a warning',
    world: certificate({ renewalTime: at(-2 * HOUR) }),
    expected: 'True RenewalOverdue',
    params: { renewalTime: at(-2 * HOUR) },
    message:
      'The Certificate shop-tls is valid until 2027-02-26 and should have been renewed on 2026-11-29; whoever runs the platform has to see whether cert-manager is running.',
  },
  {
    title: 'a renewal that is due since a moment is none',
    world: certificate({ renewalTime: at(-60) }),
    expected: 'True Ready',
  },
  {
    title: 'a certificate past its end is expired though it calls itself ready',
    world: certificate({ notAfter: at(-60) }),
    expected: 'False Expired',
    params: { notAfter: at(-60) },
    message:
      'The Certificate shop-tls expired on 2026-11-29; cert-manager should have renewed it, so whoever runs the platform has to look.',
  },
  {
    title: 'a certificate that calls itself expired is, also without its end',
    world: certificate({
      notAfter: null,
      renewalTime: null,
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'Expired',
          message: 'Certificate expired on Mon, 08 Feb 2021 23:12:46 UTC',
        },
      ],
    }),
    expected: 'False Expired',
    message:
      'The Certificate shop-tls has expired; cert-manager should have renewed it, so whoever runs the platform has to look.',
  },
  {
    title: 'an expired certificate tells why its renewal fails',
    world: certificate({
      notAfter: at(-DAY),
      lastFailureTime: at(-600),
      failedIssuanceAttempts: 1,
      conditions: [
        { type: 'Ready', status: 'False', reason: 'Expired' },
        { type: 'Issuing', status: 'False', message: 'order is errored' },
      ],
    }),
    expected: 'False Expired',
    params: { error: 'order is errored', retryAt: at(-600 + HOUR) },
    message:
      'The Certificate shop-tls expired on 2026-11-28 (next try: 2026-11-29 12:50 UTC); cert-manager should have renewed it, so whoever runs the platform has to look: order is errored.',
  },
  {
    title: 'a Challenge left over from an issue that succeeded says nothing',
    world: () =>
      live()
        .certificateRequest()
        .order({ status: { state: 'valid' } })
        .challenge({
          metadata: { deletionTimestamp: at(-HOUR) },
          status: { reason: 'Error cleaning up challenge: found no zones' },
        }),
    expected: 'True Ready',
  },
  {
    title: 'the worst of several certificates is told',
    world: () =>
      live().certificate({
        metadata: { name: 'second-tls' },
        status: null,
      }),
    expected: 'False Issuing',
    params: { certificate: 'second-tls' },
  },
  {
    title: 'it does not apply where cert-manager is not installed',
    world: () =>
      live()
        .without('certificates')
        .kindReading('certificates', { state: 'notInstalled' }),
    expected: undefined,
  },
  {
    title: 'certificates that may not be listed are unknown, not absent',
    world: () =>
      live()
        .without('certificates')
        .kindReading('certificates', { state: 'forbidden' }),
    expected: 'Unknown KindForbidden',
    params: { group: 'cert-manager.io' },
    message:
      'The cluster main does not let the portal list certificates (cert-manager.io); whoever runs the cluster can allow it in the portal’s cluster role.',
  },
  {
    title: 'certificates that nothing reads are not observed',
    world: () => live().argocdOnly(),
    expected: 'Unknown NotObserved',
    params: { what: 'Certificates' },
  },
  {
    title: 'certificates whose reading is too old are unknown',
    world: () =>
      live().kindReading('certificates', {
        state: 'failing',
        completeAt: at(-HOUR),
      }),
    expected: 'Unknown SourceUnavailable',
    params: { source: `cluster:${CLUSTER}` },
    message:
      'The cluster main has not answered since 2026-11-29 11:00 UTC; what you see is from then.',
  },
  {
    title:
      'the certificate of a neighbour in a shared namespace is not its own',
    world: () =>
      live()
        .namespace({ metadata: { creationTimestamp: at(-9 * DAY) } })
        .certificate({ status: null }),
    expected: undefined,
  },
  {
    title: 'in a shared namespace what Argo CD tracks for it is its own',
    world: () =>
      live()
        .namespace({ metadata: { creationTimestamp: at(-9 * DAY) } })
        .certificate({
          metadata: {
            annotations: {
              'argocd.argoproj.io/tracking-id':
                'preview-mr-7:cert-manager.io/Certificate:preview-mr-7/shop-tls',
            },
          },
        }),
    expected: 'True Ready',
  },
];

/** Why cert-manager issues a certificate again that it has issued before. */
const issuedAgain: ConditionCase[] = [
  'MissingData',
  'InvalidKeyPair',
  'InvalidCertificate',
  'InvalidCertificateRequest',
  'SecretMismatch',
  'IncorrectIssuer',
  'IncorrectCertificate',
  'RequestChanged',
].map(reason => ({
  title: `a certificate that is of no use any more is issued again: ${reason}`,
  world: certificate({
    conditions: [
      { type: 'Ready', status: 'False', reason },
      {
        type: 'Issuing',
        status: 'True',
        reason,
        lastTransitionTime: at(-300),
      },
    ],
  }),
  expected: reason === 'MissingData' ? 'False SecretMissing' : 'False Issuing',
  params: { certificate: 'shop-tls' },
}));

/** States of ACME in which an issuance is neither waited for nor told yet. */
const furtherStates: ConditionCase[] = [
  {
    title: 'an order that is being finalized is part of the issue',
    world: () => ordered({ state: 'processing' }),
    expected: 'False Issuing',
  },
  {
    title: 'an order that failed and left no Challenge tells why itself',
    world: refused('authorization of the names failed', 'invalid'),
    expected: 'False OrderFailed',
    params: { error: 'authorization of the names failed' },
  },
  {
    title: 'a request that is issued is about to be stored',
    world: () =>
      requested({
        conditions: [
          { type: 'Approved', status: 'True' },
          { type: 'Ready', status: 'True', reason: 'Issued' },
        ],
      }),
    expected: 'False Issuing',
  },
  {
    title: 'a Challenge whose answer is being checked is waited for',
    world: challenged({ state: 'processing' }),
    expected: 'False ChallengePending',
  },
  ...['expired', 'errored'].map(state => ({
    title: `a Challenge that ${state} has failed`,
    world: challenged({ state, processing: false, reason: 'too late' }),
    expected: 'False ChallengeFailed',
    params: { host: HOST, error: 'too late' },
  })),
  {
    title: 'a Challenge that failed outweighs one that waits',
    world: () =>
      challenged({ reason: PROPAGATION })().challenge({
        metadata: { name: 'shop-tls-1-100-300' },
        spec: { dnsName: 'admin.mr-7.preview.example.com' },
        status: { state: 'invalid', reason: 'Incorrect TXT record' },
      }),
    expected: 'False ChallengeFailed',
    params: { host: 'admin.mr-7.preview.example.com' },
  },
  {
    title:
      'a record that cannot be taken away does not hide why the order failed',
    world: () =>
      refused(
        'Failed to finalize Order: 403 urn:ietf:params:acme:error:unauthorized: not yours',
        'invalid',
      )().challenge({
        metadata: { deletionTimestamp: at(-30) },
        status: { reason: 'error cleaning up challenge: AccessDenied: no' },
      }),
    expected: 'False OrderFailed',
    params: { error: '403 urn:ietf:params:acme:error:unauthorized: not yours' },
  },
  {
    title: 'the limit of failed checks is tried when the authority allows it',
    world: rateLimited(
      'too many failed authorizations (5) for "mr-7.preview.example.com" in the last 1h0m0s, retry after 2026-11-30 20:00:00 UTC: see https://letsencrypt.org/docs/rate-limits/',
    ),
    expected: 'False RateLimitedForFailures',
    params: { retryAt: '2026-11-30T20:00:00.000Z' },
  },
  {
    title: 'a time that is none is not promised',
    world: () =>
      live().certificate({
        status: failed(
          '429 urn:ietf:params:acme:error:rateLimited: slow down, retry after 2026-13-45 99:99:99 UTC',
          { lastFailureTime: 'yesterday' },
        ),
      }),
    expected: 'False RateLimited',
    message:
      'The certificate authority limits the orders of this platform and refuses the Certificate shop-tls; it is issued later without anyone’s doing: 429 urn:ietf:params:acme:error:rateLimited: slow down, retry after 2026-13-45 99:99:99 UTC.',
  },
  {
    title: 'of forty names some are told, and how many more',
    world: () =>
      rateLimited(
        'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-12-01 20:00:00 UTC',
      )().certificate({
        spec: {
          dnsNames: Array.from(
            { length: 40 },
            (_, number) => `h${number}.preview.example.com`,
          ),
        },
      }),
    expected: 'False RateLimitedForNames',
    message:
      'The certificate authority has issued the Certificate shop-tls for h0.preview.example.com, h1.preview.example.com, h2.preview.example.com, h3.preview.example.com, h4.preview.example.com and 35 more too often this week (next try: 2026-12-01 20:00 UTC); do not make the preview anew until then, or give it another host.',
  },
];

export const certificateReady: ConditionCase[] = [
  ...issuance,
  ...issuedAgain,
  ...furtherStates,
  ...coverageCases,
];
