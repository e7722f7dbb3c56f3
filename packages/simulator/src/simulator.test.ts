import { startSimulator, type Simulator } from './simulator';
import type { AddServiceOptions } from './scenarios/scenarioBuilder';

const SPEED = 200;

function inspect(simulator: Simulator) {
  const { cluster } = simulator.clusters[0];
  return {
    application: (name: string) =>
      cluster.get({ kind: 'Application', namespace: 'argocd', name }),
    list: (kind: string, namespace?: string) =>
      cluster.list({ kind, namespace }),
    get: (kind: string, namespace: string | undefined, name: string) =>
      cluster.get({ kind, namespace, name }),
    readyImages: (namespace: string) =>
      cluster
        .list({ kind: 'Pod', namespace })
        .filter(pod =>
          pod.status?.conditions?.some(
            (condition: { type: string; status: string }) =>
              condition.type === 'Ready' && condition.status === 'True',
          ),
        )
        .map(pod => pod.spec?.containers[0].image as string),
  };
}

describe('a merge request in the simulator', () => {
  let simulator: Simulator;

  afterEach(async () => {
    await simulator.stop();
  });

  it('gets its environment, is rolled out anew on a push, and leaves nothing behind', async () => {
    simulator = await startSimulator({ speed: SPEED });
    const service = simulator.scenario.addService({ name: 'checkout' });
    const mr = simulator.control.openMergeRequest({
      project: 'shop/checkout',
      sourceBranch: 'feature/gift-cards',
      title: 'Accept gift cards',
      author: 'dev1',
    });
    await simulator.quiet();
    const { application, list, get, readyImages } = inspect(simulator);
    const name = `preview-mr-${service.projectId}-${mr.iid}`;

    expect(application(name)).toMatchObject({
      metadata: {
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
        ownerReferences: [
          { kind: 'ApplicationSet', name: 'checkout-previews' },
        ],
      },
      status: {
        sync: { status: 'Synced' },
        health: { status: 'Healthy' },
        operationState: { phase: 'Succeeded' },
        summary: { images: [`${service.image}:${mr.sha?.slice(0, 8)}`] },
      },
    });
    expect(readyImages(name)).toEqual([
      `${service.image}:${mr.sha?.slice(0, 8)}`,
    ]);
    expect(get('Certificate', name, 'checkout-tls')?.status).toMatchObject({
      conditions: [{ type: 'Ready', status: 'True' }],
      notAfter: expect.any(String),
    });
    expect(list('Challenge', name)).toEqual([]);
    expect(get('HTTPRoute', name, 'checkout')?.status?.parents).toMatchObject([
      { conditions: [{ type: 'Accepted', status: 'True' }, {}] },
    ]);
    expect(
      get('ApplicationSet', 'argocd', 'checkout-previews')?.status?.conditions,
    ).toMatchObject([
      { type: 'ErrorOccurred', status: 'False' },
      { type: 'ParametersGenerated', status: 'True' },
      { type: 'ResourcesUpToDate', status: 'True' },
    ]);

    const pushed = simulator.control.push({
      project: service.project,
      iid: mr.iid,
    });
    await simulator.quiet();
    expect(readyImages(name)).toEqual([
      `${service.image}:${pushed.sha?.slice(0, 8)}`,
    ]);
    expect(application(name)?.status?.history).toHaveLength(2);

    simulator.control.close({ project: service.project, iid: mr.iid });
    await simulator.quiet();
    expect(application(name)).toBeUndefined();
    expect(get('Namespace', undefined, name)).toBeUndefined();
    expect(list('Pod')).toEqual([]);
    expect(list('CertificateRequest')).toEqual([]);

    simulator.control.reopen({ project: service.project, iid: mr.iid });
    await simulator.quiet();
    expect(readyImages(name)).toEqual([
      `${service.image}:${pushed.sha?.slice(0, 8)}`,
    ]);
  });

  it.each<Omit<AddServiceOptions, 'name'>>([
    { template: 'helmParameter', goTemplate: false },
    { template: 'valuesObject' },
    { template: 'valuesText', goTemplate: false },
    { template: 'kustomize' },
    { template: 'kustomize', route: 'ingress' },
    { template: 'multiSource', route: 'none' },
    { template: 'helmParameter', naming: 'branchSlug' },
    { template: 'helmParameter', workload: 'StatefulSet', replicas: 2 },
    { template: 'helmParameter', createNamespaceBySync: true },
  ])('serves the head commit in the style %j', async options => {
    simulator = await startSimulator({ speed: SPEED });
    const service = simulator.scenario.addService({ name: 'cart', ...options });
    const mr = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: 'feature/A_b',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    const pushed = simulator.control.push({
      project: service.project,
      iid: mr.iid,
    });
    await simulator.quiet();
    const name =
      options.naming === 'branchSlug'
        ? 'cart-feature-a-b'
        : `preview-mr-${service.projectId}-${mr.iid}`;
    const { application, readyImages } = inspect(simulator);
    expect(new Set(readyImages(name))).toEqual(
      new Set([`${service.image}:${pushed.sha?.slice(0, 8)}`]),
    );
    expect(application(name)?.status).toMatchObject({
      sync: { status: 'Synced' },
      health: { status: 'Healthy' },
    });
  });

  it('is deployed by revision where the set asks for that', async () => {
    simulator = await startSimulator({ speed: SPEED });
    const service = simulator.scenario.addService({
      name: 'site',
      template: 'revision',
    });
    const mr = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: 'a',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    const name = `preview-mr-${service.projectId}-${mr.iid}`;
    expect(inspect(simulator).application(name)?.status).toMatchObject({
      sync: { status: 'Synced', revision: mr.sha },
      health: { status: 'Healthy' },
    });
    const pushed = simulator.control.push({
      project: service.project,
      iid: mr.iid,
    });
    await simulator.quiet();
    expect(inspect(simulator).application(name)?.status).toMatchObject({
      sync: { status: 'Synced', revision: pushed.sha },
      history: [{ revision: mr.sha }, { revision: pushed.sha }],
    });
    expect(
      inspect(simulator)
        .list('Pod', name)
        .map(pod => pod.metadata.labels?.['app.kubernetes.io/version']),
    ).toEqual([pushed.sha?.slice(0, 8)]);
  });

  it('works with a GitLab below a path', async () => {
    simulator = await startSimulator({
      speed: SPEED,
      gitlabBasePath: '/gitlab',
    });
    const service = simulator.scenario.addService({
      name: 'checkout',
      group: 'shop/web',
    });
    const mr = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: 'a',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    const name = `preview-mr-${service.projectId}-${mr.iid}`;
    expect(inspect(simulator).application(name)).toMatchObject({
      spec: {
        source: {
          repoURL: `${simulator.gitlab.url}/shop/web/checkout.git`,
        },
      },
      status: { health: { status: 'Healthy' } },
    });
  });

  it('is seen on its way out before it is gone', async () => {
    simulator = await startSimulator({ speed: 20 });
    const service = simulator.scenario.addService({ name: 'checkout' });
    const mr = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: 'a',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    const name = `preview-mr-${service.projectId}-${mr.iid}`;
    const { application, get } = inspect(simulator);
    const namespaces: unknown[] = [];
    const unsubscribe = simulator.clusters[0].cluster.subscribe(() => {
      if (application(name)?.metadata.deletionTimestamp) {
        namespaces.push(get('Namespace', undefined, name)?.status?.phase);
      }
    });
    simulator.control.close({ project: service.project, iid: mr.iid });
    await simulator.quiet();
    unsubscribe();
    expect(namespaces).toContain('Terminating');
    expect(namespaces[0]).toBe('Active');
    expect(application(name)).toBeUndefined();
    expect(get('Namespace', undefined, name)).toBeUndefined();
  });

  it('keeps the old pods while the new image is missing', async () => {
    simulator = await startSimulator({ speed: SPEED });
    const service = simulator.scenario.addService({ name: 'checkout' });
    const mr = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: 'a',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    simulator.faults.platform.set('imageTag', service.project, 'never');
    const pushed = simulator.control.push({
      project: service.project,
      iid: mr.iid,
    });
    await simulator.quiet();
    const name = `preview-mr-${service.projectId}-${mr.iid}`;
    const { list, readyImages, application } = inspect(simulator);
    expect(readyImages(name)).toEqual([
      `${service.image}:${mr.sha?.slice(0, 8)}`,
    ]);
    const waiting = list('Pod', name).flatMap(pod =>
      pod.status?.containerStatuses.map(
        (status: { state: { waiting?: { reason: string } } }) =>
          status.state.waiting?.reason,
      ),
    );
    expect(waiting).toContain('ImagePullBackOff');
    expect(application(name)?.status).toMatchObject({
      health: { status: 'Progressing' },
      summary: {
        images: expect.arrayContaining([
          `${service.image}:${pushed.sha?.slice(0, 8)}`,
        ]),
      },
    });
  });

  it('is deployed to another cluster where the set says so', async () => {
    simulator = await startSimulator({ speed: SPEED, clusterPorts: [0, 0] });
    const service = simulator.scenario.addService({
      name: 'checkout',
      destinationCluster: 1,
    });
    const mr = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: 'a',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    const name = `preview-mr-${service.projectId}-${mr.iid}`;
    expect(inspect(simulator).list('Pod', name)).toEqual([]);
    expect(
      simulator.clusters[1].cluster.list({ kind: 'Pod', namespace: name }),
    ).toHaveLength(1);
    expect(inspect(simulator).application(name)).toMatchObject({
      spec: { destination: { server: simulator.clusters[1].url } },
      status: { health: { status: 'Healthy' } },
    });
  });

  it('shares a set with the merge requests of other projects in a matrix', async () => {
    simulator = await startSimulator({ speed: SPEED });
    const services = simulator.scenario.addMatrix({
      applicationSet: 'all-previews',
      services: ['one', 'two'],
    });
    for (const { project } of services) {
      simulator.control.openMergeRequest({
        project,
        sourceBranch: 'same',
        title: 'Same',
        author: 'dev1',
      });
    }
    // No project by number in the generator: only the requeue finds them.
    const { list } = inspect(simulator);
    await eventually(async () => {
      await simulator.quiet();
      expect(
        list('Application').map(({ metadata, status }) => [
          metadata.name,
          status?.health?.status,
        ]),
      ).toEqual(
        services.map(({ projectId }) => [
          `preview-mr-${projectId}-1`,
          'Healthy',
        ]),
      );
    });
  });
});

async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
      await new Promise<void>(resolve => {
        setTimeout(resolve, 20);
      });
    }
  }
}
