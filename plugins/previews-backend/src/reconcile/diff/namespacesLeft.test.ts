import { previewIdOf } from '../../model';
import { DiffStory } from '../../testing/DiffStory';
import {
  at,
  CLUSTER,
  generatedBy,
  HOST,
  Json,
  merged,
  MERGE_REQUEST,
  ownedBy,
  pullRequestGenerator,
  WorldBuilder,
} from '../../testing/world';

const HOUR = 3600;
const DAY = 86_400;

/** MR !7 is not read, and GitLab has been asked about it: it has none. */
const unread = () => WorldBuilder.empty().past();

/** MR !7 is over, and the portal never knew of it. */
const over = () => unread().applicationSet();

const old = (patch: Json = {}): Json =>
  merged({ metadata: { creationTimestamp: at(-5 * DAY) } }, patch);

const labelled = (labels: Record<string, string>): Json =>
  old({ metadata: { labels } });

const OURS = labelled({
  'previews/project-id': '42',
  'previews/merge-request': '7',
});

/** What the set writes on the namespaces that its Applications create. */
const writing = (labels: Record<string, string>): Json => ({
  spec: {
    template: {
      spec: { syncPolicy: { managedNamespaceMetadata: { labels } } },
    },
  },
});

const deployingTo = (destination: Json): Json => ({
  spec: { template: { spec: { destination } } },
});

/** Only that MR of the project is open, and unwanted. */
const newest = (iid: number, createdAt: string = at(-9 * DAY)) =>
  over().mergeRequest({ iid, labels: [], created_at: createdAt });

/** MR !7 is read, and over. */
const readAndOver = () =>
  over().mergeRequest({
    created_at: at(-9 * DAY),
    state: 'merged',
    merged_at: at(-3 * DAY),
  });

/** An Application of nobody's, with a destination that means no cluster. */
const elsewhere = (destination: Json): Json => ({
  metadata: { name: 'by-hand', ownerReferences: null },
  spec: { destination: { namespace: 'preview-mr-7', ...destination } },
});

const typesOf = (world: WorldBuilder) =>
  new DiffStory()
    .pass(world)
    .types()
    .filter(type => type.startsWith('Namespace'));

describe('a namespace of an MR that was over before the portal looked', () => {
  const shop = { 'app.kubernetes.io/created-by': 'shop' };
  const left = (mergeRequest: Json = {}) =>
    unread()
      .applicationSet(writing(shop))
      .mergeRequest({ created_at: at(-9 * DAY), ...mergeRequest })
      .namespace(labelled(shop));
  const world = () => left({ state: 'merged', merged_at: at(-3 * DAY) });

  it('is told with the end of its MR, its own age and how much is in it', () => {
    const finding = new DiffStory()
      .pass(left(), at(-4 * DAY))
      .pass(world(), at(-3 * DAY))
      .pass(world())
      .finding('NamespaceLeft');
    expect(finding).toMatchObject({
      severity: 'warning',
      subject: { kind: 'Namespace', cluster: CLUSTER, name: 'preview-mr-7' },
      params: {
        namespace: 'preview-mr-7',
        cluster: CLUSTER,
        mergeRequest: 'group/shop!7',
        since: at(-3 * DAY),
        contents: 0,
      },
      previewIds: [previewIdOf(MERGE_REQUEST)],
    });
    expect(finding.evidence).toEqual([
      {
        kind: 'MergeRequest',
        host: HOST,
        name: 'group/shop!7',
        since: at(-3 * DAY),
        previewId: previewIdOf(MERGE_REQUEST),
      },
      {
        kind: 'Namespace',
        cluster: CLUSTER,
        name: 'preview-mr-7',
        since: at(-5 * DAY),
        contents: 0,
      },
      {
        kind: 'ApplicationSet',
        cluster: CLUSTER,
        namespace: 'argocd',
        name: 'shop-previews',
      },
    ]);
    expect(finding.message).toMatch(
      /preview-mr-7.*group\/shop!7.*no Application deploys to it \(workloads, Pods, routes and certificates in it: 0\)/,
    );
  });

  it.each([
    ['that the portal followed', () => new DiffStory().pass(left(), at(-DAY))],
    ['that the portal knows by its end alone', () => new DiffStory()],
  ])('waits for the grace period of an MR %s', (_, story) => {
    const ended = () => left({ state: 'merged', merged_at: at(-60) });
    const told = story().pass(ended(), at(-60)).pass(ended());
    expect(told.types()).toEqual([]);
    told.pass(ended(), at(HOUR));
    expect(told.types()).toEqual(['NamespaceLeft']);
  });
});

describe('whose a namespace is', () => {
  it.each<[string, string, WorldBuilder]>([
    ['the labels of the join', 'NamespaceLeft', over().namespace(OURS)],
    [
      'the labels of the join, whatever its name and its cluster',
      'NamespaceLeft',
      over()
        .cluster({ cluster: 'edge' })
        .namespace(merged(OURS, { metadata: { name: 'basket' } }), 'edge'),
    ],
    [
      'the labels that its set writes, the number among them',
      'NamespaceLeft',
      unread()
        .applicationSet(writing({ team: 'shop', mr: 'mr-{{.number}}' }))
        .namespace(labelled({ team: 'shop', mr: 'mr-7' })),
    ],
    [
      'labels of which one is another number’s: not sure',
      'NamespaceMaybeLeft',
      unread()
        .applicationSet(writing({ team: 'shop', mr: 'mr-{{.number}}' }))
        .namespace(labelled({ team: 'shop', mr: 'mr-8' })),
    ],
    [
      'the label that its set writes whatever the number, of a number that was given',
      'NamespaceLeft',
      newest(8)
        .applicationSet(writing({ team: 'shop' }))
        .namespace(labelled({ team: 'shop' })),
    ],
    [
      'that label, where no MR of the project is known: not sure',
      'NamespaceMaybeLeft',
      unread()
        .applicationSet(writing({ team: 'shop' }))
        .namespace(labelled({ team: 'shop' })),
    ],
    ...[
      'pod-security.kubernetes.io/enforce',
      'istio.io/rev',
      'istio-injection',
      'argocd.argoproj.io/managed-by',
      'app.kubernetes.io/managed-by',
    ].map((label): [string, string, WorldBuilder] => [
      `the label ${label}, which many have: not sure`,
      'NamespaceMaybeLeft',
      newest(8)
        .applicationSet(writing({ [label]: 'baseline' }))
        .namespace(labelled({ [label]: 'baseline' })),
    ]),
    [
      'such a label with the number in it',
      'NamespaceLeft',
      unread()
        .applicationSet(writing({ 'istio.io/rev': 'mr-{{.number}}' }))
        .namespace(labelled({ 'istio.io/rev': 'mr-7' })),
    ],
    [
      'a label of the branch of its MR',
      'NamespaceLeft',
      readAndOver()
        .applicationSet(writing({ branch: '{{.branch_slug}}' }))
        .namespace(labelled({ branch: 'feature-basket' })),
    ],
    ...[
      ['another branch', { branch: 'feature-checkout' }],
      ['no branch', {}],
    ].map(([what, labels]): [string, string, WorldBuilder] => [
      `the labels of its set, but for ${what}: not sure`,
      'NamespaceMaybeLeft',
      readAndOver()
        .applicationSet(writing({ team: 'shop', branch: '{{.branch_slug}}' }))
        .namespace(labelled({ team: 'shop', ...(labels as object) })),
    ]),
    [
      'labels of which one cannot be told without the MR: not sure',
      'NamespaceMaybeLeft',
      newest(8)
        .applicationSet(writing({ team: 'shop', branch: '{{.branch_slug}}' }))
        .namespace(labelled({ team: 'shop', branch: 'not-it' })),
    ],
    [
      'a label that the sets of two projects write: not sure while nothing is known of the MRs of one',
      'NamespaceMaybeLeft',
      newest(8)
        .applicationSet(writing({ team: 'shop' }))
        .project({ id: 43, path_with_namespace: 'group/cart' })
        .past({}, { id: 43 })
        .applicationSet({
          metadata: { name: 'cart-previews' },
          spec: { generators: [pullRequestGenerator({ project: '43' })] },
        })
        .applicationSet(
          merged(writing({ team: 'shop' }), {
            metadata: { name: 'cart-previews' },
          }),
        )
        .namespace(labelled({ team: 'shop' })),
    ],
    [
      'the id that Argo CD tracks it by',
      'NamespaceLeft',
      over().namespace(
        old({
          metadata: {
            annotations: {
              'argocd.argoproj.io/tracking-id':
                'preview-mr-7:/Namespace:preview-mr-7/preview-mr-7',
            },
          },
        }),
      ),
    ],
    [
      'the label that Argo CD tracks it by',
      'NamespaceLeft',
      over().namespace(
        labelled({ 'app.kubernetes.io/instance': 'preview-mr-7' }),
      ),
    ],
    [
      'the label of another Application: not sure',
      'NamespaceMaybeLeft',
      over().namespace(labelled({ 'app.kubernetes.io/instance': 'backup' })),
    ],
    [
      'its name alone, of an MR that was opened after all that are read: not sure',
      'NamespaceMaybeLeft',
      newest(5)
        .past({ createdAt: at(-8 * DAY) })
        .namespace(old()),
    ],
    [
      'a label of its set, of an MR that was opened after all that are read',
      'NamespaceLeft',
      newest(5)
        .past({ createdAt: at(-8 * DAY) })
        .applicationSet(writing({ team: 'shop' }))
        .namespace(labelled({ team: 'shop' })),
    ],
    ['its name alone: not sure', 'NamespaceMaybeLeft', over().namespace(old())],
    [
      'its name alone, with somebody else’s labels: not sure',
      'NamespaceMaybeLeft',
      over().namespace(labelled({ team: 'shop' })),
    ],
    [
      'its name alone, where an open MR lost its label: not sure',
      'NamespaceMaybeLeft',
      unread()
        .applicationSet()
        .mergeRequest({ labels: [], created_at: at(-9 * DAY) })
        .namespace(old()),
    ],
    [
      'its name alone, of a set in a matrix with constants: not sure',
      'NamespaceMaybeLeft',
      unread()
        .applicationSet({
          spec: {
            generators: [
              {
                matrix: {
                  generators: [
                    { list: { elements: [{ stage: 'eu' }] } },
                    pullRequestGenerator(),
                  ],
                },
              },
            ],
            ...deployingTo({ namespace: '{{.stage}}-{{.number}}-web' }).spec,
          },
        })
        .namespace(old({ metadata: { name: 'eu-7-web' } })),
    ],
  ])('is told by %s', (_, type, world) => {
    const told = new DiffStory().pass(world, at(-2 * HOUR)).pass(world);
    expect(told.types().filter(one => one.startsWith('Namespace'))).toEqual([
      type,
    ]);
  });

  it('tells of a name alone that it may be, and who can know', () => {
    const finding = new DiffStory()
      .pass(over().namespace(old()).pod())
      .finding('NamespaceMaybeLeft');
    expect(finding.severity).toBe('info');
    expect(finding.params).toEqual({
      namespace: 'preview-mr-7',
      cluster: CLUSTER,
      mergeRequest: 'group/shop!7',
      contents: 1,
    });
    expect(finding.previewIds).toEqual([]);
    expect(finding.message).toMatch(/may be left of group\/shop!7/);
  });

  it('tells the number alone where several projects could be meant', () => {
    const cart = { id: 43, path_with_namespace: 'group/cart' };
    const finding = new DiffStory()
      .pass(
        over()
          .project(cart)
          .past({}, { id: 43 })
          .applicationSet({
            metadata: { name: 'cart-previews' },
            spec: { generators: [pullRequestGenerator({ project: '43' })] },
          })
          .namespace(old()),
      )
      .finding('NamespaceMaybeLeft');
    expect(finding.params.mergeRequest).toBe('!7');
    expect(finding.message).not.toContain('group/');
    expect(finding.evidence.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
      [
        'MergeRequest group/shop!7',
        'MergeRequest group/cart!7',
        'Namespace preview-mr-7',
        'ApplicationSet shop-previews',
        'ApplicationSet cart-previews',
      ],
    );
  });
});

describe('an MR that nobody reads, and that a namespace was made for', () => {
  const asked = (world: WorldBuilder) =>
    new DiffStory().pass(world).last!.past.map(({ iid }) => iid);
  const told = () =>
    over()
      .past({ createdAt: at(-9 * DAY), endedAt: at(-3 * DAY) })
      .namespace(OURS);

  it('is asked for, and told with its end', () => {
    const unasked = WorldBuilder.empty().applicationSet().namespace(OURS);
    expect(asked(unasked)).toEqual([7]);
    const { params, evidence } = new DiffStory()
      .pass(told())
      .finding('NamespaceLeft');
    expect(params).toMatchObject({
      mergeRequest: 'group/shop!7',
      since: at(-3 * DAY),
    });
    expect(evidence[0]).toMatchObject({
      kind: 'MergeRequest',
      since: at(-3 * DAY),
    });
  });

  it('is asked for as long as the namespace is there, whatever the answer', () => {
    expect(asked(told())).toEqual([7]);
    expect(asked(newest(5).namespace(old()))).toEqual([7]);
    expect(asked(over())).toEqual([]);
  });

  it.each<[string, WorldBuilder]>([
    ['that is read', readAndOver().namespace(OURS)],
    [
      'of a number that is too high to be one',
      newest(5).namespace(old({ metadata: { name: 'preview-mr-2024' } })),
    ],
  ])('is not asked for where it is one %s', (_, world) => {
    expect(asked(world)).toEqual([]);
  });

  it('is not asked for in each of many projects', () => {
    const world = over();
    const ids = Array.from({ length: 10 }, (_, index) => 100 + index);
    for (const id of ids) {
      world
        .project({ id, path_with_namespace: `group/shop-${id}` })
        .applicationSet({
          metadata: { name: `previews-${id}` },
          spec: { generators: [pullRequestGenerator({ project: `${id}` })] },
        });
    }
    world.namespace(old());
    const story = new DiffStory().pass(world);
    expect(story.last!.past).toEqual([]);
    expect(story.types()).toEqual(['NamespaceMaybeLeft']);
  });

  it('takes nothing back of what was told while it is asked for again', () => {
    const story = new DiffStory().pass(told());
    const before = story.finding('NamespaceLeft');
    story.pass(WorldBuilder.empty().applicationSet().namespace(OURS), at(60));
    expect(story.finding('NamespaceLeft')).toEqual(before);
  });
});

describe('nothing is said of a namespace', () => {
  it.each<[string, () => WorldBuilder]>([
    [
      'that has no preview’s name',
      () => over().namespace(old({ metadata: { name: 'monitoring-7' } })),
    ],
    [
      'whose number no MR can have',
      () => over().namespace(old({ metadata: { name: 'preview-mr-007' } })),
    ],
    [
      'that has more to its name',
      () => over().namespace(old({ metadata: { name: 'preview-mr-7-tools' } })),
    ],
    [
      'that has the name in another cluster than the set deploys to',
      () => over().cluster({ cluster: 'edge' }).namespace(old(), 'edge'),
    ],
    [
      'whose name the set makes of the branch',
      () =>
        unread()
          .applicationSet(deployingTo({ namespace: 'mr-{{.branch_slug}}' }))
          .namespace(old({ metadata: { name: 'mr-7' } })),
    ],
    [
      'where the number could begin at more than one digit',
      () =>
        unread()
          .applicationSet(deployingTo({ namespace: 'web2{{.number}}' }))
          .namespace(old({ metadata: { name: 'web27' } })),
    ],
    [
      'that is being deleted',
      () =>
        over().namespace(merged(OURS, { status: { phase: 'Terminating' } })),
    ],
    [
      'that an Application deploys to',
      () =>
        over()
          .namespace(OURS)
          .application({
            metadata: { name: 'by-hand', ownerReferences: null },
            spec: { destination: { namespace: 'preview-mr-7' } },
          }),
    ],
    [
      'that an Application has something in',
      () =>
        over()
          .namespace(OURS)
          .application({
            metadata: { name: 'tools', ownerReferences: null },
            spec: { destination: { namespace: 'tools' } },
            status: {
              resources: [
                {
                  version: 'v1',
                  kind: 'ConfigMap',
                  namespace: 'preview-mr-7',
                  name: 'settings',
                },
              ],
            },
          }),
    ],
    [
      'whose MR is open and selected',
      () =>
        over()
          .mergeRequest({ created_at: at(-9 * DAY) })
          .namespace(OURS),
    ],
    [
      'that is older than the MR of its number',
      () =>
        over()
          .mergeRequest({ state: 'merged', merged_at: at(-HOUR) })
          .namespace(old()),
    ],
    [
      'whose number is far higher than that of any MR',
      () =>
        newest(5)
          .applicationSet(writing({ team: 'shop' }))
          .namespace(
            merged(labelled({ team: 'shop' }), {
              metadata: { name: 'preview-mr-2024' },
            }),
          ),
    ],
    [
      'whose number is higher than any that GitLab has',
      () => newest(5).namespace(old()),
    ],
    [
      'that is older than the MR of its number, which nobody reads',
      () =>
        over()
          .past({ createdAt: at(-DAY), endedAt: at(-4 * HOUR) })
          .namespace(OURS),
    ],
    [
      'whose MR was over a moment ago, which nobody reads',
      () =>
        over()
          .past({ createdAt: at(-9 * DAY), endedAt: at(-60) })
          .namespace(OURS),
    ],
    [
      'while GitLab has not been asked about its MR',
      () => WorldBuilder.empty().applicationSet().namespace(OURS),
    ],
    [
      'that is older than an MR of a lower number',
      () => newest(5, at(-4 * DAY)).namespace(OURS),
    ],
    [
      'while an Application deploys to that name at an address of no cluster',
      () =>
        over()
          .namespace(OURS)
          .application(elsewhere({ server: 'https://lb.internal' })),
    ],
    [
      'while an Application deploys to that name in a cluster of a name that nobody knows',
      () =>
        over()
          .namespace(OURS)
          .application(elsewhere({ name: 'lb', server: null })),
    ],
    [
      'while an Application that deploys to an address of no cluster is being deleted',
      () =>
        over()
          .namespace(OURS)
          .application(
            merged(elsewhere({ server: 'https://lb.internal' }), {
              metadata: { deletionTimestamp: at(-4 * HOUR) },
            }),
          ),
    ],
    [
      'that an Application at an address of no cluster has something in',
      () =>
        over()
          .namespace(OURS)
          .application(
            merged(
              elsewhere({ server: 'https://lb.internal', namespace: 'tools' }),
              {
                status: {
                  resources: [
                    {
                      version: 'v1',
                      kind: 'ConfigMap',
                      namespace: 'preview-mr-7',
                      name: 'settings',
                    },
                  ],
                },
              },
            ),
          ),
    ],
    [
      'that was made a moment ago',
      () => over().namespace({ metadata: { creationTimestamp: at(-60) } }),
    ],
    [
      'whose labels name a project that no set lists',
      () =>
        over().namespace(
          labelled({
            'previews/project-id': '4711',
            'previews/merge-request': '7',
          }),
        ),
    ],
    [
      'where a set takes MRs of any state, of which only the open ones are read',
      () =>
        over()
          .applicationSet(generatedBy({ pullRequestState: null }))
          .namespace(OURS),
    ],
    [
      'whose set reports an error',
      () =>
        over()
          .applicationSet({
            status: {
              conditions: [
                {
                  type: 'ErrorOccurred',
                  status: 'True',
                  reason: 'ApplicationGenerationFromParamsError',
                  message: 'no such template',
                },
              ],
            },
          })
          .namespace(OURS),
    ],
    [
      'while the Applications of another cluster are not read',
      () =>
        over()
          .namespace(OURS)
          .cluster({ cluster: 'edge' })
          .kindReading('applications', { state: 'pending' }, 'edge'),
    ],
    [
      'while the project of its set has never been read',
      () =>
        over()
          .applicationSet({
            metadata: { name: 'cart-previews' },
            spec: { generators: [pullRequestGenerator({ project: '43' })] },
          })
          .namespace(old()),
    ],
  ])('%s', (_, world) => {
    const told = new DiffStory().pass(world(), at(-2 * HOUR)).pass(world());
    expect(told.types().filter(one => one.startsWith('Namespace'))).toEqual([]);
  });

  it('whose preview tells of it already', () => {
    const live = () =>
      WorldBuilder.live()
        .mergeRequest({ created_at: at(-9 * DAY) })
        .namespace(OURS);
    const left = () =>
      over()
        .mergeRequest({
          created_at: at(-9 * DAY),
          state: 'merged',
          merged_at: at(-3 * DAY),
        })
        .namespace(OURS);
    const told = new DiffStory()
      .pass(live(), at(-4 * DAY))
      .pass(left(), at(-3 * DAY))
      .pass(left());
    expect(told.types()).toEqual(['WithoutMergeRequest']);
  });

  it('of a set under an alarm, beyond what was said before', () => {
    const crowd = (count: number) => {
      const world = over()
        .mergeRequest({ iid: 100, labels: [], created_at: at(-9 * DAY) })
        .past({}, { iid: 98 })
        .past({}, { iid: 99 })
        .namespace(old({ metadata: { name: 'preview-mr-99' } }));
      for (let iid = 1; iid <= 10; iid += 1) {
        world.mergeRequest({ iid, created_at: at(-9 * DAY) });
        if (iid <= count) {
          world.application({
            metadata: {
              name: `preview-mr-${iid}`,
              uid: `application-${iid}`,
              ownerReferences: [ownedBy('shop-previews')],
            },
            spec: { destination: { namespace: `preview-mr-${iid}` } },
          });
        }
      }
      return world;
    };
    const withMore = () =>
      crowd(1)
        .namespace(old({ metadata: { name: 'preview-mr-98' } }))
        .readAt(at(120));
    const told = new DiffStory().pass(crowd(10), at(-120));
    expect(told.findings('NamespaceMaybeLeft')).toHaveLength(1);
    told.pass(crowd(1), at(-60)).pass(crowd(1).readAt(at(60)), at(60));
    told.pass(withMore(), at(120));
    expect(told.findings('GeneratedSetShrank')).toHaveLength(1);
    expect(
      told.findings('NamespaceMaybeLeft').map(({ subject }) => subject.name),
    ).toEqual(['preview-mr-99']);
  });
});

describe('a namespace that was told of', () => {
  it('is over once it is gone, though GitLab is down', () => {
    const told = new DiffStory().pass(over().namespace(OURS));
    told.pass(
      over().projectReading({ state: 'failing', status: 502 }),
      at(HOUR),
    );
    expect(told.types()).toEqual([]);
  });

  it('is over once an Application deploys to it again', () => {
    const told = new DiffStory().pass(over().namespace(OURS));
    expect(told.types()).toEqual(['NamespaceLeft']);
    told.pass(
      WorldBuilder.live()
        .mergeRequest({ created_at: at(-9 * DAY) })
        .namespace(OURS),
      at(60),
    );
    expect(told.types()).toEqual([]);
  });

  const moved = () => over().moved('other/shop').namespace(OURS);

  it('stays while GitLab has not told that its set names the project by a former path', () => {
    const told = new DiffStory().pass(moved());
    expect(told.finding('NamespaceLeft').params.mergeRequest).toBe(
      'other/shop!7',
    );
    told.pass(moved().forgetProjects(), at(60));
    expect(told.types()).toEqual(['NamespaceLeft']);
  });

  it('is over once the path that its set names is no project’s', () => {
    const told = new DiffStory().pass(moved());
    const unreadable = [
      {
        reference: 'group/shop',
        status: 404,
        error: {
          reason: 'NotFound' as const,
          message: 'GitLab answered 404.',
          since: at(0),
        },
      },
    ];
    told.pass(
      moved().forgetProjects().gitlab({ host: HOST, unreadable }),
      at(60),
    );
    expect(told.types()).toEqual([]);
  });

  it('stays while an Application deploys to that name at an address of no cluster', () => {
    const told = new DiffStory().pass(over().namespace(OURS));
    const { since } = told.finding('NamespaceLeft');
    told.pass(
      over()
        .namespace(OURS)
        .application(elsewhere({ server: 'https://lb.internal' })),
      at(60),
    );
    expect(told.types()).toContain('NamespaceLeft');
    expect(told.finding('NamespaceLeft').since).toBe(since);
  });

  it('has no count while a kind of what could be in it is not read', () => {
    const world = over().namespace(OURS).deployment().pod().ingress();
    expect(
      new DiffStory().pass(world).finding('NamespaceLeft').params.contents,
    ).toBe(3);
    const blind = world.kindReading('ingresses', { state: 'forbidden' });
    const { params, message } = new DiffStory()
      .pass(blind)
      .finding('NamespaceLeft');
    expect(params).not.toHaveProperty('contents');
    expect(message).toContain('no Application deploys to it; whoever');
  });

  it('counts nothing of kinds that are not installed', () => {
    const world = over()
      .namespace(OURS)
      .kindReading(['httpRoutes', 'certificates'], { state: 'notInstalled' });
    expect(typesOf(world)).toEqual(['NamespaceLeft']);
    expect(
      new DiffStory().pass(world).finding('NamespaceLeft').params.contents,
    ).toBe(0);
  });
});
