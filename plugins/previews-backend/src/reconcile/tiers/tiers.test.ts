import {
  at,
  HEAD,
  HOST,
  Json,
  REGISTRY,
  WorldBuilder,
} from '../../testing/world';
import { Story } from '../../testing/Story';
import { defaultSettings } from '../settings';
import {
  draftTier,
  isPinned,
  commitOfTag,
  TierDraft,
  withRelease,
} from './draftTier';
import { TierFinder } from './findTiers';
import { deploymentsOf, releaseOf } from './history';
import { comparisonOf, distanceQuestion, releaseQuestion } from './questions';

const NAMES = [{ name: 'dev' }, { name: 'staging' }, { name: 'prod' }];
const GITOPS = 'd00d1e0123456789abcdef0123456789abcdef01';
const OLDER = 'c0ffee0123456789abcdef0123456789abcdef01';

function tier(name: string, patch: Json = {}): Json {
  return {
    ...patch,
    metadata: {
      name: `shop-${name}`,
      ownerReferences: null,
      labels: { 'previews/project-id': '42', 'previews/tier': name },
      ...patch.metadata,
    },
  };
}

const unlabelled = { labels: null };

function draftsOf(
  world: WorldBuilder,
  names: { name: string; applications?: string }[] = NAMES,
): TierDraft[] {
  const { basis, links } = new Story().pass(world.entity()).result!;
  const finder = new TierFinder(basis, names);
  const { project } = links[0];
  return finder.tiersOf(links[0]).map(found =>
    draftTier({
      found,
      project: project!,
      index: basis.index,
      settings: defaultSettings,
    }),
  );
}

function namesOf(world: WorldBuilder, names = NAMES) {
  return draftsOf(world, names).map(({ state }) => [
    state.tier,
    state.application.name,
  ]);
}

describe('tiers of an entity', () => {
  it('are the Applications with the labels that the template writes, in the order of a release', () => {
    expect(
      namesOf(
        WorldBuilder.empty()
          .application(tier('qa'))
          .application(tier('prod'))
          .application(tier('dev')),
      ),
    ).toEqual([
      ['dev', 'shop-dev'],
      ['prod', 'shop-prod'],
      ['qa', 'shop-qa'],
    ]);
  });

  it.each<[string, Json]>([
    [
      'of another project',
      { labels: { 'previews/project-id': '43', 'previews/tier': 'prod' } },
    ],
    ['of no project', { labels: { 'previews/tier': 'prod' } }],
    [
      'with a tier that is no name',
      { labels: { 'previews/project-id': '42', 'previews/tier': '-' } },
    ],
    [
      'of a set with a pull request generator',
      {
        ownerReferences: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'ApplicationSet',
            name: 'shop-previews',
            uid: 'set-shop-previews',
            controller: true,
          },
        ],
      },
    ],
    [
      'of a merge request by its labels',
      {
        labels: {
          'previews/project-id': '42',
          'previews/tier': 'prod',
          'previews/merge-request': '7',
        },
      },
    ],
  ])('are none %s', (_, metadata) => {
    expect(
      namesOf(
        WorldBuilder.empty()
          .applicationSet()
          .application(tier('prod', { metadata })),
      ),
    ).toEqual([]);
  });

  it('are not those of another GitLab with the same id', () => {
    const world = WorldBuilder.empty()
      .gitlab({ host: 'gitlab.example.org' })
      .application(
        tier('prod', {
          spec: {
            source: { repoURL: 'https://gitlab.example.org/group/deployment' },
          },
        }),
      );
    expect(namesOf(world)).toEqual([]);
  });

  it('are found without labels by the image of the project and the name', () => {
    expect(
      namesOf(
        WorldBuilder.empty().application(
          tier('prod', { metadata: unlabelled }),
        ),
      ),
    ).toEqual([['prod', 'shop-prod']]);
  });

  it('are found without labels by the repository and the overlay', () => {
    expect(
      namesOf(
        WorldBuilder.empty().application(
          tier('x', {
            metadata: unlabelled,
            spec: {
              source: {
                repoURL: `git@${HOST}:group/shop.git`,
                path: 'deploy/overlays/staging',
              },
            },
            status: { summary: null },
          }),
        ),
      ),
    ).toEqual([['staging', 'shop-x']]);
  });

  it.each<[string, Json[]]>([
    [
      'that is of neither the project nor its images',
      [
        tier('prod', {
          metadata: unlabelled,
          status: {
            summary: { images: ['registry.example.com/group/shop-web:1'] },
          },
        }),
      ],
    ],
    ['whose name says no tier', [tier('live', { metadata: unlabelled })]],
    [
      'that would be one of two',
      [
        tier('prod', { metadata: unlabelled }),
        tier('prod', { metadata: { ...unlabelled, name: 'shop-worker-prod' } }),
      ],
    ],
    [
      'whose name and overlay say different tiers',
      [
        tier('prod', {
          metadata: unlabelled,
          spec: { source: { path: 'overlays/dev' } },
        }),
      ],
    ],
  ])('are not guessed from an Application %s', (_, applications) => {
    const world = WorldBuilder.empty();
    applications.forEach(one => world.application(one));
    expect(namesOf(world)).toEqual([]);
  });

  it('are found by the names that the configuration gives', () => {
    expect(
      namesOf(
        WorldBuilder.empty().application(
          tier('live', { metadata: unlabelled }),
        ),
        [{ name: 'prod', applications: '*-live' } as never],
      ),
    ).toEqual([['prod', 'shop-live']]);
  });

  it('are not guessed where a label says which it is', () => {
    expect(
      namesOf(
        WorldBuilder.empty()
          .application(tier('prod', { metadata: { name: 'main-shop' } }))
          .application(tier('prod', { metadata: unlabelled })),
      ),
    ).toEqual([['prod', 'main-shop']]);
  });
});

describe('a tier', () => {
  it('tells what is asked for, what runs, how it is and where', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty()
        .application(
          tier('prod', {
            spec: { source: { targetRevision: 'shop-v1.42.0' } },
          }),
        )
        .httpRoute({
          metadata: { namespace: 'shop-prod' },
          spec: { hostnames: ['shop.example.com'] },
        })
        .gateway(),
    );
    expect(draft.state).toEqual({
      tier: 'prod',
      application: { cluster: 'main', namespace: 'argocd', name: 'shop-prod' },
      targetRevision: 'shop-v1.42.0',
      revision: GITOPS,
      repository: {
        host: HOST,
        project: 'group/deployment',
        webUrl: `https://${HOST}/group/deployment`,
      },
      image: HEAD.slice(0, 8),
      sync: 'Synced',
      health: 'Healthy',
      urls: [
        {
          url: 'https://shop.example.com',
          host: 'shop.example.com',
          clickable: true,
        },
      ],
      pin: {
        line: 'targetRevision',
        repository: 'group/deployment',
        host: HOST,
      },
      drift: [],
      stale: [],
    });
    expect(draft.pinPaths).toEqual(['argocd/shop/application-prod.yaml']);
  });

  it.each([
    [
      'below a path',
      { webUrl: 'https://git.example.com/gitlab' },
      'https://git.example.com/gitlab/group/deployment',
    ],
    ['that is no page', { webUrl: 'ssh://git.example.com' }, undefined],
  ])('leads to its repository in a GitLab %s', (_, instance, webUrl) => {
    const [draft] = draftsOf(
      WorldBuilder.empty()
        .gitlab({ host: HOST, ...instance })
        .application(
          tier('prod', {
            spec: {
              source: { repoURL: `git@${HOST}:group/deployment.git` },
            },
          }),
        ),
    );
    expect(draft.state.repository).toEqual({
      host: HOST,
      project: 'group/deployment',
      ...(webUrl && { webUrl }),
    });
  });

  it('tells no repository where Argo CD reads another place', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty().application(
        tier('prod', {
          spec: { source: { repoURL: 'https://git.other.example/a/b.git' } },
        }),
      ),
    );
    expect(draft.state).not.toHaveProperty('repository');
  });

  it('has the addresses of its routes in other namespaces, and of nobody else’s there', () => {
    const route = (name: string): Json => ({
      metadata: { namespace: 'shop-prod-edge', name },
      spec: { hostnames: [`${name}.example.com`] },
    });
    const [draft] = draftsOf(
      WorldBuilder.empty()
        .application(
          tier('prod', {
            status: {
              resources: [
                {
                  group: 'gateway.networking.k8s.io',
                  kind: 'HTTPRoute',
                  namespace: 'shop-prod-edge',
                  name: 'shop',
                },
              ],
            },
          }),
        )
        .httpRoute(route('shop'))
        .httpRoute(route('somebody'))
        .gateway(),
    );
    expect(draft.state.urls.map(({ url }) => url)).toEqual([
      'https://shop.example.com',
    ]);
  });

  it('takes the file of the release from the Application that deploys it', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty()
        .application({
          metadata: { name: 'root', ownerReferences: null },
          spec: {
            source: {
              repoURL: `https://${HOST}/platform/gitops.git`,
              path: 'apps',
              targetRevision: 'main',
            },
          },
          status: { summary: null },
        })
        .application(
          tier('prod', {
            metadata: {
              annotations: {
                'argocd.argoproj.io/tracking-id':
                  'root:argoproj.io/Application:argocd/shop-prod',
              },
            },
            spec: { source: { targetRevision: 'v1.0.0' } },
          }),
        ),
    );
    expect(draft.state.pin).toEqual({
      line: 'targetRevision',
      repository: 'platform/gitops',
      host: HOST,
      branch: 'main',
    });
    expect(draft.pinPaths).toEqual(['apps/shop/application-prod.yaml']);
  });

  it('changes the tag of its overlay with a release', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty().application(
        tier('prod', {
          spec: {
            source: {
              path: 'services/shop/kustomize/overlays/prod',
              helm: null,
            },
          },
        }),
      ),
    );
    expect(draft.state.pin).toMatchObject({ line: 'newTag', branch: 'main' });
    expect(draft.pinPaths).toEqual([
      'services/shop/kustomize/overlays/prod/kustomization.yaml',
    ]);
  });

  it('does not take what Argo CD wants for what runs', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty().application(
        tier('dev', {
          status: {
            sync: { status: 'OutOfSync' },
            history: [{ id: 1, revision: OLDER, deployedAt: at(-60) }],
          },
        }),
      ),
    );
    expect(draft.state.revision).toBe(OLDER);
  });

  it.each([
    ['main', false],
    ['HEAD', false],
    [undefined, false],
    ['release/next', false],
    ['v1.42.0', true],
    ['shop-v1.42.0', true],
    [OLDER, true],
  ])('with the revision %p is pinned: %p', (revision, pinned) => {
    expect(isPinned(revision)).toBe(pinned);
  });

  it.each([
    ['1a2b3c4d', '1a2b3c4d'],
    [`prod-1a2b3c4d@sha256:${'0'.repeat(64)}`, '1a2b3c4d'],
    ['v1.42.0', undefined],
    ['20261129', undefined],
    ['latest', undefined],
    [undefined, undefined],
  ])('with the image %p runs the commit %p', (image, commit) => {
    expect(commitOfTag(image)).toBe(commit);
  });
});

describe('the history of an Application', () => {
  const entry = (id: number, revision: string, patch: Json = {}) => ({
    id,
    revision,
    deployedAt: at(id),
    source: { targetRevision: 'main' },
    ...patch,
  });

  it('tells who brought what runs, and what ran before, past syncs that changed nothing', () => {
    const { current, previous } = releaseOf(
      deploymentsOf({
        status: {
          history: [
            entry(1, OLDER),
            entry(2, GITOPS, { initiatedBy: { username: 'dev1' } }),
            entry(3, GITOPS, { initiatedBy: { automated: true } }),
          ],
        },
      }),
    );
    expect(current).toEqual({
      deployedAt: at(2),
      initiatedBy: 'dev1',
      automated: false,
      revisions: [GITOPS],
      targetRevisions: ['main'],
    });
    expect(previous?.revisions).toEqual([OLDER]);
  });

  it.each([
    undefined,
    null,
    {},
    { status: { history: 'none' } },
    { status: { history: [null, {}] } },
  ])('is empty for %j', value => {
    expect(releaseOf(deploymentsOf(value))).toEqual({});
  });

  it('leads back to the name that was pinned before', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty().application(
        tier('prod', { spec: { source: { targetRevision: 'v1.1.0' } } }),
      ),
    );
    const released = withRelease(
      draft,
      deploymentsOf({
        status: {
          history: [
            entry(1, OLDER, { source: { targetRevision: 'v1.0.0' } }),
            entry(2, GITOPS, { source: { targetRevision: 'v1.1.0' } }),
          ],
        },
      }),
    );
    expect(released.state).toMatchObject({
      release: { deployedAt: at(2), automated: true },
      previousRevision: 'v1.0.0',
    });
    expect(
      releaseQuestion(released, {
        pinPath: 'argocd/shop/application-prod.yaml',
      }),
    ).toEqual({
      host: HOST,
      question: {
        kind: 'lastChange',
        project: 'group/deployment',
        path: 'argocd/shop/application-prod.yaml',
        until: at(2),
      },
    });
    expect(releaseQuestion(released, {})?.question).toEqual({
      kind: 'commit',
      project: 'group/deployment',
      sha: GITOPS,
    });
  });
});

describe('a revision that changes nothing, so that Argo CD has nothing to deploy', () => {
  const history = [
    {
      id: 1,
      revision: OLDER,
      deployedAt: at(-60),
      source: { targetRevision: 'v1.0.0' },
    },
  ];

  it('is released by what changed its line, without a time, and leads back to the one before', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty().application(
        tier('prod', { spec: { source: { targetRevision: 'v1.1.0' } } }),
      ),
    );
    const released = withRelease(draft, deploymentsOf({ status: { history } }));
    expect(released.state).toMatchObject({
      release: { automated: true },
      previousRevision: 'v1.0.0',
    });
    expect(released.state.release).not.toHaveProperty('deployedAt');
    expect(
      releaseQuestion(released, {
        pinPath: 'argocd/shop/application-prod.yaml',
      })?.question,
    ).toEqual({
      kind: 'lastChange',
      project: 'group/deployment',
      path: 'argocd/shop/application-prod.yaml',
      of: 'v1.1.0',
    });
  });

  it('is not there yet while Argo CD is out of sync', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty().application(
        tier('prod', {
          spec: { source: { targetRevision: 'v1.1.0' } },
          status: { sync: { status: 'OutOfSync' }, history },
        }),
      ),
    );
    expect(
      withRelease(draft, deploymentsOf({ status: { history } })).state.release,
    ).toMatchObject({ deployedAt: at(-60) });
  });

  it('of a branch leaves the commit that was deployed the one that brought what runs', () => {
    const [draft] = draftsOf(
      WorldBuilder.empty().application(
        tier('dev', { spec: { source: { targetRevision: 'main' } } }),
      ),
    );
    const released = withRelease(
      draft,
      deploymentsOf({
        status: {
          history: [{ ...history[0], source: { targetRevision: 'main' } }],
        },
      }),
    );
    expect(released.state).toMatchObject({
      revision: GITOPS,
      release: { deployedAt: at(-60) },
    });
    expect(releaseQuestion(released, {})?.question).toEqual({
      kind: 'commit',
      project: 'group/deployment',
      sha: OLDER,
    });
  });
});

describe('the distance of a tier', () => {
  const image = (tag: string) => ({
    summary: { images: [`${REGISTRY}:${tag}`] },
  });

  it('is taken by the commits of the service, where both name one', () => {
    const drafts = draftsOf(
      WorldBuilder.empty()
        .application(tier('dev', { status: image('1a2b3c4d') }))
        .application(tier('prod', { status: image('prod-0a0b0c0d') })),
    );
    expect(comparisonOf(drafts[1], drafts)).toEqual({
      with: 'tier',
      name: 'dev',
      from: { host: HOST, path: 'group/shop', commit: '0a0b0c0d' },
      to: { host: HOST, path: 'group/shop', commit: '1a2b3c4d' },
    });
    expect(comparisonOf(drafts[0], drafts)).toEqual({
      with: 'branch',
      from: { host: HOST, path: 'group/shop', commit: '1a2b3c4d' },
    });
  });

  it('is taken by the repository that both read, where a tag names no commit', () => {
    const drafts = draftsOf(
      WorldBuilder.empty()
        .application(tier('dev', { status: image('1a2b3c4d') }))
        .application(tier('prod', { status: image('v1.0.0') })),
    );
    expect(comparisonOf(drafts[1], drafts)).toMatchObject({
      from: { path: 'group/deployment', commit: GITOPS },
      to: { path: 'group/deployment', commit: GITOPS },
    });
  });

  it('is unknown where there is nothing to compare by', () => {
    const drafts = draftsOf(
      WorldBuilder.empty()
        .application(tier('dev', { status: image('1a2b3c4d') }))
        .application(
          tier('prod', {
            spec: { source: { repoURL: 'https://github.com/group/charts' } },
            status: image('v1.0.0'),
          }),
        ),
    );
    expect(comparisonOf(drafts[1], drafts)).toBeUndefined();
  });

  it('is not asked for between a commit and itself', () => {
    const from = { host: HOST, path: 'group/shop', commit: HEAD.slice(0, 8) };
    expect(distanceQuestion(from, HEAD)).toBeUndefined();
    expect(distanceQuestion(from, OLDER)?.question).toEqual({
      kind: 'distance',
      project: 'group/shop',
      from: HEAD.slice(0, 8),
      to: OLDER,
    });
  });
});
