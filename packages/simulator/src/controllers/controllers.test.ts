import { startSimulator, type Simulator } from '../simulator';
import type { AddServiceOptions, Service } from '../scenarios/scenarioBuilder';
import { gitlabAnswers } from '../gitlab/faults';

const SPEED = 200;

describe('the controllers of the simulator', () => {
  let simulator: Simulator;

  beforeEach(async () => {
    simulator = await startSimulator({ speed: SPEED });
  });

  afterEach(async () => {
    await simulator.stop();
  });

  const cluster = () => simulator.clusters[0].cluster;
  const addService = (options: Partial<AddServiceOptions> = {}): Service =>
    simulator.scenario.addService({ name: 'checkout', ...options });
  const open = (
    service: Service,
    branch: string,
    more: { labels?: string[]; title?: string; draft?: boolean } = {},
  ) => {
    const { iid } = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: branch,
      title: branch,
      author: 'dev1',
      ...more,
    });
    return {
      project: service.project,
      iid,
      name: `preview-mr-${service.projectId}-${iid}`,
    };
  };
  const applications = () =>
    cluster()
      .list({ kind: 'Application' })
      .map(({ metadata }) => metadata.name);
  const setOf = (service: Service) =>
    cluster().get({
      kind: 'ApplicationSet',
      namespace: 'argocd',
      name: service.applicationSet,
    });
  const refresh = (service: Service) =>
    cluster().patch(
      {
        kind: 'ApplicationSet',
        namespace: 'argocd',
        name: service.applicationSet,
      },
      draft => {
        draft.metadata.annotations = {
          'argocd.argoproj.io/application-set-refresh': 'true',
        };
      },
    );
  const eventually = async (check: () => void | Promise<void>) => {
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
          setTimeout(resolve, 10);
        });
      }
    }
  };

  describe('ApplicationSet', () => {
    it('selects by all labels, drafts too', async () => {
      const service = addService({ requireLabel: true });
      open(service, 'without');
      const selected = open(service, 'with', { labels: ['preview', 'x'] });
      const draft = open(service, 'draft', {
        labels: ['preview'],
        draft: true,
      });
      await simulator.quiet();
      expect(applications()).toEqual([selected.name, draft.name]);
      simulator.control.setLabels({ ...selected, labels: [] });
      await simulator.quiet();
      expect(applications()).toEqual([draft.name]);
    });

    it('filters by any of its filters, each with all its expressions', async () => {
      const service = addService({
        filters: [
          { branchMatch: '^feature/', titleMatch: 'wanted' },
          { branchMatch: 'hotfix' },
        ],
      });
      const first = open(service, 'feature/a', { title: 'is wanted' });
      open(service, 'feature/b', { title: 'not' });
      const third = open(service, 'my-hotfix-1');
      await simulator.quiet();
      expect(applications()).toEqual([first.name, third.name]);
    });

    it('keeps Applications of closed merge requests where no state is asked for', async () => {
      const service = addService({ allStates: true });
      const mr = open(service, 'a');
      await simulator.quiet();
      simulator.control.merge(mr);
      await simulator.quiet();
      expect(applications()).toEqual([mr.name]);
    });

    it('changes nothing while its generator fails, says so, and heals', async () => {
      const service = addService();
      const mr = open(service, 'a');
      await simulator.quiet();
      simulator.faults.gitlab.answer({
        path: 'merge_requests',
        answer: gitlabAnswers.internalError,
      });
      simulator.control.close(mr);
      await simulator.quiet();
      expect(applications()).toEqual([mr.name]);
      expect(setOf(service)?.status?.conditions).toMatchObject([
        {
          type: 'ErrorOccurred',
          status: 'True',
          reason: 'ApplicationGenerationFromParamsError',
          message: expect.stringContaining('500'),
        },
        { type: 'ParametersGenerated', status: 'False' },
        { type: 'ResourcesUpToDate', status: 'False' },
      ]);
      simulator.faults.gitlab.clear();
      await eventually(() => expect(applications()).toEqual([]));
      expect(setOf(service)?.status?.conditions[0]).toMatchObject({
        type: 'ErrorOccurred',
        status: 'False',
      });
    });

    it('fails whole when its template does not render', async () => {
      const service = addService({ applicationName: 'x-{{ .nothing }}' });
      open(service, 'a');
      await simulator.quiet();
      expect(applications()).toEqual([]);
      expect(setOf(service)?.status?.conditions[0]).toMatchObject({
        status: 'True',
        reason: 'RenderTemplateParamsError',
        message: expect.stringContaining('map has no entry for key "nothing"'),
      });
    });

    it('reports duplicate names and goes on with the others', async () => {
      const service = addService({
        applicationName: '{{ .branch_slug }}',
        filters: [{ branchMatch: '' }],
      });
      open(service, 'same/branch');
      open(service, 'same-branch');
      open(service, 'other');
      await simulator.quiet();
      expect(applications()).toEqual(['other', 'same-branch']);
      expect(setOf(service)?.status?.conditions[0]).toMatchObject({
        status: 'True',
        reason: 'ApplicationValidationError',
        message: expect.stringContaining('duplicate name: same-branch'),
      });
    });

    it('finds what no webhook told it at its next requeue', async () => {
      const service = addService({ generatorProject: 'path' });
      const mr = open(service, 'a');
      await simulator.quiet();
      await eventually(() => expect(applications()).toEqual([mr.name]));
    });

    it.each([
      ['create-only', ['a', 'closed'], true],
      ['create-delete', ['a'], true],
      ['create-update', ['a', 'closed'], false],
    ])(
      'under %s leaves what that policy leaves',
      async (policy, left, keepsCommit) => {
        const service = addService({
          applicationName: '{{ .branch }}',
          setSyncPolicy: { applicationsSync: policy },
        });
        const kept = open(service, 'a');
        const closed = open(service, 'closed');
        await simulator.quiet();
        const tag = () =>
          cluster().get({
            kind: 'Application',
            namespace: 'argocd',
            name: 'a',
          })?.spec?.source.helm.parameters[0].value;
        const before = tag();
        simulator.control.push(kept);
        simulator.control.close(closed);
        await simulator.quiet();
        expect(applications()).toEqual(left);
        expect(tag() === before).toBe(keepsCommit);
      },
    );

    it('takes its Applications along, and their objects stay where it preserves them', async () => {
      const preserving = addService({
        name: 'one',
        setSyncPolicy: { preserveResourcesOnDeletion: true },
      });
      const taking = addService({ name: 'two' });
      const first = open(preserving, 'a');
      const second = open(taking, 'a');
      await simulator.quiet();
      for (const { applicationSet } of [preserving, taking]) {
        cluster().delete({
          kind: 'ApplicationSet',
          namespace: 'argocd',
          name: applicationSet,
        });
      }
      await eventually(() => expect(applications()).toEqual([]));
      await simulator.quiet();
      const namespaces = cluster()
        .list({ kind: 'Namespace' })
        .map(({ metadata }) => metadata.name);
      expect(namespaces).toContain(first.name);
      expect(namespaces).not.toContain(second.name);
    });

    it('brings back an Application that somebody deleted', async () => {
      const service = addService();
      const mr = open(service, 'a');
      await simulator.quiet();
      const uid = () =>
        cluster().get({
          kind: 'Application',
          namespace: 'argocd',
          name: mr.name,
        })?.metadata.uid;
      const before = uid();
      cluster().delete({
        kind: 'Application',
        namespace: 'argocd',
        name: mr.name,
      });
      await eventually(() => {
        expect(uid()).toBeDefined();
        expect(uid()).not.toBe(before);
      });
    });

    it('does not touch anything when a refresh finds nothing new', async () => {
      const service = addService();
      const mr = open(service, 'a');
      await simulator.quiet();
      const version = () =>
        cluster().get({
          kind: 'Application',
          namespace: 'argocd',
          name: mr.name,
        })?.metadata.resourceVersion;
      const before = version();
      refresh(service);
      await simulator.quiet();
      expect(version()).toBe(before);
    });
  });

  describe('Application', () => {
    const application = (name: string) =>
      cluster().get({ kind: 'Application', namespace: 'argocd', name });

    it('says why a sync failed, and tries again later', async () => {
      const service = addService();
      simulator.faults.platform.set('sync', '*', 'SyncFailed');
      const mr = open(service, 'a');
      await simulator.quiet();
      expect(application(mr.name)?.status).toMatchObject({
        sync: { status: 'OutOfSync' },
        health: { status: 'Missing' },
        operationState: {
          phase: 'Failed',
          message: expect.stringContaining('failed to apply'),
        },
      });
      await simulator.faults.clear();
      await eventually(async () => {
        await simulator.quiet();
        expect(application(mr.name)?.status).toMatchObject({
          sync: { status: 'Synced' },
          health: { status: 'Healthy' },
        });
      });
      expect(application(mr.name)?.status?.conditions).toBeUndefined();
    });

    it('shows a commit that does not exist as ComparisonError', async () => {
      const service = addService();
      const mr = open(service, 'a');
      await simulator.quiet();
      simulator.faults.platform.set('sync', mr.name, 'ComparisonError');
      await simulator.quiet();
      expect(application(mr.name)?.status).toMatchObject({
        sync: { status: 'Unknown' },
        health: { status: 'Healthy' },
        conditions: [
          {
            type: 'ComparisonError',
            message: expect.stringContaining('unable to resolve'),
          },
        ],
      });
    });

    it('cannot find the commit of a fork in the project', async () => {
      const service = addService({ template: 'revision' });
      const { iid } = simulator.control.openMergeRequest({
        project: service.project,
        sourceBranch: 'patch-1',
        title: 'From outside',
        author: 'dev9',
        fork: true,
      });
      await simulator.quiet();
      expect(
        application(`preview-mr-${service.projectId}-${iid}`)?.status,
      ).toMatchObject({ conditions: [{ type: 'ComparisonError' }] });
    });

    it('names an unknown destination', async () => {
      const service = addService();
      const mr = open(service, 'a');
      await simulator.quiet();
      cluster().patch(
        { kind: 'Application', namespace: 'argocd', name: mr.name },
        draft => {
          draft.spec = {
            ...draft.spec,
            destination: { name: 'elsewhere', namespace: mr.name },
          };
        },
      );
      await simulator.quiet();
      expect(application(mr.name)?.status).toMatchObject({
        sync: { status: 'Unknown' },
        health: { status: 'Unknown' },
        conditions: [
          {
            type: 'InvalidSpecError',
            message: expect.stringContaining('elsewhere'),
          },
        ],
      });
    });

    it('heals what drifted', async () => {
      const mr = open(addService(), 'a');
      await simulator.quiet();
      cluster().delete({
        kind: 'Service',
        namespace: mr.name,
        name: 'checkout',
      });
      await simulator.quiet();
      expect(
        cluster().get({
          kind: 'Service',
          namespace: mr.name,
          name: 'checkout',
        }),
      ).toBeDefined();
      expect(application(mr.name)?.status?.sync.status).toBe('Synced');
    });

    it('leaves a namespace that its sync option made', async () => {
      const mr = open(addService({ createNamespaceBySync: true }), 'a');
      await simulator.quiet();
      simulator.control.close(mr);
      await simulator.quiet();
      expect(applications()).toEqual([]);
      expect(
        cluster().get({ kind: 'Namespace', name: mr.name })?.status?.phase,
      ).toBe('Active');
      // The collector takes the pods after the ReplicaSet, in its own time.
      await eventually(() =>
        expect(cluster().list({ kind: 'Pod' })).toEqual([]),
      );
    });

    it('waits for an object that a finalizer holds', async () => {
      const mr = open(addService(), 'a');
      await simulator.quiet();
      simulator.faults.stickFinalizer({
        kind: 'Service',
        namespace: mr.name,
        name: 'checkout',
      });
      simulator.control.close(mr);
      await simulator.quiet();
      expect(application(mr.name)?.metadata.deletionTimestamp).toBeDefined();
      await eventually(() =>
        expect(
          cluster().get({ kind: 'Namespace', name: mr.name })?.status,
        ).toMatchObject({
          phase: 'Terminating',
          conditions: expect.arrayContaining([
            expect.objectContaining({
              type: 'NamespaceFinalizersRemaining',
              status: 'True',
            }),
          ]),
        }),
      );
      await simulator.faults.clear();
      await eventually(() => expect(applications()).toEqual([]));
    });
  });

  describe('workloads', () => {
    it('crash, back off, and come up when healed', async () => {
      const service = addService();
      simulator.faults.platform.set('workload', '*', 'crashLoop');
      const mr = open(service, 'a');
      const status = () =>
        cluster().list({ kind: 'Pod', namespace: mr.name })[0]?.status
          ?.containerStatuses?.[0];
      await eventually(() =>
        expect(status()).toMatchObject({
          restartCount: 2,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 1 } },
        }),
      );
      await simulator.faults.clear();
      await eventually(() => expect(status()).toMatchObject({ ready: true }));
    });

    it('keep what was pulled and how they ended while they are started again', async () => {
      const service = addService();
      simulator.faults.platform.set('workload', '*', 'crashLoop');
      const mr = open(service, 'a');
      const seen = new Map<string, unknown>();
      await eventually(() => {
        const [pod] = cluster().list({ kind: 'Pod', namespace: mr.name });
        const status = pod?.status?.containerStatuses?.[0];
        if (status?.restartCount > 0) {
          seen.set(Object.keys(status.state)[0], status);
        }
        expect([...seen.keys()].sort()).toEqual(['running', 'waiting']);
      });
      for (const status of seen.values()) {
        expect(status).toMatchObject({
          ready: false,
          imageID: expect.stringContaining('@sha256:'),
          lastState: { terminated: { exitCode: 1, reason: 'Error' } },
        });
      }
    });

    it('sleep with no replicas, and are healthy so', async () => {
      const mr = open(addService({ replicas: 0 }), 'a');
      await simulator.quiet();
      expect(cluster().list({ kind: 'Pod', namespace: mr.name })).toEqual([]);
      expect(
        cluster().get({
          kind: 'Application',
          namespace: 'argocd',
          name: mr.name,
        })?.status?.health.status,
      ).toBe('Healthy');
    });

    it('name the image that the registry does not have, when CI tags it otherwise', async () => {
      const service = addService();
      simulator.faults.platform.set(
        'imageTag',
        service.project,
        'sevenCharacters',
      );
      const mr = open(service, 'a');
      await simulator.quiet();
      const [tag] = [
        ...simulator.gitlab.state
          .project(service.project)
          .registry[0].tags.keys(),
      ].filter(name => name !== 'main');
      expect(tag).toHaveLength(7);
      expect(
        cluster().list({ kind: 'Pod', namespace: mr.name })[0].status
          ?.containerStatuses[0].state.waiting,
      ).toMatchObject({
        reason: 'ImagePullBackOff',
        message: expect.stringContaining(`/checkout:${tag}`),
      });
    });
  });

  describe('certificates', () => {
    const certificate = (namespace: string) =>
      cluster().get({ kind: 'Certificate', namespace, name: 'checkout-tls' });

    it('show their whole chain while DNS is propagating', async () => {
      simulator.faults.platform.set('certificate', '*', 'never');
      const mr = open(addService(), 'a');
      await simulator.quiet();
      expect(certificate(mr.name)?.status?.conditions).toMatchObject([
        { type: 'Issuing', status: 'True', reason: 'DoesNotExist' },
        { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
      ]);
      const [challenge] = cluster().list({
        kind: 'Challenge',
        namespace: mr.name,
      });
      expect(challenge.status).toMatchObject({
        presented: true,
        processing: true,
        reason: expect.stringContaining('Waiting for DNS-01'),
      });
      const [order] = cluster().list({ kind: 'Order', namespace: mr.name });
      expect(challenge.metadata.ownerReferences).toMatchObject([
        { kind: 'Order', uid: order.metadata.uid, controller: true },
      ]);
      await simulator.faults.clear();
      await simulator.quiet();
      expect(certificate(mr.name)?.status?.conditions).toMatchObject([
        { type: 'Ready', status: 'True' },
      ]);
    });

    it.each([
      ['failed', 'invalid', 'order is in "invalid" state'],
      ['rateLimited', 'errored', 'retry after'],
    ] as const)(
      'that are %s end so, and are issued once healed',
      async (fault, state, message) => {
        simulator.faults.platform.set('certificate', '*', fault);
        const mr = open(addService(), 'a');
        await simulator.quiet();
        expect(certificate(mr.name)?.status).toMatchObject({
          failedIssuanceAttempts: 1,
          lastFailureTime: expect.any(String),
          conditions: [
            {
              type: 'Issuing',
              status: 'False',
              reason: 'Failed',
              message: expect.stringContaining(message),
            },
            { type: 'Ready', status: 'False' },
          ],
        });
        expect(
          cluster().list({ kind: 'Order', namespace: mr.name })[0].status
            ?.state,
        ).toBe(state);
        await simulator.faults.clear();
        await simulator.quiet();
        expect(certificate(mr.name)?.status?.conditions).toMatchObject([
          { type: 'Ready', status: 'True' },
        ]);
      },
    );
  });

  describe('routes', () => {
    const parents = (namespace: string) =>
      cluster().get({ kind: 'HTTPRoute', namespace, name: 'checkout' })?.status
        ?.parents;

    it.each([
      ['NotAllowedByListeners', 'Accepted'],
      ['BackendNotFound', 'ResolvedRefs'],
    ] as const)(
      'are refused as %s, and accepted once healed',
      async (fault, type) => {
        const mr = open(addService(), 'a');
        simulator.faults.platform.set('route', '*', fault);
        await simulator.quiet();
        expect(parents(mr.name)[0].conditions).toContainEqual(
          expect.objectContaining({ type, status: 'False', reason: fault }),
        );
        await simulator.faults.clear();
        await simulator.quiet();
        expect(parents(mr.name)[0].conditions).toMatchObject([
          { type: 'Accepted', status: 'True' },
          { type: 'ResolvedRefs', status: 'True' },
        ]);
      },
    );

    it('outside the listener’s host have no place there', async () => {
      const mr = open(
        addService({ host: 'mr-{{ .number }}.example.org' }),
        'a',
      );
      await simulator.quiet();
      expect(parents(mr.name)[0].conditions[0]).toMatchObject({
        type: 'Accepted',
        status: 'False',
        reason: 'NoMatchingListenerHostname',
      });
    });
  });
});
