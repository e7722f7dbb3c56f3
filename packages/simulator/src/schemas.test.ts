import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { KubernetesObject } from './kubernetes';
import { startSimulator, type Simulator } from './simulator';

const SPEED = 200;
const KINDS = [
  'AppProject',
  'Application',
  'ApplicationSet',
  'Certificate',
  'CertificateRequest',
  'Challenge',
  'ClusterIssuer',
  'Gateway',
  'GatewayClass',
  'HTTPRoute',
  'Order',
];

async function problemsOf(objects: KubernetesObject[]): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [join(__dirname, 'testing', 'checkSchemas.mjs')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  child.stdin.end(JSON.stringify(objects));
  return JSON.parse(await text(child.stdout)) as string[];
}

describe('custom resources of the simulator', () => {
  let simulator: Simulator;

  afterEach(async () => {
    await simulator.stop();
  });

  it('meet the published schemas in every state they go through', async () => {
    simulator = await startSimulator({ speed: SPEED });
    const { cluster } = simulator.clusters[0];
    const seen: KubernetesObject[] = KINDS.flatMap(kind =>
      cluster.list({ kind }),
    );
    cluster.subscribe(({ object }) => {
      if (KINDS.includes(object.kind)) {
        seen.push(object);
      }
    });

    for (const template of [
      'helmParameter',
      'kustomize',
      'multiSource',
    ] as const) {
      const service = simulator.scenario.addService({
        name: template.toLowerCase(),
        template,
        requireLabel: true,
        filters: [{ branchMatch: '.*' }],
      });
      const { iid } = simulator.control.openMergeRequest({
        project: service.project,
        sourceBranch: 'feature/a',
        title: 'A',
        author: 'dev1',
        labels: ['preview'],
      });
      await simulator.quiet();
      simulator.control.push({ project: service.project, iid });
      await simulator.quiet();
      simulator.control.merge({ project: service.project, iid });
      await simulator.quiet();
    }
    simulator.faults.platform.set('certificate', '*', 'failed');
    simulator.faults.platform.set('route', '*', 'NotAllowedByListeners');
    const failing = simulator.scenario.addService({ name: 'failing' });
    simulator.control.openMergeRequest({
      project: failing.project,
      sourceBranch: 'a',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    simulator.faults.platform.set('sync', '*', 'ComparisonError');
    await simulator.quiet();

    expect(await problemsOf(seen)).toEqual([]);
    expect([...new Set(seen.map(({ kind }) => kind))].sort()).toEqual(KINDS);
  });
});
