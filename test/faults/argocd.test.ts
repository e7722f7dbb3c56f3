import { Preview } from '@previews/backstage-plugin-previews-common';
import { ArgocdFaults, Simulator } from 'simulator';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const SOURCE = 'argocd:central';

const SCHEDULE = {
  clusterRelistAfter: { milliseconds: 1000 },
  clusterStaleAfter: { milliseconds: 3000 },
};

/** Conditions whose objects only a cluster has. */
const NOT_OBSERVED = ['CertificateReady', 'RouteAccepted'];

/** Live, with all known that Argo CD can tell. */
function isSettled(preview: Preview): boolean {
  return (
    preview.phase === 'Live' &&
    preview.stale.length === 0 &&
    preview.conditions.every(
      ({ type, status, reason }) =>
        status === 'True' ||
        (NOT_OBSERVED.includes(type) && reason === 'NotObserved'),
    )
  );
}

function open(simulator: Simulator, branch: string): MergeRequestReference {
  const project = 'shop/checkout';
  const { iid } = simulator.control.openMergeRequest({
    project,
    sourceBranch: branch,
    title: branch,
    author: 'dev1',
  });
  return { project, iid };
}

describe('a portal that reads Argo CD instead of the cluster', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  let faults: ArgocdFaults;
  let reference: MergeRequestReference;

  beforeAll(async () => {
    plugin = await startPlugin({
      previews: { schedule: SCHEDULE },
      simulator: { argocd: true },
      readClusters: [],
      readArgocd: 'central',
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
    simulator = plugin.simulator;
    faults = simulator.argocd!.faults;
    reference = open(simulator, 'feature/a');
    await plugin.until(reference, isSettled);
  });

  afterEach(async () => {
    await simulator.faults.clear();
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  it('takes a merge request to Live and, when it is merged, to Gone', async () => {
    const merged = open(simulator, 'feature/b');
    const live = await plugin.until(merged, isSettled);
    expect(live.applications).toMatchObject([
      {
        cluster: 'central',
        sync: 'Synced',
        health: 'Healthy',
        webUrl: expect.stringContaining(
          `${simulator.argocd!.url}/applications/argocd/`,
        ),
      },
    ]);
    expect(condition(live, 'Available')).toMatchObject({
      status: 'True',
      reason: 'Healthy',
    });
    expect(condition(live, 'CertificateReady')).toMatchObject({
      status: 'Unknown',
      reason: 'NotObserved',
      params: { what: 'Certificates' },
    });
    simulator.control.merge(merged);
    const gone = await plugin.untilPhase(merged, 'Gone');
    expect(gone.id).toBe(live.id);
    expect(condition(gone, 'CleanedUp')?.status).toBe('True');
    expect(await plugin.source(SOURCE)).toMatchObject({
      kind: 'argocd',
      name: 'central',
      status: 'fresh',
      errors: [],
    });
    expect(simulator.clusters[0].requests.all()).toEqual({});
  });

  it.each<[string, () => void | Promise<void>]>([
    ['whose stream is cut', () => faults.cutStreams()],
    ['whose stream hangs', () => faults.hangStreams(true)],
    [
      'that is restarted',
      async () => {
        await faults.refuseConnections(true);
        await faults.refuseConnections(false);
      },
    ],
  ])('%s: what happens meanwhile is seen', async (_, begin) => {
    const before = await plugin.until(reference, isSettled);
    await begin();
    const { sha } = simulator.control.push(reference);
    const after = await plugin.until(
      reference,
      preview => preview.mergeRequest.headSha === sha && isSettled(preview),
    );
    expect(after.id).toBe(before.id);
    expect(after.applications).toHaveLength(1);
    const timeline = await plugin.timeline(before.id);
    expect(timeline.map(({ to }) => to)).not.toContain('Gone');
  });

  it.each<[string, string, () => void | Promise<void>]>([
    [
      'refuses connections',
      'Unreachable',
      () => faults.refuseConnections(true),
    ],
    [
      'rejects the token',
      'TokenInvalid',
      () => faults.rejectToken(simulator.argocd!.token),
    ],
    [
      'hides everything from an account that lost its rights',
      'Forbidden',
      () => {
        faults.deny('applications');
        faults.deny('applicationsets');
      },
    ],
  ])(
    'that %s takes no preview away, and leaves no trace in the timeline',
    async (_, reason, begin) => {
      const before = await plugin.until(reference, isSettled);
      const timeline = await plugin.timeline(before.id);
      await begin();
      const row = await plugin.until(
        reference,
        preview => condition(preview, 'Available')?.status === 'Unknown',
      );
      expect(row.phase).toBe('Live');
      expect(row.stale).toEqual([SOURCE]);
      expect(condition(row, 'Available')).toMatchObject({
        reason: 'SourceUnavailable',
        params: { source: SOURCE },
        lastKnown: { status: 'True', reason: 'Healthy' },
      });
      expect(condition(row, 'Available')?.message).toContain('Argo CD central');
      const source = await plugin.source(SOURCE);
      expect(['stale', 'failing']).toContain(source.status);
      expect([...new Set(source.errors.map(error => error.reason))]).toEqual([
        reason,
      ]);
      expect(JSON.stringify(source)).not.toContain(simulator.argocd!.token);
      const { sources } = await plugin.previews({ project: 'shop/checkout' });
      expect(sources.map(({ id }) => id)).toContain(SOURCE);

      await simulator.faults.clear();
      await plugin.until(reference, isSettled);
      expect(await plugin.timeline(before.id)).toEqual(timeline);
      await plugin.untilSource(
        SOURCE,
        ({ status, errors }) => status === 'fresh' && errors.length === 0,
      );
    },
  );

  it('that hides everything after a restart of the portal ends nothing', async () => {
    const before = await plugin.until(reference, isSettled);
    await plugin.stopBackend();
    faults.deny('applications');
    faults.deny('applicationsets');
    await plugin.startBackend();
    const row = await plugin.until(
      reference,
      preview => condition(preview, 'Available')?.status === 'Unknown',
    );
    expect(row).toMatchObject({
      id: before.id,
      phase: 'Live',
      stale: [SOURCE],
      applications: before.applications,
    });
    await simulator.faults.clear();
    await plugin.until(reference, isSettled);
  });

  it('tells on every merge request of a set that it errs, and what it holds back', async () => {
    const held = open(simulator, 'feature/c');
    await plugin.until(held, isSettled);
    simulator.faults.platform.set('generator', 'checkout-previews', 'error');
    simulator.control.close(held);
    const live = await plugin.until(
      reference,
      preview =>
        condition(preview, 'ApplicationGenerated')?.reason ===
        'FrozenByGenerator',
    );
    expect(live.phase).toBe('Live');
    const row = await plugin.until(
      held,
      preview =>
        condition(preview, 'CleanedUp')?.reason === 'FrozenByGenerator',
    );
    expect(row.phase).toBe('TearingDown');
    await simulator.faults.clear();
    await plugin.untilPhase(held, 'Gone');
    await plugin.until(reference, isSettled);
  });

  it('in all of its moods makes no pass of the engine fail', async () => {
    await waitFor('all to be fresh', async () =>
      (await plugin.sources()).every(({ status }) => status === 'fresh')
        ? true
        : undefined,
    );
    expect(plugin.errors).toEqual([]);
  });
});
