import { Preview } from '@previews/backstage-plugin-previews-common';
import { PlatformFaultValues, Simulator } from 'simulator';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';

jest.setTimeout(180_000);

const PROJECT = 'shop/checkout';

type CertificateFault = PlatformFaultValues['certificate'];

/** What is injected into the issuance of one host, and what the portal makes of it. */
const FAULTS: [CertificateFault, string, Record<string, unknown>][] = [
  ['queued', 'ChallengeQueued', { host: expect.any(String) }],
  ['zoneNotFound', 'ZoneNotFound', { host: expect.any(String) }],
  [
    'accessDenied',
    'AccessDenied',
    { action: expect.stringMatching(/^(?:route53|sts):/) },
  ],
  ['denied', 'RequestDenied', {}],
  ['accountMissing', 'AccountMissing', {}],
  ['orderExpired', 'OrderExpired', { retryAt: expect.any(String) }],
  [
    'rateLimited',
    'RateLimitedForDomain',
    { domain: 'example.com', retryAt: expect.any(String) },
  ],
  ['rateLimitedSet', 'RateLimitedForNames', { retryAt: expect.any(String) }],
  ['rateLimitedSetUndated', 'RateLimitedForNames', {}],
  ['rateLimitedOrders', 'RateLimited', {}],
  ['rateLimitedAuthorizations', 'RateLimitedForFailures', {}],
];

describe('what goes wrong with a certificate', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  let projectId: number;

  beforeAll(async () => {
    plugin = await startPlugin({
      previews: { certificates: { challengeBlockedAfter: { seconds: 20 } } },
      scenario: ({ scenario }) => {
        ({ projectId } = scenario.addService({
          name: 'checkout',
          requeueAfterSeconds: 1,
        }));
        scenario.addService({
          name: 'basket',
          certificate: 'wildcard',
          requeueAfterSeconds: 1,
        });
      },
    });
    simulator = plugin.simulator;
  });

  afterEach(async () => {
    await simulator.faults.clear();
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  const namespaceOf = (iid: number) => `preview-mr-${projectId}-${iid}`;

  function open(project = PROJECT): MergeRequestReference {
    const { iid } = simulator.control.openMergeRequest({
      project,
      sourceBranch: `feature/${simulator.control.mergeRequests().length}`,
      title: 'A change',
      author: 'dev1',
    });
    return { project, iid };
  }

  /** An MR whose certificate meets the fault from its beginning. */
  function openWith(fault: CertificateFault): MergeRequestReference {
    const iid =
      1 +
      simulator.control
        .mergeRequests()
        .filter(({ project }) => project === PROJECT).length;
    simulator.faults.platform.set('certificate', namespaceOf(iid), fault);
    return open();
  }

  const hasReason = (reason: string) => (preview: Preview) =>
    condition(preview, 'CertificateReady')?.reason === reason;

  it('is told by its cause, names no account, and heals', async () => {
    const opened = FAULTS.map(([fault, reason, params]) => ({
      reason,
      params,
      reference: openWith(fault),
    }));
    const rows = await Promise.all(
      opened.map(({ reference, reason }) =>
        plugin.until(reference, hasReason(reason), {
          timeoutMilliseconds: 60_000,
        }),
      ),
    );
    rows.forEach((row, index) => {
      const { reason, params } = opened[index];
      const told = condition(row, 'CertificateReady')!;
      expect(told).toMatchObject({ status: 'False', reason, params });
      expect(told.message).toMatch(/Certificate|Order|Challenge/);
      expect(row.certificates[0].chain?.[0].kind).toBe('Certificate');
    });
    const denied = rows.find(
      (_, index) => FAULTS[index][0] === 'accessDenied',
    )!;
    const [list, ...others] = await Promise.all(
      [
        '/v1/previews?limit=100',
        `/v1/previews/${denied.id}`,
        `/v1/previews/${denied.id}/timeline`,
        '/v1/findings',
        '/v1/sources',
        '/v1/stats',
      ].map(path => plugin.fetchText(path)),
    );
    expect(list).toContain('"AccessDenied"');
    for (const text of [list, ...others]) {
      expect(text).not.toMatch(/arn:aws|assumed-role|AKIA|ASIA|"\d{12}"/);
    }
    await simulator.faults.clear();
    await Promise.all(
      opened.map(({ reference }) => plugin.untilPhase(reference, 'Live')),
    );
  });

  it('is a wait for DNS that becomes a blocked one, and heals', async () => {
    const reference = openWith('never');
    await plugin.until(
      reference,
      preview =>
        preview.phase === 'Securing' && hasReason('DnsNotPropagated')(preview),
    );
    const stuck = await plugin.until(reference, hasReason('PropagationStuck'), {
      timeoutMilliseconds: 60_000,
    });
    expect(stuck.phase).toBe('Failed');
    await simulator.faults.clear();
    await plugin.untilPhase(reference, 'Live');
  });

  it('is a warning while a certificate is valid that cannot be renewed', async () => {
    const reference = open();
    await plugin.untilPhase(reference, 'Live');
    simulator.faults.platform.set(
      'certificate',
      namespaceOf(reference.iid),
      'renewalFails',
    );
    const row = await plugin.until(reference, hasReason('RenewalFailing'));
    expect(row.phase).toBe('Live');
    expect(condition(row, 'CertificateReady')).toMatchObject({
      status: 'True',
      params: { retryAt: expect.any(String) },
    });
  });

  it('is an end that nobody noticed while cert-manager was down', async () => {
    const reference = open();
    await plugin.untilPhase(reference, 'Live');
    simulator.faults.platform.set(
      'certificate',
      namespaceOf(reference.iid),
      'controllerDown',
    );
    const row = await plugin.until(reference, hasReason('Expired'));
    expect(row.phase).toBe('Degraded');
  });

  it('is the finalizer of a Challenge that keeps a namespace from ending', async () => {
    const reference = openWith('cleanUpStuck');
    await plugin.untilPhase(reference, 'Live');
    simulator.control.close(reference);
    // GitLab may be read after the cluster: the MR is then still open for a moment.
    const row = await plugin.until(
      reference,
      ({ namespaces, conditions }) =>
        namespaces[0]?.terminatingSince !== undefined &&
        conditions.some(
          ({ type, status }) => type === 'CleanedUp' && status === 'False',
        ),
    );
    expect(row.phase).toBe('TearingDown');
    await simulator.faults.clear();
    await plugin.untilPhase(reference, 'Gone');
  });

  it('is nothing of the preview’s own behind a wildcard of the Gateway', async () => {
    const row = await plugin.untilPhase(open('shop/basket'), 'Live');
    expect(condition(row, 'CertificateReady')).toMatchObject({
      status: 'True',
      reason: 'Ready',
    });
    expect(row.certificates).toMatchObject([
      { shared: true, wildcard: true, state: 'ready' },
    ]);
  });

  it('is an issuer that is not there', async () => {
    simulator.faults.platform.set('issuer', '*', 'notFound');
    const reference = open();
    const row = await plugin.until(reference, hasReason('IssuerNotFound'));
    expect(row.phase).not.toBe('Live');
    await simulator.faults.clear();
    await plugin.untilPhase(reference, 'Live');
  });

  it.each([
    ['NotAllowedByListeners', 'NotAllowedByListeners'],
    ['BackendNotFound', 'BackendNotFound'],
    ['BackendsUnavailable', 'BackendsUnavailable'],
    // A parent that cannot be resolved has no entry in the status.
    ['NoMatchingParent', 'Pending'],
  ] as const)(
    'leaves a route that is told %s to its route',
    async (fault, reason) => {
      const reference = open();
      await plugin.untilPhase(reference, 'Live');
      simulator.faults.platform.set('route', namespaceOf(reference.iid), fault);
      const row = await plugin.until(
        reference,
        preview => condition(preview, 'RouteAccepted')?.reason === reason,
      );
      expect(row.phase).toBe('Degraded');
    },
  );

  it.each([
    ['conflicted', 'ListenerConflicted'],
    ['notProgrammed', 'ListenerNotProgrammed'],
    ['invalidCertificateRef', 'ListenerCertificateInvalid'],
  ] as const)(
    'leaves a listener that is %s to its Gateway, for every route of it',
    async (fault, reason) => {
      const reference = open();
      await plugin.untilPhase(reference, 'Live');
      simulator.faults.platform.set('listener', '*', fault);
      const row = await plugin.until(
        reference,
        preview => condition(preview, 'RouteAccepted')?.reason === reason,
      );
      expect(row.phase).toBe('Degraded');
      await simulator.faults.clear();
      await plugin.untilPhase(reference, 'Live');
    },
  );
});
