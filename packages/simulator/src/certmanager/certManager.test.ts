import { AcmeServer } from '../acme/acmeServer';
import type { AcmeLimitName } from '../acme/limits';
import { DnsZones } from '../aws/zones';
import { Activity } from '../controllers/activity';
import { PlatformFaults } from '../controllers/faults';
import { defaultDelays, type Platform } from '../controllers/platform';
import { GitLabState } from '../gitlab/state';
import { Cluster, type KubernetesObject } from '../kubernetes';
import { createRandom } from '../random';
import { layIssuer } from '../scenarios/edge';
import { createManualClock, type ManualClock } from '../testing/manualClock';
import { ageCertificate, renewCertificate } from './certificates';
import { CertManager } from './certManager';
import type { CertificateFault } from './context';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
/** All that a first issuance takes. */
const ISSUANCE = 30 * SECOND;
const HOST = 'mr-1.example.com';

interface World {
  clock: ManualClock;
  platform: Platform;
  cluster: Cluster;
  stop(): void;
}

function createWorld(enforce: AcmeLimitName[] = []): World {
  const clock = createManualClock();
  const random = createRandom(1);
  const cluster = new Cluster({ name: 'preview', clock, random });
  const dns = new DnsZones({ clock, random: createRandom(2) });
  dns.addZone({ name: 'example.com', id: 'Z1' });
  const platform: Platform = {
    clock,
    random,
    activity: new Activity(),
    faults: new PlatformFaults(),
    delays: defaultDelays,
    gitlab: new GitLabState({ clock, random }),
    secrets: new Map(),
    acme: new AcmeServer({ clock, random: createRandom(3), enforce }),
    dns,
    clusters: [],
  };
  const manager = new CertManager(platform, cluster);
  cluster.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop' },
  });
  layIssuer(cluster, { name: 'letsencrypt' });
  return { clock, platform, cluster, stop: () => manager.stop() };
}

describe('cert-manager', () => {
  let world: World;

  beforeEach(() => {
    world = createWorld();
  });

  afterEach(() => world.stop());

  const settle = async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      await new Promise<void>(resolve => {
        setImmediate(resolve);
      });
    }
  };
  /** Time passes, and what it brings is done before the next second does. */
  const pass = async (milliseconds: number, step = SECOND) => {
    await settle();
    for (let passed = 0; passed < milliseconds; passed += step) {
      world.clock.advance(Math.min(step, milliseconds - passed));
      await settle();
    }
  };
  const create = (
    options: { name?: string; dnsNames?: string[]; issuer?: string } = {},
  ) =>
    world.cluster.create({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: options.name ?? 'site', namespace: 'shop' },
      spec: {
        dnsNames: options.dnsNames ?? [HOST],
        issuerRef: {
          group: 'cert-manager.io',
          kind: 'ClusterIssuer',
          name: options.issuer ?? 'letsencrypt',
        },
        secretName: `${options.name ?? 'site'}-tls`,
      },
    });
  const list = (kind: string) =>
    world.cluster.list({ kind, namespace: 'shop' });
  const certificate = (name = 'site') =>
    world.cluster.get({
      kind: 'Certificate',
      namespace: 'shop',
      name,
    }) as KubernetesObject;
  const condition = (object: KubernetesObject | undefined, type: string) =>
    object?.status?.conditions?.find(
      (candidate: { type: string }) => candidate.type === type,
    );
  const ready = (name?: string) => condition(certificate(name), 'Ready');
  const issuing = (name?: string) => condition(certificate(name), 'Issuing');
  const secret = (name = 'site-tls') =>
    world.cluster.get({ kind: 'Secret', namespace: 'shop', name });
  const reasons = () => list('Event').map(({ reason }) => reason as string);
  const fail = (value: CertificateFault, target = '*') =>
    world.platform.faults.set('certificate', target, value);
  const txt = () => world.platform.dns.lookup(`_acme-challenge.${HOST}`);

  describe('first issuance', () => {
    it('has a request, an Order and a Challenge, each owned by the one before', async () => {
      create();
      await pass(10 * SECOND);
      const [request] = list('CertificateRequest');
      const [order] = list('Order');
      const [challenge] = list('Challenge');
      expect(request.metadata).toMatchObject({
        name: 'site-1',
        annotations: {
          'cert-manager.io/certificate-name': 'site',
          'cert-manager.io/certificate-revision': '1',
          'cert-manager.io/private-key-secret-name':
            certificate().status?.nextPrivateKeySecretName,
        },
        ownerReferences: [
          { kind: 'Certificate', uid: certificate().metadata.uid },
        ],
      });
      expect(order.metadata).toMatchObject({
        name: expect.stringMatching(/^site-1-\d+$/),
        annotations: request.metadata.annotations,
        ownerReferences: [
          { kind: 'CertificateRequest', uid: request.metadata.uid },
        ],
      });
      expect(challenge.metadata).toMatchObject({
        finalizers: ['acme.cert-manager.io/finalizer'],
        ownerReferences: [{ kind: 'Order', uid: order.metadata.uid }],
      });
      expect(issuing()).toMatchObject({
        status: 'True',
        reason: 'DoesNotExist',
      });
      expect(ready()).toMatchObject({
        status: 'False',
        reason: 'DoesNotExist',
        message: 'Issuing certificate as Secret does not exist',
      });
      expect(condition(request, 'Approved')).toMatchObject({ status: 'True' });
      expect(condition(request, 'Ready')).toMatchObject({
        reason: 'Pending',
        message: `Waiting on certificate issuance from order shop/${order.metadata.name}: "pending"`,
      });
      expect(order.status).toMatchObject({
        state: 'pending',
        authorizations: [
          { identifier: HOST, initialState: 'pending', wildcard: false },
        ],
      });
      expect(challenge.status).toMatchObject({
        processing: true,
        presented: true,
        presentedAt: expect.any(String),
        state: 'pending',
        reason: `Waiting for DNS-01 challenge propagation: DNS record for "${HOST}" not yet propagated`,
      });
      const value = `"${challenge.spec?.key}"`;
      expect(txt()).toEqual([
        {
          name: `_acme-challenge.${HOST}.`,
          type: 'TXT',
          ttl: 10,
          multiValueAnswer: true,
          setIdentifier: value,
          values: [value],
        },
      ]);
    });

    it('leaves a Secret and a certificate that is ready, and no Challenge or record', async () => {
      create();
      await pass(ISSUANCE);
      expect(certificate().status?.conditions).toMatchObject([
        {
          type: 'Ready',
          status: 'True',
          reason: 'Ready',
          message: 'Certificate is up to date and has not expired',
        },
      ]);
      const { notBefore, notAfter, renewalTime, revision } =
        certificate().status ?? {};
      expect(revision).toBe(1);
      expect(Date.parse(notAfter) - Date.parse(notBefore)).toBe(90 * DAY);
      expect(Date.parse(renewalTime) - Date.parse(notBefore)).toBe(60 * DAY);
      expect(certificate().status).not.toHaveProperty(
        'nextPrivateKeySecretName',
      );
      expect(list('Challenge')).toEqual([]);
      expect(txt()).toEqual([]);
      expect(list('Order')[0].status?.state).toBe('valid');
      expect(condition(list('CertificateRequest')[0], 'Ready')).toMatchObject({
        status: 'True',
        reason: 'Issued',
      });
      expect(list('Secret').map(({ metadata }) => metadata.name)).toEqual([
        'site-tls',
      ]);
      expect(reasons()).toEqual(
        expect.arrayContaining([
          'Issuing',
          'Generated',
          'Requested',
          'cert-manager.io',
          'OrderCreated',
          'OrderPending',
          'Created',
          'Started',
          'Presented',
          'DomainVerified',
          'Complete',
          'CertificateIssued',
        ]),
      );
    });

    it('of a wildcard answers at the name without its star', async () => {
      create({ dnsNames: [`*.${HOST}`, HOST] });
      await pass(5 * SECOND);
      expect(
        list('Challenge').map(({ spec, status }) => [
          spec?.dnsName,
          spec?.wildcard,
          // One per name and type at a time.
          status?.processing ?? false,
        ]),
      ).toEqual(
        expect.arrayContaining([
          [HOST, true, expect.any(Boolean)],
          [HOST, false, expect.any(Boolean)],
        ]),
      );
      expect(
        list('Challenge').filter(({ status }) => status?.processing),
      ).toHaveLength(1);
      await pass(2 * ISSUANCE);
      expect(ready()).toMatchObject({ status: 'True' });
    });

    it('cuts a long name so that the names of its parts stay labels', async () => {
      create({ name: 'a'.repeat(63) });
      await pass(10 * SECOND);
      expect(list('CertificateRequest')[0].metadata.name).toBe(
        `${'a'.repeat(52)}-1`,
      );
      expect(list('Order')[0].metadata.name.length).toBeLessThanOrEqual(63);
    });

    it('needs no Challenge for a name that was authorized before', async () => {
      create();
      await pass(ISSUANCE);
      world.cluster.delete({
        kind: 'Certificate',
        namespace: 'shop',
        name: 'site',
      });
      world.cluster.delete({
        kind: 'Secret',
        namespace: 'shop',
        name: 'site-tls',
      });
      await pass(5 * SECOND);
      create();
      await pass(3 * SECOND);
      expect(list('Order')[0].status).toMatchObject({
        authorizations: [{ initialState: 'valid' }],
      });
      expect(list('Challenge')).toEqual([]);
      await pass(ISSUANCE);
      expect(ready()).toMatchObject({ status: 'True' });
    });

    it('fails at once for a common name that is not among its names', async () => {
      create();
      world.cluster.patch(
        { kind: 'Certificate', namespace: 'shop', name: 'site' },
        draft => {
          draft.spec = { ...draft.spec, commonName: 'example.com' };
        },
      );
      await pass(ISSUANCE);
      expect(issuing()).toMatchObject({
        status: 'False',
        reason: 'Failed',
        message: expect.stringContaining(
          `"example.com" does not exist in [${HOST}] or []`,
        ),
      });
      expect(list('Order')).toEqual([]);
    });

    it('works on sixty Challenges at once, and on the others afterwards', async () => {
      for (let index = 0; index < 65; index += 1) {
        create({
          name: `site-${index}`,
          dnsNames: [`mr-${index}.example.com`],
        });
      }
      await pass(8 * SECOND);
      const running = list('Challenge').filter(
        ({ status }) => status?.processing,
      );
      expect(list('Challenge')).toHaveLength(65);
      expect(running).toHaveLength(60);
      await pass(2 * ISSUANCE);
      expect(
        list('Certificate').map(({ metadata }) => ready(metadata.name)),
      ).toEqual(Array(65).fill(expect.objectContaining({ status: 'True' })));
    });
  });

  describe.each<{
    fault: CertificateFault;
    order?: object;
    request?: object;
    issuing: object;
    challenge?: object;
  }>([
    {
      fault: 'failed',
      order: { state: 'invalid', failureTime: expect.any(String) },
      request: {
        reason: 'Failed',
        message: expect.stringContaining('order is in "invalid" state: '),
      },
      issuing: { status: 'False', reason: 'Failed' },
      challenge: {
        state: 'invalid',
        processing: false,
        reason: `Error accepting authorization: acme: authorization error for ${HOST}: 403 urn:ietf:params:acme:error:unauthorized: No TXT record found at _acme-challenge.${HOST}`,
      },
    },
    {
      fault: 'never',
      order: { state: 'pending' },
      issuing: { status: 'True' },
      challenge: {
        state: 'pending',
        presented: true,
        reason: expect.stringContaining('Waiting for DNS-01'),
      },
    },
    {
      fault: 'queued',
      order: { state: 'pending' },
      issuing: { status: 'True' },
      challenge: undefined,
    },
    {
      fault: 'zoneNotFound',
      order: { state: 'pending' },
      issuing: { status: 'True' },
      challenge: {
        state: 'pending',
        presented: false,
        processing: true,
        reason: `failed to determine Route 53 hosted zone ID: zone  not found in Route 53 for domain _acme-challenge.${HOST}.`,
      },
    },
    {
      fault: 'accessDenied',
      order: { state: 'pending' },
      issuing: { status: 'True' },
      challenge: {
        presented: false,
        reason:
          'failed to change Route 53 record set: operation error Route 53: ChangeResourceRecordSets, <redacted AWS SDK error: http.ResponseError: see events and logs for details>',
      },
    },
    {
      fault: 'denied',
      request: { status: 'False', reason: 'Denied' },
      issuing: {
        status: 'False',
        reason: 'policy.cert-manager.io',
        message: expect.stringContaining('No policy approved this request'),
      },
    },
    {
      fault: 'orderExpired',
      order: { state: 'expired' },
      request: {
        reason: 'Failed',
        message: expect.stringContaining('order is in "expired" state'),
      },
      issuing: { status: 'False', reason: 'Failed' },
    },
    {
      fault: 'accountMissing',
      order: {
        state: 'errored',
        reason:
          'Failed to create Order: 400 urn:ietf:params:acme:error:accountDoesNotExist: Account "https://acme.example.com/acct/1" not found',
      },
      issuing: { status: 'False', reason: 'Failed' },
    },
    ...(
      [
        ['rateLimited', 'issued for "example.com" in the last 168h0m0s, retry'],
        [
          'rateLimitedUndated',
          'issued for "example.com" in the last 168h0m0s: see',
        ],
        [
          'rateLimitedSet',
          'exact set of identifiers in the last 168h0m0s, retry',
        ],
        [
          'rateLimitedSetUndated',
          'exact set of identifiers in the last 168h0m0s: see',
        ],
        ['rateLimitedOrders', 'too many new orders (300) from this account'],
        [
          'rateLimitedAuthorizations',
          `too many failed authorizations (5) for "${HOST}"`,
        ],
      ] as const
    ).map(([fault, text]) => ({
      fault,
      order: {
        state: 'errored',
        reason: expect.stringMatching(
          /^Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: /,
        ),
      },
      request: { reason: 'Failed', message: expect.stringContaining(text) },
      issuing: {
        status: 'False',
        reason: 'Failed',
        message: expect.stringContaining(text),
      },
    })),
  ])('with the fault $fault', expected => {
    it('shows it in its chain, and issues as soon as it is healed', async () => {
      fail(expected.fault);
      create();
      await pass(2 * ISSUANCE);
      expect(issuing()).toMatchObject(expected.issuing);
      expect(ready()).toMatchObject({
        status: 'False',
        reason: 'DoesNotExist',
      });
      const { fault: _, issuing: __, ...chain } = expected;
      expect({
        request: condition(list('CertificateRequest')[0], 'Ready'),
        order: list('Order').at(0)?.status,
        challenge: list('Challenge').at(0)?.status,
      }).toMatchObject(chain);
      world.platform.faults.clear();
      await pass(2 * ISSUANCE);
      expect(certificate().status?.conditions).toMatchObject([
        { type: 'Ready', status: 'True' },
      ]);
      expect(certificate().status).not.toHaveProperty('lastFailureTime');
      expect(list('Challenge')).toEqual([]);
      expect(txt()).toEqual([]);
    });
  });

  describe('a refusal of AWS', () => {
    it('is whole in Events, with names that change, and stable in the status', async () => {
      fail('accessDenied');
      create();
      await pass(6 * SECOND);
      const before = list('Challenge')[0].status;
      await pass(60 * SECOND);
      const messages = list('Event')
        .filter(({ reason }) => reason === 'PresentError')
        .map(({ message }) => message as string);
      expect(messages.length).toBeGreaterThan(2);
      expect(new Set(messages).size).toBe(messages.length);
      messages.forEach(message =>
        expect(message).toMatch(
          /^Error presenting challenge: failed to change Route 53 record set: operation error Route 53: ChangeResourceRecordSets, https response error StatusCode: 403, RequestID: [0-9a-f-]{36}, api error AccessDenied: User: arn:aws:sts::123456789012:assumed-role\/cert-manager\/\d{20} is not authorized to perform: route53:ChangeResourceRecordSets on resource: arn:aws:route53:::hostedzone\/Z1 because no identity-based policy allows the route53:ChangeResourceRecordSets action$/,
        ),
      );
      expect(list('Challenge')[0].status).toEqual(before);
    });

    it('counts an Event that says the same again', async () => {
      fail('zoneNotFound');
      create();
      await pass(60 * SECOND);
      const [event, ...others] = list('Event').filter(
        ({ reason }) => reason === 'PresentError',
      );
      expect(others).toEqual([]);
      expect(event).toMatchObject({
        type: 'Warning',
        count: expect.any(Number),
        involvedObject: { kind: 'Challenge' },
      });
      expect(event.count).toBeGreaterThan(2);
    });

    it('keeps a Challenge whose record cannot be taken away, and its namespace with it', async () => {
      fail('cleanUpStuck');
      create();
      await pass(ISSUANCE);
      expect(ready()).toMatchObject({ status: 'True' });
      expect(list('Challenge')).toMatchObject([
        {
          metadata: {
            deletionTimestamp: expect.any(String),
            finalizers: ['acme.cert-manager.io/finalizer'],
          },
          status: {
            state: 'valid',
            presented: true,
            reason: expect.stringMatching(
              /^Error cleaning up challenge: failed to change .*<redacted AWS SDK error/,
            ),
          },
        },
      ]);
      expect(reasons()).toContain('CleanUpError');
      world.cluster.delete({ kind: 'Namespace', name: 'shop' });
      await pass(60 * SECOND);
      expect(
        world.cluster.get({ kind: 'Namespace', name: 'shop' })?.status,
      ).toMatchObject({
        phase: 'Terminating',
        conditions: expect.arrayContaining([
          expect.objectContaining({
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            message: expect.stringContaining(
              'acme.cert-manager.io/finalizer in 1 resource instances',
            ),
          }),
        ]),
      });
      expect(txt()).toHaveLength(1);
      world.platform.faults.clear();
      await pass(10 * SECOND);
      expect(
        world.cluster.get({ kind: 'Namespace', name: 'shop' }),
      ).toBeUndefined();
      expect(txt()).toEqual([]);
    });
  });

  describe('after a failure', () => {
    it('waits an hour, then twice as long each time, at most 32 hours', async () => {
      // Not by a fault: those are healed, and this one is not.
      create({ dnsNames: [HOST] });
      jest
        .spyOn(world.platform.acme, 'newOrder')
        .mockImplementation(({ names }) => {
          throw world.platform.acme.limitProblem({
            limit: 'domain',
            names,
            retryAfter: undefined,
          });
        });
      const waits: number[] = [];
      let last: number | undefined;
      while (waits.length < 7) {
        await pass(30 * 60 * SECOND, 60 * SECOND);
        const { lastFailureTime } = certificate().status ?? {};
        const at = lastFailureTime ? Date.parse(lastFailureTime) : undefined;
        if (last !== undefined && at !== last && at !== undefined) {
          waits.push(Math.round((at - last) / HOUR));
        }
        last = at ?? last;
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 32]);
      expect(certificate().status?.failedIssuanceAttempts).toBe(8);
    });

    it('does not wait when it asks for something else', async () => {
      fail('failed', HOST);
      create();
      await pass(ISSUANCE);
      expect(issuing()).toMatchObject({ status: 'False' });
      world.cluster.patch(
        { kind: 'Certificate', namespace: 'shop', name: 'site' },
        draft => {
          draft.spec = { ...draft.spec, dnsNames: ['mr-2.example.com'] };
        },
      );
      await pass(2 * ISSUANCE);
      expect(ready()).toMatchObject({ status: 'True', observedGeneration: 2 });
    });
  });

  describe('a certificate that was issued', () => {
    beforeEach(async () => {
      create();
      await pass(ISSUANCE);
    });

    it('is renewed when two thirds of its time are over, and stays ready meanwhile', async () => {
      await pass(60 * DAY - 5 * 60 * SECOND, DAY / 4);
      expect(certificate().status?.revision).toBe(1);
      const states: string[] = [];
      world.cluster.subscribe(({ object }) => {
        if (object.kind === 'Certificate') {
          states.push(condition(object, 'Ready').status);
        }
      });
      await pass(10 * 60 * SECOND, 5 * SECOND);
      expect(certificate().status).toMatchObject({ revision: 2 });
      expect(new Set(states)).toEqual(new Set(['True']));
      expect(
        list('Event').some(({ message }) =>
          /^Renewing certificate as renewal was scheduled at 2027-01-28 12:00:\d\d \+0000 UTC$/.test(
            message,
          ),
        ),
      ).toBe(true);
    });

    it('stays ready while its renewal fails', async () => {
      fail('renewalFails');
      await pass(2 * ISSUANCE);
      expect(ready()).toMatchObject({ status: 'True' });
      expect(issuing()).toMatchObject({ status: 'False', reason: 'Failed' });
      const { renewalTime, notAfter, revision } = certificate().status ?? {};
      expect(Date.parse(renewalTime)).toBeLessThan(world.clock.now().getTime());
      expect(Date.parse(notAfter)).toBeGreaterThan(world.clock.now().getTime());
      expect(revision).toBe(1);
      world.platform.faults.clear();
      await pass(2 * ISSUANCE);
      expect(certificate().status).toMatchObject({ revision: 2 });
      expect(issuing()).toBeUndefined();
    });

    it('expires and still says that it is ready when nobody looks after it', async () => {
      fail('controllerDown');
      await pass(5 * SECOND);
      expect(ready()).toMatchObject({ status: 'True' });
      expect(Date.parse(certificate().status?.notAfter)).toBeLessThan(
        world.clock.now().getTime(),
      );
      world.platform.faults.clear();
      await pass(SECOND);
      expect(ready()).toMatchObject({ status: 'False', reason: 'Expired' });
      expect(issuing()).toMatchObject({ status: 'True', reason: 'Renewing' });
      await pass(ISSUANCE);
      expect(ready()).toMatchObject({ status: 'True' });
    });

    it('is issued again when its Secret is gone', async () => {
      fail('secretMissing');
      await pass(ISSUANCE);
      expect(secret()).toBeUndefined();
      expect(ready()).toMatchObject({
        status: 'False',
        reason: 'DoesNotExist',
      });
      expect(certificate().status).not.toHaveProperty('notAfter');
      world.platform.faults.clear();
      await pass(2 * ISSUANCE);
      expect(secret()).toBeDefined();
      expect(ready()).toMatchObject({ status: 'True' });
    });

    it('can be asked for anew, and can be made older', async () => {
      renewCertificate(world, certificate());
      await pass(SECOND);
      expect(issuing()).toMatchObject({ reason: 'ManuallyTriggered' });
      await pass(ISSUANCE);
      expect(certificate().status?.revision).toBe(2);
      ageCertificate(world, certificate(), 10);
      await pass(5 * SECOND);
      expect(
        world.clock.now().getTime() -
          Date.parse(certificate().status?.notBefore),
      ).toBeGreaterThan(10 * DAY);
      expect(ready()).toMatchObject({ status: 'True' });
    });

    it('leaves its Secret behind, which serves the next one of its name', async () => {
      world.cluster.delete({
        kind: 'Certificate',
        namespace: 'shop',
        name: 'site',
      });
      await pass(5 * SECOND);
      expect(list('CertificateRequest')).toEqual([]);
      expect(secret()).toBeDefined();
      create();
      await pass(SECOND);
      expect(ready()).toMatchObject({ status: 'True' });
      expect(list('Order')).toEqual([]);
    });

    it('is not taken over by another one that names its Secret', async () => {
      world.cluster.create({
        ...certificate(),
        metadata: { name: 'other', namespace: 'shop' },
        status: undefined,
      });
      await pass(ISSUANCE);
      expect(ready('other')).toMatchObject({
        status: 'False',
        reason: 'IncorrectCertificate',
      });
      expect(issuing('other')).toBeUndefined();
      expect(ready()).toMatchObject({ status: 'True' });
    });

    it.each([
      [
        'other names',
        { dnsNames: ['mr-2.example.com'] },
        'RequestChanged',
        'Fields on existing CertificateRequest resource not up to date: [spec.dnsNames]',
      ],
      [
        'another issuer',
        {
          issuerRef: {
            group: 'cert-manager.io',
            kind: 'ClusterIssuer',
            name: 'second',
          },
        },
        'IncorrectIssuer',
        'Issuing certificate as Secret was previously issued by "ClusterIssuer.cert-manager.io/letsencrypt"',
      ],
    ])('is issued again for %s', async (_, spec, reason, message) => {
      layIssuer(world.cluster, { name: 'second' });
      world.cluster.patch(
        { kind: 'Certificate', namespace: 'shop', name: 'site' },
        draft => {
          draft.spec = { ...draft.spec, ...spec };
        },
      );
      await pass(SECOND / 2);
      expect(ready()).toMatchObject({ status: 'False', reason, message });
      await pass(2 * ISSUANCE);
      expect(certificate().status).toMatchObject({ revision: 2 });
      expect(ready()).toMatchObject({ status: 'True' });
    });
  });

  describe('issuers', () => {
    const issuer = () =>
      world.cluster.get({ kind: 'ClusterIssuer', name: 'letsencrypt' });
    const request = () => condition(list('CertificateRequest')[0], 'Ready');

    it('have an account', async () => {
      await settle();
      expect(issuer()?.status).toMatchObject({
        acme: { uri: 'https://acme.example.com/acct/1' },
        conditions: [
          { type: 'Ready', status: 'True', reason: 'ACMEAccountRegistered' },
        ],
      });
    });

    it('that are not ready keep requests waiting', async () => {
      world.platform.faults.set('issuer', 'letsencrypt', 'notReady');
      create();
      await pass(ISSUANCE);
      expect(condition(issuer(), 'Ready')).toMatchObject({
        status: 'False',
        reason: 'ErrRegisterACMEAccount',
      });
      expect(request()).toMatchObject({
        reason: 'Pending',
        message: 'Referenced issuer does not have a Ready status condition',
      });
      expect(list('Order')).toEqual([]);
      world.platform.faults.clear();
      await pass(ISSUANCE);
      expect(ready()).toMatchObject({ status: 'True' });
    });

    it('that are not there are named, and come back when healed', async () => {
      await settle();
      world.platform.faults.set('issuer', 'letsencrypt', 'notFound');
      create();
      await pass(ISSUANCE);
      expect(issuer()).toBeUndefined();
      expect(request()).toMatchObject({
        reason: 'Pending',
        message:
          'Referenced "ClusterIssuer" not found: clusterissuer.cert-manager.io "letsencrypt" not found',
      });
      world.platform.faults.clear();
      await pass(ISSUANCE);
      expect(ready()).toMatchObject({ status: 'True' });
    });
  });

  describe('with limits that are enforced', () => {
    beforeEach(() => {
      world.stop();
      world = createWorld(['set']);
    });

    it('refuses the sixth certificate for the same names', async () => {
      create();
      for (let round = 0; round < 5; round += 1) {
        await pass(ISSUANCE);
        expect(certificate().status?.revision).toBe(round + 1);
        renewCertificate(world, certificate());
      }
      await pass(ISSUANCE);
      expect(certificate().status?.revision).toBe(5);
      expect(issuing()).toMatchObject({
        status: 'False',
        message: expect.stringMatching(
          /too many certificates \(5\) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-11-30 21:\d\d:\d\d UTC/,
        ),
      });
    });
  });

  describe('shims', () => {
    const tls = (hosts: string[], secretName: string) => ({
      hosts,
      secretName,
    });

    it('make a Certificate of an Ingress that asks for one, follow it, and take it away', async () => {
      const reference = { kind: 'Ingress', namespace: 'shop', name: 'site' };
      world.cluster.create({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: {
          name: 'site',
          namespace: 'shop',
          annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
        },
        spec: { tls: [tls([HOST], 'web-tls')] },
      });
      await pass(ISSUANCE);
      expect(certificate('web-tls')).toMatchObject({
        metadata: { ownerReferences: [{ kind: 'Ingress', name: 'site' }] },
        spec: { dnsNames: [HOST], secretName: 'web-tls' },
      });
      expect(ready('web-tls')).toMatchObject({ status: 'True' });
      expect(reasons()).toContain('CreateCertificate');
      world.cluster.patch(reference, draft => {
        draft.spec = { tls: [tls([HOST, 'mr-2.example.com'], 'web-tls')] };
      });
      await pass(2 * ISSUANCE);
      expect(certificate('web-tls').spec?.dnsNames).toHaveLength(2);
      world.cluster.patch(reference, draft => {
        draft.metadata.annotations = {};
      });
      await pass(SECOND);
      expect(certificate('web-tls')).toBeUndefined();
    });

    it('merge the listeners of a Gateway that share a Secret', async () => {
      const listener = (hostname: string, name: string) => ({
        name: hostname,
        hostname,
        protocol: 'HTTPS',
        port: 443,
        tls: { certificateRefs: [{ kind: 'Secret', name }] },
      });
      world.cluster.create({
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'Gateway',
        metadata: {
          name: 'edge',
          namespace: 'shop',
          annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
        },
        spec: {
          gatewayClassName: 'envoy',
          listeners: [
            listener('*.a.example.com', 'shared-tls'),
            listener('*.b.example.com', 'shared-tls'),
            listener('c.example.com', 'own-tls'),
          ],
        },
      });
      await pass(2 * ISSUANCE);
      expect(certificate('shared-tls').spec?.dnsNames).toEqual([
        '*.a.example.com',
        '*.b.example.com',
      ]);
      expect(certificate('own-tls').spec?.dnsNames).toEqual(['c.example.com']);
      expect(ready('shared-tls')).toMatchObject({ status: 'True' });
    });
  });
});
