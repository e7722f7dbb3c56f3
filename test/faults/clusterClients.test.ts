import {
  HealthResponse,
  Preview,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Simulator } from 'simulator';
import { freePort } from '../support/freePort';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { startTcpProxy, TcpProxy } from '../support/tcpProxy';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const CLUSTER = 'cluster:preview';
const PROJECT = 'shop/checkout';
/** What is watched in every cluster and never absent from it. */
const RESOURCES = ['applications', 'applicationsets', 'namespaces', 'pods'];

function isSettled({ phase, stale, conditions }: Preview): boolean {
  return (
    phase === 'Live' &&
    stale.length === 0 &&
    conditions.every(({ status }) => status === 'True')
  );
}

function open({ control }: Simulator): MergeRequestReference {
  const { iid } = control.openMergeRequest({
    project: PROJECT,
    sourceBranch: 'feature/a',
    title: 'A',
    author: 'dev1',
  });
  return { project: PROJECT, iid };
}

describe('a watch of a cluster', () => {
  let plugin: StartedPlugin;

  afterEach(async () => {
    await plugin?.stop();
  });

  async function start(schedule: Record<string, { milliseconds: number }>) {
    plugin = await startPlugin({
      previews: { schedule },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
  }

  const untilHealth = (isAsExpected: (health: HealthResponse) => boolean) =>
    waitFor('the health', async () => {
      const health: HealthResponse = JSON.parse(
        await plugin.fetchText('/v1/health'),
      );
      return isAsExpected(health) ? health : undefined;
    });

  it('that dies without a word costs a relist, and the source tells its age', async () => {
    await start({
      clusterRelistAfter: { milliseconds: 1000 },
      clusterStaleAfter: { milliseconds: 10_000 },
    });
    const { simulator } = plugin;
    simulator.faults.platform.set('workload', '*', 'neverReady');
    const reference = open(simulator);
    await plugin.until(
      reference,
      preview => condition(preview, 'Available')?.status === 'False',
    );
    // They stay open and say nothing, and nobody resumes them.
    simulator.faults.clusters[0].hangWatches();
    const silentSince = new Date().toISOString();
    simulator.faults.platform.clear('workload');
    await plugin.until(reference, isSettled);
    // Past the client, which keeps an answer in which nothing but times has changed.
    const source = await waitFor('a reading after the silence', async () => {
      const { items } = JSON.parse(await plugin.fetchText('/v1/sources'));
      const found = items.find(({ id }: SourceState) => id === CLUSTER);
      return found.lastCompleteAt > silentSince ? found : undefined;
    });
    expect(source).toMatchObject({ status: 'fresh', errors: [] });
    expect(plugin.errors).toEqual([]);
  });

  it('that dies while lists hang as well turns its source stale and the health degraded, and no row changes', async () => {
    await start({
      clusterRelistAfter: { milliseconds: 1000 },
      clusterStaleAfter: { milliseconds: 2000 },
    });
    const { simulator } = plugin;
    const reference = open(simulator);
    const before = await plugin.until(reference, isSettled);
    const timeline = await plugin.timeline(before.id);
    expect(await untilHealth(({ status }) => status === 'ok')).toMatchObject({
      sources: [],
    });
    simulator.faults.clusters[0].hangWatches();
    simulator.faults.clusters[0].delay(10_000);
    const source = await plugin.untilSource(
      CLUSTER,
      ({ status }) => status !== 'fresh',
    );
    expect(source.lastCompleteAt).toBeDefined();
    const row = await plugin.until(reference, ({ stale }) =>
      stale.includes(CLUSTER),
    );
    expect(row.phase).toBe('Live');
    // A cluster that is away is no reason to take the portal out of service: that
    // it decides goes on, and only the cluster is named.
    const lastCompleteAt = Date.parse(source.lastCompleteAt!);
    const health = await untilHealth(
      ({ status, reconciledAt }) =>
        status !== 'ok' && Date.parse(reconciledAt!) > lastCompleteAt,
    );
    expect(health).toMatchObject({
      status: 'degraded',
      sources: [
        { id: CLUSTER, status: expect.stringMatching(/stale|failing/) },
      ],
    });
    expect(await plugin.timeline(row.id)).toEqual(timeline);

    await simulator.faults.clear();
    expect(await untilHealth(({ status }) => status === 'ok')).toMatchObject({
      sources: [],
    });
    expect(await plugin.timeline(row.id)).toEqual(timeline);
  });
});

describe('a cluster behind a connection that is cut', () => {
  let plugin: StartedPlugin;
  let proxy: TcpProxy;

  beforeAll(async () => {
    const port = await freePort();
    proxy = await startTcpProxy({ host: '127.0.0.1', port });
    plugin = await startPlugin({
      simulator: { clusterPorts: [port] },
      previews: {
        schedule: {
          // A relist would be a call that nothing had caused.
          clusterRelistAfter: { milliseconds: 120_000 },
          clusterStaleAfter: { milliseconds: 240_000 },
        },
        clusters: [
          {
            name: 'preview',
            url: `http://127.0.0.1:${proxy.port}`,
            token: 'simulated-portal-token',
          },
        ],
      },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
  });

  afterAll(async () => {
    await plugin?.stop();
    await proxy?.close();
  });

  it('is asked ever less often, and is watched once for each resource afterwards', async () => {
    const { simulator } = plugin;
    const { requests, faults } = simulator.clusters[0];
    const reference = open(simulator);
    await plugin.until(reference, isSettled);
    await plugin.untilSource(CLUSTER, ({ status }) => status === 'fresh');

    const watched = Object.keys(requests.all()).filter(key =>
      key.startsWith('watch '),
    );
    expect(watched.length).toBeGreaterThanOrEqual(RESOURCES.length);
    proxy.cut();
    const cutAt = performance.now();
    const before = proxy.refused;
    await waitFor('each resource to be tried four times', () =>
      proxy.refused - before >= 4 * watched.length ? true : undefined,
    );
    // Half of 1 + 2 + 4 seconds at least: without back-off it would be milliseconds.
    expect(performance.now() - cutAt).toBeGreaterThan(2000);
    requests.reset();
    proxy.mend();
    await plugin.untilSource(
      CLUSTER,
      ({ status, errors }) => status === 'fresh' && errors.length === 0,
    );
    const { sha } = simulator.control.push(reference);
    await plugin.until(
      reference,
      preview => preview.mergeRequest.headSha === sha && isSettled(preview),
    );
    for (const resource of RESOURCES) {
      expect(
        requests.count({ verb: 'list', resource }) +
          requests.count({ verb: 'watch', resource }),
      ).toBeLessThanOrEqual(10);
    }

    // Every watch that lives is cut and comes again: as many as come, lived.
    requests.reset();
    faults.cutWatches();
    const next = simulator.control.push(reference);
    await plugin.until(
      reference,
      preview =>
        preview.mergeRequest.headSha === next.sha && isSettled(preview),
    );
    // Not all of them had to be back for that.
    const counts = () =>
      RESOURCES.map(resource => requests.count({ verb: 'watch', resource }));
    await waitFor('all watches to be back', () =>
      counts().every(count => count > 0) ? true : undefined,
    );
    expect(counts()).toEqual(RESOURCES.map(() => 1));
    expect(plugin.errors).toEqual([]);
  });
});

describe('a token of a cluster that is replaced in its file', () => {
  let plugin: StartedPlugin;
  let folder: string;

  afterEach(async () => {
    await plugin?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is read again before anybody notices that the old one ended', async () => {
    folder = await mkdtemp(join(tmpdir(), 'previews-token-'));
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'simulated-portal-token\n');
    const port = await freePort();
    plugin = await startPlugin({
      simulator: { clusterPorts: [port] },
      previews: {
        clusters: [
          { name: 'preview', url: `http://127.0.0.1:${port}`, tokenFile },
        ],
      },
      scenario: ({ scenario }) => {
        scenario.addService({ name: 'checkout' });
      },
    });
    const { simulator } = plugin;
    const [{ token, adminToken, faults }] = simulator.clusters;
    const reference = open(simulator);
    const before = await plugin.until(reference, isSettled);
    const seen = new Set<string>();
    const look = async () => {
      const { status, errors } = await plugin.source(CLUSTER);
      seen.add([status, ...errors.map(({ reason }) => reason)].join(' '));
      (await plugin.find(reference))!.stale.forEach(id => seen.add(id));
    };

    await writeFile(tokenFile, `${adminToken}\n`);
    faults.rejectToken(token);
    faults.cutWatches();
    const { sha } = simulator.control.push(reference);
    await plugin.until(reference, preview => {
      void look();
      return preview.mergeRequest.headSha === sha && isSettled(preview);
    });
    await look();
    expect([...seen]).toEqual(['fresh']);
    expect((await plugin.find(reference))!.id).toBe(before.id);
    expect(plugin.errors).toEqual([]);
  });
});
