import { at, NOW, WorldBuilder } from '../../testing/world';
import { WorldIndex } from '../worldIndex';
import { clustersWithoutCertificates, issuancesIn } from './issuances';

const SERVER = 'acme-v02.api.letsencrypt.org';

function recordsOf(world: WorldBuilder, known: readonly string[] = []) {
  return issuancesIn({
    index: new WorldIndex(world.readAt(NOW).build()),
    known: new Set(known),
    previewOf: (_, { namespace }) =>
      namespace === 'preview-mr-7' ? 'preview-7' : undefined,
    now: NOW,
  });
}

const issuedRequest = (time: string, revision = '1') => ({
  metadata: {
    name: `shop-tls-${revision}`,
    annotations: { 'cert-manager.io/certificate-revision': revision },
  },
  status: {
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Issued',
        lastTransitionTime: time,
      },
    ],
  },
});

const rateLimit = (
  what: string,
  retry = ', retry after 2026-12-01 20:00:00 UTC',
) =>
  `Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: too many certificates (50) already issued for ${what} in the last 168h0m0s${retry}: see https://letsencrypt.org/docs/rate-limits/`;

const errored = (reason: string) => ({
  status: { state: 'errored', reason, failureTime: at(-60) },
});

const base = () => WorldBuilder.empty().clusterIssuer();

describe('what was issued', () => {
  it('is told by a Certificate that is ready, with the preview whose own it is', () => {
    expect(recordsOf(base().certificate())).toEqual([
      {
        kind: 'issued',
        id: 'cert-shop-tls/1',
        server: SERVER,
        names: ['mr-7.preview.example.com'],
        notBefore: at(-1100),
        at: at(-1100),
        previewId: 'preview-7',
      },
    ]);
  });

  it('is dated by its request, since the validity may begin an hour earlier', () => {
    const world = base()
      .certificate({ status: { notBefore: at(-3600 - 300) } })
      .certificateRequest(issuedRequest(at(-300)));
    expect(recordsOf(world)).toMatchObject([{ at: at(-300) }]);
  });

  it('is dated by the Certificate becoming ready, where that is shortly after', () => {
    const world = base().certificate({ status: { notBefore: at(-4000) } });
    expect(recordsOf(world)).toMatchObject([{ at: at(-1100) }]);
  });

  it('is dated by its validity where it became ready again long after', () => {
    const world = base().certificate({ status: { notBefore: at(-90_000) } });
    expect(recordsOf(world)).toMatchObject([{ at: at(-90_000) }]);
  });

  it('is never dated in the future', () => {
    const world = base().certificate({
      status: {
        notBefore: at(5000),
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    });
    expect(recordsOf(world)).toMatchObject([{ at: NOW }]);
  });

  it('is dated by the whole second that Kubernetes tells, also within that second', () => {
    const second = NOW.replace('.000Z', 'Z');
    const world = base()
      .certificate()
      .certificateRequest(issuedRequest(second));
    const [record] = issuancesIn({
      index: new WorldIndex(world.readAt(NOW).build()),
      known: new Set(),
      previewOf: () => undefined,
      now: NOW.replace('.000Z', '.255Z'),
    });
    expect(record.at).toBe(second);
  });

  it('is told by an earlier request too, with the names of its Order', () => {
    const world = base()
      .certificate({ status: { revision: 2 } })
      .certificateRequest(issuedRequest(at(-9000)))
      .order({
        spec: { dnsNames: ['Old.example.com'] },
        status: { state: 'valid' },
      });
    expect(recordsOf(world)).toMatchObject([
      { id: 'cert-shop-tls/2' },
      {
        id: 'cert-shop-tls/1',
        names: ['old.example.com'],
        at: at(-9000),
      },
    ]);
  });

  it('is told once by a Certificate and its request', () => {
    const world = base()
      .certificate()
      .certificateRequest(issuedRequest(at(-300)));
    expect(recordsOf(world)).toHaveLength(1);
  });

  it('is passed over where it is known', () => {
    expect(recordsOf(base().certificate(), ['cert-shop-tls/1'])).toEqual([]);
  });

  it.each([
    {
      name: 'a Certificate that is not ready',
      world: () =>
        base().certificate({
          status: { conditions: [{ type: 'Ready', status: 'False' }] },
        }),
    },
    {
      name: 'a request that waits',
      world: () => base().certificate({ status: null }).certificateRequest(),
    },
    {
      name: 'an issuer that is none of ACME',
      world: () =>
        WorldBuilder.empty().clusterIssuer({ spec: null }).certificate(),
    },
    {
      name: 'an issuer of somebody else',
      world: () =>
        base().certificate({
          spec: { issuerRef: { group: 'cas-issuer.example.com' } },
        }),
    },
    {
      name: 'an issuer that is not there and of which nothing tells that it is ACME',
      world: () => WorldBuilder.empty().certificate(),
    },
  ])('is none for $name', ({ world }) => {
    expect(recordsOf(world())).toEqual([]);
  });

  it('counts without an issuer where an Order tells that it is ACME', () => {
    const world = WorldBuilder.empty()
      .certificate()
      .certificateRequest(issuedRequest(at(-300)))
      .order({ status: { state: 'valid' } });
    const [record] = recordsOf(world);
    expect(record.id).toBe('cert-shop-tls/1');
    expect(record).not.toHaveProperty('server');
  });
});

describe('what was refused', () => {
  it('is told by the Order with the domain, the limit and the time in the words of the authority', () => {
    const world = base()
      .certificate({ status: null })
      .certificateRequest()
      .order(errored(rateLimit('"example.com"')));
    expect(recordsOf(world)).toEqual([
      {
        kind: 'refused',
        id: `order-shop-tls-1-100/refused/${at(-60)}`,
        server: SERVER,
        names: ['mr-7.preview.example.com'],
        limit: 'domain',
        domain: 'example.com',
        size: 50,
        retryAt: '2026-12-01T20:00:00.000Z',
        at: at(-60),
        previewId: 'preview-7',
      },
    ]);
  });

  it('is of the same server where the request of the Order is not read', () => {
    const world = base().order(errored(rateLimit('"example.com"')));
    expect(recordsOf(world)).toMatchObject([{ server: SERVER }]);
  });

  it('is told by the Certificate where its Order is gone', () => {
    const world = base().certificate({
      status: {
        notBefore: null,
        lastFailureTime: at(-90),
        conditions: [
          { type: 'Ready', status: 'False' },
          {
            type: 'Issuing',
            status: 'False',
            reason: 'Failed',
            message: rateLimit('this exact set of identifiers', ''),
          },
        ],
      },
    });
    const [record, ...others] = recordsOf(world);
    expect(others).toEqual([]);
    expect(record).toMatchObject({ limit: 'names', at: at(-90) });
    expect(record).not.toHaveProperty('retryAt');
  });

  it.each([
    'too many new orders (300) from this account',
    'too many failed authorizations (5) for "mr-7.preview.example.com"',
    'urn:ietf:params:acme:error:caa: CAA record forbids',
  ])('is none of the counted limits for %s', text => {
    const world = base()
      .certificate({ status: null })
      .certificateRequest()
      .order(errored(text));
    expect(recordsOf(world)).toEqual([]);
  });

  it('is one and the same in a later pass, whatever its clock says', () => {
    const world = () =>
      base()
        .certificateRequest()
        .order({
          status: {
            state: 'errored',
            reason: rateLimit('"example.com"'),
            failureTime: at(9000),
          },
        });
    const [{ id, at: time }] = recordsOf(world());
    expect(time).toBe(NOW);
    expect(recordsOf(world(), [id])).toEqual([]);
  });

  it('is not believed for longer than a week', () => {
    const world = base()
      .certificateRequest()
      .order(
        errored(
          rateLimit('"example.com"', ', retry after 2036-12-01 20:00:00 UTC'),
        ),
      );
    expect(recordsOf(world)[0]).not.toHaveProperty('retryAt');
  });
});

describe('clusters of which not all certificates are known', () => {
  const unread = (world: WorldBuilder) =>
    clustersWithoutCertificates(new WorldIndex(world.readAt(NOW).build()));

  it.each(['failing', 'forbidden', 'pending', 'notObserved'] as const)(
    'are those where they are %s',
    state => {
      const world = base()
        .certificate()
        .kindReading(['certificates'], { state });
      expect(unread(world)).toHaveLength(1);
    },
  );

  it('are those whose issuers nobody may read', () => {
    expect(
      unread(
        base()
          .certificate()
          .kindReading(['clusterIssuers'], { state: 'forbidden' }),
      ),
    ).toHaveLength(1);
  });

  it.each(['ready', 'notInstalled'] as const)(
    'are none where they are %s',
    state => {
      const world = base().kindReading(['certificates'], { state });
      expect(unread(world)).toEqual([]);
    },
  );
});
