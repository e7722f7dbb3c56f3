import { TierState } from '@previews/backstage-plugin-previews-common';
import { Simulator } from 'simulator';
import { StartedPlugin, startPlugin } from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(240_000);

const CHECKOUT = 'component:default/checkout';
const PROJECT = 'shop/checkout';

describe('tiers', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;

  beforeAll(async () => {
    plugin = await startPlugin({
      scenario: ({ scenario, control }) => {
        scenario.addService({ name: 'checkout' });
        control.openMergeRequest({
          project: PROJECT,
          sourceBranch: 'feature/1',
          title: 'Change 1',
          author: 'dev1',
        });
      },
    });
    simulator = plugin.simulator;
    await plugin.untilPhase({ project: PROJECT, iid: 1 }, 'Live');
    addTier('dev', { targetRevision: 'main', selfHeal: true });
    addTier('prod', { targetRevision: headOfMain(), selfHeal: false });
    await untilTier('dev', isReleased);
    await untilTier('prod', isReleased);
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  afterEach(async () => {
    await simulator.faults.clear();
  });

  const control = () => simulator.clusters[0].cluster;

  function headOfMain(): string {
    const { state } = simulator.gitlab;
    return state.resolveRevision(state.project(PROJECT), 'main')!;
  }

  /** An Application beside previews, deployed from where those are. */
  function addTier(
    tier: string,
    options: { targetRevision: string; selfHeal: boolean },
  ) {
    const { state } = simulator.gitlab;
    const [preview] = control().list({ kind: 'Application' });
    const { source } = preview.spec as { source: object };
    control().create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        name: `checkout-${tier}`,
        namespace: 'argocd',
        labels: {
          'previews/tier': tier,
          'previews/project-id': String(state.project(PROJECT).id),
        },
      },
      spec: {
        ...preview.spec,
        // That of previews admits no other namespaces.
        project: 'default',
        source: { ...source, targetRevision: options.targetRevision },
        destination: {
          ...preview.spec!.destination,
          namespace: `checkout-${tier}`,
        },
        syncPolicy: {
          automated: { prune: true, selfHeal: options.selfHeal },
          syncOptions: ['CreateNamespace=true'],
        },
      },
    });
  }

  async function untilTier(
    name: string,
    predicate: (tier: TierState) => boolean,
  ): Promise<TierState> {
    let last: TierState | undefined;
    try {
      return await waitFor(
        name,
        async () => {
          const { tiers } = await plugin.summary(CHECKOUT);
          last = tiers?.find(({ tier }) => tier === name);
          return last && predicate(last) ? last : undefined;
        },
        { timeoutMilliseconds: 60_000 },
      );
    } catch (error) {
      throw new Error(`The tier is ${JSON.stringify(last)}`, { cause: error });
    }
  }

  /** Synced, with all that GitLab tells of the commit. */
  function isReleased({ sync, revision, release, stale }: TierState): boolean {
    return (
      sync === 'Synced' &&
      stale.length === 0 &&
      release?.commit !== undefined &&
      release.commit.sha === revision
    );
  }

  function scale(tier: string, replicas: number) {
    const namespace = `checkout-${tier}`;
    const [deployment] = control()
      .list({ kind: 'Deployment' })
      .filter(({ metadata }) => metadata.namespace === namespace);
    control().patch(
      { kind: 'Deployment', namespace, name: deployment.metadata.name },
      draft => {
        draft.spec!.replicas = replicas;
      },
      { fieldManager: 'kubectl-edit' },
    );
  }

  const handChange = ({ drift }: TierState) =>
    drift.flatMap(({ changes }) => changes ?? [])[0];

  it('are the labelled Applications, in the order of a release, with what they run', async () => {
    const { tiers } = await plugin.summary(CHECKOUT);
    expect(tiers).toMatchObject([
      {
        tier: 'dev',
        targetRevision: 'main',
        revision: headOfMain(),
        sync: 'Synced',
        release: { automated: true, commit: { sha: headOfMain() } },
      },
      { tier: 'prod', targetRevision: headOfMain(), drift: [] },
    ]);
  });

  it('tell by which tool a resource was changed and when, without self-heal', async () => {
    const since = Date.now() - 1_000;
    scale('prod', 4);
    const tier = await untilTier(
      'prod',
      one => one.sync === 'OutOfSync' && handChange(one) !== undefined,
    );
    const change = handChange(tier);
    expect(change).toMatchObject({
      manager: 'kubectl-edit',
      fields: ['spec.replicas'],
    });
    expect(Date.parse(change.at)).toBeGreaterThanOrEqual(since - 1_000);
    expect(change.restoredAt).toBeUndefined();
  });

  it('keep a change by hand after self-heal has put it back', async () => {
    // Argo CD heals within seconds; here it is held until the change was seen.
    simulator.faults.platform.set('sync', 'checkout-dev', 'OutOfSync');
    scale('dev', 4);
    await untilTier('dev', one => handChange(one) !== undefined);
    await simulator.faults.clear();
    const tier = await untilTier(
      'dev',
      one => handChange(one)?.restoredAt !== undefined && one.sync === 'Synced',
    );
    expect(handChange(tier)).toMatchObject({
      manager: 'kubectl-edit',
      fields: ['spec.replicas'],
    });
  });

  it('tell that prod moved when its target revision changed', async () => {
    const before = headOfMain();
    simulator.gitlab.state.pushToBranch({ project: PROJECT, branch: 'main' });
    const after = headOfMain();
    await untilTier('dev', ({ revision }) => revision === after);
    expect((await untilTier('prod', () => true)).revision).toBe(before);
    control().patch(
      { kind: 'Application', namespace: 'argocd', name: 'checkout-prod' },
      draft => {
        draft.spec!.source.targetRevision = after;
      },
    );
    const moved = await untilTier('prod', ({ revision }) => revision === after);
    expect(moved.targetRevision).toBe(after);
  });

  it('keep what is known while GitLab is down, and say so', async () => {
    const before = await untilTier('prod', isReleased);
    simulator.faults.gitlab.down(502);
    const down = await untilTier('prod', tier =>
      tier.stale.includes(plugin.gitlabSource),
    );
    expect(down.release).toEqual(before.release);
    expect(down.distance).toEqual(before.distance);
  });
});
