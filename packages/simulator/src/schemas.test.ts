import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PlatformFaultValues } from './controllers/faults';
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
  'Issuer',
  'ListenerSet',
  'Order',
];

const CERTIFICATE_FAULTS: PlatformFaultValues['certificate'][] = [
  'failed',
  'queued',
  'zoneNotFound',
  'accessDenied',
  'cleanUpStuck',
  'denied',
  'accountMissing',
  'orderExpired',
  'rateLimited',
  'renewalFails',
  'controllerDown',
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
    for (const credentials of [
      'webIdentity',
      'staticKey',
      'ambient',
    ] as const) {
      simulator.scenario.addIssuer({
        name: `by-${credentials.toLowerCase()}`,
        namespace: 'default',
        credentials,
      });
    }
    for (const [certificate, route] of [
      ['wildcard', 'httproute'],
      ['gatewayListener', 'httproute'],
      ['ingressShim', 'ingress'],
    ] as const) {
      const service = simulator.scenario.addService({
        name: certificate.toLowerCase(),
        certificate,
        route,
      });
      simulator.control.openMergeRequest({
        project: service.project,
        sourceBranch: 'a',
        title: 'A',
        author: 'dev1',
      });
    }
    for (const { metadata } of cluster.list({ kind: 'Gateway' })) {
      const { namespace, name } = metadata;
      cluster.patch({ kind: 'Gateway', namespace, name }, draft => {
        draft.spec = {
          ...draft.spec,
          allowedListeners: { namespaces: { from: 'Same' } },
        };
      });
      for (const from of [namespace, 'default']) {
        cluster.create({
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'ListenerSet',
          metadata: { name: `more-${name}`, namespace: from },
          spec: {
            parentRef: { namespace, name },
            listeners: [
              {
                name: 'https',
                port: 443,
                protocol: 'HTTPS',
                hostname: 'more.example.com',
                tls: { certificateRefs: [{ name: 'missing' }] },
              },
              { name: 'http', port: 80, protocol: 'HTTP' },
            ],
          },
        });
      }
    }
    await simulator.quiet();
    simulator.faults.platform.set('listener', '*', 'conflicted');
    const failing = simulator.scenario.addService({ name: 'failing' });
    for (const [index, fault] of CERTIFICATE_FAULTS.entries()) {
      const { iid } = simulator.control.openMergeRequest({
        project: failing.project,
        sourceBranch: `fault-${index}`,
        title: fault,
        author: 'dev1',
      });
      simulator.faults.platform.set(
        'certificate',
        `preview-mr-${failing.projectId}-${iid}`,
        fault,
      );
    }
    simulator.faults.platform.set('route', '*', 'NotAllowedByListeners');
    await simulator.quiet();
    simulator.faults.platform.set('route', '*', 'BackendsUnavailable');
    simulator.faults.platform.set('issuer', '*', 'notReady');
    await simulator.quiet();
    simulator.faults.platform.set('sync', '*', 'ComparisonError');
    await simulator.quiet();

    expect(await problemsOf(seen)).toEqual([]);
    expect([...new Set(seen.map(({ kind }) => kind))].sort()).toEqual(KINDS);
  });
});
