import { mockServices } from '@backstage/backend-test-utils';
import {
  KindName,
  ObjectAnswer,
  ObjectRequest,
  RepositoryQuestion,
  World,
} from '../model';
import { defaultSettings } from '../reconcile';
import { ObjectsChange } from '../sources/types';
import { DatabasePreviewStore, LeaseTerm } from '../store';
import {
  createTestDatabases,
  databaseServiceOf,
  supportedDatabases,
} from '../testing/__testUtils__/databases';
import { Story } from '../testing/Story';
import { at, HOST, Json, NOW, WorldBuilder } from '../testing/world';
import { TiersKeeper } from './TiersKeeper';

jest.setTimeout(60_000);

const SHOP = 'component:default/shop';
const OLDER = 'c0ffee0123456789abcdef0123456789abcdef01';
const NEWER = 'd00d1e0123456789abcdef0123456789abcdef01';
const HEAD_OF_MAIN = 'beefed0123456789abcdef0123456789abcdef01';

const deployment = {
  group: 'apps',
  kind: 'Deployment',
  namespace: 'shop-prod',
  name: 'shop',
};

function application(tier: string, revision: string, patch: Json = {}): Json {
  return {
    ...patch,
    metadata: {
      name: `shop-${tier}`,
      ownerReferences: null,
      labels: { 'previews/project-id': '42', 'previews/tier': tier },
    },
    spec: {
      source: { targetRevision: tier === 'prod' ? 'v1.1.0' : 'main' },
    },
    status: {
      summary: null,
      history: [
        {
          id: 1,
          revision,
          deployedAt: at(-600),
          initiatedBy: { username: 'dev1' },
          source: { targetRevision: tier === 'prod' ? 'v1.1.0' : 'main' },
        },
      ],
      ...patch.status,
      sync: { status: 'Synced', revision, ...patch.status?.sync },
    },
  };
}

/** GitLab and one cluster, as the keeper asks them. */
class FakePlatform {
  world: World = WorldBuilder.empty().build();
  readonly asked: RepositoryQuestion[] = [];
  readonly read: ObjectRequest[] = [];
  live: Json = {};
  gitlabStatus = 'fresh';
  isGitLabDown = false;
  #listener?: (change: ObjectsChange) => void;

  sources(): any {
    return {
      gitlab: [
        {
          id: `gitlab:${HOST}`,
          host: HOST,
          state: () => ({ status: this.gitlabStatus }),
          readRepository: async (question: RepositoryQuestion) => {
            this.asked.push(question);
            return this.isGitLabDown
              ? { state: 'failed' }
              : { state: 'read', fact: this.#fact(question) };
          },
        },
      ],
      clusters: [
        {
          id: 'cluster:main',
          cluster: 'main',
          state: () => ({ status: 'fresh' }),
          onChange: (listener: (change: ObjectsChange) => void) => {
            this.#listener = listener;
            return () => {};
          },
          readObjects: (kind: KindName) => this.world.clusters[0].kinds[kind],
          readWhole: async (asked: ObjectRequest): Promise<ObjectAnswer> => {
            this.read.push(asked);
            return {
              state: 'read',
              objects:
                asked.kind === 'Application'
                  ? [{ status: this.#historyOf(asked.name!) }]
                  : [this.live],
            };
          },
        },
      ],
    };
  }

  tell(change: ObjectsChange) {
    this.#listener?.(change);
  }

  #historyOf(name: string): Json {
    const fact = this.world.clusters[0].kinds.applications.objects.get(
      `argocd/${name}`,
    )!;
    return {
      history: [
        {
          id: 1,
          deployedAt: at(-600),
          revision: fact.sync.revisions[0],
          source: { targetRevision: fact.sources[0].targetRevision },
          initiatedBy: { username: 'dev1' },
        },
      ],
    };
  }

  #fact(question: RepositoryQuestion): unknown {
    switch (question.kind) {
      case 'distance':
        return { behind: 3 };
      case 'head':
        return { branch: 'main', sha: HEAD_OF_MAIN };
      case 'file':
        return { exists: true };
      default:
        return {
          sha: OLDER,
          title: 'Release',
          author: 'dev1',
          committedAt: at(-700),
          mergeRequest: { iid: 3, title: 'Release', author: 'dev1' },
        };
    }
  }
}

describe.each(supportedDatabases)('TiersKeeper on %s', databaseId => {
  const databases = createTestDatabases();
  let store: DatabasePreviewStore;
  let term: LeaseTerm;
  let platform: FakePlatform;
  let now: Date;
  let told: string[];
  let keeper: TiersKeeper;
  const stop = new AbortController();

  beforeEach(async () => {
    store = await DatabasePreviewStore.create({
      database: databaseServiceOf(await databases.init(databaseId)) as never,
    });
    term = (await store.acquireLease({ holder: 'a', durationSeconds: 600 }))!;
    platform = new FakePlatform();
    now = new Date(NOW);
    told = [];
    keeper = await begin();
  });

  async function begin(): Promise<TiersKeeper> {
    const made = await TiersKeeper.create({
      store,
      term,
      sources: platform.sources(),
      settings: defaultSettings,
      names: [{ name: 'dev' }, { name: 'prod' }],
      retentionMilliseconds: 86_400_000,
      listener: { previewsChanged: refs => told.push(...refs) },
      logger: mockServices.logger.mock(),
      clock: () => now,
    });
    made.listen(stop.signal);
    return made;
  }

  async function pass(world: WorldBuilder | World) {
    platform.world =
      world instanceof WorldBuilder
        ? world.readAt(now.toISOString()).entity().build()
        : world;
    const { result } = new Story().pass(platform.world, now.toISOString());
    keeper.consider(result!, {
      world: platform.world,
      now,
      signal: stop.signal,
    });
    await keeper.idle();
    return store.tiersOf(SHOP);
  }

  const both = (prod: Json = application('prod', OLDER)) =>
    WorldBuilder.empty()
      .application(application('dev', NEWER))
      .application(prod);

  it('tells who released what, and how far it is behind', async () => {
    const [dev, prod] = await pass(both());
    expect(dev).toMatchObject({
      tier: 'dev',
      revision: NEWER,
      distance: { from: 'main', behind: 3 },
    });
    expect(prod).toMatchObject({
      tier: 'prod',
      targetRevision: 'v1.1.0',
      distance: {
        from: 'dev',
        behind: 3,
        webUrl: `https://${HOST}/group/deployment/-/compare/${OLDER}...${NEWER}`,
      },
      release: {
        deployedAt: at(-600),
        initiatedBy: 'dev1',
        commit: {
          webUrl: `https://${HOST}/group/deployment/-/commit/${OLDER}`,
          mergeRequest: {
            webUrl: `https://${HOST}/group/deployment/-/merge_requests/3`,
          },
        },
      },
      pin: { path: 'argocd/shop/application-prod.yaml' },
      stale: [],
    });
    expect(told).toEqual([SHOP]);
  });

  it('asks, writes and tells nothing while nothing changes', async () => {
    const world = both();
    await pass(world);
    const { asked, read } = platform;
    const counts = [asked.length, read.length];
    now = new Date(now.getTime() + 10_000);
    await pass(platform.world);
    expect([asked.length, read.length]).toEqual(counts);
    expect(told).toEqual([SHOP]);
  });

  it('keeps what it knew while GitLab is down, and says so', async () => {
    const before = await pass(both());
    platform.isGitLabDown = true;
    platform.gitlabStatus = 'failing';
    now = new Date(now.getTime() + 60_000);
    const after = await pass(platform.world);
    expect(after).toEqual(
      before.map(tier => ({ ...tier, stale: [`gitlab:${HOST}`] })),
    );
    platform.isGitLabDown = false;
    platform.gitlabStatus = 'fresh';
    now = new Date(now.getTime() + 60_000);
    expect(await pass(platform.world)).toEqual(before);
  });

  it('keeps tiers of a cluster that was not read since, and lets go of those that are gone', async () => {
    const before = await pass(both());
    keeper = await begin();
    expect(await pass(WorldBuilder.empty().unreadCluster())).toEqual(
      before.map(tier => ({ ...tier, stale: ['cluster:main'] })),
    );
    expect(await pass(WorldBuilder.empty())).toEqual([]);
  });

  const edited = {
    metadata: {
      managedFields: [
        {
          manager: 'kubectl-edit',
          time: at(-5),
          fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        },
      ],
    },
  };
  const drifted = () =>
    both(
      application('prod', OLDER, {
        status: {
          sync: { status: 'OutOfSync' },
          resources: [{ ...deployment, status: 'OutOfSync' }],
        },
      }),
    );
  const change = {
    manager: 'kubectl-edit',
    at: at(-5),
    fields: ['spec.replicas'],
  };

  it('tells by which tool a resource was changed, and keeps it once it is put back', async () => {
    platform.live = edited;
    const [, prod] = await pass(drifted());
    expect(prod.drift).toEqual([
      { ...deployment, status: 'OutOfSync', changes: [change] },
    ]);
    now = new Date(now.getTime() + 20_000);
    const [, later] = await pass(
      both(
        application('prod', OLDER, {
          status: { resources: [{ ...deployment, status: 'Synced' }] },
        }),
      ),
    );
    expect(later.drift).toEqual([
      {
        ...deployment,
        status: 'Synced',
        changes: [{ ...change, restoredAt: now.toISOString() }],
      },
    ]);
  });

  it('sees at once what is put back before the next pass', async () => {
    await pass(both());
    platform.live = edited;
    platform.world = drifted().entity().build();
    platform.tell({ kind: 'applications', keys: ['argocd/shop-prod'] });
    platform.live = {};
    now = new Date(now.getTime() + 10_000);
    const [, prod] = await pass(both());
    expect(prod.drift).toMatchObject([
      { status: 'Synced', changes: [{ ...change }] },
    ]);
  });

  it('never reads Secrets, nor kinds that the cluster role does not name', async () => {
    await pass(
      both(
        application('prod', OLDER, {
          status: {
            sync: { status: 'OutOfSync' },
            resources: [
              { group: '', kind: 'Secret', name: 's', status: 'OutOfSync' },
              {
                group: 'serving.knative.dev',
                kind: 'Service',
                name: 's',
                status: 'OutOfSync',
              },
            ],
          },
        }),
      ),
    );
    expect(new Set(platform.read.map(({ kind }) => kind))).toEqual(
      new Set(['Application']),
    );
  });
});
