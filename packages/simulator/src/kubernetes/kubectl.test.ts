import { createRealClock } from '../clock';
import { createRandom } from '../random';
import { eventually } from '../testing/eventually';
import { Kubectl } from '../testing/kubectl';
import { Cluster } from './cluster';
import { writeKubeconfig } from './kubeconfig';
import { startKubernetesServer, type KubernetesServer } from './server';

jest.setTimeout(60_000);

describe('A real kubectl', () => {
  const clock = createRealClock({ speed: 10 });
  let cluster: Cluster;
  let server: KubernetesServer;
  let kubectl: Kubectl;
  let viewer: Kubectl;

  beforeAll(async () => {
    cluster = new Cluster({
      name: 'test',
      clock,
      random: createRandom('kubectl'),
    });
    cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop' },
    });
    server = await startKubernetesServer({
      cluster,
      tokens: [
        { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
        { token: 'viewer-token', user: 'viewer' },
      ],
      rbac: [
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name: 'viewer' },
          rules: [
            {
              apiGroups: [''],
              resources: ['pods'],
              verbs: ['get', 'list', 'watch'],
            },
          ],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'viewer' },
          roleRef: {
            apiGroup: 'rbac.authorization.k8s.io',
            kind: 'ClusterRole',
            name: 'viewer',
          },
          subjects: [
            {
              apiGroup: 'rbac.authorization.k8s.io',
              kind: 'User',
              name: 'viewer',
            },
          ],
        },
      ],
    });
    const connect = async (token: string) =>
      Kubectl.create({
        kubeconfig: await writeKubeconfig({
          url: server.secureUrl,
          certificateAuthority: server.certificateAuthority,
          token,
          namespace: 'shop',
        }),
      });
    kubectl = await connect('admin-token');
    viewer = await connect('viewer-token');
  });

  afterAll(async () => {
    await server.close();
    clock.stop();
  });

  const deployment = (name: string, image: string) => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 2
  selector:
    matchLabels: { app: ${name} }
  template:
    metadata:
      labels: { app: ${name} }
    spec:
      containers:
        - name: web
          image: ${image}
          ports:
            - containerPort: 8080
`;

  const application = (name: string, revision = 'main') => `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
  finalizers: [resources-finalizer.argocd.argoproj.io]
spec:
  project: default
  source: { repoURL: https://git.example.com/shop.git, targetRevision: ${revision}, path: chart }
  destination: { namespace: shop, server: https://kubernetes.default.svc }
`;

  it('sees the version', async () => {
    const { stdout } = await kubectl.run(['version']);
    expect(stdout).toContain('Server Version: v1.35.0');
  });

  it('finds every kind with its short names', async () => {
    const { stdout, stderr } = await kubectl.run(['api-resources']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^applications +app,apps +argoproj.io\/v1alpha1 +true +Application$/m,
    );
    expect(stdout).toMatch(/^pods +po +v1 +true +Pod$/m);
    expect(stdout).toMatch(
      /^httproutes +gateway.networking.k8s.io\/v1 +true +HTTPRoute$/m,
    );
  });

  it('applies a file, and applies it again changed', async () => {
    const first = await kubectl.run(['apply', '-f', '-'], {
      input: deployment('applied', 'web:1'),
    });
    expect(first).toEqual({
      code: 0,
      stdout: 'deployment.apps/applied created\n',
      stderr: '',
    });
    const again = await kubectl.run(['apply', '-f', '-'], {
      input: deployment('applied', 'web:1'),
    });
    expect(again.stdout).toBe('deployment.apps/applied unchanged\n');

    const second = await kubectl.run(['apply', '-f', '-'], {
      input: deployment('applied', 'web:2'),
    });
    expect(second).toMatchObject({
      stdout: 'deployment.apps/applied configured\n',
      stderr: '',
    });
    const stored = cluster.get({
      kind: 'Deployment',
      namespace: 'shop',
      name: 'applied',
    })!;
    expect(stored.spec!.template.spec.containers).toEqual([
      { name: 'web', image: 'web:2', ports: [{ containerPort: 8080 }] },
    ]);
    expect(stored.metadata.generation).toBe(2);
    expect(stored.metadata.managedFields).toEqual([
      expect.objectContaining({ manager: 'kubectl-client-side-apply' }),
    ]);
  });

  it('applies on the server, and is told of conflicts', async () => {
    const args = ['apply', '--server-side', '-f', '-'];
    const first = await kubectl.run(args, { input: application('sided') });
    expect(first).toMatchObject({
      code: 0,
      stdout: 'application.argoproj.io/sided serverside-applied\n',
    });
    const conflicting = await kubectl.run(
      [...args, '--field-manager', 'other'],
      { input: application('sided', 'next') },
    );
    expect(conflicting.code).toBe(1);
    expect(conflicting.stderr).toContain(
      'conflict with "kubectl" using argoproj.io/v1alpha1: .spec.source.targetRevision',
    );
    const forced = await kubectl.run(
      [...args, '--field-manager', 'other', '--force-conflicts'],
      { input: application('sided', 'next') },
    );
    expect(forced.code).toBe(0);
  });

  it('prints tables with the columns of each kind', async () => {
    cluster.create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'listed', namespace: 'shop' },
      spec: { project: 'default' },
      status: {
        sync: { status: 'Synced' },
        health: { status: 'Healthy' },
      },
    });
    const { stdout } = await kubectl.run(['get', 'app', 'listed']);
    expect(stdout).toBe(
      'NAME     SYNC STATUS   HEALTH STATUS\nlisted   Synced        Healthy\n',
    );
    const everywhere = await kubectl.run(['get', 'ns,deploy', '-A']);
    expect(everywhere.stdout).toMatch(/namespace\/kube-system +Active +\d+s/);
  });

  it('reads a whole object and says when there is none', async () => {
    const { stdout } = await kubectl.run([
      'get',
      'namespace',
      'shop',
      '-o',
      'yaml',
    ]);
    expect(stdout).toContain('kubernetes.io/metadata.name: shop');
    const missing = await kubectl.run(['get', 'pod', 'nothing']);
    expect(missing).toMatchObject({
      code: 1,
      stderr: 'Error from server (NotFound): pods "nothing" not found\n',
    });
  });

  it('reads long lists in chunks', async () => {
    for (let index = 0; index < 25; index += 1) {
      cluster.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: `chunk-${index}`,
          namespace: 'shop',
          labels: { chunk: 'yes' },
        },
      });
    }
    server.requests.reset();
    const { stdout } = await kubectl.run([
      'get',
      'configmaps',
      '-l',
      'chunk=yes',
      '--chunk-size=10',
      '-o',
      'name',
    ]);
    expect(stdout.trim().split('\n')).toHaveLength(25);
    expect(server.requests.count({ verb: 'list' })).toBe(3);
  });

  it('follows changes with get -w', async () => {
    const watch = kubectl.start(['get', 'configmaps', '-w']);
    const settings = {
      kind: 'ConfigMap',
      namespace: 'shop',
      name: 'watched',
    };
    await eventually(() => expect(watch.output()).toContain('NAME'));
    cluster.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'watched', namespace: 'shop' },
    });
    await eventually(() =>
      expect(watch.output()).toMatch(/^watched +0 +\d+s$/m),
    );
    cluster.patch(settings, draft => {
      draft.data = { color: 'blue' };
    });
    await eventually(() =>
      expect(watch.output()).toMatch(/^watched +1 +\d+s$/m),
    );
    await watch.stop();
  });

  it('patches in all three ways', async () => {
    await kubectl.run(['apply', '-f', '-'], {
      input: deployment('patched', 'web:1'),
    });
    const patch = async (type: string, body: unknown) =>
      kubectl.run([
        'patch',
        'deployment',
        'patched',
        `--type=${type}`,
        '-p',
        JSON.stringify(body),
      ]);
    await patch('strategic', {
      spec: {
        template: {
          spec: { containers: [{ name: 'sidecar', image: 'log:1' }] },
        },
      },
    });
    await patch('merge', { spec: { replicas: 5 } });
    await patch('json', [
      { op: 'add', path: '/metadata/labels', value: { team: 'shop' } },
    ]);
    const stored = cluster.get({
      kind: 'Deployment',
      namespace: 'shop',
      name: 'patched',
    })!;
    expect(stored.spec!.replicas).toBe(5);
    expect(stored.metadata.labels).toEqual({ team: 'shop' });
    expect(
      stored.spec!.template.spec.containers.map(
        (container: { name: string }) => container.name,
      ),
    ).toEqual(expect.arrayContaining(['web', 'sidecar']));
  });

  it('scales and labels', async () => {
    await kubectl.run(['apply', '-f', '-'], {
      input: deployment('scaled', 'web:1'),
    });
    const scaled = await kubectl.run([
      'scale',
      'deployment/scaled',
      '--replicas=0',
    ]);
    expect(scaled).toMatchObject({
      code: 0,
      stdout: 'deployment.apps/scaled scaled\n',
    });
    await kubectl.run(['label', 'deployment/scaled', 'team=shop']);
    expect(
      cluster.get({ kind: 'Deployment', namespace: 'shop', name: 'scaled' }),
    ).toMatchObject({
      metadata: { labels: { team: 'shop' } },
      spec: { replicas: 0 },
    });
  });

  it('waits for a deletion until the finalizer is released', async () => {
    const stuck = { kind: 'Application', namespace: 'shop', name: 'stuck' };
    await kubectl.run(['create', '-f', '-'], { input: application('stuck') });
    let ended = false;
    const deletion = kubectl
      .run(['delete', 'app', 'stuck', '--wait'])
      .finally(() => {
        ended = true;
      });
    await eventually(() =>
      expect(cluster.get(stuck)?.metadata.deletionTimestamp).toBeDefined(),
    );
    await eventually(() =>
      expect(
        server.requests.count({ verb: 'watch', resource: 'applications' }),
      ).toBeGreaterThan(0),
    );
    expect(ended).toBe(false);
    cluster.patch(stuck, draft => {
      draft.metadata.finalizers = [];
    });
    const { code, stdout } = await deletion;
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(
        'application.argoproj.io "stuck" deleted',
      ),
    });
  });

  it('deletes a namespace with all that is in it', async () => {
    await kubectl.run(['create', 'namespace', 'temporary']);
    await kubectl.run([
      'create',
      'configmap',
      'settings',
      '-n',
      'temporary',
      '--from-literal=color=blue',
    ]);
    expect(cluster.list({ kind: 'ConfigMap', namespace: 'temporary' })).toEqual(
      [expect.objectContaining({ data: { color: 'blue' } })],
    );
    const { code, stdout } = await kubectl.run([
      'delete',
      'namespace',
      'temporary',
    ]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('namespace "temporary" deleted'),
    });
    expect(
      cluster.get({ kind: 'Namespace', name: 'temporary' }),
    ).toBeUndefined();
  });

  it('prints the log of a pod', async () => {
    cluster.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'talker', namespace: 'shop' },
      spec: {
        nodeName: 'node-1',
        containers: [{ name: 'web', image: 'web:1' }],
      },
      status: { phase: 'Running' },
    });
    cluster.writePodLog({ namespace: 'shop', name: 'talker' }, 'listening');
    const { stdout } = await kubectl.run(['logs', 'talker']);
    expect(stdout).toBe('listening\n');
  });

  it('is told what a user may do', async () => {
    const canI = async (...question: string[]) =>
      (await viewer.run(['auth', 'can-i', ...question])).stdout.trim();
    expect(await canI('list', 'pods')).toBe('yes');
    expect(await canI('delete', 'pods')).toBe('no');
    expect(await canI('list', 'secrets', '-A')).toBe('no');
    const refused = await viewer.run(['get', 'secrets']);
    expect(refused.stderr).toBe(
      'Error from server (Forbidden): secrets is forbidden: User "viewer" cannot list resource "secrets" in API group "" in the namespace "shop"\n',
    );
    const whoAmI = await viewer.run(['auth', 'whoami']);
    expect(whoAmI.stdout).toContain('viewer');
  });

  it('is told that its token is not valid', async () => {
    const stranger = await Kubectl.create({
      kubeconfig: await writeKubeconfig({
        url: server.secureUrl,
        certificateAuthority: server.certificateAuthority,
        token: 'wrong',
      }),
    });
    const { stderr } = await stranger.run(['get', 'pods']);
    expect(stderr).toContain(
      'the server has asked for the client to provide credentials',
    );
  });

  it('no longer knows a kind that is uninstalled', async () => {
    cluster.removeResource('ClusterIssuer');
    const { stderr } = await kubectl.run(['get', 'clusterissuers']);
    expect(stderr).toContain(
      'the server could not find the requested resource (get clusterissuers.cert-manager.io)',
    );
  });
});
