import { Preview } from '@previews/backstage-plugin-previews-common';
import { ClusterFaults, defaultResources, Simulator } from 'simulator';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const FIRST = 'cluster:preview';
const SECOND = 'cluster:preview-2';

const SCHEDULE = {
  clusterRelistAfter: { milliseconds: 1000 },
  clusterStaleAfter: { milliseconds: 3000 },
};

function isSettled(preview: Preview): boolean {
  return (
    preview.phase === 'Live' &&
    preview.stale.length === 0 &&
    preview.conditions.every(({ status }) => status === 'True')
  );
}

function open(simulator: Simulator, project: string): MergeRequestReference {
  const { iid } = simulator.control.openMergeRequest({
    project,
    sourceBranch: 'feature/a',
    title: 'A',
    author: 'dev1',
  });
  return { project, iid };
}

/** The types of conditions by their status. */
function byStatus({ conditions }: Preview, status: string): string[] {
  return conditions
    .filter(candidate => candidate.status === status)
    .map(({ type }) => type);
}

const OF_CLUSTER = [
  'ApplicationGenerated',
  'Available',
  'CertificateReady',
  'ImageBuilt',
  'RouteAccepted',
  'Selected',
  'Synced',
];

describe('a cluster', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  let faults: ClusterFaults;
  let reference: MergeRequestReference;

  beforeAll(async () => {
    plugin = await startPlugin({
      previews: { schedule: SCHEDULE },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
    simulator = plugin.simulator;
    faults = simulator.faults.clusters[0];
    reference = open(simulator, 'shop/checkout');
    await plugin.until(reference, isSettled);
  });

  afterEach(async () => {
    faults.acceptToken(simulator.clusters[0].token);
    await simulator.faults.clear();
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  it.each<[string, () => void | Promise<void>]>([
    ['whose watches are cut', () => faults.cutWatches()],
    [
      'that has forgotten what a watch would resume from',
      () => {
        faults.expireResourceVersions();
        faults.cutWatches();
      },
    ],
    [
      'that says so within the watch',
      () => {
        faults.inStreamGone(true);
        faults.expireResourceVersions();
        faults.cutWatches();
      },
    ],
    ['whose API server is restarted', () => faults.restart()],
    ['whose watches hang', () => faults.hangWatches()],
    [
      'that fails a few times',
      () => {
        faults.failNext('Application', 500, 2);
        faults.failNext('Pod', 429, 2);
        faults.cutWatches();
      },
    ],
  ])('%s: what happens meanwhile is seen', async (_, begin) => {
    const before = (await plugin.find(reference))!;
    const timeline = await plugin.timeline(before.id);
    await begin();
    const { sha } = simulator.control.push(reference);
    const after = await plugin.until(
      reference,
      preview => preview.mergeRequest.headSha === sha && isSettled(preview),
    );
    expect(after.commit.running).toBe(sha!.slice(0, 8));
    // It is the same preview, and it never went away.
    expect(after.id).toBe(before.id);
    const added = (await plugin.timeline(before.id)).slice(timeline.length);
    expect(added.map(({ to }) => to)).not.toContain('Gone');
    expect(added.filter(({ kind }) => kind === 'head')).toHaveLength(1);
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
      () => {
        faults.rejectToken(simulator.clusters[0].token);
        faults.cutWatches();
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
      expect(row.stale).toEqual([FIRST]);
      expect(condition(row, 'Available')).toMatchObject({
        reason: 'SourceUnavailable',
        params: { source: FIRST },
        lastKnown: { status: 'True', reason: 'Available' },
      });
      expect(condition(row, 'MergeRequestOpen')?.status).toBe('True');
      const source = await plugin.source(FIRST);
      expect(['stale', 'failing']).toContain(source.status);
      expect(source.errors.map(error => error.reason)).toEqual([reason]);

      faults.acceptToken(simulator.clusters[0].token);
      await simulator.faults.clear();
      const after = await plugin.until(reference, isSettled);
      expect(after.conditions.map(({ since }) => since)).toEqual(
        before.conditions.map(({ since }) => since),
      );
      expect(await plugin.timeline(before.id)).toEqual(timeline);
      await plugin.untilSource(
        FIRST,
        ({ status, errors }) => status === 'fresh' && errors.length === 0,
      );
    },
  );

  it.each([
    ['Certificate', ['CertificateReady'], 'certificates.cert-manager.io'],
    ['HTTPRoute', ['RouteAccepted'], 'httproutes.gateway.networking.k8s.io'],
  ])('that forbids %s degrades only %j', async (kind, degraded, subject) => {
    const before = await plugin.until(reference, isSettled);
    const timeline = await plugin.timeline(before.id);
    faults.forbid(kind);
    faults.cutWatches(kind);
    const row = await plugin.until(
      reference,
      preview => byStatus(preview, 'Unknown').length > 0,
    );
    expect(byStatus(row, 'Unknown')).toEqual(degraded);
    expect(row.phase).toBe('Live');
    expect(
      row.conditions.find(({ status }) => status === 'Unknown'),
    ).toMatchObject({
      reason: 'KindForbidden',
      lastKnown: { status: 'True' },
    });
    expect((await plugin.source(FIRST)).errors).toMatchObject([
      { reason: 'Forbidden', subject },
    ]);
    faults.allow(kind);
    await plugin.until(reference, isSettled);
    expect(await plugin.timeline(before.id)).toEqual(timeline);
  });

  it('that cannot be reached after a restart of the portal keeps what is stored', async () => {
    const before = await plugin.until(reference, isSettled);
    const timeline = await plugin.timeline(before.id);
    await plugin.stopBackend();
    await faults.refuseConnections(true);
    await plugin.startBackend();
    const row = await plugin.until(
      reference,
      preview => condition(preview, 'Available')?.status === 'Unknown',
    );
    expect(row).toMatchObject({
      id: before.id,
      phase: 'Live',
      stale: [FIRST],
      applications: before.applications,
      workloads: before.workloads,
      urls: before.urls,
    });
    expect(byStatus(row, 'Unknown').sort()).toEqual(OF_CLUSTER);

    // What ends in the meantime is not concluded before the cluster tells.
    simulator.control.close(reference);
    await plugin.until(
      reference,
      preview => preview.mergeRequest.state === 'closed',
    );
    await simulator.quiet();
    expect((await plugin.find(reference))?.phase).not.toBe('Gone');

    await faults.refuseConnections(false);
    const gone = await plugin.untilPhase(reference, 'Gone');
    expect(gone.id).toBe(before.id);
    const after = await plugin.timeline(before.id);
    expect(after.slice(0, timeline.length)).toEqual(timeline);
    expect(after.filter(({ to }) => to === 'Gone')).toHaveLength(1);
  });

  it('whose containers crash again and again has that told once', async () => {
    simulator.faults.platform.set('workload', '*', 'crashLoop');
    const { iid } = simulator.control.openMergeRequest({
      project: reference.project,
      sourceBranch: 'feature/crashing',
      title: 'Crashes',
      author: 'dev1',
    });
    const { id } = await plugin.until(
      { ...reference, iid },
      preview =>
        Number(condition(preview, 'Available')?.params.restarts ?? 0) >= 5,
    );
    const timeline = await plugin.timeline(id);
    const told = (type: string) =>
      timeline
        .filter(transition => transition.type === type)
        .map(({ to, reason }) => `${to} ${reason}`);
    expect(told('Available').at(-1)).toBe('False CrashLoop');
    expect(
      told('Available').filter(one => one === 'False CrashLoop'),
    ).toHaveLength(1);
    expect(
      told('ImageBuilt').filter(one => one === 'True ImagePulled'),
    ).toHaveLength(1);
  });

  it('in all of its moods makes no pass of the engine fail', () => {
    expect(plugin.errors).toEqual([]);
  });
});

describe('a cluster without the Gateway API', () => {
  let plugin: StartedPlugin;

  afterEach(async () => {
    await plugin?.stop();
  });

  it('shows what goes by Ingress, and routes once they are installed', async () => {
    const isOfGatewayApi = ({ group }: { group: string }) =>
      group === 'gateway.networking.k8s.io';
    plugin = await startPlugin({
      previews: { schedule: SCHEDULE },
      scenario: ({ clusters, scenario }) => {
        defaultResources()
          .filter(isOfGatewayApi)
          .forEach(({ kind }) => clusters[0].cluster.removeResource(kind));
        scenario.addService({ name: 'checkout', route: 'ingress' });
      },
    });
    const { simulator } = plugin;
    const reference = open(simulator, 'shop/checkout');
    const row = await plugin.until(reference, isSettled);
    expect(row.routes).toMatchObject([{ kind: 'Ingress', accepted: 'True' }]);
    const source = await plugin.untilSource(
      FIRST,
      ({ status }) => status === 'fresh',
    );
    expect(source).toMatchObject({
      errors: [],
      notInstalled: [
        'httproutes.gateway.networking.k8s.io',
        'gateways.gateway.networking.k8s.io',
        'listenersets.gateway.networking.k8s.io',
      ],
    });

    const { cluster } = simulator.clusters[0];
    defaultResources()
      .filter(isOfGatewayApi)
      .forEach(resource => cluster.addResource(resource));
    await plugin.untilSource(FIRST, ({ notInstalled }) => !notInstalled);
    cluster.create({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'extra', namespace: row.namespaces[0].name },
      spec: {
        hostnames: ['extra.preview.example.com'],
        parentRefs: [{ name: 'shared', namespace: 'gateways' }],
      },
    });
    await plugin.until(reference, ({ routes }) =>
      routes.some(({ kind }) => kind === 'HTTPRoute'),
    );
  });
});

describe('Applications in any namespace', () => {
  let plugin: StartedPlugin;

  afterEach(async () => {
    await plugin?.stop();
  });

  it('are told apart by it: two of one name are two previews', async () => {
    const applicationName = 'preview-mr-{{ .number }}';
    plugin = await startPlugin({
      previews: { schedule: SCHEDULE },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout', applicationName });
        scenario.addService({
          name: 'catalogue',
          applicationName,
          namespace: 'preview-catalogue-{{ .number }}',
          setNamespace: 'team-catalogue',
        });
      },
    });
    const { simulator } = plugin;
    const checkout = open(simulator, 'shop/checkout');
    const catalogue = open(simulator, 'shop/catalogue');
    expect(catalogue.iid).toBe(checkout.iid);
    const name = `preview-mr-${checkout.iid}`;
    const other = await plugin.until(checkout, isSettled);
    expect(other.applications).toMatchObject([{ namespace: 'argocd', name }]);
    const row = await plugin.until(catalogue, isSettled);
    expect(row.applications).toMatchObject([
      { namespace: 'team-catalogue', name },
    ]);
    expect(row.namespaces).toMatchObject([
      { name: `preview-catalogue-${catalogue.iid}`, own: true },
    ]);

    simulator.control.merge(catalogue);
    await plugin.untilPhase(catalogue, 'Gone');
    const still = await plugin.until(checkout, isSettled);
    expect(still).toMatchObject({ id: other.id, phaseSince: other.phaseSince });
    expect(plugin.errors).toEqual([]);
  });
});

describe('two clusters', () => {
  let plugin: StartedPlugin;

  afterEach(async () => {
    await plugin?.stop();
  });

  it('of which one is down: the other goes on', async () => {
    plugin = await startPlugin({
      previews: { schedule: SCHEDULE },
      simulator: { clusterPorts: [0, 0] },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
        scenario.addService({ name: 'catalogue', destinationCluster: 1 });
      },
    });
    const { simulator } = plugin;
    const near = open(simulator, 'shop/checkout');
    const far = open(simulator, 'shop/catalogue');
    await plugin.until(near, isSettled);
    const before = await plugin.until(far, isSettled);
    expect(before.namespaces).toMatchObject([{ cluster: 'preview-2' }]);
    const timeline = await plugin.timeline(before.id);

    await simulator.faults.clusters[1].refuseConnections(true);
    const row = await plugin.until(
      far,
      preview => condition(preview, 'Available')?.status === 'Unknown',
    );
    expect(row).toMatchObject({ phase: 'Live', stale: [SECOND] });
    expect(condition(row, 'ApplicationGenerated')?.status).toBe('True');
    // It is told once, and the list has all rows all the same.
    const { items, sources } = await plugin.previews();
    expect(items).toHaveLength(2);
    expect(
      sources.flatMap(({ id, errors }) =>
        errors
          .filter(({ reason }) => reason === 'Unreachable')
          .map(({ subject }) => ({ id, subject })),
      ),
    ).toEqual([{ id: SECOND }]);
    const { sha } = simulator.control.push(near);
    await plugin.until(
      near,
      preview => preview.mergeRequest.headSha === sha && isSettled(preview),
    );
    expect((await plugin.source(FIRST)).status).toBe('fresh');

    await simulator.faults.clusters[1].refuseConnections(false);
    await plugin.until(far, isSettled);
    expect(await plugin.timeline(before.id)).toEqual(timeline);
    await waitFor('both to be fresh', async () =>
      (await plugin.sources()).every(({ status }) => status === 'fresh')
        ? true
        : undefined,
    );
    expect(plugin.errors).toEqual([]);
  });
});

describe('a cluster that is taken out of the configuration', () => {
  let plugin: StartedPlugin;
  /** Indices of the clusters that are configured at the next start. */
  const configured: number[] = [];

  const restartWith = async (...clusters: number[]) => {
    await plugin.stopBackend();
    configured.splice(0, configured.length, ...clusters);
    await plugin.startBackend();
  };

  const phases = async ({ id }: Preview) =>
    (await plugin.timeline(id))
      .filter(({ kind }) => kind === 'phase')
      .map(({ to }) => to);

  beforeAll(async () => {
    configured.splice(0, configured.length, 0, 1);
    plugin = await startPlugin({
      previews: { schedule: SCHEDULE },
      simulator: { clusterPorts: [0, 0] },
      readClusters: configured,
      annotations: { 'previews/enabled': 'true' },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
        scenario.addService({
          name: 'catalogue',
          destinationCluster: 1,
          createNamespaceBySync: true,
        });
      },
    });
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  it('with its Argo CD leaves its previews as they were last known', async () => {
    const reference = open(plugin.simulator, 'shop/checkout');
    const before = await plugin.until(reference, isSettled);
    const timeline = await plugin.timeline(before.id);

    await restartWith(1);
    const row = await plugin.until(reference, ({ stale }) =>
      stale.includes(FIRST),
    );
    expect(row).toMatchObject({
      id: before.id,
      phase: 'Live',
      stale: [FIRST],
      entityRefs: before.entityRefs,
      applications: before.applications,
      namespaces: before.namespaces,
      urls: before.urls,
    });
    expect(byStatus(row, 'Unknown').sort()).toEqual(OF_CLUSTER);

    await restartWith(0, 1);
    const after = await plugin.until(reference, isSettled);
    expect(after.liveAt).toBe(before.liveAt);
    expect(await plugin.timeline(before.id)).toEqual(timeline);

    // One that ends in the meantime is told to end once the cluster is read again.
    await restartWith(1);
    plugin.simulator.control.close(reference);
    await plugin.until(
      reference,
      ({ mergeRequest, stale }) =>
        mergeRequest.state === 'closed' && stale.includes(FIRST),
    );
    await plugin.simulator.quiet();
    expect((await plugin.find(reference))?.phase).toBe('Live');
    await restartWith(0, 1);
    const gone = await plugin.untilPhase(reference, 'Gone');
    expect((await phases(gone)).filter(to => to === 'Gone')).toHaveLength(1);
  });

  it('with what is deployed keeps its previews from being gone', async () => {
    const reference = open(plugin.simulator, 'shop/catalogue');
    const before = await plugin.until(reference, isSettled);
    expect(before.namespaces).toMatchObject([{ cluster: 'preview-2' }]);

    await restartWith(0);
    await plugin.until(reference, ({ stale }) => stale.includes(SECOND));
    plugin.simulator.control.close(reference);
    const row = await plugin.until(
      reference,
      ({ phase, applications }) =>
        phase === 'TearingDown' && applications.length === 0,
    );
    expect(condition(row, 'CleanedUp')).toMatchObject({
      status: 'Unknown',
      reason: 'SourceUnavailable',
      params: { source: SECOND },
    });

    // The namespace, which Argo CD made and leaves, is still there.
    await restartWith(0, 1);
    const left = await plugin.until(
      reference,
      preview => condition(preview, 'CleanedUp')?.reason === 'NamespaceLeft',
    );
    expect(left.namespaces).toMatchObject([
      { cluster: 'preview-2', own: true },
    ]);
    expect(await phases(left)).not.toContain('Gone');
    const [{ name }] = left.namespaces;
    plugin.simulator.clusters[1].cluster.delete({ kind: 'Namespace', name });
    await plugin.untilPhase(reference, 'Gone');
    expect(plugin.errors).toEqual([]);
  });
});
