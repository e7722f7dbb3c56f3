import { EntityFact } from '../model';
import { Story } from '../testing/Story';
import { at, generatedBy, HEAD, HOST, WorldBuilder } from '../testing/world';

const { live } = WorldBuilder;

function link(world: WorldBuilder, isClaimAllowed = () => false) {
  const story = new Story({ isClaimAllowed }).pass(world);
  const [found] = story.result!.links;
  return {
    refs: story.preview().entityRefs,
    sets: found.applicationSets,
    project: found.project?.path,
    problems: found.problems.map(
      ({ annotation, reason }) => `${annotation} ${reason}`,
    ),
  };
}

const withEntity = (entity: Partial<EntityFact> = {}) => live().entity(entity);
const REF = 'component:default/shop';
const SET = 'main:argocd/shop-previews';
const owned = { project: 'group/shop', problems: [], refs: [REF], sets: [SET] };

describe('a preview stays where it was', () => {
  it('while the catalog has not been read since the start', () => {
    const story = new Story().pass(withEntity(), at(-60));
    const world = live().readAt(at(0)).build();
    story.pass(
      { ...world, catalog: { state: 'pending', entities: [] } },
      at(0),
    );
    expect(story.preview().entityRefs).toEqual([REF]);
    expect(story.pass(live(), at(60)).preview().entityRefs).toEqual([]);
  });

  it.each<[string, Partial<EntityFact>]>([
    ['with a project', {}],
    ['without a project', { project: undefined }],
  ])('while the set that its entity names is not read, %s', (_, entity) => {
    const named = () =>
      withEntity({
        ...entity,
        applicationSets: [{ namespace: 'argocd', name: 'shop-previews' }],
      });
    const story = new Story()
      .pass(named(), at(-60))
      .pass(named().unreadCluster());
    expect(story.preview().entityRefs).toEqual([REF]);
  });

  it.each<[string, Partial<EntityFact>]>([
    ['with a project', {}],
    ['without a project', { project: undefined }],
  ])(
    'while the cluster of the set that its entity names is configured no more, %s',
    (_, entity) => {
      const named = () =>
        withEntity({
          ...entity,
          applicationSets: [{ namespace: 'argocd', name: 'shop-previews' }],
        });
      const story = new Story()
        .pass(named(), at(-60))
        .pass(named().withoutCluster().cluster({ cluster: 'other' }));
      expect(story.preview().entityRefs).toEqual([REF]);
    },
  );

  it('while the cluster that its entity is limited to is configured no more', () => {
    const world = () =>
      WorldBuilder.open()
        .application({
          spec: { destination: { server: 'https://blue.example.com' } },
        })
        .entity({ cluster: 'blue' })
        .entity({ entityRef: 'component:default/else', cluster: 'main' });
    const blue = () =>
      world()
        .cluster({
          cluster: 'blue',
          destinations: ['https://blue.example.com'],
        })
        .namespace({}, 'blue');
    const story = new Story().pass(blue(), at(-60)).pass(world());
    expect(story.preview().entityRefs).toEqual([REF]);
  });
});

describe('what an entity’s annotations lead to', () => {
  it.each<[string, () => unknown, object]>([
    ['its project by path', () => link(withEntity()), owned],
    [
      'its project by path in another case',
      () => link(withEntity({ project: { host: HOST, path: 'Group/Shop' } })),
      owned,
    ],
    [
      'its project by id',
      () => link(withEntity({ project: { host: HOST, id: 42 } })),
      owned,
    ],
    [
      'no project of another host',
      () =>
        link(
          withEntity({ project: { host: 'gitlab.com', path: 'group/shop' } }),
          () => true,
        ),
      { project: undefined, refs: [] },
    ],
    [
      'no project of another top-level group',
      () => link(withEntity({ ownGroup: { host: HOST, group: 'other' } })),
      {
        project: undefined,
        refs: [],
        sets: [],
        problems: ['gitlab.com/project-slug ProjectClaimedFromElsewhere'],
      },
    ],
    [
      'no project claimed by id from another group',
      () =>
        link(
          withEntity({ project: { host: HOST, id: 42 }, ownGroup: undefined }),
        ),
      {
        refs: [],
        problems: ['gitlab.com/project-id ProjectClaimedFromElsewhere'],
      },
    ],
    [
      'no project of the same group on another host',
      () =>
        link(withEntity({ ownGroup: { host: 'gitlab.com', group: 'group' } })),
      {
        refs: [],
        problems: ['gitlab.com/project-slug ProjectClaimedFromElsewhere'],
      },
    ],
    [
      'a project of another group where the configuration allows it',
      () => link(withEntity({ ownGroup: undefined }), () => true),
      owned,
    ],
    [
      'no group that only begins alike',
      () => link(withEntity({ ownGroup: { host: HOST, group: 'grou' } })),
      { refs: [] },
    ],
    [
      'a project that GitLab does not have',
      () =>
        link(
          live()
            .gitlab({
              host: HOST,
              unreadable: [
                {
                  reference: 'group/none',
                  status: 404,
                  error: { reason: 'NotFound', message: '', since: '' },
                },
              ],
            })
            .entity({ project: { host: HOST, path: 'group/none' } }),
        ),
      {
        project: undefined,
        problems: ['gitlab.com/project-slug ProjectNotFound'],
      },
    ],
    [
      'a project that was not read yet, without a problem',
      () => link(withEntity({ project: { host: HOST, path: 'group/later' } })),
      { project: undefined, problems: [] },
    ],
    [
      'a set that it names',
      () =>
        link(
          withEntity({
            applicationSets: [{ namespace: 'argocd', name: 'shop-previews' }],
          }),
        ),
      owned,
    ],
    [
      'a set that it names in a cluster',
      () =>
        link(
          withEntity({
            applicationSets: [
              { cluster: 'main', namespace: 'argocd', name: 'shop-previews' },
            ],
          }),
        ),
      owned,
    ],
    [
      'a set that is not there',
      () =>
        link(
          withEntity({
            applicationSets: [{ namespace: 'argocd', name: 'none' }],
          }),
        ),
      {
        refs: [],
        problems: ['previews/application-set ApplicationSetNotFound'],
      },
    ],
    [
      'a set that is not there in that cluster',
      () =>
        link(
          withEntity({
            applicationSets: [
              { cluster: 'blue', namespace: 'argocd', name: 'shop-previews' },
            ],
          }),
        ),
      { problems: ['previews/application-set ApplicationSetNotFound'] },
    ],
    [
      'no missing set while sets are unread',
      () =>
        link(
          withEntity({
            applicationSets: [{ namespace: 'argocd', name: 'none' }],
          }).kindReading('applicationSets', { state: 'pending' }),
        ),
      { problems: [] },
    ],
    [
      'no previews of another set of its project than the one that it names',
      () =>
        link(
          live()
            .applicationSet({
              metadata: { name: 'load' },
              ...generatedBy({ labels: ['load'] }),
            })
            .entity({
              applicationSets: [{ namespace: 'argocd', name: 'load' }],
            }),
        ),
      { refs: [], sets: ['main:argocd/load'] },
    ],
    [
      'previews by a set alone',
      () =>
        link(
          withEntity({
            project: undefined,
            applicationSets: [{ namespace: 'argocd', name: 'shop-previews' }],
          }),
        ),
      { refs: [REF], sets: [SET] },
    ],
    [
      'no previews by a set alone of a project that it may not claim',
      () =>
        link(
          withEntity({
            project: undefined,
            ownGroup: { host: HOST, group: 'other' },
            applicationSets: [{ namespace: 'argocd', name: 'shop-previews' }],
          }),
        ),
      { refs: [] },
    ],
    [
      'previews in its cluster',
      () => link(withEntity({ cluster: 'main' })),
      owned,
    ],
    [
      'no previews in another cluster',
      () => link(withEntity({ cluster: 'blue' })),
      { refs: [] },
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toMatchObject(expected);
  });

  it.each([
    ['while it is torn down', () => live().mergeRequest({ state: 'closed' })],
    [
      'once it is gone',
      () =>
        live()
          .mergeRequest({ state: 'closed' })
          .without([
            'applications',
            'namespaces',
            'deployments',
            'replicaSets',
            'pods',
          ]),
    ],
  ])('a preview stays with the entity of its set %s', (_, world) => {
    const entities = (builder: WorldBuilder) =>
      builder
        .applicationSet({
          metadata: { name: 'load' },
          ...generatedBy({ labels: ['load'] }),
        })
        .entity({
          applicationSets: [{ namespace: 'argocd', name: 'shop-previews' }],
        })
        .entity({
          entityRef: 'component:default/load',
          applicationSets: [{ namespace: 'argocd', name: 'load' }],
        });
    const story = new Story().pass(entities(live()), at(-60));
    expect(story.preview().entityRefs).toEqual([REF]);
    expect(story.pass(entities(world())).preview().entityRefs).toEqual([REF]);
  });

  describe('a path', () => {
    const limited = (
      touched?: string[],
      options: { forHead?: string; asked?: string[] } = {},
    ) =>
      live()
        .mergeRequest(
          {},
          touched && {
            touchedPaths: {
              forHead: HEAD,
              asked: ['services/api', 'services/web'],
              readAt: at(0),
              ...options,
              touched,
            },
          },
        )
        .entity({ entityRef: 'component:default/api', path: 'services/api' })
        .entity({ entityRef: 'component:default/web', path: 'services/web' })
        .entity({ entityRef: 'component:default/all' });
    const refs = (story: Story) =>
      story
        .preview()
        .entityRefs.map(reference => reference.split('/')[1])
        .sort();

    it.each([
      ['that it touches', ['services/api'], ['all', 'api']],
      [
        'of which it touches both',
        ['services/api', 'services/web'],
        ['all', 'api', 'web'],
      ],
      ['that it does not touch', [], ['all']],
    ])('limits an entity to MRs by one %s', (_, touched, expected) => {
      expect(refs(new Story().pass(limited(touched)))).toEqual(expected);
    });

    it('hides nothing while the changed files are not known', () => {
      expect(refs(new Story().pass(limited()))).toEqual(['all', 'api', 'web']);
    });

    it.each<[string, () => WorldBuilder]>([
      ['are not read yet', () => limited()],
      [
        'are those of another head',
        () => limited(['services/web'], { forHead: 'b'.repeat(40) }),
      ],
      [
        'were not looked through for it',
        () => limited(['services/web'], { asked: [] }),
      ],
    ])('keeps what was known while the changed files %s', (_, world) => {
      const story = new Story().pass(limited(['services/api']), at(-60));
      expect(refs(story.pass(world()))).toEqual(['all', 'api']);
    });

    it('follows a push that touches something else', () => {
      const story = new Story().pass(limited(['services/api']), at(-60));
      expect(refs(story.pass(limited(['services/web'])))).toEqual([
        'all',
        'web',
      ]);
    });
  });

  it('several entities may share a project, and are told in order', () => {
    const story = new Story().pass(
      live()
        .entity({ entityRef: 'component:default/b' })
        .entity({ entityRef: 'component:default/a' }),
    );
    expect(story.preview().entityRefs).toEqual([
      'component:default/a',
      'component:default/b',
    ]);
  });
});
