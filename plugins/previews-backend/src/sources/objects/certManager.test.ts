import { parseChallenge, parseOrder } from './acme';
import { parseAcmeEvent } from './acmeEvent';
import { parseCertificate } from './certificate';
import { parseCertificateRequest } from './certificateRequest';
import { parseClusterIssuer, parseIssuer } from './issuer';
import { stableErrorOf } from './stableText';

const context = { cluster: 'c' };
const metadata = {
  name: 'shop-tls-1',
  namespace: 'preview-7',
  uid: 'u',
  creationTimestamp: '2026-03-01T10:00:00Z',
  labels: { app: 'shop' },
  annotations: { 'cert-manager.io/certificate-revision': '3' },
  ownerReferences: [
    { kind: 'Certificate', name: 'shop-tls', uid: 'c', controller: true },
  ],
};

const meta = {
  cluster: 'c',
  name: 'shop-tls-1',
  namespace: 'preview-7',
  uid: 'u',
  createdAt: '2026-03-01T10:00:00Z',
  labels: {},
  annotations: {},
  finalizers: [],
  owner: { kind: 'Certificate', name: 'shop-tls', uid: 'c' },
};

describe('parseCertificate', () => {
  it('reads what its conditions were said of, and the revision', () => {
    expect(
      parseCertificate(
        {
          kind: 'Certificate',
          metadata,
          spec: {
            dnsNames: ['a.example.com'],
            issuerRef: { group: 'cert-manager.io', name: 'local' },
          },
          status: {
            revision: 2,
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'DoesNotExist',
                observedGeneration: 4,
              },
            ],
          },
        },
        context,
      ),
    ).toMatchObject({
      revision: 2,
      issuer: { kind: 'Issuer', name: 'local' },
      ready: { status: 'False', reason: 'DoesNotExist', observedGeneration: 4 },
    });
  });
});

describe('parseCertificateRequest', () => {
  it('keeps what tells of the issue, and neither request nor certificate', () => {
    expect(
      parseCertificateRequest(
        {
          kind: 'CertificateRequest',
          metadata,
          spec: {
            request: 'cmVxdWVzdA==',
            username: 'system:serviceaccount:cert-manager:cert-manager',
            issuerRef: {
              group: 'awspca.cert-manager.io',
              kind: 'AWSPCAIssuer',
              name: 'private',
            },
          },
          status: {
            certificate: 'Y2VydGlmaWNhdGU=',
            failureTime: '2026-03-01T10:05:00Z',
            conditions: [
              { type: 'Approved', status: 'True', reason: 'cert-manager.io' },
              { type: 'Denied', status: 'True', message: 'no' },
            ],
          },
        },
        context,
      ),
    ).toEqual({
      meta,
      revision: 3,
      issuer: {
        group: 'awspca.cert-manager.io',
        kind: 'AWSPCAIssuer',
        name: 'private',
      },
      approved: { status: 'True', reason: 'cert-manager.io' },
      denied: { status: 'True', message: 'no' },
      failureTime: '2026-03-01T10:05:00Z',
    });
  });

  it.each(['', 'one', '-1', '1.5', '99999999999'])(
    'has no revision by the annotation %p',
    revision => {
      const annotations = { 'cert-manager.io/certificate-revision': revision };
      expect(
        parseCertificateRequest(
          { metadata: { name: 'a', annotations } },
          context,
        )?.revision,
      ).toBeUndefined();
    },
  );
});

describe('parseOrder', () => {
  it('reads names, state and reason', () => {
    expect(
      parseOrder(
        {
          kind: 'Order',
          metadata,
          spec: {
            dnsNames: ['a.example.com'],
            issuerRef: { kind: 'ClusterIssuer', name: 'letsencrypt' },
            request: 'cmVxdWVzdA==',
          },
          status: { state: 'errored', reason: 'no' },
        },
        context,
      ),
    ).toEqual({
      meta,
      dnsNames: ['a.example.com'],
      issuer: { kind: 'ClusterIssuer', name: 'letsencrypt' },
      state: 'errored',
      reason: 'no',
    });
  });

  it('has an empty state before it is placed', () => {
    expect(parseOrder({ metadata }, context)?.state).toBe('');
  });
});

describe('parseChallenge', () => {
  it('keeps neither token nor key, which prove the host', () => {
    expect(
      parseChallenge(
        {
          kind: 'Challenge',
          metadata,
          spec: {
            dnsName: 'example.com',
            wildcard: true,
            type: 'dns-01',
            token: 'secret-token',
            key: 'secret-key',
            solver: { dns01: { route53: { accessKeyID: 'key-id' } } },
          },
          status: { processing: true, presented: true, state: 'pending' },
        },
        context,
      ),
    ).toEqual({
      meta,
      host: 'example.com',
      wildcard: true,
      type: 'DNS-01',
      state: 'pending',
      processing: true,
      presented: true,
    });
  });
});

describe('parseIssuer and parseClusterIssuer', () => {
  const issuer = {
    metadata: { name: 'acme' },
    spec: {
      acme: {
        server: 'https://acme.example.com/directory',
        email: 'someone@example.com',
        privateKeySecretRef: { name: 'account' },
      },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };

  it.each([
    ['Issuer', parseIssuer],
    ['ClusterIssuer', parseClusterIssuer],
  ] as const)('reads an %s, and no reference to a Secret', (kind, parse) => {
    const fact = parse({ kind, ...issuer }, context);
    expect(fact).toMatchObject({
      kind,
      acmeServer: 'https://acme.example.com/directory',
      ready: { status: 'True' },
    });
    expect(JSON.stringify(fact)).not.toMatch(/account|someone/);
  });

  it('are told apart', () => {
    expect(parseIssuer({ kind: 'ClusterIssuer', ...issuer }, context)).toBe(
      undefined,
    );
  });
});

describe('parseAcmeEvent', () => {
  const event = (patch: object) =>
    parseAcmeEvent(
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata,
        type: 'Warning',
        reason: 'PresentError',
        involvedObject: { kind: 'Challenge', name: 'a', uid: 'u1' },
        message: 'no',
        count: 7,
        ...patch,
      },
      context,
    );

  it('reads what it is about, and not how often it was seen', () => {
    expect(event({ lastTimestamp: '2026-03-01T11:00:00Z' })).toEqual({
      meta,
      involved: { kind: 'Challenge', name: 'a', uid: 'u1' },
      reason: 'PresentError',
      message: 'no',
      observedAt: '2026-03-01T11:00:00Z',
    });
  });

  it.each([
    [{}, '2026-03-01T10:00:00Z'],
    [
      { eventTime: '2026-03-01T10:30:00.000001Z' },
      '2026-03-01T10:30:00.000001Z',
    ],
    [
      {
        lastTimestamp: '2026-03-01T11:00:00Z',
        series: { lastObservedTime: '2026-03-01T12:00:00Z' },
      },
      '2026-03-01T12:00:00Z',
    ],
  ])('was last seen, by %j, at %s', (times, expected) => {
    expect(event(times)?.observedAt).toBe(expected);
  });

  it('is not taken from one of a Pod', () => {
    expect(
      event({ involvedObject: { kind: 'Pod', name: 'a' } }),
    ).toBeUndefined();
  });
});

describe('stableErrorOf', () => {
  const denied = (session: string, request: string) =>
    `failed to change Route 53 record set: operation error Route 53: ChangeResourceRecordSets, https response error StatusCode: 403, RequestID: ${request}, api error AccessDenied: User: arn:aws:sts::111122223333:assumed-role/cert-manager/${session} is not authorized to perform: route53:ChangeResourceRecordSets on resource: arn:aws:route53:::hostedzone/Z0EXAMPLE because no identity-based policy allows the route53:ChangeResourceRecordSets action`;

  it('is the same for every try', () => {
    const texts = [
      denied('1700000000000000001', '8f3f6f0e-1f2b-4c1d-9a52-000000000001'),
      denied('1700000000000000002', '8f3f6f0e-1f2b-4c1d-9a52-000000000002'),
    ].map(stableErrorOf);
    expect(texts[0]).toBe(
      'failed to change Route 53 record set: operation error Route 53: ChangeResourceRecordSets, api error AccessDenied: User: [redacted] is not authorized to perform: route53:ChangeResourceRecordSets on resource: hostedzone/Z0EXAMPLE because no identity-based policy allows the route53:ChangeResourceRecordSets action',
    );
    expect(texts[1]).toBe(texts[0]);
  });

  it.each([
    [
      'the words of an older SDK',
      'AccessDenied: no\n\tstatus code: 403, request id: 8f3f6f0e-1f2b-4c1d-9a52-000000000001',
      'AccessDenied: no',
    ],
    [
      'an account',
      'account 111122223333 is closed',
      'account [redacted] is closed',
    ],
    [
      'a role of another partition',
      'cannot assume arn:aws-cn:iam::111122223333:role/dns',
      'cannot assume [redacted]',
    ],
    [
      'an access key',
      'the key AKIAIOSFODNN7EXAMPLE is not known',
      'the key [redacted] is not known',
    ],
    [
      'an address of a person',
      'contact someone@example.com',
      'contact [redacted]',
    ],
    [
      'the address of an ACME resource',
      'Get "https://acme.example.com/acme/authz/1/2": no',
      'Get "https://acme.example.com": no',
    ],
    [
      'the name of an Order',
      'Failed to wait for order resource "shop-tls-1-3161388167" to become ready',
      'Failed to wait for order resource "…" to become ready',
    ],
    ['a serial number', 'order 1234567890123456 is gone', 'order … is gone'],
    ['spaces of all kinds', ' a\n\n b\t', 'a b'],
  ])('is free of %s', (_, text, expected) => {
    expect(stableErrorOf(text)).toBe(expected);
  });

  it.each([
    "wrong status code '404', expected '200'",
    'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-12-01 20:00:00 UTC',
    'No policy approved this request: [spec.allowed.dnsNames: Invalid value: *.example.com]',
  ])('leaves %s as it is', text => {
    expect(stableErrorOf(text)).toBe(text);
  });

  it.each([undefined, null, 7, {}, ''])('is none for %p', value => {
    expect(stableErrorOf(value)).toBeUndefined();
  });

  it('is bounded, and takes no longer than the text is long', () => {
    for (const part of [
      'arn:aws:',
      'request id: ',
      '1',
      'a@',
      'https://',
      ' ',
    ]) {
      const text = stableErrorOf(part.repeat(1_000_000));
      expect((text ?? '').length).toBeLessThanOrEqual(600);
    }
  });
});
