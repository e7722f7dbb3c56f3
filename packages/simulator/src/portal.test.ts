import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBody } from './http/body';
import { listen } from './http/listen';
import { startSimulator, type SimulatorOptions } from './simulator';
import { eventually } from './testing/eventually';

const SPEED = 200;

const RBAC = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: portal }
rules:
  - apiGroups: ['']
    resources: [pods]
    verbs: [get, list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: portal }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: portal }
subjects:
  - { kind: ServiceAccount, name: portal, namespace: backstage }
`;

async function play(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ speed: SPEED, ...options });
  const service = simulator.scenario.addService({ name: 'checkout' });
  const shas = ['a', 'b'].map(
    branch =>
      simulator.control.openMergeRequest({
        project: service.project,
        sourceBranch: branch,
        title: branch,
        author: 'dev1',
      }).sha,
  );
  await simulator.quiet();
  shas.push(simulator.control.push({ project: service.project, iid: 1 }).sha);
  return { simulator, shas };
}

describe('the simulator, seen from the portal', () => {
  it('repeats a run with the same seed, and plays another with another', async () => {
    const runs = [];
    for (const seed of ['x', 'x', 'y']) {
      const { simulator, shas } = await play({ seed });
      runs.push(shas);
      await simulator.stop();
    }
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).not.toEqual(runs[0]);
  });

  it('sends the portal webhooks of all projects, with its secret', async () => {
    const received: { event: string; token: string; action?: string }[] = [];
    const portal = await listen({
      handle: async (request, response) => {
        const body = JSON.parse((await readBody(request)).toString('utf8'));
        received.push({
          event: body.object_kind,
          token: String(request.headers['x-gitlab-token']),
          action: body.object_attributes.action,
        });
        response.end();
      },
    });
    const { simulator } = await play({
      webhook: { url: portal.url, secret: 'shared' },
    });
    await simulator.quiet();
    await simulator.stop();
    await portal.close();
    expect(received.every(({ token }) => token === 'shared')).toBe(true);
    expect(
      received
        .filter(({ event }) => event === 'merge_request')
        .map(({ action }) => action),
    ).toEqual(['open', 'open', 'update']);
    expect(received.some(({ event }) => event === 'pipeline')).toBe(true);
  });

  it('holds the portal’s token to the given roles', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'simulator-rbac-'));
    const rbacFile = join(folder, 'rbac.yaml');
    await writeFile(rbacFile, RBAC);
    const simulator = await startSimulator({ rbacFile });
    const [{ url, token, adminToken }] = simulator.clusters;
    const statusOf = async (path: string, bearer: string) =>
      (
        await fetch(`${url}${path}`, {
          headers: { authorization: `Bearer ${bearer}` },
        })
      ).status;
    try {
      expect(await statusOf('/api/v1/pods', token)).toBe(200);
      expect(await statusOf('/api/v1/secrets', token)).toBe(403);
      expect(await statusOf('/api/v1/secrets', adminToken)).toBe(200);
    } finally {
      await simulator.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('has a first environment in the demonstration within two minutes of its start', async () => {
    const speed = 20;
    const simulator = await startSimulator({ speed, scenario: 'demo' });
    const { cluster } = simulator.clusters[0];
    try {
      await eventually(
        () =>
          expect(
            cluster
              .list({ kind: 'Application' })
              .map(({ status }) => status?.health?.status),
          ).toContain('Healthy'),
        { timeoutMilliseconds: 120_000 / speed },
      );
    } finally {
      await simulator.stop();
    }
  });

  it('plays the demonstration: live, building, failing, unselected and uncertified previews', async () => {
    const simulator = await startSimulator({ speed: 100, scenario: 'demo' });
    const { cluster } = simulator.clusters[0];
    const healthOf = (name: string) =>
      cluster.get({ kind: 'Application', namespace: 'argocd', name })?.status
        ?.health?.status;
    try {
      await simulator.quiet();
      expect(healthOf('preview-mr-1000-1')).toBe('Healthy');
      expect(healthOf('preview-mr-1001-1')).toBe('Healthy');
      // Without the label that its set asks for.
      expect(healthOf('preview-mr-1001-3')).toBeUndefined();
      // One crashes, one has no image, one another tag, one a failed pipeline.
      for (const iid of [1, 2, 3, 4]) {
        expect(healthOf(`preview-mr-1002-${iid}`)).toBe('Progressing');
      }
      // One waits for the limit of its domain, one for a permission in AWS.
      const [order] = cluster.list({
        kind: 'Order',
        namespace: 'preview-mr-1001-5',
      });
      expect(order.status?.state).toBe('errored');
      const [challenge] = cluster.list({
        kind: 'Challenge',
        namespace: 'preview-mr-1002-6',
      });
      expect(challenge.status?.reason).toContain('redacted AWS SDK error');
      await simulator.faults.clear();
      expect(
        simulator.faults.platform.find('workload', 'preview-mr-1002-1'),
      ).toBe('crashLoop');
    } finally {
      await simulator.stop();
    }
  });
});
