import { FindingType } from '@previews/backstage-plugin-previews-common';
import { previewIdOf } from '../../model';
import { DiffStory } from '../../testing/DiffStory';
import {
  at,
  CLUSTER,
  generatedBy,
  HOST,
  Json,
  MERGE_REQUEST,
  merged,
  NEXT,
  ownedBy,
  pullRequestGenerator,
  setError,
  WorldBuilder,
} from '../../testing/world';

const { open, live } = WorldBuilder;
const HOUR = 3600;
const DAY = 86_400;

const inCart = { ...MERGE_REQUEST, projectId: 43 };

const gitLabDown = {
  state: 'failing' as const,
  status: 502,
  completeAt: at(-HOUR),
  error: {
    reason: 'ServerError' as const,
    message: 'GitLab answers 502',
    since: at(-HOUR),
  },
};

/** An Application of the set that no MR explains. */
const stranger = (world: WorldBuilder, patch: Json = {}) =>
  world.application({
    metadata: {
      name: 'by-hand',
      ownerReferences: [ownedBy('shop-previews')],
      creationTimestamp: at(-HOUR),
      ...patch,
    },
    spec: {
      source: { helm: null, targetRevision: 'main' },
      destination: { namespace: 'elsewhere' },
    },
    status: { summary: { images: [] } },
  });

/** GitLab has been asked about MR !7, which is in no list. */
const over = () => WorldBuilder.empty().past().applicationSet();

/** A namespace of long ago. */
const old = { metadata: { creationTimestamp: at(-5 * DAY) } };

/** One whose labels say what it was made for. */
const made = merged(old, {
  metadata: {
    labels: { 'previews/project-id': '42', 'previews/merge-request': '7' },
  },
});

const mergedAway = { state: 'merged', merged_at: at(-3 * DAY) };

describe('a world in which all is well', () => {
  it.each([
    ['without MRs', WorldBuilder.empty],
    ['with a live preview', live],
    [
      'with an MR that its set does not select',
      () => open().mergeRequest({ labels: [] }),
    ],
    ['with an MR that its set has not looked at yet', open],
    [
      'with an Application of a set of another generator',
      () =>
        live()
          .applicationSet({
            metadata: { name: 'others' },
            spec: { generators: [{ list: { elements: [] } }] },
          })
          .application({
            metadata: { name: 'other', ownerReferences: [ownedBy('others')] },
          }),
    ],
  ])('has no finding: %s', (_, world) => {
    expect(new DiffStory().pass(world()).types()).toEqual([]);
  });
});

interface Case {
  type: FindingType;
  when: string;
  /** Worlds with their times, in seconds from now; the last is found. */
  passes: [seconds: number, world: () => WorldBuilder][];
  subject: string;
  /** The world in which it is over. */
  healed: () => WorldBuilder;
}

const cases: Case[] = [
  {
    type: 'Unjoined',
    when: 'an Application of the set fits no MR',
    passes: [[0, () => stranger(live())]],
    subject: 'by-hand',
    healed: live,
  },
  {
    type: 'NameCollision',
    when: 'two MRs of one set have one branch slug',
    passes: [
      [
        0,
        () =>
          open()
            .applicationSet({
              spec: { template: { metadata: { name: 'mr-{{.branch_slug}}' } } },
            })
            .mergeRequest({ source_branch: 'a/b' })
            .mergeRequest({ iid: 8, source_branch: 'a-b', sha: NEXT }),
      ],
    ],
    subject: 'mr-a-b',
    healed: () => open().mergeRequest({ iid: 8, sha: NEXT }),
  },
  {
    type: 'KeptByGenerator',
    when: 'the set takes MRs of any state and one was merged',
    passes: [
      [
        0,
        () =>
          live()
            .applicationSet(generatedBy({ pullRequestState: null }))
            .mergeRequest(mergedAway),
      ],
    ],
    subject: 'group/shop!7',
    healed: live,
  },
  {
    type: 'WithoutEnvironment',
    when: 'the set reports an error',
    passes: [
      [
        0,
        () =>
          open().applicationSet(
            setError(
              'ApplicationGenerationFromParamsError',
              'no such template',
            ),
          ),
      ],
    ],
    subject: 'group/shop!7',
    healed: live,
  },
  {
    type: 'WithoutEnvironment',
    when: 'the set did not make an Application in the time that it takes',
    passes: [
      [-HOUR, open],
      [0, open],
    ],
    subject: 'group/shop!7',
    healed: live,
  },
  {
    type: 'WithoutMergeRequest',
    when: 'the MR was merged and nobody deletes what there is',
    passes: [
      [-DAY, live],
      [-HOUR, () => live().mergeRequest(mergedAway)],
      [0, () => live().mergeRequest(mergedAway)],
    ],
    subject: 'group/shop!7',
    healed: () =>
      WorldBuilder.empty().applicationSet().mergeRequest(mergedAway),
  },
  {
    type: 'NamespaceLeft',
    when: 'its labels name an MR that was over before the portal looked',
    passes: [[0, () => over().namespace(made)]],
    subject: 'preview-mr-7',
    healed: () => over(),
  },
  {
    type: 'NamespaceMaybeLeft',
    when: 'it has the name of an MR that was over before the portal looked',
    passes: [[0, () => over().namespace(old)]],
    subject: 'preview-mr-7',
    healed: () => over(),
  },
  {
    type: 'ProjectClaimedFromElsewhere',
    when: 'an entity of another group names the project',
    passes: [
      [
        0,
        () =>
          live().entity({
            entityRef: 'component:default/thief',
            ownGroup: { host: HOST, group: 'elsewhere' },
          }),
      ],
    ],
    subject: 'component:default/thief',
    healed: live,
  },
];

describe.each(cases)(
  '$type, where $when,',
  ({ type, passes, subject, healed }) => {
    const story = () => {
      const told = new DiffStory({ isClaimAllowed: () => false });
      passes.forEach(([seconds, world]) => told.pass(world(), at(seconds)));
      return told;
    };

    it('is found once, with its subject, its sentence and since when', () => {
      const finding = story().finding(type);
      expect(finding).toMatchObject({ type, since: at(0) });
      expect(finding.subject.name).toBe(subject);
      expect(finding.message).toContain(subject);
      expect(finding.id).toMatch(/^[a-z0-9-]+$/);
    });

    it('keeps its id and its time while it lasts', () => {
      const told = story();
      const before = told.finding(type);
      told.pass(passes[passes.length - 1][1](), at(120));
      expect(told.finding(type)).toEqual(before);
      expect(told.last).toMatchObject({
        opened: [],
        changed: [],
        resolved: [],
      });
    });

    it('is over in the pass that sees it healed, and begins anew after that', () => {
      const told = story();
      const { id } = told.finding(type);
      told.pass(healed(), at(120));
      expect(told.findings(type)).toEqual([]);
      expect(
        told.last!.resolved.find(({ finding }) => finding.id === id)?.finding,
      ).toMatchObject({ resolvedAt: at(120), since: at(0) });
    });
  },
);

describe('while a source is down', () => {
  // The catalog alone tells of claims.
  const read = cases.filter(
    ({ type }) => type !== 'ProjectClaimedFromElsewhere',
  );

  it.each(read)(
    '$type stays as it is, where $when',
    ({ type, passes, healed }) => {
      const told = new DiffStory({ isClaimAllowed: () => false });
      passes.forEach(([seconds, world]) => told.pass(world(), at(seconds)));
      const before = told.finding(type);
      const blind = (world: WorldBuilder) =>
        world
          .projectReading(gitLabDown)
          .kindReading(['applications', 'applicationSets', 'namespaces'], {
            state: 'failing',
            completeAt: at(-HOUR),
          });
      told.pass(blind(healed()), at(300));
      expect(told.finding(type)).toEqual(before);
    },
  );

  it.each(read)('no $type begins, where $when', ({ type, passes }) => {
    const told = new DiffStory({ isClaimAllowed: () => false });
    passes.forEach(([seconds, world]) =>
      told.pass(
        world()
          .projectReading(gitLabDown)
          .kindReading(['applications', 'applicationSets'], {
            state: 'failing',
            completeAt: at(-HOUR),
          }),
        at(seconds),
      ),
    );
    expect(told.findings(type)).toEqual([]);
  });
});

it('a project that is renamed leaves the id of a finding as it is', () => {
  const closed = (path: string) =>
    live()
      .project({ id: 42, path_with_namespace: path })
      .applicationSet(generatedBy({ project: '42', pullRequestState: null }))
      .mergeRequest(mergedAway);
  const told = new DiffStory().pass(closed('group/shop'));
  const before = told.finding('KeptByGenerator');
  told.pass(closed('group/store'), at(60));
  expect(told.finding('KeptByGenerator')).toMatchObject({
    id: before.id,
    since: before.since,
    subject: { name: 'group/store!7' },
  });
});

describe('an Application that joins no MR', () => {
  it('is over once it is gone, though GitLab is down', () => {
    const told = new DiffStory().pass(stranger(live()));
    told.pass(live().projectReading(gitLabDown), at(300));
    expect(told.findings('Unjoined')).toEqual([]);
  });

  it('of a set over many projects waits until all of them are read', () => {
    const many = (unread?: number) => {
      const world = stranger(live()).applicationSet({
        spec: {
          generators: [
            {
              matrix: {
                generators: [
                  { git: { directories: [] } },
                  pullRequestGenerator({ project: 'group/{{.p}}' }),
                ],
              },
            },
          ],
        },
      });
      for (let id = 100; id < 120; id += 1) {
        world.project({ id, path_with_namespace: `group/p-${id}` });
      }
      return unread ? world.projectReading(gitLabDown, { id: unread }) : world;
    };
    expect(new DiffStory().pass(many(110)).types()).toEqual([]);
    expect(new DiffStory().pass(many()).types()).toEqual(['Unjoined']);
  });

  it('is none yet while its MR may not have been read', () => {
    const told = new DiffStory().pass(
      stranger(live(), { creationTimestamp: at(-20) }),
    );
    expect(told.types()).toEqual([]);
  });

  it('is never an orphan, and is left alone while it is deleted', () => {
    const told = new DiffStory().pass(
      stranger(live(), { deletionTimestamp: at(-10) }),
    );
    expect(told.types()).toEqual([]);
  });

  it('is one too whose MR was deleted before anybody saw it', () => {
    const world = () =>
      WorldBuilder.empty()
        .applicationSet()
        .application()
        .projectReading({ missing: new Map([[7, at(-60)]]) });
    const told = new DiffStory().pass(world());
    expect(told.types()).toEqual(['Unjoined']);
    expect(told.finding('Unjoined').subject.name).toBe('preview-mr-7');
    expect(told.story.find()).toBeUndefined();
  });

  it('is over with its set', () => {
    const told = new DiffStory().pass(stranger(live()));
    told.pass(stranger(live()).without('applicationSets'), at(60));
    expect(told.findings('Unjoined')).toEqual([]);
  });

  it('is told with its set as evidence', () => {
    const { evidence } = new DiffStory()
      .pass(stranger(live()))
      .finding('Unjoined');
    expect(evidence.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'Application by-hand',
      'ApplicationSet shop-previews',
    ]);
  });
});

describe('two projects, the same number, the same names', () => {
  const world = () =>
    live()
      .project({ id: 43, path_with_namespace: 'group/cart' })
      .mergeRequest({ project_id: 43, created_at: at(-DAY) })
      .applicationSet({
        metadata: { name: 'cart-previews' },
        spec: { generators: [pullRequestGenerator({ project: '43' })] },
      });

  it('is one collision that names both MRs and whose the Application is', () => {
    const finding = new DiffStory().pass(world()).finding('NameCollision');
    expect(finding.subject).toEqual({
      kind: 'Application',
      cluster: CLUSTER,
      namespace: 'argocd',
      name: 'preview-mr-7',
    });
    expect(finding.params).toEqual({ application: 'preview-mr-7', count: 2 });
    expect(finding.previewIds.sort()).toEqual(
      [MERGE_REQUEST, inCart].map(previewIdOf).sort(),
    );
    expect(finding.evidence.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
      [
        'MergeRequest group/shop!7',
        'MergeRequest group/cart!7',
        'Application preview-mr-7',
      ],
    );
    expect(finding.evidence[2].previewId).toBe(previewIdOf(MERGE_REQUEST));
  });

  it('is said once: the MR that goes without has no finding of its own', () => {
    expect(new DiffStory().pass(world()).types()).toEqual(['NameCollision']);
  });

  it('does not make an orphan of the namespace while the other MR is open', () => {
    const closed = () =>
      world().mergeRequest(mergedAway).without(['applications']);
    const told = new DiffStory()
      .pass(world(), at(-2 * HOUR))
      .pass(closed(), at(-HOUR))
      .pass(closed());
    expect(told.findings('WithoutMergeRequest')).toEqual([]);
  });
});

describe('one ApplicationSet that creates the same name twice', () => {
  const world = () =>
    WorldBuilder.empty()
      .project({ id: 43, path_with_namespace: 'group/cart' })
      .applicationSet({
        spec: {
          generators: [
            {
              matrix: {
                generators: [
                  { list: { elements: [{ p: '42' }, { p: '43' }] } },
                  pullRequestGenerator({ project: '{{.p}}' }),
                ],
              },
            },
          ],
          template: { metadata: { name: '{{.branch_slug}}' } },
        },
        status: {
          conditions: [
            {
              type: 'ErrorOccurred',
              status: 'True',
              reason: 'ApplicationValidationError',
              message:
                'ApplicationSet contains applications with duplicate name: b1',
            },
          ],
        },
      })
      .mergeRequest({ source_branch: 'b1' })
      .mergeRequest({ project_id: 43, source_branch: 'b1', sha: NEXT })
      .application({
        metadata: {
          name: 'b1',
          labels: {
            'previews/project-id': '42',
            'previews/merge-request': '7',
          },
        },
      })
      .namespace({ metadata: { name: 'b1' } });

  it('lists both MRs in one finding, of which one has the environment', () => {
    const told = new DiffStory().pass(world());
    const finding = told.finding('NameCollision');
    expect(finding.params).toEqual({ application: 'b1', count: 2 });
    expect(finding.message).toContain('2 merge requests');
    expect(finding.previewIds.sort()).toEqual(
      [MERGE_REQUEST, inCart].map(previewIdOf).sort(),
    );
    expect(told.story.preview().applications).toHaveLength(1);
    expect(told.story.preview(inCart).applications).toEqual([]);
  });

  it('tells the MR that goes without who has the name', () => {
    const told = new DiffStory().pass(world());
    expect(told.story.condition('ApplicationGenerated', inCart)).toMatchObject({
      status: 'False',
      reason: 'NameCollision',
      params: { name: 'b1', other: 'group/shop!7' },
    });
    expect(told.story.preview(inCart).phase).toBe('Failed');
  });

  it('tells both in the set’s own words while neither has an Application', () => {
    const told = new DiffStory().pass(world().without(['applications']));
    for (const key of [MERGE_REQUEST, inCart]) {
      expect(told.story.condition('ApplicationGenerated', key)).toMatchObject({
        status: 'False',
        reason: 'ValidationError',
        params: { error: expect.stringContaining('duplicate name: b1') },
      });
    }
  });
});

describe('a branch that comes back in a new MR, where the set names by the branch', () => {
  const FORMER = MERGE_REQUEST;
  const LATTER = { ...MERGE_REQUEST, iid: 9 };
  const NAME = 'mr-feature-basket';
  const named = {
    spec: {
      template: {
        metadata: { name: 'mr-{{.branch_slug}}' },
        spec: { destination: { namespace: 'mr-{{.branch_slug}}' } },
      },
    },
  };
  const world = (patch: Json = {}) =>
    WorldBuilder.empty()
      .applicationSet(named)
      .namespace({ metadata: { name: NAME } })
      .application({ metadata: { name: NAME, ...patch } });
  const former = () => world().mergeRequest({ created_at: at(-9 * DAY) });
  const after = (patch?: Json) =>
    world(patch)
      .mergeRequest({
        created_at: at(-9 * DAY),
        state: 'closed',
        closed_at: at(-HOUR),
      })
      .mergeRequest({ iid: 9, created_at: at(-HOUR) });

  it('takes the Application over that Argo CD keeps for it', () => {
    const told = new DiffStory()
      .pass(former(), at(-DAY))
      .pass(after(), at(-HOUR))
      .pass(after());
    expect(told.types()).toEqual([]);
    expect(told.story.preview(LATTER).applications).toHaveLength(1);
    expect(told.story.preview(LATTER).namespaces).toMatchObject([
      { name: NAME, own: true },
    ]);
    expect(told.story.preview(FORMER)).toMatchObject({
      phase: 'Gone',
      applications: [],
    });
    expect(told.story.memory(FORMER).joined).toEqual([]);
    told.pass(after(), at(60));
    expect(told.last).toMatchObject({ opened: [], changed: [], resolved: [] });
  });

  it('waits, and collides with nobody, while the former one’s is deleted', () => {
    const deleting = () => after({ deletionTimestamp: at(-HOUR) });
    const told = new DiffStory()
      .pass(former(), at(-DAY))
      .pass(deleting(), at(-HOUR + 10));
    // It is named by the set for the new one, whatever becomes of it.
    expect(told.story.preview(LATTER).phase).not.toBe('Failed');
    expect(told.types()).toEqual([]);
    const anew = () =>
      after({ uid: 'anew', creationTimestamp: at(-HOUR + 20) });
    told.pass(anew(), at(-HOUR + 30)).pass(anew());
    expect(told.types()).toEqual([]);
    expect(told.story.preview(LATTER).applications).toHaveLength(1);
    expect(told.story.preview(FORMER).phase).toBe('Gone');
  });

  it('has what is made before the portal knows of it, and the former one has not', () => {
    const early = () =>
      world({ uid: 'anew', creationTimestamp: at(-60) }).mergeRequest({
        created_at: at(-9 * DAY),
        state: 'closed',
        closed_at: at(-DAY),
      });
    const told = new DiffStory()
      .pass(former(), at(-2 * DAY))
      .pass(early().without(['applications', 'namespaces']), at(-DAY))
      .pass(early());
    expect(told.story.preview(FORMER).phase).toBe('Gone');
    told.pass(early().mergeRequest({ iid: 9, created_at: at(-90) }), at(60));
    expect(told.story.preview(LATTER).applications).toHaveLength(1);
    expect(told.types()).toEqual([]);
  });

  it('collides with no MR of that branch that the set does not select', () => {
    const told = new DiffStory().pass(
      former()
        .applicationSet(generatedBy({ labels: ['preview'] }))
        .mergeRequest({ iid: 9, labels: [] }),
    );
    expect(told.types()).toEqual([]);
    expect(told.story.preview(FORMER).applications).toHaveLength(1);
    expect(told.story.preview(LATTER).phase).toBe('NotSelected');
  });
});

describe('a namespace left behind when the Application is gone', () => {
  const left = () =>
    WorldBuilder.empty().applicationSet().mergeRequest(mergedAway).namespace();

  it('is one finding with the namespace as its part and the end of the MR', () => {
    const told = new DiffStory()
      .pass(live().mergeRequest({ created_at: at(-9 * DAY) }), at(-5 * DAY))
      .pass(left(), at(-3 * DAY))
      .pass(left());
    const finding = told.finding('WithoutMergeRequest');
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
        since: at(-HOUR),
        contents: 0,
        previewId: previewIdOf(MERGE_REQUEST),
      },
    ]);
    expect(finding.params.since).toBe(at(-3 * DAY));
    expect(finding.cause?.reason).toBe('NamespaceLeft');
    const { mergeRequest, applications, workloads, message } =
      told.story.preview();
    expect(mergeRequest.state).toBe('merged');
    expect(applications).toEqual([]);
    expect(workloads).toEqual([]);
    expect(message).toContain('preview-mr-7');
  });

  it('is counted with what is in it, unless that is not read', () => {
    const told = new DiffStory()
      .pass(live().mergeRequest({ created_at: at(-9 * DAY) }), at(-5 * DAY))
      .pass(left().deployment().pod(), at(-3 * DAY))
      .pass(left().deployment().pod());
    const contents = () =>
      told
        .finding('WithoutMergeRequest')
        .evidence.find(({ kind }) => kind === 'Namespace')?.contents;
    expect(contents()).toBe(2);
    told.pass(
      left().deployment().pod().kindReading('pods', { state: 'forbidden' }),
      at(60),
    );
    expect(contents()).toBeUndefined();
  });
});

describe('a namespace that several previews were in', () => {
  const SHARED = 'preview-shared';
  const inShared = (template: string) => (numbers: number[]) => {
    const world = WorldBuilder.empty()
      .applicationSet({
        spec: { template: { spec: { destination: { namespace: template } } } },
      })
      .namespace({ metadata: { name: SHARED } });
    for (const iid of [7, 8]) {
      const isOpen = numbers.includes(iid);
      world.mergeRequest({
        iid,
        created_at: at(-9 * DAY),
        ...(!isOpen && { state: 'closed', closed_at: at(-DAY) }),
      });
      if (isOpen) {
        world.application({
          metadata: { name: `preview-mr-${iid}` },
          spec: { destination: { namespace: SHARED } },
        });
      }
    }
    return world;
  };
  const phaseOf = (told: DiffStory, iid: number) =>
    told.story.preview({ ...MERGE_REQUEST, iid }).phase;

  it.each([
    ['by its name alone', 'preview-{{.author}}'],
    ['since the set gives one to all', SHARED],
  ])('is left by none of them when all go, %s', (_, template) => {
    const world = inShared(template);
    const told = new DiffStory()
      .pass(world([7, 8]), at(-2 * DAY))
      .pass(world([]), at(-DAY))
      .pass(world([]));
    expect([7, 8].map(iid => phaseOf(told, iid))).toEqual(['Gone', 'Gone']);
    expect(told.types()).toEqual([]);
  });

  it('is left by the last one, unless the set gives one to all', () => {
    const lastOf = (template: string) => {
      const world = inShared(template);
      return new DiffStory()
        .pass(world([7, 8]), at(-4 * DAY))
        .pass(world([7]), at(-3 * DAY))
        .pass(world([]), at(-DAY))
        .pass(world([]));
    };
    const byAuthor = lastOf('preview-{{.author}}');
    expect(phaseOf(byAuthor, 7)).toBe('Orphaned');
    expect(byAuthor.types()).toEqual(['WithoutMergeRequest']);
    const constant = lastOf(SHARED);
    expect(phaseOf(constant, 7)).toBe('Gone');
    expect(constant.types()).toEqual([]);
  });
});

describe('a cleanup on close that did not happen', () => {
  const closed = () =>
    live()
      .ingress()
      .mergeRequest({ state: 'closed', closed_at: at(-10 * DAY) });

  it('is one finding with its parts and what keeps them', () => {
    const told = new DiffStory()
      .pass(live(), at(-11 * DAY))
      .pass(closed(), at(-10 * DAY))
      .pass(closed());
    const finding = told.finding('WithoutMergeRequest');
    expect(finding.evidence.map(({ kind }) => kind)).toEqual([
      'MergeRequest',
      'Application',
      'Namespace',
      'HTTPRoute',
      'Ingress',
      'Certificate',
    ]);
    expect(finding.evidence[0].since).toBe(at(-10 * DAY));
    expect(finding.params.since).toBe(at(-10 * DAY));
    expect(finding.cause?.reason).toBe('ApplicationLeft');
  });

  it('has the records in DNS of its hosts among its parts, which its own routes name', () => {
    const told = new DiffStory()
      .pass(live().ingress().dnsZone(), at(-11 * DAY))
      .pass(closed().dnsZone(), at(-10 * DAY))
      .pass(closed().dnsZone(['A mr-7.preview.example.com']));
    const records = () =>
      told
        .finding('WithoutMergeRequest')
        .evidence.filter(({ kind }) => kind === 'DnsRecord');
    expect(records()).toEqual([
      {
        kind: 'DnsRecord',
        name: 'A mr-7.preview.example.com',
        previewId: previewIdOf(MERGE_REQUEST),
      },
    ]);
    // Somebody else uses the host.
    told.pass(
      closed()
        .ingress({ metadata: { namespace: 'elsewhere', uid: 'ingress-else' } })
        .dnsZone(['A mr-7.preview.example.com']),
      at(60),
    );
    expect(records()).toEqual([]);
  });

  it('is one too where the set alone was deleted, and its Application lives on', () => {
    const left = () =>
      live()
        .without('applicationSets')
        .application({ metadata: { ownerReferences: null } });
    const told = new DiffStory()
      .pass(live(), at(-2 * DAY))
      .pass(left(), at(-DAY))
      .pass(left());
    expect(told.finding('WithoutMergeRequest').cause?.reason).toBe(
      'ApplicationKept',
    );
    expect(told.story.preview().phase).toBe('Orphaned');
  });

  it('is one too where the MR was deleted', () => {
    const deleted = () => live().mergeRequest({}, { deletedAt: at(-10 * DAY) });
    const told = new DiffStory()
      .pass(live(), at(-11 * DAY))
      .pass(deleted(), at(-10 * DAY))
      .pass(deleted());
    const finding = told.finding('WithoutMergeRequest');
    expect(finding.params.since).toBe(at(-10 * DAY));
    expect(finding.cause?.reason).toBe('ApplicationLeft');
    expect(told.story.preview().mergeRequest.state).toBe('deleted');
    expect(told.story.verdict('MergeRequestOpen')).toBe('False Deleted');
  });

  it('is the generator’s where the set still lists it', () => {
    const kept = () =>
      closed().applicationSet(generatedBy({ pullRequestState: null }));
    expect(new DiffStory().pass(kept()).types()).toEqual(['KeptByGenerator']);
  });
});

it('a finding that comes again has its id again, and a new time', () => {
  const told = new DiffStory().pass(stranger(live()));
  const before = told.finding('Unjoined');
  told.pass(live(), at(60)).pass(stranger(live()), at(120));
  expect(told.finding('Unjoined')).toEqual({ ...before, since: at(120) });
});

it('a cluster that is no longer configured takes its findings with it', () => {
  const told = new DiffStory().pass(stranger(live()));
  expect(told.types()).toEqual(['Unjoined']);
  told.pass({ ...live().build(), clusters: [] }, at(60));
  expect(told.types()).toEqual([]);
});
