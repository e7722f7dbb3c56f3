import { World } from '../model';
import { Story } from '../testing/Story';
import {
  at,
  CLUSTER,
  generatedBy,
  HEAD,
  HOST,
  MERGE_REQUEST,
  NOW,
  OLD,
  pipeline,
  pullRequestGenerator,
  WorldBuilder,
} from '../testing/world';
import { isEnded } from './demand';
import { decideAll } from './pass';
import { defaultSettings } from './settings';

const { empty, open, live } = WorldBuilder;

const demandOf = (world: WorldBuilder) =>
  new Story().pass(world).result!.demand;

describe('what is to be read next', () => {
  it.each<[string, () => WorldBuilder, object[]]>([
    ['projects that sets name by path', open, [{ path: 'group/shop' }]],
    [
      'projects that sets name by id',
      () => open().applicationSet(generatedBy({ project: '42' })),
      [{ id: 42 }],
    ],
    [
      'each project once',
      () => open().applicationSet({ metadata: { name: 'b' } }),
      [{ path: 'group/shop' }],
    ],
    [
      'the projects that a matrix lists',
      () =>
        empty().applicationSet({
          spec: {
            generators: [
              {
                matrix: {
                  generators: [
                    { list: { elements: [{ p: 'a/b' }, { p: '9' }] } },
                    pullRequestGenerator({ project: '{{.p}}' }),
                  ],
                },
              },
            ],
          },
        }),
      [{ path: 'a/b' }, { id: 9 }],
    ],
    ['no project of an entity that no set names', () => empty().entity(), []],
    [
      'the project of an entity that asks for previews',
      () => empty().entity({ explicit: true }),
      [{ path: 'group/shop' }],
    ],
    [
      'the project of an entity that a set’s pattern may mean',
      () =>
        empty()
          .entity()
          .entity({
            entityRef: 'component:default/x',
            project: { host: HOST, path: 'elsewhere/x' },
          })
          .applicationSet({
            spec: {
              generators: [
                {
                  matrix: {
                    generators: [
                      { plugin: {} },
                      pullRequestGenerator({ project: 'group/{{.r}}' }),
                    ],
                  },
                },
              ],
            },
          }),
      [{ path: 'group/shop' }],
    ],
    [
      'nothing of a GitLab that is not configured',
      () =>
        empty().entity({
          explicit: true,
          project: { host: 'gitlab.com', path: 'a/b' },
        }),
      [],
    ],
    [
      'nothing of other forges',
      () =>
        empty().applicationSet({
          spec: { generators: [{ pullRequest: { github: {} } }] },
        }),
      [],
    ],
  ])('%s', (_, world, projects) => {
    expect(demandOf(world()).projects.get(HOST)).toEqual(projects);
  });

  it('every MR that is not ended', () => {
    const world = live().mergeRequest({ iid: 8, state: 'closed' });
    expect(demandOf(world).mergeRequests.get(HOST)).toEqual([
      { projectId: 42, iid: 7 },
    ]);
  });

  it('MRs that Applications point to', () => {
    const world = empty()
      .applicationSet(generatedBy({ project: '42' }))
      .application();
    expect(demandOf(world).mergeRequests.get(HOST)).toEqual([
      { projectId: 42, iid: 7 },
    ]);
  });

  it('the tag of a head that no pod has pulled', () => {
    expect(demandOf(open()).tags.get(HOST)).toEqual([
      { projectId: 42, iid: 7, tag: HEAD.slice(0, 8), headSha: HEAD },
    ]);
  });

  it('no tag that a pod has pulled', () => {
    expect(demandOf(live()).tags.get(HOST)).toBeUndefined();
  });

  it('no tag where the set asks for none', () => {
    const world = open().applicationSet({
      spec: { template: { spec: { source: { helm: null } } } },
    });
    expect(demandOf(world).tags.get(HOST)).toBeUndefined();
  });

  it('the paths that entities of a project are limited to', () => {
    const world = open()
      .entity({ entityRef: 'component:default/web', path: 'services/web' })
      .entity({ entityRef: 'component:default/api', path: 'services/api' })
      .entity({ entityRef: 'component:default/all' });
    expect(demandOf(world).paths.get(HOST)).toEqual([
      { projectId: 42, paths: ['services/api', 'services/web'] },
    ]);
  });

  it('no changed files where no entity asks for a path', () => {
    expect(demandOf(open().entity({})).paths.get(HOST)).toBeUndefined();
  });

  it('no tag of an MR that nobody wants', () => {
    expect(
      demandOf(open().mergeRequest({ labels: [] })).tags.get(HOST),
    ).toBeUndefined();
  });
});

describe('isEnded', () => {
  it.each<[string, () => Story, boolean]>([
    ['a live preview', () => new Story().pass(live()), false],
    [
      'an open MR that is not selected',
      () => new Story().pass(open().mergeRequest({ labels: [] })),
      false,
    ],
    [
      'a closed MR that never had anything',
      () => new Story().pass(open().mergeRequest({ state: 'closed' })),
      true,
    ],
    [
      'a preview that is torn down',
      () =>
        new Story()
          .pass(live(), at(-60))
          .pass(live().mergeRequest({ state: 'merged' })),
      false,
    ],
  ])('is told for %s', (_, story, ended) => {
    expect(isEnded(story().decision().change.stored)).toBe(ended);
  });
});

describe('a pass', () => {
  it('decides a stored preview whose MR is not read', () => {
    const story = new Story()
      .pass(live(), at(-60))
      .pass(live().forgetProjects());
    expect(story.preview().phase).toBe('Live');
  });

  it('decides nothing for a key that nothing is known of', () => {
    const story = new Story().pass(
      empty()
        .applicationSet(generatedBy({ project: '42' }))
        .application(),
    );
    expect(story.find(MERGE_REQUEST)).toBeUndefined();
  });

  it('reports Applications that no MR is found for', () => {
    const story = new Story().pass(
      open().application({ metadata: { name: 'surprise' }, status: null }),
    );
    expect(story.result!.unjoined.map(({ fact }) => fact.meta.name)).toEqual([
      'surprise',
    ]);
  });

  it('gives previews to the entities of their project', () => {
    const story = new Story().pass(live().entity());
    expect(story.preview().entityRefs).toEqual(['component:default/shop']);
  });

  it('keeps the entities of a preview while its project is unread', () => {
    const story = new Story()
      .pass(live().entity(), at(-60))
      .pass(live().entity().forgetProjects());
    expect(story.preview().entityRefs).toEqual(['component:default/shop']);
  });

  it('is not held up by hostile text', () => {
    const hostile = '<img src=x onerror=alert(1)>{{.x}}\u202e'.repeat(50);
    const story = new Story().pass(
      live()
        .mergeRequest({
          title: hostile,
          source_branch: hostile.slice(0, 200),
          labels: ['preview', hostile],
        })
        .application({
          metadata: {
            annotations: { 'example.com/big': 'x'.repeat(1_000_000) },
          },
          status: {
            conditions: [{ type: 'ComparisonError', message: hostile }],
          },
        }),
    );
    expect(story.verdict('Synced')).toBe('False ComparisonError');
    expect(JSON.stringify(story.decision()).length).toBeLessThan(50_000);
  });
});

/** A world of many projects, each with its set, its MR and its Application. */
function large(count: number): World {
  const world = WorldBuilder.empty();
  for (let id = 1000; id < 1000 + count; id += 1) {
    const path = `group/p${id}`;
    const uid = `set-p${id}`;
    world
      .project({ id, path_with_namespace: path })
      .entity({
        entityRef: `component:default/p${id}`,
        project: { host: HOST, path },
      })
      .mergeRequest(
        { project_id: id, sha: id % 2 ? HEAD : OLD },
        { pipelines: [pipeline()] },
      )
      .applicationSet({
        metadata: { name: `p${id}` },
        spec: {
          generators: [pullRequestGenerator({ project: path })],
          template: { metadata: { name: `p${id}-{{.number}}` } },
        },
      });
    if (id % 4) {
      world.application({
        metadata: {
          name: `p${id}-7`,
          ownerReferences: [
            { kind: 'ApplicationSet', name: `p${id}`, uid, controller: true },
          ],
        },
      });
    }
  }
  return world.build();
}

describe('the cost of a pass', () => {
  const decide = (world: World, stored = new Map()) =>
    decideAll({
      world,
      stored,
      settings: defaultSettings,
      isClaimAllowed: () => true,
      now: NOW,
    });

  /** Reads of the project's facts that one pass makes, as a measure that no clock disturbs. */
  const reads = (count: number) => {
    const world = large(count);
    const read = jest.fn();
    for (const project of world.gitlab[0].projects.values()) {
      const { mergeRequests } = project;
      Object.defineProperty(project, 'mergeRequests', {
        get: () => read() ?? mergeRequests,
      });
    }
    decide(world);
    return read.mock.calls.length;
  };

  it('grows with the number of projects and sets, not with its square', () => {
    const [small, big] = [reads(50), reads(200)];
    expect(big).toBeLessThanOrEqual(small * 4.5);
  });

  it('writes nothing where nothing changed', () => {
    const world = large(100);
    const first = decide(world);
    const stored = new Map(
      [...first.decisions].map(([id, { change }]) => [
        id,
        JSON.parse(JSON.stringify(change.stored)),
      ]),
    );
    const second = decide(world, stored);
    expect(
      [...second.decisions.values()].filter(({ unchanged }) => !unchanged),
    ).toEqual([]);
    expect(second.decisions.size).toBe(100);
  });

  it('names the cluster of these tests', () => {
    expect(large(1).clusters[0].cluster).toBe(CLUSTER);
  });
});
