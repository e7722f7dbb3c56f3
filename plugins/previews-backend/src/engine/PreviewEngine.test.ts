import { mockServices } from '@backstage/backend-test-utils';
import { SourceState } from '@previews/backstage-plugin-previews-common';
import {
  ApprovalsFact,
  KindFacts,
  KindName,
  KindReading,
  World,
} from '../model';
import { defaultSettings } from '../reconcile';
import { DatabasePreviewStore, PreviewStore } from '../store';
import {
  createTestDatabases,
  supportedDatabases,
} from '../testing/__testUtils__/databases';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import {
  at,
  CLUSTER,
  HEAD,
  generatedBy,
  HOST,
  MERGE_REQUEST,
  NEXT,
  NOW,
  podStatus,
  REGISTRY,
  rollingOut,
  WorldBuilder,
} from '../testing/world';
import { ChangeListener } from './ChangeListener';
import { PreviewEngine } from './PreviewEngine';
import {
  GitLabSource,
  HostsChange,
  ObjectsChange,
  ProjectsChange,
} from '../sources/types';
import { pick } from '../sources/pick';
import { Sources } from './world';

jest.setTimeout(60_000);

/** Sources that hold what a test gives them. */
class FakeSources implements Sources {
  readonly #listeners = new Map<string, (change?: any) => void>();
  #world: World;
  followed: { projectId: number; iid: number }[] = [];
  tracked: unknown[] = [];
  past: { projectId: number; iid: number }[] = [];
  tags: unknown[] = [];
  paths: unknown[] = [];
  resumed?: Parameters<GitLabSource['resume']>[0];
  unreadSince?: string;
  /** Hosts that are to be visited, of every time that somebody said so. */
  visits: string[][] = [];
  hurried: string[] = [];
  started = 0;
  running?: AbortSignal;

  constructor(world: World) {
    this.#world = world;
    if (world.reachability) {
      this.reachability = {
        ...this.#source('reachability'),
        reading: () => this.#world.reachability!,
        readHost: host => this.#world.reachability!.observations.get(host),
        visit: targets => {
          this.visits.push(targets.map(({ host }) => host));
        },
        hurry: hosts => {
          this.hurried.push(...hosts);
        },
      };
    }
  }

  show(world: World) {
    this.#world = world;
    this.#listeners.forEach(listener => listener());
  }

  /** Shows a world and tells of no more than these changes in it. */
  tell(
    world: World,
    source: string,
    ...changes: (ObjectsChange | ProjectsChange | HostsChange)[]
  ) {
    this.#world = world;
    changes.forEach(change => this.#listeners.get(source)!(change));
  }

  #source(id: string) {
    return {
      id,
      start: ({ signal }: { signal: AbortSignal }) => {
        this.started += 1;
        this.running = signal;
      },
      onChange: (listener: (change?: any) => void) => {
        this.#listeners.set(id, listener);
        return () => this.#listeners.delete(id);
      },
      refresh: async () => {},
      state: (): SourceState => ({
        id,
        kind: id.startsWith('gitlab') ? 'gitlab' : 'cluster',
        name: id.split(':')[1],
        status: 'fresh',
        errors: [],
        notes: [],
      }),
    };
  }

  readonly gitlab: Sources['gitlab'] = [
    {
      ...this.#source(`gitlab:${HOST}`),
      host: HOST,
      reading: () => this.#world.gitlab[0],
      readProject: id => this.#world.gitlab[0].projects.get(id),
      resume: from => {
        this.resumed = from;
      },
      unreadSince: () => this.unreadSince,
      trackProjects: references => {
        this.tracked = [...references];
      },
      followMergeRequests: keys => {
        this.followed = [...keys];
      },
      lookForPast: keys => {
        this.past = [...keys];
      },
      lookForPaths: paths => {
        this.paths = [...paths];
      },
      lookForTags: tags => {
        this.tags = [...tags];
      },
      refreshMergeRequest: async () => {},
    },
  ];

  readonly clusters: Sources['clusters'] = [
    {
      ...this.#source(`cluster:${CLUSTER}`),
      cluster: CLUSTER,
      reading: () => this.#world.clusters[0],
      readObjects: (kind, keys) => {
        const reading: KindReading<KindFacts[KindName]> =
          this.#world.clusters[0].kinds[kind];
        return { ...reading, objects: pick(reading.objects, keys) };
      },
    },
  ];

  readonly reachability?: Sources['reachability'];

  readonly catalog: Sources['catalog'] = {
    ...this.#source('catalog'),
    reading: () => this.#world.catalog,
  };
}

function live(): WorldBuilder {
  return WorldBuilder.live().entity().readAt(new Date().toISOString());
}

async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const answer = await ask();
    if (answer) {
      return answer;
    }
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  throw new Error('It did not come about');
}

const EVERYTHING = { withoutEntity: true };

async function rows(store: PreviewStore) {
  const page = await store.list(
    { sort: 'attention', limit: 50, includeEnded: true },
    EVERYTHING,
  );
  return page.items;
}

/** As if the last pass that was whole had been so long ago. */
async function pretendLastPass(store: PreviewStore, secondsAgo: number) {
  const term = await store.acquireLease({
    holder: 'test',
    durationSeconds: 60,
  });
  await store.applyReconciled(
    term!,
    new Date(Date.now() - secondsAgo * 1000).toISOString(),
  );
  await store.releaseLease(term!);
}

describe.each(supportedDatabases)('PreviewEngine on %s', databaseId => {
  const databases = createTestDatabases();
  const engines: PreviewEngine[] = [];

  afterEach(async () => {
    await Promise.all(engines.splice(0).map(engine => engine.stop()));
  });

  async function createStore() {
    const knex = await databases.init(databaseId);
    return DatabasePreviewStore.create({
      database: mockServices.database({ knex }),
    });
  }

  function start(
    store: PreviewStore,
    sources: FakeSources,
    changed: (refs: readonly string[]) => void = () => {},
    listener: Partial<ChangeListener> = {},
    clock: () => Date = () => new Date(),
  ) {
    const engine = PreviewEngine.create({
      store,
      sources,
      settings: defaultSettings,
      isClaimAllowed: () => true,
      retentionMilliseconds: 86_400_000,
      listener: { previewsChanged: changed, ...listener },
      logger: mockServices.logger.mock(),
      clock,
    });
    engines.push(engine);
    engine.start();
    return engine;
  }

  it('writes what the sources show, and tells whose rows changed', async () => {
    const store = await createStore();
    const changed: string[] = [];
    const sources = new FakeSources(live().build());
    start(store, sources, refs => changed.push(...refs));
    const [row] = await until(
      async () => (await rows(store)).length > 0 && rows(store),
    );
    expect(row.phase).toBe('Live');
    expect(row.commit.running).toBe(HEAD.slice(0, 8));
    // A row is there before anybody is told of it.
    expect(
      await until(async () =>
        row.entityRefs.every(ref => changed.includes(ref)),
      ),
    ).toBe(true);
    expect(sources.tracked).not.toEqual([]);
    const states = (await store.sources()).items.map(({ id }) => id);
    expect(new Set(states)).toEqual(
      new Set([`cluster:${CLUSTER}`, `gitlab:${HOST}`]),
    );
  });

  it('keeps the row of an open MR whose environment is long gone', async () => {
    const store = await createStore();
    const term = await store.acquireLease({
      holder: 'test',
      durationSeconds: 60,
    });
    const gone = (iid: number, state: 'opened' | 'merged') =>
      storedPreview({
        ...MERGE_REQUEST,
        iid,
        phase: 'Gone',
        mergeRequest: { state },
        preview: { goneAt: '2026-05-01T00:00:00.000Z' },
        memory: { existed: true },
      });
    await store.apply(
      term!,
      [gone(7, 'opened'), gone(8, 'merged')].map(stored => ({
        stored,
        transitions: [],
      })),
    );
    await store.releaseLease(term!);
    const world = WorldBuilder.open()
      .mergeRequest({ labels: [] })
      .readAt(new Date().toISOString());
    start(store, new FakeSources(world.build()));
    const kept = await until(async () => {
      const found = await rows(store);
      return found.every(({ mergeRequest }) => mergeRequest.iid !== 8) && found;
    });
    expect(
      kept.map(({ phase, mergeRequest }) => [mergeRequest.iid, phase]),
    ).toEqual([[7, 'Gone']]);
  });

  it('decides nothing of a moved project before it is known what the path in its set means', async () => {
    const store = await createStore();
    const first = start(store, new FakeSources(live().build()));
    const [{ id }] = await until(async () => {
      const found = await rows(store);
      return found[0]?.phase === 'Live' && found;
    });
    await first.stop();
    const transitions = async () =>
      (await store.timeline(id, { limit: 50 })).items.length;
    const before = await transitions();

    // Its id is known of the preview, and leads to the path that it has now.
    const sources = new FakeSources(
      live().project({ path_with_namespace: 'other/shop' }).build(),
    );
    start(store, sources);
    await until(async () => sources.tracked.length > 0);
    const asked = { path: 'group/shop' };
    await until(async () =>
      sources.tracked.some(
        one => JSON.stringify(one) === JSON.stringify(asked),
      ),
    );
    sources.show(live().moved('other/shop').build());
    const [row] = await until(async () => {
      const found = await rows(store);
      return found[0].mergeRequest.project === 'other/shop' && found;
    });
    expect(row.phase).toBe('Live');
    expect(await transitions()).toBe(before);
  });

  it('writes nothing when nothing changed', async () => {
    const store = await createStore();
    const apply = jest.spyOn(store, 'apply');
    const sources = new FakeSources(live().build());
    start(store, sources);
    await until(async () => (await rows(store)).length > 0);
    const before = apply.mock.calls.length;
    const load = jest.spyOn(sources.catalog, 'reading');
    for (const passes of [0, 1]) {
      sources.show(live().build());
      await until(async () => load.mock.calls.length > passes);
    }
    expect(apply.mock.calls.length).toBe(before);
  });

  it('decides nothing before every source has answered or failed once', async () => {
    const store = await createStore();
    const sources = new FakeSources(live().unreadCluster().build());
    const states = jest.spyOn(store, 'applySources');
    start(store, sources);
    await until(async () => states.mock.calls.length > 0);
    expect(await rows(store)).toEqual([]);
    sources.show(live().build());
    const [row] = await until(
      async () => (await rows(store)).length > 0 && rows(store),
    );
    expect(row.phase).toBe('Live');
  });

  it('keeps what annotations led to until the catalog has been read', async () => {
    const store = await createStore();
    const applied = jest.spyOn(store, 'applyClaims');
    const states = jest.spyOn(store, 'applySources');
    const pending = { state: 'pending', entities: [] } as const;
    const sources = new FakeSources({ ...live().build(), catalog: pending });
    start(store, sources);
    await until(async () => states.mock.calls.length > 0);
    expect(applied).not.toHaveBeenCalled();
    sources.show(live().build());
    await until(async () => applied.mock.calls.length > 0);
    expect(applied.mock.calls[0][1]).toMatchObject([
      { entityRef: 'component:default/shop' },
    ]);
  });

  describe('when a source says where to look', () => {
    // With its image pulled: nothing else is to be read for it.
    const crashed = () =>
      live()
        .deployment(rollingOut)
        .replicaSet({ status: { readyReplicas: 0 } })
        .pod(
          podStatus({
            imageID: `${REGISTRY}@sha256:${'ab'.repeat(32)}`,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
          }),
        );
    const ofNamespace = (kind: KindName, name: string) => ({
      kind,
      keys: [`preview-mr-7/${name}`],
    });
    const everyChange = [
      ofNamespace('deployments', 'shop'),
      ofNamespace('replicaSets', 'shop-1'),
      ofNamespace('pods', 'shop-1-aaaaa'),
    ];
    const noChange = { kind: 'certificates', keys: [] } as const;

    async function settled(clock = () => new Date(), world = live()) {
      const store = await createStore();
      const sources = new FakeSources(world.build());
      const ended: string[] = [];
      start(
        store,
        sources,
        undefined,
        { passEnded: ({ over }) => ended.push(over) },
        clock,
      );
      await until(async () => (await rows(store)).length > 0);
      await until(async () => ended.length > 0);
      const reading = jest.spyOn(sources.catalog, 'reading');
      const phaseIs = (phase: string) =>
        until(async () => (await rows(store))[0]?.phase === phase);
      return { store, sources, reading, phaseIs, ended };
    }

    it('decides that and reads nothing else', async () => {
      const { sources, reading, phaseIs, ended } = await settled();
      sources.tell(crashed().build(), `cluster:${CLUSTER}`, ...everyChange);
      await phaseIs('Degraded');
      sources.tell(live().build(), `cluster:${CLUSTER}`, ...everyChange);
      await phaseIs('Live');
      expect(ended.slice(1)).not.toContain('everything');
      expect(reading.mock.calls.length).toBeLessThanOrEqual(1);
    });

    it('follows an MR of whose project alone it was told', async () => {
      const { sources, store, phaseIs } = await settled();
      sources.tell(
        live().mergeRequest({ draft: true }).build(),
        `gitlab:${HOST}`,
        { projectIds: [42] },
      );
      await until(async () => (await rows(store))[0].mergeRequest.draft);
      sources.tell(
        live()
          .mergeRequest({ sha: NEXT, diff_refs: { head_sha: NEXT } })
          .build(),
        `gitlab:${HOST}`,
        { projectIds: [42] },
      );
      expect(await phaseIs('Updating')).toBe(true);
    });

    it('has the hosts of a preview visited soon that somebody asks for', async () => {
      const store = await createStore();
      const host = 'mr-7.preview.example.com';
      const sources = new FakeSources(
        live().visited({ kind: 'answered', status: 200 }).build(),
      );
      const engine = start(store, sources);
      await until(async () => (await rows(store))[0]?.probes);
      await until(async () => {
        // A hint is lost where everything is decided anyway.
        await engine.refresh({ host: HOST, projectId: 42, iid: 7 });
        return sources.hurried.length > 0;
      });
      expect(new Set(sources.hurried)).toEqual(new Set([host]));
    });

    it('takes up what a visit found, and says whom to visit', async () => {
      const visiting = () => live().visiting('preview.example.com');
      const { sources, store, ended } = await settled(undefined, visiting());
      const host = 'mr-7.preview.example.com';
      await until(async () => sources.visits.at(-1)?.includes(host));
      const before = ended.length;
      sources.tell(
        visiting().visited({ kind: 'answered', status: 502 }).build(),
        'reachability',
        { hosts: [host] },
      );
      const [row] = await until(async () => {
        const found = await rows(store);
        return found[0].message?.includes('502') && found;
      });
      expect(row.phase).toBe('Live');
      expect(row.probes).toMatchObject([{ host, reason: 'Http5xx' }]);
      expect(ended.slice(before)).not.toContain('everything');
      sources.show(visiting().mergeRequest({ labels: [] }).build());
      await until(async () => sources.visits.at(-1)?.length === 0);
    });

    it('finds what nobody told of when everything is due', async () => {
      let offset = 0;
      const { sources, phaseIs, ended } = await settled(
        () => new Date(Date.now() + offset),
      );
      const before = ended.length;
      sources.tell(crashed().build(), `cluster:${CLUSTER}`, noChange);
      await until(async () => ended.length > before);
      await phaseIs('Live');
      offset = 10_000;
      sources.tell(crashed().build(), `cluster:${CLUSTER}`, noChange);
      expect(await phaseIs('Degraded')).toBe(true);
    });

    it('decides everything after a pass that failed', async () => {
      const { store, sources, reading, phaseIs } = await settled();
      const apply = jest
        .spyOn(store, 'apply')
        .mockRejectedValueOnce(new Error('connection lost'));
      sources.tell(crashed().build(), `cluster:${CLUSTER}`, ...everyChange);
      await until(async () => apply.mock.calls.length > 0);
      sources.tell(crashed().build(), `cluster:${CLUSTER}`, noChange);
      await phaseIs('Degraded');
      expect(reading).toHaveBeenCalled();
    });
  });

  it('lets one instance write, and another take over at once when it stops', async () => {
    const store = await createStore();
    const [first, second] = [
      new FakeSources(live().build()),
      new FakeSources(live().build()),
    ];
    const writer = start(store, first);
    await until(async () => writer.isWriter);
    const other = start(store, second);
    await until(async () => (await rows(store)).length > 0);
    expect(other.isWriter).toBe(false);
    expect(second.started).toBe(0);
    await writer.stop();
    expect(writer.isWriter).toBe(false);
    expect(first.running?.aborted).toBe(true);
    await until(async () => other.isWriter);
    expect(second.followed).toEqual([{ projectId: 42, iid: 7 }]);
  });

  it('hands over how far its sources had read when all of it was decided', async () => {
    const store = await createStore();
    const first = new FakeSources(live().build());
    first.unreadSince = '2026-11-02T08:00:00.000Z';
    const writer = start(store, first);
    await until(async () => (await store.unreadSince())[HOST]);
    expect(first.resumed?.unreadSince).toBeUndefined();
    await writer.stop();

    const second = new FakeSources(live().build());
    start(store, second);
    await until(async () => second.started > 0);
    expect(second.resumed?.unreadSince).toBe('2026-11-02T08:00:00.000Z');
    const keys = [7, 8].map(iid => ({ projectId: 42, iid }));
    expect(await second.resumed?.recall(keys)).toMatchObject([keys[0]]);
  });

  it('lets sources let go of nothing that could not be written', async () => {
    const store = await createStore();
    const sources = new FakeSources(live().build());
    let offset = 0;
    const clock = () => new Date(Date.now() + offset);
    start(store, sources, undefined, {}, clock);
    const followed = [{ projectId: 42, iid: 7 }];
    await until(async () => (await rows(store)).length > 0);
    await until(async () => sources.followed.length > 0);
    const apply = jest
      .spyOn(store, 'apply')
      .mockRejectedValue(new Error('connection lost'));
    const lookAgain = () => {
      offset += 11_000;
      sources.show(
        WorldBuilder.empty()
          .applicationSet()
          .mergeRequest({ state: 'closed' })
          .readAt(clock().toISOString())
          .build(),
      );
    };
    await until(async () => {
      lookAgain();
      return apply.mock.calls.length > 1;
    });
    expect(sources.followed).toEqual(followed);
    apply.mockRestore();
    await until(async () => {
      lookAgain();
      return sources.followed.length === 0;
    });
    expect(await rows(store)).toMatchObject([{ phase: 'Gone' }]);
  });

  it('asks GitLab what became of MRs that only a namespace tells of, as long as it is there', async () => {
    const store = await createStore();
    const sources = new FakeSources(
      WorldBuilder.empty()
        .applicationSet()
        .namespace({
          metadata: {
            labels: {
              'previews/project-id': '42',
              'previews/merge-request': '7',
            },
          },
        })
        .build(),
    );
    let offset = 0;
    start(store, sources, undefined, {}, () => new Date(Date.now() + offset));
    await until(async () => sources.past.length > 0);
    expect(sources.past).toEqual([{ projectId: 42, iid: 7 }]);
    offset = 10_000;
    sources.show(WorldBuilder.empty().applicationSet().build());
    await until(async () => sources.past.length === 0);
  });

  it('lets GitLab go on reading the MRs that an alarm hangs on, though nothing is left of them', async () => {
    const store = await createStore();
    const iids = [1, 2, 3, 4, 5, 6];
    let offset = 0;
    const clock = () => new Date(Date.now() + offset);
    /** The set lists the project of the MRs, or another one. */
    const world = (options: { isPatched: boolean; state?: string }) => {
      const { isPatched, state = 'opened' } = options;
      const built = WorldBuilder.empty()
        .project({ id: 43, path_with_namespace: 'group/other' })
        .applicationSet(
          isPatched ? generatedBy({ project: 'group/other' }) : {},
        )
        .entity();
      iids.forEach(iid => {
        built.mergeRequest({ iid, state });
        if (!isPatched) {
          built.application({ metadata: { name: `preview-mr-${iid}` } });
        }
      });
      return built.readAt(clock().toISOString()).build();
    };
    const sources = new FakeSources(world({ isPatched: false }));
    start(store, sources, undefined, {}, clock);
    const followed = () =>
      sources.followed.map(({ iid }) => iid).sort((a, b) => a - b);
    await until(async () => (await store.loadFindings()).sets.length > 0);
    const show = async (
      shown: Parameters<typeof world>[0],
      isThere: (alarms: number) => Promise<boolean>,
    ) => {
      await until(async () => {
        offset += 11_000;
        sources.show(world(shown));
        const { sets } = await store.loadFindings();
        return isThere(sets.filter(({ alarm }) => alarm).length);
      });
    };
    await show({ isPatched: true }, async alarms => {
      const gone = (await rows(store)).filter(({ phase }) => phase === 'Gone');
      return alarms === 1 && gone.length === iids.length;
    });
    await until(async () => followed().length === iids.length);
    expect(followed()).toEqual(iids);

    await show(
      { isPatched: true, state: 'closed' },
      async alarms => alarms === 0,
    );
    await until(async () => followed().length === 0);
  });

  it('says nothing of what was read and not decided', async () => {
    const store = await createStore();
    const apply = jest
      .spyOn(store, 'apply')
      .mockRejectedValue(new Error('connection lost'));
    const sources = new FakeSources(live().build());
    sources.unreadSince = '2026-11-02T08:00:00.000Z';
    start(store, sources);
    await until(async () => apply.mock.calls.length > 0);
    expect(await store.unreadSince()).toEqual({});
  });

  it('reads what a pipeline of a branch was run for, and nothing else', async () => {
    const store = await createStore();
    const sources = new FakeSources(live().build());
    const engine = start(store, sources);
    await until(async () => (await rows(store)).length > 0);
    const [gitlab] = sources.gitlab;
    const [everything, one] = [
      jest.spyOn(gitlab, 'refresh'),
      jest.spyOn(gitlab, 'refreshMergeRequest'),
    ];
    const branch = 'feature/basket';
    for (const projectId of [42, 999]) {
      await engine.refresh({
        host: HOST,
        projectId,
        built: { branch: 'main' },
      });
    }
    await engine.refresh({ host: HOST, projectId: 999, built: { branch } });
    expect(one).not.toHaveBeenCalled();
    await engine.refresh({ host: HOST, projectId: 42, built: { branch } });
    await engine.refresh({ host: HOST, projectId: 43, built: { sha: HEAD } });
    expect(one.mock.calls).toEqual([
      [{ projectId: 42, iid: 7 }],
      [{ projectId: 42, iid: 7 }],
    ]);
    expect(everything).not.toHaveBeenCalled();
  });

  it('lets the instance that writes visit hosts, and no other', async () => {
    const store = await createStore();
    const host = 'mr-7.preview.example.com';
    const visiting = () =>
      new FakeSources(live().visiting('preview.example.com').build());
    const [first, second] = [visiting(), visiting()];
    const writer = start(store, first);
    await until(async () => writer.isWriter);
    const other = start(store, second);
    await until(async () => first.visits.at(-1)?.includes(host));
    await other.refresh({ host: HOST, projectId: 42, iid: 7 });
    expect([second.started, second.visits, second.hurried]).toEqual([
      0,
      [],
      [],
    ]);
    await writer.stop();
    await until(async () => second.visits.at(-1)?.includes(host));
  });

  it('goes on after a pass that failed, and says so in the log', async () => {
    const store = await createStore();
    const apply = jest
      .spyOn(store, 'apply')
      .mockRejectedValueOnce(new Error('connection lost'));
    const sources = new FakeSources(live().build());
    start(store, sources);
    await until(async () => apply.mock.calls.length > 0);
    expect(await rows(store)).toEqual([]);
    sources.show(live().build());
    await until(async () => (await rows(store)).length > 0);
  });

  it('tells nothing twice that was committed although the answer was lost', async () => {
    const store = await createStore();
    const [applied, appliedFindings] = [
      store.apply.bind(store),
      store.applyFindings.bind(store),
    ];
    const lost = new Error('connection lost');
    jest.spyOn(store, 'apply').mockImplementationOnce(async (...change) => {
      await applied(...change);
      throw lost;
    });
    jest
      .spyOn(store, 'applyFindings')
      .mockImplementationOnce(async (...change) => {
        await appliedFindings(...change);
        throw lost;
      });
    const outcomes: string[] = [];
    // Two MRs that one name is rendered for, which is a finding.
    const world = () =>
      WorldBuilder.open()
        .entity()
        .readAt(new Date().toISOString())
        .applicationSet({
          spec: { template: { metadata: { name: 'mr-{{.branch_slug}}' } } },
        })
        .mergeRequest({ source_branch: 'a/b' })
        .mergeRequest({ iid: 8, source_branch: 'a-b', sha: NEXT })
        .build();
    const sources = new FakeSources(world());
    start(store, sources, undefined, {
      passEnded: ({ outcome }) => outcomes.push(outcome),
    });
    const failed = (count: number) =>
      outcomes.filter(outcome => outcome === 'failed').length === count;
    await until(async () => failed(1));
    const [row] = await rows(store);
    const timeline = async () =>
      (await store.timeline(row.id, { limit: 100 })).items;
    const before = await timeline();
    expect(before).not.toEqual([]);
    sources.show(world());
    await until(async () => failed(2));
    const found = (await store.loadFindings()).findings;
    expect(found).not.toEqual([]);
    sources.show(world());
    await until(async () => outcomes.at(-1) === 'done');
    expect(await timeline()).toEqual(before);
    expect((await store.loadFindings()).findings).toEqual(found);
  });

  it('forgets what ended longer ago than it is to be kept', async () => {
    const store = await createStore();
    const ended = (iid: number, goneAt: Date) =>
      storedPreview({
        iid,
        phase: 'Gone',
        mergeRequest: { state: 'merged' },
        preview: { goneAt: goneAt.toISOString() },
      });
    const now = Date.parse(NOW);
    const old = ended(901, new Date(now - 25 * 3_600_000));
    const recent = ended(902, new Date(now - 23 * 3_600_000));
    const term = await store.acquireLease({
      holder: 'test',
      durationSeconds: 60,
    });
    await store.apply(
      term!,
      [old, recent].map(stored => ({ stored, transitions: [] })),
    );
    await store.releaseLease(term!);
    start(
      store,
      new FakeSources(live().build()),
      undefined,
      {},
      () => new Date(NOW),
    );
    const iids = await until(async () => {
      const found = (await rows(store)).map(
        ({ mergeRequest }) => mergeRequest.iid,
      );
      return found.includes(MERGE_REQUEST.iid) && !found.includes(901)
        ? found
        : undefined;
    });
    expect(iids.sort()).toEqual([MERGE_REQUEST.iid, 902]);
  });

  it('stops following what has ended, and takes its history up when it comes back', async () => {
    const store = await createStore();
    const sources = new FakeSources(live().build());
    start(store, sources);
    const [before] = await until(
      async () => (await rows(store)).length > 0 && rows(store),
    );
    const closed = () =>
      WorldBuilder.open()
        .mergeRequest({ state: 'closed', closed_at: new Date().toISOString() })
        .entity()
        .readAt(new Date().toISOString());
    sources.show(closed().build());
    const gone = await until(async () =>
      (await rows(store)).find(({ phase }) => phase === 'Gone'),
    );
    expect(gone.id).toBe(before.id);
    sources.show(closed().build());
    await until(async () => sources.followed.length === 0);
    const [ended] = await rows(store);
    sources.show(WorldBuilder.empty().applicationSet().entity().build());
    sources.show(
      WorldBuilder.empty()
        .applicationSet()
        .mergeRequest({ iid: 8 })
        .entity()
        .readAt(new Date().toISOString())
        .build(),
    );
    await until(async () => (await rows(store)).length === 2);
    expect(await rows(store)).toContainEqual(ended);

    sources.show(live().build());
    const again = await until(async () =>
      (await rows(store)).find(({ phase }) => phase === 'Live'),
    );
    expect(again.id).toBe(before.id);
    expect(again.createdAt).toBe(before.createdAt);
    const { items } = await store.timeline(before.id, { limit: 100 });
    expect(
      items.filter(({ kind }) => kind === 'phase').map(({ to }) => to),
    ).toEqual(['Live', 'Gone', 'Live']);
  });

  describe('statistics', () => {
    const everSince = {
      from: '2020-01-01T00:00:00.000Z',
      to: '2100-01-01T00:00:00.000Z',
    };

    function justOpened(world: WorldBuilder): WorldBuilder {
      return world
        .mergeRequest({ created_at: new Date().toISOString() })
        .entity()
        .readAt(new Date().toISOString());
    }

    it('write a spin-up and a teardown when they end, and tell of them', async () => {
      const store = await createStore();
      const told: string[] = [];
      const sources = new FakeSources(justOpened(WorldBuilder.open()).build());
      start(store, sources, undefined, {
        spansEnded: spans => told.push(...spans.map(({ kind }) => kind)),
      });
      await until(async () => (await rows(store)).length > 0);
      sources.show(justOpened(WorldBuilder.live()).build());
      await until(async () => told.includes('spinUp'));
      sources.show(
        WorldBuilder.open()
          .mergeRequest({
            state: 'closed',
            closed_at: new Date().toISOString(),
          })
          .entity()
          .readAt(new Date().toISOString())
          .build(),
      );
      await until(async () => told.includes('teardown'));
      expect(told).toEqual(['created', 'spinUp', 'teardown']);
      const spans = await store.spans(everSince, EVERYTHING);
      expect(
        spans
          .filter(({ kind }) => kind !== 'created')
          .map(({ kind, imprecise }) => ({ kind, imprecise })),
      ).toEqual([
        { kind: 'spinUp', imprecise: false },
        { kind: 'teardown', imprecise: false },
      ]);
    });

    it('write a review once, at the first approval, though it is taken back and given again', async () => {
      const store = await createStore();
      const world = (approvals?: ApprovalsFact) =>
        WorldBuilder.open()
          .mergeRequest({}, approvals && { approvals })
          .entity()
          .readAt(new Date().toISOString())
          .build();
      const approvedAt = async () =>
        (await rows(store))[0]?.mergeRequest.approvedAt;
      const first = at(-600);
      const sources = new FakeSources(world());
      start(store, sources);
      await until(async () => (await rows(store)).length > 0);
      sources.show(world({ approved: true, firstAt: first }));
      await until(async () => (await approvedAt()) === first);
      sources.show(world({ approved: false }));
      await until(async () => (await approvedAt()) === undefined);
      sources.show(world({ approved: true, firstAt: at(-300) }));
      await until(async () => (await approvedAt()) === at(-300));
      expect(await store.spans(everSince, EVERYTHING)).toMatchObject([
        { kind: 'review', startedAt: at(-86_400), endedAt: first },
      ]);
    });

    /** A store with an MR that was opened, and then nobody looked for five minutes. */
    async function openedFiveMinutesAgo() {
      const store = await createStore();
      const before = new FakeSources(justOpened(WorldBuilder.open()).build());
      const engine = start(store, before);
      await until(async () => (await rows(store)).length > 0);
      await engine.stop();
      await pretendLastPass(store, 300);
      return store;
    }

    it('go on over a restart, and call what it hid imprecise', async () => {
      const store = await openedFiveMinutesAgo();

      start(store, new FakeSources(justOpened(WorldBuilder.live()).build()));
      await until(async () => (await store.spans(everSince, EVERYTHING))[1]);
      const spans = await store.spans(everSince, EVERYTHING);
      expect(spans.find(({ kind }) => kind === 'spinUp')?.imprecise).toBe(true);
      expect(await store.gaps()).toMatchObject([{ scope: '*' }]);
    });

    it('call imprecise what nobody saw before a writer that got nowhere', async () => {
      const store = await openedFiveMinutesAgo();

      // It reports on its sources, and never knows enough to decide.
      const states = jest.spyOn(store, 'applySources');
      const hasty = start(
        store,
        new FakeSources(
          justOpened(WorldBuilder.live()).unreadCluster().build(),
        ),
      );
      await until(async () => states.mock.calls.length > 0);
      await hasty.stop();

      start(store, new FakeSources(justOpened(WorldBuilder.live()).build()));
      await until(async () => (await store.spans(everSince, EVERYTHING))[1]);
      const spans = await store.spans(everSince, EVERYTHING);
      expect(spans.find(({ kind }) => kind === 'spinUp')?.imprecise).toBe(true);
    });

    it('tell once of a preview that gets into trouble on its head, and not of what was found in it', async () => {
      const store = await createStore();
      const troubled: string[] = [];
      const crashing = () => live().crashing();
      const listener: Partial<ChangeListener> = {
        previewsTroubled: previews =>
          troubled.push(...previews.map(({ preview }) => preview.phase)),
      };
      const sources = new FakeSources(crashing().build());
      start(store, sources, undefined, listener);
      const phaseIs = (phase: string) =>
        until(async () => (await rows(store))[0]?.phase === phase);
      await phaseIs('Failed');
      sources.show(live().build());
      await phaseIs('Live');
      expect(troubled).toEqual([]);

      const pushed = () =>
        live().mergeRequest({ sha: NEXT, diff_refs: { head_sha: NEXT } });
      sources.show(pushed().build());
      await phaseIs('Updating');
      sources.show(live().build());
      await phaseIs('Live');
      for (const _ of [1, 2]) {
        sources.show(crashing().build());
        await phaseIs('Degraded');
        sources.show(live().build());
        await phaseIs('Live');
      }
      expect(troubled).toEqual(['Degraded']);
    });

    it('tell once of each end of a time to live, whoever writes', async () => {
      const store = await createStore();
      const clock = () => new Date(NOW);
      const told: (string | undefined)[] = [];
      const listener: Partial<ChangeListener> = {
        previewsNearEnd: previews =>
          told.push(...previews.map(({ preview }) => preview.ttl?.expiresAt)),
      };
      const idleFor = (seconds: number) =>
        WorldBuilder.live()
          .mergeRequest({ updated_at: at(-seconds) }, { pipelines: [] })
          .entity({ timeToLive: 7200 })
          .readAt(NOW)
          .build();
      const isNear = (near: boolean) =>
        until(async () => (await rows(store))[0]?.ttl?.near === near);
      const sources = new FakeSources(idleFor(60));
      const engine = start(store, sources, undefined, listener, clock);
      await isNear(false);
      sources.show(idleFor(5400));
      await isNear(true);
      await engine.stop();

      const others = new FakeSources(idleFor(5400));
      start(store, others, undefined, listener, clock);
      await until(async () => (await store.sources()).readAt);
      others.show(idleFor(60));
      await isNear(false);
      others.show(idleFor(6000));
      await isNear(true);
      await until(async () => told.length > 1);
      expect(told).toEqual([at(1800), at(1200)]);
    });

    it('tell how long each pass took, whatever becomes of the clock, and of one that failed', async () => {
      const store = await createStore();
      jest
        .spyOn(store, 'apply')
        .mockRejectedValueOnce(new Error('connection lost'));
      const passes: { seconds: number; outcome: string }[] = [];
      const sources = new FakeSources(live().build());
      let setBack = 0;
      start(
        store,
        sources,
        undefined,
        {
          passEnded: ({ seconds, outcome }) =>
            passes.push({ seconds, outcome }),
        },
        () => {
          setBack += 1_000;
          return new Date(Date.now() - setBack);
        },
      );
      const ended = (as: string) =>
        passes.some(({ outcome }) => outcome === as);
      await until(async () => ended('failed'));
      sources.show(live().build());
      await until(async () => ended('done'));
      expect(passes[0].outcome).toBe('failed');
      for (const { seconds } of passes) {
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThan(60);
      }
    });
  });
});
