import { KindName, kindNames } from '../model';
import { Story } from '../testing/Story';
import {
  at,
  controller,
  generatedBy,
  HEAD,
  Json,
  MERGE_REQUEST,
  NEXT,
  OLD,
  ownedBy,
  pipeline,
  podStatus,
  podTemplate,
  rollingOut,
  WorldBuilder,
} from '../testing/world';

const { open, live } = WorldBuilder;
const MINUTE = 60;
const HOUR = 3600;

const OBJECTS = [
  'applications',
  'deployments',
  'replicaSets',
  'pods',
  'certificates',
  'httpRoutes',
] as const;

const emptied = () => live().without([...OBJECTS, 'namespaces']);
const closing: Json = { state: 'closed', closed_at: at(0) };

/** Everything at another commit than the head. */
const serving = (sha: string) =>
  live()
    .application({
      spec: {
        source: {
          helm: { parameters: [{ name: 'image.tag', value: sha.slice(0, 8) }] },
        },
      },
    })
    .deployment({ spec: { template: podTemplate(sha) } })
    .replicaSet({ spec: { template: podTemplate(sha) } })
    .pod({ spec: podTemplate(sha).spec });

/** The registry has the head's tag. */
const pushed = (world: WorldBuilder) =>
  world.mergeRequest(
    {},
    {
      pipelines: [pipeline()],
      tag: { state: 'found', tag: HEAD.slice(0, 8), readAt: at(0) },
    },
  );

const building = () =>
  open().mergeRequest({}, { pipelines: [pipeline({ status: 'running' })] });

const deploying = () =>
  pushed(live())
    .deployment(rollingOut)
    .replicaSet({ status: { readyReplicas: 0 } })
    .pod(podStatus({ state: { waiting: { reason: 'ContainerCreating' } } }));

const crashing = () =>
  pushed(live())
    .deployment(rollingOut)
    .replicaSet({ status: { readyReplicas: 0 } })
    .pod(
      podStatus({
        restartCount: 3,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
      }),
    );

const securing = () => live().certificate({ status: null });

const updating = () => pushed(serving(OLD));

const degraded = () =>
  serving(OLD).mergeRequest(
    {},
    { pipelines: [pipeline({ status: 'failed' })] },
  );

const notSelected = () => open().mergeRequest({ labels: [] });

const waiting = () => pushed(open());

const byRevision = () =>
  live()
    .applicationSet({
      spec: {
        template: {
          spec: { source: { helm: null, targetRevision: '{{.head_sha}}' } },
        },
      },
    })
    .application({
      spec: { source: { helm: null, targetRevision: HEAD } },
      status: { sync: { revision: HEAD }, summary: null },
    })
    .pod({
      spec: { containers: [{ name: 'shop', image: 'example.com/shop:1' }] },
    });

/** Worlds of each phase, with the passes that lead to them. */
const PHASES: [string, () => Story][] = [
  ['Live', () => new Story().pass(live(), at(-MINUTE))],
  ['Live', () => new Story().pass(byRevision(), at(-MINUTE))],
  ['Building', () => new Story().pass(building(), at(-MINUTE))],
  ['Waiting', () => new Story().pass(waiting(), at(-MINUTE))],
  ['Deploying', () => new Story().pass(deploying(), at(-MINUTE))],
  ['Securing', () => new Story().pass(securing(), at(-MINUTE))],
  ['Updating', () => new Story().pass(updating(), at(-MINUTE))],
  ['Degraded', () => new Story().pass(degraded(), at(-MINUTE))],
  [
    'Degraded',
    () => new Story().pass(live(), at(-HOUR)).pass(crashing(), at(-MINUTE)),
  ],
  ['Failed', () => new Story().pass(crashing(), at(-MINUTE))],
  ['NotSelected', () => new Story().pass(notSelected(), at(-MINUTE))],
  [
    'TearingDown',
    () =>
      new Story()
        .pass(live(), at(-HOUR))
        .pass(live().mergeRequest(closing), at(-MINUTE)),
  ],
  [
    'Orphaned',
    () =>
      new Story()
        .pass(live(), at(-3 * HOUR))
        .pass(live().mergeRequest(closing), at(-2 * HOUR))
        .pass(live().mergeRequest(closing), at(-MINUTE)),
  ],
];

/** Ways to lose sight, each on the world that was seen last. */
const BLINDNESS: [string, string[], (world: WorldBuilder) => WorldBuilder][] = [
  [
    'GitLab does not answer',
    ['gitlab:gitlab.example.com'],
    world => world.projectReading({ state: 'failing', completeAt: at(-HOUR) }),
  ],
  ...[401, 403, 404].map(
    status =>
      [
        `GitLab answers ${status}`,
        ['gitlab:gitlab.example.com'],
        (world: WorldBuilder) =>
          world.projectReading({ state: 'failing', status }),
      ] as [string, string[], (world: WorldBuilder) => WorldBuilder],
  ),
  [
    'the cluster does not answer',
    ['cluster:main'],
    world =>
      world.kindReading(kindNames, { state: 'failing', completeAt: at(-HOUR) }),
  ],
  [
    'the portal restarts and the cluster is away',
    ['cluster:main'],
    world => world.unreadCluster(),
  ],
  [
    'the portal restarts and GitLab is away',
    ['gitlab:gitlab.example.com'],
    world => world.forgetProjects(),
  ],
  [
    'the portal restarts and nothing answers',
    ['cluster:main', 'gitlab:gitlab.example.com'],
    world => world.forgetProjects().unreadCluster(),
  ],
];

const WORLD_OF: Record<string, () => WorldBuilder> = {
  Live: live,
  Building: building,
  Waiting: waiting,
  Deploying: deploying,
  Securing: securing,
  Updating: updating,
  Failed: crashing,
  NotSelected: notSelected,
  TearingDown: () => live().mergeRequest(closing),
  Orphaned: () => live().mergeRequest(closing),
};

describe('while a source is away', () => {
  const cases = PHASES.filter(([phase]) => WORLD_OF[phase]).flatMap(
    ([phase, story], index) =>
      index === 1
        ? []
        : BLINDNESS.map(
            ([title, stale, blind]) =>
              [phase, title, { story, stale, blind }] as const,
          ),
  );

  it.each(cases)(
    'a preview that is %s stays so when %s, without a transition',
    (phase, _, options) => {
      const story = options.story();
      expect(story.preview().phase).toBe(phase);
      const before = story.preview();
      story.pass(options.blind(WORLD_OF[phase]()));
      expect(story.preview().phase).toBe(phase);
      expect(story.changes()).toEqual([]);
      expect(story.preview().stale).not.toEqual([]);
      expect(options.stale).toEqual(
        expect.arrayContaining(story.preview().stale),
      );
      expect(story.preview().phaseSince).toBe(before.phaseSince);
      expect(story.preview().activityAt).toBe(before.activityAt);
      expect(story.preview().conditions.map(({ type }) => type)).toEqual(
        before.conditions.map(({ type }) => type),
      );
      for (const condition of story.preview().conditions) {
        const known = before.conditions.find(
          ({ type }) => type === condition.type,
        )!;
        expect(condition.since).toBe(known.since);
        expect(condition.lastKnown?.reason ?? condition.reason).toBe(
          known.lastKnown?.reason ?? known.reason,
        );
      }
    },
  );

  it.each(cases)(
    'a preview that is %s heals after %s, without a transition',
    (phase, _, options) => {
      const story = options.story();
      const before = story.preview();
      story.pass(options.blind(WORLD_OF[phase]()));
      story.pass(WORLD_OF[phase](), at(MINUTE));
      expect(story.changes()).toEqual([]);
      expect(story.preview()).toEqual({
        ...before,
        conditions: before.conditions.map(condition => ({
          ...condition,
          observedAt: at(MINUTE),
        })),
      });
    },
  );

  it('a live row names the source that is stale', () => {
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(live().projectReading({ state: 'failing', completeAt: at(-HOUR) }));
    expect(story.preview().stale).toEqual(['gitlab:gitlab.example.com']);
    expect(story.condition('Selected')).toMatchObject({
      status: 'Unknown',
      lastKnown: {
        status: 'True',
        reason: 'Selected',
        params: { applicationSets: ['argocd/shop-previews'] },
      },
    });
  });

  it('the row keeps its sentence and what it shows of the cluster', () => {
    const story = new Story().pass(crashing(), at(-MINUTE));
    const {
      message,
      applications,
      workloads,
      urls,
      routes,
      certificates,
      namespaces,
    } = story.preview();
    story.pass(crashing().unreadCluster());
    expect(story.preview()).toMatchObject({
      message,
      applications,
      workloads,
      urls,
      routes,
      certificates,
      namespaces,
    });
  });

  it.each<[KindName, string[]]>([
    [
      'applications',
      [
        'ImageBuilt',
        'ApplicationGenerated',
        'Synced',
        'Available',
        'CertificateReady',
        'RouteAccepted',
      ],
    ],
    ['applicationSets', ['Selected']],
    ['namespaces', []],
    // Argo CD's word on health stands in, and the registry's on the image.
    ['deployments', ['ImageBuilt']],
    ['statefulSets', []],
    ['replicaSets', ['ImageBuilt']],
    ['pods', ['ImageBuilt']],
    ['certificates', ['CertificateReady']],
    ['httpRoutes', ['RouteAccepted']],
    ['gateways', []],
    ['listenerSets', []],
    ['ingresses', []],
  ])(
    'where only %s are forbidden, only what needs them is unknown: %j',
    (kind, unknown) => {
      const story = new Story()
        .pass(live(), at(-MINUTE))
        .pass(live().without([kind]).kindReading(kind, { state: 'forbidden' }));
      const { conditions, phase } = story.preview();
      expect(
        conditions.flatMap(({ type, status, lastKnown }) =>
          status === 'Unknown' ? [`${type} ${lastKnown?.status}`] : [],
        ),
      ).toEqual(unknown.map(type => `${type} True`));
      expect(conditions.map(({ status }) => status)).not.toContain('False');
      expect(phase).toBe('Live');
    },
  );

  it('a live row whose certificates are forbidden names the cluster', () => {
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(
        live()
          .without('certificates')
          .kindReading('certificates', { state: 'forbidden' }),
      );
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      stale: ['cluster:main'],
    });
  });

  it('what no source carries neither delays going live nor the end', () => {
    const ended = () =>
      live().mergeRequest(closing).without('applications').argocdOnly();
    const story = new Story().pass(live().argocdOnly(), at(-HOUR));
    expect(story.preview()).toMatchObject({ phase: 'Live', stale: [] });
    expect(
      story
        .preview()
        .conditions.filter(({ reason }) => reason === 'NotObserved')
        .map(({ type }) => type),
    ).toEqual(['CertificateReady', 'RouteAccepted']);
    story.pass(ended());
    expect(story.preview()).toMatchObject({ phase: 'Gone', stale: [] });
  });

  it('a change is told once the source is back', () => {
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(live().unreadCluster())
      .pass(crashing(), at(MINUTE));
    expect(story.changes()).toEqual(
      expect.arrayContaining(['Available True->False', 'phase Live->Degraded']),
    );
    const [change] = story
      .decision()
      .change.transitions.filter(({ type }) => type === 'Available');
    expect(change.lastedSeconds).toBe(2 * MINUTE);
  });

  it('an MR that was closed before GitLab went away keeps being torn down', () => {
    const blind = (world: WorldBuilder) =>
      world.projectReading({ state: 'failing', completeAt: at(-HOUR) });
    const story = new Story()
      .pass(live(), at(-2 * HOUR))
      .pass(live().mergeRequest(closing), at(-HOUR))
      .pass(blind(live().mergeRequest(closing)));
    expect(story.preview().phase).toBe('TearingDown');
    story.pass(blind(emptied().mergeRequest(closing)), at(MINUTE));
    expect(story.preview().phase).toBe('Gone');
  });

  it('nothing is decided about what was never known', () => {
    const story = new Story().pass(live().forgetProjects());
    expect(story.find()).toBeUndefined();
  });
});

describe('deciding twice on the same facts', () => {
  it.each(PHASES)(
    'a preview that is %s changes nothing',
    (phase, makeStory) => {
      const story = makeStory();
      expect(story.preview().phase).toBe(phase);
      const stored = story.preview();
      const world = WORLD_OF[phase]?.() ?? degraded();
      if (phase === 'Live' && stored.commit.by === 'revision') {
        story.pass(byRevision());
      } else if (phase === 'Degraded') {
        story.pass(stored.commit.running ? degraded() : crashing());
      } else {
        story.pass(world);
      }
      expect(story.decision().unchanged).toBe(true);
      expect(story.decision().change.transitions).toEqual([]);
    },
  );

  it('the order of keys, as a database gives them back, is no change', () => {
    const story = new Story().pass(live());
    const { stored } = story.decision().change;
    const shuffled = JSON.parse(
      JSON.stringify({
        ...stored,
        preview: Object.fromEntries(Object.entries(stored.preview).reverse()),
      }),
    );
    Object.assign(stored, shuffled);
    expect(story.pass(live(), at(1)).decision().unchanged).toBe(true);
  });

  it('the first decision is a change', () => {
    expect(new Story().pass(live()).decision().unchanged).toBe(false);
  });

  it.each<[string, Json]>([
    ['title', { title: 'Another title' }],
    ['labels', { labels: ['preview', 'bug'] }],
    ['draft flag', { draft: true }],
    ['update time', { updated_at: at(-1) }],
  ])('another %s is a change without a transition', (_, patch) => {
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(live().mergeRequest(patch));
    expect(story.decision().unchanged).toBe(false);
    expect(story.changes()).toEqual([]);
  });
});

describe('the timeline', () => {
  it('tells an MR’s whole life in order, with how long each phase lasted', () => {
    const story = new Story();
    const told: string[] = [];
    const pass = (world: WorldBuilder, seconds: number) => {
      story.pass(world, at(seconds));
      const { transitions } = story.decision().change;
      told.push(
        ...transitions
          .filter(({ kind }) => kind === 'phase')
          .map(
            ({ from = '', to, lastedSeconds = '' }) =>
              `${from}->${to} ${lastedSeconds}`,
          ),
      );
    };
    pass(notSelected(), 0);
    pass(open().mergeRequest({}, { pipelines: [] }), 10);
    pass(building(), 20);
    pass(waiting(), 50);
    pass(deploying(), 70);
    pass(securing(), 100);
    pass(securing(), 110);
    pass(live(), 130);
    pass(
      live().mergeRequest(
        { sha: NEXT },
        { pipelines: [pipeline({ sha: NEXT, status: 'running' })] },
      ),
      200,
    );
    pass(serving(NEXT).mergeRequest({ sha: NEXT }), 260);
    pass(serving(NEXT).mergeRequest({ sha: NEXT, ...closing }), 300);
    pass(emptied().mergeRequest(closing), 320);
    expect(told).toEqual([
      '->NotSelected ',
      'NotSelected->Waiting 10',
      'Waiting->Building 10',
      'Building->Waiting 30',
      'Waiting->Deploying 20',
      'Deploying->Securing 30',
      'Securing->Live 30',
      'Live->Updating 70',
      'Updating->Live 60',
      'Live->TearingDown 40',
      'TearingDown->Gone 20',
    ]);
  });

  it('tells a push before what follows from it', () => {
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(
        live().mergeRequest(
          { sha: NEXT },
          { pipelines: [pipeline({ sha: NEXT, status: 'running' })] },
        ),
      );
    expect(story.changes()).toEqual([
      `head ${HEAD}->${NEXT}`,
      'ImageBuilt True->False',
      'Synced True->False',
      'phase Live->Updating',
    ]);
  });

  it('tells conditions in the order of a preview’s life', () => {
    expect(new Story().pass(live()).changes()).toEqual([
      'MergeRequestOpen ->True',
      'Selected ->True',
      'ImageBuilt ->True',
      'ApplicationGenerated ->True',
      'Synced ->True',
      'Available ->True',
      'CertificateReady ->True',
      'RouteAccepted ->True',
      'phase ->Live',
    ]);
  });

  it('keeps since while only params change', () => {
    const story = new Story().pass(crashing(), at(-MINUTE)).pass(
      crashing().pod(
        podStatus({
          restartCount: 4,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
        }),
      ),
    );
    expect(story.condition('Available')).toMatchObject({
      since: at(-MINUTE),
      params: { restarts: 4 },
    });
    expect(story.changes()).toEqual([]);
  });

  it('takes nothing back of an image that was pulled when the pod goes', () => {
    const story = new Story().pass(pushed(live()), at(-MINUTE));
    expect(story.verdict('ImageBuilt')).toBe('True ImagePulled');
    story.pass(pushed(live()).without(['pods']));
    expect(story.verdict('ImageBuilt')).toBe('True ImagePulled');
    expect(story.condition('ImageBuilt')?.since).toBe(at(-MINUTE));
    const nextTag = NEXT.slice(0, 8);
    story.pass(
      live()
        .without(['pods'])
        .mergeRequest(
          { sha: NEXT },
          { tag: { state: 'found', tag: nextTag, readAt: at(0) } },
        ),
    );
    expect(story.verdict('ImageBuilt')).toBe('True TagInRegistry');
  });

  it('tells an Application that was created anew', () => {
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(live().application({ metadata: { uid: 'app-second' } }));
    expect(story.changes()).toEqual(['application ->preview-mr-7']);
    expect(
      story
        .pass(
          live().application({ metadata: { uid: 'app-second' } }),
          at(MINUTE),
        )
        .changes(),
    ).toEqual([]);
  });

  it('tells each of several Applications that were created anew at once', () => {
    const two = (uids: Json) =>
      live()
        .application({ metadata: { uid: uids.first } })
        .application({
          metadata: {
            name: 'preview-mr-7-db',
            uid: uids.second,
            labels: {
              'previews/project-id': '42',
              'previews/merge-request': '7',
            },
          },
        });
    const story = new Story()
      .pass(two({ first: 'a', second: 'b' }), at(-MINUTE))
      .pass(two({ first: 'c', second: 'd' }));
    expect(
      story.changes().filter(change => change.startsWith('application')),
    ).toEqual(['application ->preview-mr-7', 'application ->preview-mr-7-db']);
  });

  it('tells it also when the Application was away in between', () => {
    const story = new Story()
      .pass(live(), at(-2 * MINUTE))
      .pass(emptied(), at(-MINUTE))
      .pass(live().application({ metadata: { uid: 'app-second' } }));
    expect(story.changes()).toContain('application ->preview-mr-7');
  });

  it('carries the sentence of each change, without anything that is only true now', () => {
    for (const { message } of new Story().pass(live()).decision().change
      .transitions) {
      expect(message).toMatch(/^\S.*\.$/s);
      expect(message).not.toMatch(/\bago\b|undefined/);
    }
  });

  it('takes the latest of the MR’s update and the last change for its activity', () => {
    const story = new Story().pass(live(), at(-MINUTE));
    expect(story.preview().activityAt).toBe(at(-HOUR));
    expect(story.pass(crashing()).preview().activityAt).toBe(at(0));
    expect(story.pass(crashing(), at(MINUTE)).preview().activityAt).toBe(at(0));
  });
});

describe('the end of a preview', () => {
  const closed = () => live().mergeRequest(closing);

  it('is torn down once no set wants it', () => {
    const story = new Story().pass(live(), at(-MINUTE)).pass(closed());
    expect(story.preview()).toMatchObject({ phase: 'TearingDown' });
    expect(story.memory().unwantedSince).toBe(at(0));
  });

  it('is gone by complete evidence, and keeps the time', () => {
    const story = new Story()
      .pass(live(), at(-HOUR))
      .pass(closed(), at(-MINUTE))
      .pass(emptied().mergeRequest(closing));
    expect(story.preview()).toMatchObject({
      phase: 'Gone',
      goneAt: at(0),
      urls: [],
    });
    story.pass(emptied().mergeRequest(closing), at(HOUR));
    expect(story.preview().goneAt).toBe(at(0));
    expect(story.decision().unchanged).toBe(true);
  });

  it.each(['applications', 'namespaces'] as const)(
    'is not gone while %s are not read',
    kind => {
      const story = new Story()
        .pass(live(), at(-HOUR))
        .pass(closed(), at(-MINUTE))
        .pass(
          emptied()
            .mergeRequest(closing)
            .kindReading(kind, { state: 'failing', completeAt: at(-HOUR) }),
        );
      expect(story.preview().phase).toBe('TearingDown');
    },
  );

  it.each(['certificates', 'httpRoutes', 'ingresses'] as const)(
    'is not gone from a shared namespace while %s are not read',
    kind => {
      const shared = { metadata: { creationTimestamp: at(-900 * 86_400) } };
      const left = () =>
        live().namespace(shared).without(OBJECTS).mergeRequest(closing);
      const story = new Story()
        .pass(live().namespace(shared), at(-HOUR))
        .pass(left().kindReading(kind, { state: 'pending' }));
      expect(story.preview().phase).toBe('TearingDown');
      expect(story.pass(left(), at(MINUTE)).preview().phase).toBe('Gone');
    },
  );

  it('is not gone while its namespace is left', () => {
    const story = new Story()
      .pass(live(), at(-HOUR))
      .pass(live().without(OBJECTS).mergeRequest(closing));
    expect(story.preview()).toMatchObject({
      phase: 'TearingDown',
      reason: { reason: 'NamespaceLeft' },
    });
  });

  it('is orphaned after the grace period, and not a second before', () => {
    const story = new Story().pass(live(), at(-MINUTE)).pass(closed());
    expect(story.decision().lookAgainAt).toBe(at(900));
    expect(story.pass(closed(), at(899)).preview().phase).toBe('TearingDown');
    expect(story.pass(closed(), at(900)).preview().phase).toBe('Orphaned');
  });

  it('has a grace of twice the set’s requeue time where that is longer', () => {
    const slow = (world: WorldBuilder) =>
      world.applicationSet(generatedBy({}, { requeueAfterSeconds: 1800 }));
    const story = new Story()
      .pass(slow(live()), at(-MINUTE))
      .pass(slow(closed()));
    expect(story.decision().lookAgainAt).toBe(at(3600));
    expect(story.pass(slow(closed()), at(3599)).preview().phase).toBe(
      'TearingDown',
    );
    expect(story.pass(slow(closed()), at(3600)).preview().phase).toBe(
      'Orphaned',
    );
  });

  it('is no orphan while somebody deletes it', () => {
    const deleting = () =>
      closed().application({ metadata: { deletionTimestamp: at(60) } });
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(closed())
      .pass(deleting(), at(2 * HOUR));
    expect(story.preview().phase).toBe('TearingDown');
  });

  it('is no orphan while an owning set reports an error: it deletes nothing either', () => {
    const erring = () =>
      closed().applicationSet({
        status: {
          conditions: [
            {
              type: 'ErrorOccurred',
              status: 'True',
              reason: 'ApplicationGenerationFromParamsError',
              message: '502',
            },
          ],
        },
      });
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(erring())
      .pass(erring(), at(2 * HOUR));
    expect(story.preview().phase).toBe('TearingDown');
    expect(story.pass(closed(), at(3 * HOUR)).preview().phase).toBe('Orphaned');
  });

  it('is an orphan by its namespace alone', () => {
    const left = () => live().without(OBJECTS).mergeRequest(closing);
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(left())
      .pass(left(), at(2 * HOUR));
    expect(story.preview().phase).toBe('Orphaned');
  });

  it('counts the grace only from when it is known that nobody wants it', () => {
    const blind = () =>
      closed().projectReading({ state: 'failing', completeAt: at(-HOUR) });
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(blind())
      .pass(blind(), at(5 * HOUR));
    expect(story.preview().phase).toBe('Live');
    expect(story.memory().unwantedSince).toBeUndefined();
  });

  it('is told for a deleted MR', () => {
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(live().mergeRequest({}, { deletedAt: at(0) }));
    expect(story.preview()).toMatchObject({
      phase: 'TearingDown',
      mergeRequest: { state: 'deleted' },
    });
  });

  it('is told for an MR that was deleted while nobody looked', () => {
    const story = new Story().pass(live(), at(-MINUTE)).pass(
      live()
        .forgetProjects()
        .project()
        .projectReading({ missing: new Map([[7, at(0)]]) }),
    );
    expect(story.preview()).toMatchObject({
      phase: 'TearingDown',
      mergeRequest: { state: 'deleted', title: expect.any(String) },
    });
    expect(
      story
        .preview()
        .conditions.find(({ type }) => type === 'MergeRequestOpen'),
    ).toMatchObject({ status: 'False', reason: 'Deleted' });
  });

  it('does not come for a closed MR that its set keeps', () => {
    const kept = () =>
      live()
        .applicationSet(generatedBy({ pullRequestState: null }))
        .mergeRequest(closing);
    const story = new Story()
      .pass(live(), at(-MINUTE))
      .pass(kept())
      .pass(kept(), at(5 * HOUR));
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      reason: { reason: 'KeptByGenerator' },
    });
  });

  it('does not touch a namespace that another open MR is about to use', () => {
    const shared = () =>
      live()
        .without(OBJECTS)
        .mergeRequest(closing)
        .project({ id: 43, path_with_namespace: 'group/cart' })
        .mergeRequest({ project_id: 43 })
        .applicationSet({
          metadata: { name: 'cart' },
          spec: {
            generators: [
              {
                pullRequest: {
                  gitlab: {
                    api: 'https://gitlab.example.com',
                    project: '43',
                    pullRequestState: 'opened',
                  },
                },
              },
            ],
          },
        });
    const story = new Story().pass(live(), at(-HOUR)).pass(shared());
    expect(story.preview()).toMatchObject({
      phase: 'Gone',
      namespaces: [{ own: false }],
    });
  });
});

describe('an MR that comes back', () => {
  it('starts afresh after it was gone, in the same row', () => {
    const story = new Story().pass(live(), at(-3 * HOUR));
    const { id, createdAt } = story.preview();
    story
      .pass(live().mergeRequest(closing), at(-2 * HOUR))
      .pass(emptied().mergeRequest(closing), at(-HOUR));
    expect(story.preview().phase).toBe('Gone');
    story.pass(deploying().application({ metadata: { uid: 'app-second' } }));
    expect(story.preview()).toMatchObject({
      id,
      createdAt,
      phase: 'Deploying',
    });
    expect(story.preview().goneAt).toBeUndefined();
    expect(story.changes()).toContain('application ->preview-mr-7');
  });

  it('goes on where it was when it is reopened before anything was deleted', () => {
    const story = new Story()
      .pass(live(), at(-HOUR))
      .pass(live().mergeRequest(closing), at(-MINUTE))
      .pass(live().mergeRequest({ state: 'opened' }));
    expect(story.preview().phase).toBe('Live');
    expect(story.memory().unwantedSince).toBeUndefined();
  });

  const second = (world: WorldBuilder) =>
    world.application({ metadata: { uid: 'app-second' } });

  it.each([
    ['its Application went', () => emptied().namespace()],
    ['its Application went, and is there again already', () => live()],
  ])('spins up anew when its label is set again after %s', (_, before) => {
    const story = new Story()
      .pass(live(), at(-HOUR))
      .pass(before().mergeRequest({ labels: [] }), at(-MINUTE))
      .pass(second(deploying().namespace()));
    expect(story.preview().phase).toBe('Deploying');
    story.pass(second(deploying().namespace()), at(MINUTE));
    expect(story.preview().phase).toBe('Deploying');
    expect(story.pass(second(crashing()), at(HOUR)).preview().phase).toBe(
      'Failed',
    );
    expect(story.pass(second(live()), at(2 * HOUR)).preview().phase).toBe(
      'Live',
    );
    expect(story.pass(second(crashing()), at(3 * HOUR)).preview().phase).toBe(
      'Degraded',
    );
  });

  it('is no other one by an Application elsewhere while the cluster of the former is not read', () => {
    const elsewhere = (world: WorldBuilder) =>
      world
        .cluster({ cluster: 'second' })
        .applicationSet(
          {
            metadata: { name: 'shop-second' },
            spec: { template: { metadata: { name: 'second-mr-{{.number}}' } } },
          },
          'second',
        )
        .application(
          {
            metadata: {
              name: 'second-mr-7',
              ownerReferences: [ownedBy('shop-second')],
            },
          },
          'second',
        );
    const story = new Story()
      .pass(live(), at(-HOUR))
      .pass(elsewhere(live()).unreadCluster(), at(-MINUTE))
      .pass(elsewhere(crashing()));
    expect(story.preview().phase).toBe('Degraded');
  });

  it('is degraded while the same Application deploys', () => {
    const story = new Story().pass(live(), at(-HOUR)).pass(deploying());
    expect(story.preview().phase).toBe('Degraded');
  });

  it('is not orphaned by the time before it came back', () => {
    const story = new Story()
      .pass(live(), at(-5 * HOUR))
      .pass(live().mergeRequest(closing), at(-4 * HOUR))
      .pass(live(), at(-3 * HOUR))
      .pass(live().mergeRequest(closing));
    expect(story.preview().phase).toBe('TearingDown');
  });

  const closed = (seconds: number): Json => ({
    state: 'closed',
    closed_at: at(seconds),
  });
  const unlabelled: Json = { labels: [] };
  const byLabel = (world: WorldBuilder) =>
    world.applicationSet(generatedBy({ labels: ['preview'] }));
  const labelled = () => byLabel(live()).mergeRequest({ labels: ['preview'] });
  const again = (world: WorldBuilder) =>
    world.application({ metadata: { uid: 'app-second' } });

  it.each<[string, () => Story, () => WorldBuilder]>([
    [
      'was closed again after it was gone',
      () =>
        new Story()
          .pass(live(), at(-3 * HOUR))
          .pass(live().mergeRequest(closed(-2 * HOUR)), at(-2 * HOUR))
          .pass(emptied().mergeRequest(closed(-2 * HOUR)), at(-HOUR)),
      () => again(live()).mergeRequest(closed(-5)),
    ],
    [
      'lost its label again after it was gone',
      () =>
        new Story()
          .pass(labelled(), at(-3 * HOUR))
          .pass(byLabel(live()).mergeRequest(unlabelled), at(-2 * HOUR))
          .pass(byLabel(emptied()).mergeRequest(unlabelled), at(-HOUR)),
      () => again(byLabel(live())).mergeRequest(unlabelled),
    ],
    [
      'lost its label again and has another Application',
      () =>
        new Story()
          .pass(labelled(), at(-3 * HOUR))
          .pass(byLabel(live()).mergeRequest(unlabelled), at(-2 * HOUR)),
      () => again(byLabel(live())).mergeRequest(unlabelled),
    ],
    [
      'was closed again before anything was deleted',
      () =>
        new Story()
          .pass(live(), at(-3 * HOUR))
          .pass(live().mergeRequest(closed(-2 * HOUR)), at(-2 * HOUR)),
      () => live().mergeRequest(closed(0)),
    ],
    [
      'was merged after it had been closed',
      () =>
        new Story()
          .pass(live(), at(-3 * HOUR))
          .pass(live().mergeRequest(closed(-2 * HOUR)), at(-2 * HOUR)),
      () => live().mergeRequest({ state: 'merged', merged_at: at(0) }),
    ],
    [
      'was closed again by a clock that is ahead',
      () =>
        new Story()
          .pass(live(), at(-3 * HOUR))
          .pass(live().mergeRequest(closed(-2 * HOUR)), at(-2 * HOUR)),
      () => live().mergeRequest(closed(30)),
    ],
  ])(
    'and %s while nobody looked has all of its grace anew',
    (_, before, world) => {
      const story = before().pass(world());
      expect(story.preview().phase).toBe('TearingDown');
      expect(story.memory().unwantedSince).toBe(at(0));
      expect(story.pass(world(), at(899)).preview().phase).toBe('TearingDown');
      expect(story.pass(world(), at(900)).preview().phase).toBe('Orphaned');
    },
  );

  it('has its grace from when it was closed again, not from when that was read', () => {
    const story = new Story()
      .pass(live(), at(-3 * HOUR))
      .pass(live().mergeRequest(closed(-2 * HOUR)), at(-2 * HOUR))
      .pass(live().mergeRequest(closed(-MINUTE)));
    expect(story.memory().unwantedSince).toBe(at(-MINUTE));
  });

  it('stays an orphan that had lost its label when it is closed', () => {
    const story = new Story()
      .pass(labelled(), at(-3 * HOUR))
      .pass(byLabel(live()).mergeRequest(unlabelled), at(-2 * HOUR))
      .pass(byLabel(live()).mergeRequest(unlabelled), at(-HOUR));
    expect(story.preview().phase).toBe('Orphaned');
    story.pass(byLabel(live()).mergeRequest({ ...unlabelled, ...closed(0) }));
    expect(story.preview().phase).toBe('Orphaned');
  });
});

describe('what a preview is made of', () => {
  it('stays the same when its project is renamed', () => {
    const story = new Story().pass(live(), at(-MINUTE));
    const { id } = story.preview();
    story.pass(
      live()
        .project({ path_with_namespace: 'group/store' })
        .applicationSet(generatedBy({ project: 'group/store' })),
    );
    expect(story.preview()).toMatchObject({
      id,
      phase: 'Live',
      mergeRequest: { project: 'group/store' },
    });
  });

  it('is live only once all its Applications serve the head', () => {
    const two = (patch: Json) =>
      live()
        .application({
          metadata: {
            name: 'preview-mr-7-db',
            labels: {
              'previews/project-id': '42',
              'previews/merge-request': '7',
            },
          },
          spec: { destination: { namespace: 'preview-mr-7-db' } },
        })
        .deployment({
          metadata: { name: 'db', namespace: 'preview-mr-7-db' },
          ...patch,
        })
        .replicaSet({
          metadata: {
            name: 'db-1',
            namespace: 'preview-mr-7-db',
            ownerReferences: [controller('Deployment', 'db', 'deployment-db')],
          },
          ...(patch.status ? { status: { readyReplicas: 0 } } : {}),
        })
        .pod({
          metadata: {
            name: 'db-1-a',
            namespace: 'preview-mr-7-db',
            ownerReferences: [controller('ReplicaSet', 'db-1', 'rs-db-1')],
          },
          ...(patch.status ? podStatus({}) : {}),
        });
    expect(new Story().pass(two({})).preview().phase).toBe('Live');
    expect(new Story().pass(two(rollingOut)).preview().phase).toBe('Deploying');
  });

  it('is served by Argo CD’s word where its cluster is not configured', () => {
    const elsewhere = (health: string) =>
      pushed(live()).application({
        spec: { destination: { server: 'https://prod.example.com' } },
        status: { health: { status: health } },
      });
    const story = new Story().pass(elsewhere('Healthy'));
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      stale: [],
      urls: [],
    });
    expect(story.verdict('Available')).toBe('Unknown ClusterNotConfigured');
    expect(new Story().pass(elsewhere('Progressing')).preview()).toMatchObject({
      phase: 'Deploying',
      reason: {
        reason: 'ClusterNotConfigured',
        params: { destination: 'https://prod.example.com' },
      },
    });
  });

  it('has no own namespace where that is older than the MR, such as default', () => {
    const story = new Story().pass(
      live().namespace({ metadata: { creationTimestamp: at(-900 * 86_400) } }),
    );
    expect(story.preview().namespaces).toMatchObject([{ own: false }]);
    expect(story.preview().certificates).toEqual([]);
  });

  it('does not take such a namespace for its own while GitLab is away', () => {
    const old = () =>
      live().namespace({ metadata: { creationTimestamp: at(-900 * 86_400) } });
    const story = new Story()
      .pass(old(), at(-MINUTE))
      .pass(old().forgetProjects());
    expect(story.preview().namespaces).toMatchObject([{ own: false }]);
  });

  it('shares its namespace with another MR’s Application', () => {
    const story = new Story().pass(
      live()
        .mergeRequest({ iid: 8, sha: OLD })
        .application({
          metadata: { name: 'preview-mr-8' },
          spec: { destination: { namespace: 'preview-mr-7' } },
        }),
    );
    expect(story.preview().namespaces).toMatchObject([{ own: false }]);
    expect(
      story.preview({ ...MERGE_REQUEST, iid: 8 }).namespaces,
    ).toMatchObject([{ own: false }]);
  });

  it('remembers when it was first live', () => {
    const story = new Story()
      .pass(live(), at(-HOUR))
      .pass(crashing(), at(-MINUTE))
      .pass(live());
    expect(story.preview().liveAt).toBe(at(-HOUR));
  });

  it('shows no pipeline but that of its head', () => {
    const story = new Story().pass(
      live().mergeRequest({}, { pipelines: [pipeline({ id: 1, sha: OLD })] }),
    );
    expect(story.preview().mergeRequest.pipeline).toBeUndefined();
  });

  it('is looked at again when its certificate ends', () => {
    const story = new Story().pass(
      live().certificate({ status: { notAfter: at(HOUR) } }),
    );
    expect(story.decision().lookAgainAt).toBe(at(HOUR));
    expect(story.result?.lookAgainAt).toBe(at(HOUR));
    expect(
      story
        .pass(live().certificate({ status: { notAfter: at(HOUR) } }), at(HOUR))
        .preview().phase,
    ).toBe('Degraded');
  });

  it('is looked at again when a deletion becomes stuck', () => {
    const story = new Story().pass(live(), at(-HOUR)).pass(
      live()
        .mergeRequest(closing)
        .application({ metadata: { deletionTimestamp: at(-10) } }),
    );
    expect(story.decision().lookAgainAt).toBe(at(590));
  });

  it('is looked at again when a container that crashed is believed', () => {
    const started = () =>
      live().pod({
        status: {
          containerStatuses: [
            {
              name: 'shop',
              ready: true,
              restartCount: 3,
              state: { running: { startedAt: at(-10) } },
              lastState: { terminated: { reason: 'Error', exitCode: 1 } },
            },
          ],
        },
      });
    const story = new Story().pass(crashing(), at(-MINUTE)).pass(started());
    expect(story.verdict('Available')).toBe('False CrashLoop');
    expect(story.changes()).toEqual([]);
    expect(story.decision().lookAgainAt).toBe(at(50));
    story.pass(started(), at(50));
    expect(story.verdict('Available')).toBe('True Available');
  });
});
