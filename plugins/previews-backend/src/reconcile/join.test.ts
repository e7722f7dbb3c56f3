import { MergeRequestKey } from '../model';
import {
  at,
  generatedBy,
  HEAD,
  HOST,
  Json,
  OLD,
  ownedBy,
  WorldBuilder,
} from '../testing/world';
import { FormerJoins, joinApplications } from './join';
import { keyString, WorldIndex } from './worldIndex';

const MR_7 = { host: HOST, projectId: 42, iid: 7 };
const MR_8 = { host: HOST, projectId: 42, iid: 8 };
const { open } = WorldBuilder;

function join(world: WorldBuilder, former: FormerJoins = new Map()) {
  return joinApplications(new WorldIndex(world.build()), former);
}

/** `rule -> project!iid` of the one Application, `unjoined`, or `left alone`. */
function outcome(world: WorldBuilder, former?: FormerJoins): string {
  const { byMergeRequest, unjoined } = join(world, former);
  const [joined] = [...byMergeRequest.values()].flat();
  if (joined) {
    return `${joined.rule} -> ${joined.key.projectId}!${joined.key.iid}`;
  }
  return unjoined.length > 0
    ? `unjoined of ${unjoined[0].candidates.length}`
    : 'left alone';
}

const joinedBefore = (key: MergeRequestKey, ownerUid?: string): FormerJoins =>
  new Map([['app-preview-mr-7', { key, ownerUid }]]);

const labelled = (projectId: string, iid: string) => ({
  metadata: {
    labels: {
      'previews/project-id': projectId,
      'previews/merge-request': iid,
    },
  },
});

/** A set whose names tell the branch alone, and the Application of one. */
const byBranch = () =>
  open()
    .applicationSet({
      spec: { template: { metadata: { name: 'mr-{{.branch_slug}}' } } },
    })
    .application({
      metadata: { name: 'mr-feature-basket', uid: 'app-preview-mr-7' },
    });

/** A set whose names tell nothing, so that only other evidence counts. */
const nameless = () =>
  open().applicationSet({
    spec: { template: { metadata: { name: 'x-{{randAlphaNum 5}}' } } },
  });

const evident = (patch: Json) =>
  nameless().application({
    metadata: { name: 'x-abcde', ...patch.metadata },
    spec: patch.spec,
    status: { summary: { images: patch.images ?? [] } },
  });

const ADDRESS = `https://${HOST}/group/shop/-/merge_requests/7`;

describe('joinApplications', () => {
  it.each<[string, () => string, string]>([
    [
      'joins again what was joined before, whatever its name says now',
      () =>
        outcome(
          open().mergeRequest({ iid: 8 }).application(),
          joinedBefore(MR_8, 'set-shop-previews'),
        ),
      'before -> 42!8',
    ],
    [
      'joins what was joined before while its project is not read',
      () =>
        outcome(
          open()
            .application()
            .projectReading({ state: 'pending', completeAt: undefined }),
          joinedBefore(MR_8, 'set-shop-previews'),
        ),
      'before -> 42!8',
    ],
    [
      'joins nothing to an MR that was deleted before anybody saw it',
      () =>
        outcome(
          WorldBuilder.empty()
            .applicationSet()
            .application()
            .projectReading({ missing: new Map([[7, at(-60)]]) }),
        ),
      'unjoined of 0',
    ],
    [
      'joins to a deleted MR what was joined to it before',
      () =>
        outcome(
          WorldBuilder.empty()
            .applicationSet()
            .application()
            .projectReading({ missing: new Map([[7, at(-60)]]) }),
          joinedBefore(MR_7, 'set-shop-previews'),
        ),
      'before -> 42!7',
    ],
    [
      'gives an Application whose MR is over to the one that has its name now',
      () =>
        outcome(
          byBranch().mergeRequest({ iid: 8, state: 'closed' }),
          joinedBefore(MR_8, 'set-shop-previews'),
        ),
      'name -> 42!7',
    ],
    [
      'gives it to the one that its labels name now',
      () =>
        outcome(
          open()
            .mergeRequest({ iid: 8, state: 'merged' })
            .application(labelled('42', '7')),
          joinedBefore(MR_8, 'set-shop-previews'),
        ),
      'labels -> 42!7',
    ],
    [
      'gives nothing away while two could have it',
      () =>
        outcome(
          byBranch()
            .mergeRequest({ iid: 8, state: 'closed' })
            .mergeRequest({ iid: 9 }),
          joinedBefore(MR_8, 'set-shop-previews'),
        ),
      'before -> 42!8',
    ],
    [
      'joins the MR that is selected, not one of the same branch that is not',
      () => outcome(byBranch().mergeRequest({ iid: 8, state: 'closed' })),
      'name -> 42!7',
    ],
    [
      'joins the newest of those that had the branch once none is selected',
      () =>
        outcome(
          byBranch()
            .mergeRequest({ state: 'closed' })
            .mergeRequest({ iid: 8, state: 'closed' }),
        ),
      'name -> 42!8',
    ],
    [
      'does not join what was made long after the MR of that branch was over',
      () =>
        outcome(
          byBranch().mergeRequest({
            state: 'closed',
            closed_at: at(-86_400),
          }),
        ),
      'unjoined of 0',
    ],
    [
      'joins again what its set left behind without an owner',
      () =>
        outcome(
          open()
            .without('applicationSets')
            .application({ metadata: { ownerReferences: null } }),
          joinedBefore(MR_7, 'set-shop-previews'),
        ),
      'before -> 42!7',
    ],
    [
      'does not trust an earlier join once another set owns it',
      () => outcome(open().application(), joinedBefore(MR_8, 'set-of-old')),
      'name -> 42!7',
    ],
    [
      'does not trust an earlier join of another Application of that name',
      () =>
        outcome(
          open().application({ metadata: { uid: 'app-new' } }),
          joinedBefore(MR_8, 'set-shop-previews'),
        ),
      'name -> 42!7',
    ],
    [
      'joins again while no set can be read',
      () =>
        outcome(
          open().application().without('applicationSets'),
          joinedBefore(MR_7, 'set-shop-previews'),
        ),
      'before -> 42!7',
    ],
    [
      'joins by the labels of our template before the name',
      () => outcome(open().application(labelled('42', '8'))),
      'labels -> 42!8',
    ],
    [
      'joins by labels an MR that was not read yet',
      () =>
        outcome(
          WorldBuilder.empty()
            .applicationSet()
            .application(labelled('42', '7')),
        ),
      'labels -> 42!7',
    ],
    [
      'joins by labels where no set can be read and one GitLab is configured',
      () =>
        outcome(
          open().without('applicationSets').application(labelled('42', '7')),
        ),
      'labels -> 42!7',
    ],
    [
      'does not believe labels of an Application that no set owns',
      () =>
        outcome(
          open().application({
            metadata: {
              ...labelled('42', '7').metadata,
              name: 'shop-dev',
              ownerReferences: null,
            },
          }),
        ),
      'left alone',
    ],
    [
      'does not guess the GitLab of labels where two are configured',
      () =>
        outcome(
          open()
            .gitlab({ host: 'gitlab.com' })
            .without('applicationSets')
            .application({ ...labelled('42', '7'), status: { summary: null } }),
        ),
      'unjoined of 0',
    ],
    [
      'ignores labels that are no numbers',
      () => outcome(open().application(labelled('42', '0x7'))),
      'name -> 42!7',
    ],
    [
      'ignores labels of a set of another forge',
      () =>
        outcome(
          open()
            .applicationSet({
              spec: { generators: [{ pullRequest: { github: {} } }] },
            })
            .application(labelled('42', '7')),
        ),
      'left alone',
    ],
    [
      'joins by the name that the set gives',
      () => outcome(open().application()),
      'name -> 42!7',
    ],
    [
      'joins by a branch slug',
      () =>
        outcome(
          open()
            .applicationSet({
              spec: {
                template: { metadata: { name: 'shop-{{.branch_slug}}' } },
              },
            })
            .application({ metadata: { name: 'shop-feature-basket' } }),
        ),
      'name -> 42!7',
    ],
    [
      'joins by the slug of an older Argo CD, which kept dots',
      () =>
        outcome(
          open()
            .mergeRequest({ source_branch: 'release/1.2.x' })
            .applicationSet({
              spec: {
                template: { metadata: { name: 'shop-{{.branch_slug}}' } },
              },
            })
            .application({ metadata: { name: 'shop-release-1.2.x' } }),
        ),
      'name -> 42!7',
    ],
    [
      'joins a remembered MR by name after it was merged',
      () => outcome(open().mergeRequest({ state: 'merged' }).application()),
      'name -> 42!7',
    ],
    [
      'joins by the name of an older template',
      () =>
        outcome(
          open()
            .applicationSet({
              spec: {
                goTemplate: false,
                template: { metadata: { name: 'preview-mr-{{number}}' } },
              },
            })
            .application(),
        ),
      'name -> 42!7',
    ],
    [
      'joins nothing where two MRs get the same name',
      () =>
        outcome(
          open()
            .mergeRequest({ iid: 8, source_branch: 'feature_basket' })
            .applicationSet({
              spec: {
                template: { metadata: { name: 'shop-{{.branch_slug}}' } },
              },
            })
            .application({ metadata: { name: 'shop-feature-basket' } }),
        ),
      'unjoined of 2',
    ],
    [
      'reads the number back while GitLab is not read',
      () =>
        outcome(
          WorldBuilder.empty()
            .applicationSet(generatedBy({ project: '42' }))
            .application(),
        ),
      'number -> 42!7',
    ],
    [
      'reads the number back for a project by path, once its id is known',
      () => outcome(WorldBuilder.empty().applicationSet().application()),
      'number -> 42!7',
    ],
    [
      'reads no number back while a project’s id is not known',
      () =>
        outcome(
          WorldBuilder.empty().applicationSet().application().forgetProjects(),
        ),
      'unjoined of 0',
    ],
    [
      'reads no number back where two projects could have it',
      () =>
        outcome(
          WorldBuilder.empty()
            .applicationSet({
              spec: {
                generators: [
                  {
                    pullRequest: {
                      gitlab: { api: `https://${HOST}`, project: '42' },
                    },
                  },
                  {
                    pullRequest: {
                      gitlab: { api: `https://${HOST}`, project: '43' },
                    },
                  },
                ],
              },
            })
            .application({ status: null }),
        ),
      'unjoined of 0',
    ],
    [
      'joins by the MR’s address in an annotation',
      () =>
        outcome(
          evident({
            metadata: { annotations: { 'example.com/mr': `See ${ADDRESS}` } },
          }),
        ),
      'evidence -> 42!7',
    ],
    [
      'joins by the MR’s address in info',
      () =>
        outcome(evident({ spec: { info: [{ name: 'MR', value: ADDRESS }] } })),
      'evidence -> 42!7',
    ],
    [
      'does not join by two addresses',
      () =>
        outcome(
          evident({
            spec: {
              info: [
                { name: 'a', value: ADDRESS },
                { name: 'b', value: ADDRESS.replace(/7$/, '8') },
              ],
            },
          }).mergeRequest({ iid: 8, sha: OLD }),
        ),
      'unjoined of 0',
    ],
    [
      'does not join by an address on another host',
      () =>
        outcome(
          evident({
            spec: {
              info: [
                {
                  name: 'MR',
                  value: ADDRESS.replace(HOST, 'evil.example.com'),
                },
              ],
            },
          }),
        ),
      'unjoined of 0',
    ],
    [
      'joins by a tag that is the head of one MR',
      () =>
        outcome(evident({ images: [`elsewhere/shop:${HEAD.slice(0, 8)}`] })),
      'evidence -> 42!7',
    ],
    [
      'joins by a tag with a digest behind it',
      () =>
        outcome(
          evident({
            images: [
              `elsewhere/shop:${HEAD.slice(0, 7)}@sha256:${'ab'.repeat(32)}`,
            ],
          }),
        ),
      'evidence -> 42!7',
    ],
    [
      'joins by a target revision that is the head of one MR',
      () => outcome(evident({ spec: { source: { targetRevision: HEAD } } })),
      'evidence -> 42!7',
    ],
    [
      'does not join by six characters',
      () => outcome(evident({ images: [`shop:${HEAD.slice(0, 6)}`] })),
      'unjoined of 0',
    ],
    [
      'does not join by a head that two MRs have',
      () =>
        outcome(
          evident({ images: [`shop:${HEAD.slice(0, 8)}`] }).mergeRequest({
            iid: 8,
          }),
        ),
      'unjoined of 0',
    ],
    [
      'does not join by the head of an MR that the set does not list',
      () =>
        outcome(
          evident({ images: [`shop:${OLD.slice(0, 8)}`] })
            .project({ id: 43, path_with_namespace: 'group/cart' })
            .mergeRequest({ project_id: 43, sha: OLD }),
        ),
      'unjoined of 0',
    ],
    [
      'joins by a tag where the set cannot be read and the MR is open',
      () =>
        outcome(
          evident({ images: [`shop:${HEAD.slice(0, 8)}`] }).without(
            'applicationSets',
          ),
        ),
      'evidence -> 42!7',
    ],
    [
      'takes no other environment that runs a merged commit for a preview',
      () =>
        outcome(
          evident({ images: [`shop:${HEAD.slice(0, 8)}`] })
            .mergeRequest({ state: 'merged' })
            .without('applicationSets'),
        ),
      'unjoined of 0',
    ],
    [
      'takes nothing that nobody generated for a preview by its tag',
      () =>
        outcome(
          open().application({
            metadata: { name: 'shop-dev', ownerReferences: null },
          }),
        ),
      'left alone',
    ],
    [
      'joins what nobody generated by the MR’s address',
      () =>
        outcome(
          open().application({
            metadata: {
              ownerReferences: null,
              annotations: { 'example.com/mr': ADDRESS },
            },
          }),
        ),
      'evidence -> 42!7',
    ],
    [
      'leaves alone what another controller owns',
      () =>
        outcome(
          open().application({
            metadata: {
              ownerReferences: [
                { kind: 'Application', name: 'a', uid: 'b', controller: true },
              ],
            },
          }),
        ),
      'left alone',
    ],
    [
      'leaves alone what a set without a GitLab generator owns',
      () =>
        outcome(
          open()
            .applicationSet({
              metadata: { name: 'infra' },
              spec: { generators: [{ list: {} }] },
            })
            .application({ metadata: { ownerReferences: [ownedBy('infra')] } }),
        ),
      'left alone',
    ],
    [
      'leaves alone what a set on a GitLab that is not configured owns',
      () =>
        outcome(
          open()
            .applicationSet(generatedBy({ api: 'https://gitlab.com' }))
            .application(),
        ),
      'left alone',
    ],
    [
      'reports what a GitLab set owns and no rule joins',
      () =>
        outcome(
          open().application({ metadata: { name: 'surprise' }, status: null }),
        ),
      'unjoined of 0',
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual()).toBe(expected);
  });

  it('asks for MRs that Applications point to and that were not read', () => {
    const { wanted } = join(
      WorldBuilder.empty().applicationSet().application(),
    );
    expect(wanted).toEqual([MR_7]);
  });

  it('gives one MR its Applications in several clusters', () => {
    const { byMergeRequest } = join(
      open()
        .application()
        .cluster({ cluster: 'blue' })
        .applicationSet({ metadata: { uid: 'set-blue' } }, 'blue')
        .application(
          {
            metadata: {
              uid: 'app-blue',
              ownerReferences: [
                {
                  kind: 'ApplicationSet',
                  name: 'shop-previews',
                  uid: 'set-blue',
                  controller: true,
                },
              ],
            },
          },
          'blue',
        ),
    );
    expect(
      byMergeRequest.get(keyString(MR_7))!.map(({ cluster }) => cluster),
    ).toEqual(['main', 'blue']);
  });

  it('tells MRs of the same number in two projects apart by the owning set', () => {
    const { byMergeRequest } = join(
      open()
        .application()
        .project({ id: 43, path_with_namespace: 'group/cart' })
        .mergeRequest({ project_id: 43 })
        .applicationSet({
          metadata: { name: 'cart' },
          spec: {
            generators: [
              {
                pullRequest: {
                  gitlab: { api: `https://${HOST}`, project: '43' },
                },
              },
            ],
            template: { metadata: { name: 'cart-{{.number}}' } },
          },
        })
        .application({
          metadata: { name: 'cart-7', ownerReferences: [ownedBy('cart')] },
        }),
    );
    expect(
      [...byMergeRequest].map(([key, [{ fact }]]) => [key, fact.meta.name]),
    ).toEqual([
      [`${HOST}/42/7`, 'preview-mr-7'],
      [`${HOST}/43/7`, 'cart-7'],
    ]);
  });

  it('tells the same project id on two GitLabs apart', () => {
    const other = 'git.example.org';
    const { byMergeRequest } = join(
      open()
        .application()
        .project({}, other)
        .mergeRequest({ created_at: at(-60) }, undefined, other),
    );
    expect([...byMergeRequest.keys()]).toEqual([`${HOST}/42/7`]);
  });

  it('joins by a matrix over projects only those that it lists', () => {
    const { byMergeRequest } = join(
      open()
        .project({ id: 43, path_with_namespace: 'group/cart' })
        .mergeRequest({ project_id: 43, iid: 9 })
        .applicationSet({
          spec: {
            generators: [
              {
                matrix: {
                  generators: [
                    {
                      list: {
                        elements: [
                          { app: 'shop', project: '42' },
                          { app: 'cart', project: '43' },
                        ],
                      },
                    },
                    {
                      pullRequest: {
                        gitlab: {
                          api: `https://${HOST}`,
                          project: '{{.project}}',
                        },
                      },
                    },
                  ],
                },
              },
            ],
            template: { metadata: { name: '{{.app}}-{{.number}}' } },
          },
        })
        .application({ metadata: { name: 'shop-7' } })
        .application({ metadata: { name: 'cart-9' } }),
    );
    expect([...byMergeRequest.keys()]).toEqual([
      `${HOST}/42/7`,
      `${HOST}/43/9`,
    ]);
  });
});
