import { EntityFact } from '../model';
import { Story } from '../testing/Story';
import { HOST, Json, NEXT, WorldBuilder } from '../testing/world';
import { EntitySetUp, setUpsOf } from './setUpOf';

const { live } = WorldBuilder;

function setUps(world: WorldBuilder): EntitySetUp[] {
  return setUpsOf(new Story().pass(world).result!, { tiers: [] });
}

function only(world: WorldBuilder): EntitySetUp {
  const found = setUps(world);
  expect(found).toHaveLength(1);
  return found[0];
}

const withEntity = (entity: Partial<EntityFact> = {}) => live().entity(entity);

function tier(name: string, patch: Json = {}): Json {
  return {
    metadata: {
      name: `shop-${name}`,
      uid: `uid-${name}`,
      ownerReferences: [],
      annotations: {},
      labels: { 'previews/tier': name, 'previews/project-id': '42' },
    },
    spec: { destination: { namespace: `shop-${name}` } },
    ...patch,
  };
}

describe('the set-up of an entity', () => {
  it('has the sets of its project, what they name, and one live preview', () => {
    expect(only(withEntity())).toMatchObject({
      entityRef: 'component:default/shop',
      service: 'shop',
      project: { host: HOST, id: 42, path: 'group/shop' },
      sets: [{ cluster: 'main', namespace: 'argocd', name: 'shop-previews' }],
      applications: [{ cluster: 'main', namespace: 'argocd' }],
      namespaces: [{ cluster: 'main' }],
    });
  });

  it('has no preview where none is live', () => {
    const { applications, namespaces } = only(
      withEntity().mergeRequest({ sha: NEXT }).without('applications'),
    );
    expect({ applications, namespaces }).toEqual({
      applications: [],
      namespaces: [],
    });
  });

  it('is there for a project that no set generates from', () => {
    const { sets, appProjects, repositories } = only(
      withEntity().without('applicationSets'),
    );
    expect({ sets, appProjects, repositories }).toEqual({
      sets: [],
      appProjects: [],
      repositories: [{ host: HOST, path: 'group/shop', role: 'service' }],
    });
  });

  it.each<[string, Partial<EntityFact>]>([
    ['no project and no set', { project: undefined }],
    [
      'a project that it may not claim',
      { ownGroup: { host: HOST, group: 'other' } },
    ],
  ])('is not there for an entity with %s', (_, entity) => {
    const story = new Story({ isClaimAllowed: () => false }).pass(
      withEntity(entity),
    );
    expect(setUpsOf(story.result!, { tiers: [] })).toEqual([]);
  });

  it('has the tiers that are labelled with its project, each with its environment', () => {
    const { applications, namespaces } = only(
      withEntity()
        .application(tier('dev'))
        .application(tier('prod'))
        .application(tier('staging'))
        .application(
          tier('prod', {
            metadata: {
              name: 'foreign',
              uid: 'uid-foreign',
              labels: { 'previews/tier': 'prod', 'previews/project-id': '43' },
            },
          }),
        ),
    );
    expect(
      applications.flatMap(({ name, environment }) =>
        environment ? [`${name} ${environment.tier} ${environment.name}`] : [],
      ),
    ).toEqual([
      'shop-dev dev dev',
      'shop-prod prod prod',
      'shop-staging dev staging',
    ]);
    expect(
      namespaces.flatMap(({ name, environment }) =>
        environment ? [`${name} ${environment.name}`] : [],
      ),
    ).toEqual(['shop-dev dev', 'shop-prod prod', 'shop-staging staging']);
  });

  it('has what is the preview’s own beside where it deploys to, and not what it shares', () => {
    const resources = [
      { group: '', kind: 'Namespace', name: 'preview-mr-7-edge' },
      ...['preview-mr-7-edge', 'edge'].map(namespace => ({
        group: 'gateway.networking.k8s.io',
        kind: 'HTTPRoute',
        namespace,
        name: 'shop',
      })),
    ];
    const { namespaces } = only(
      withEntity()
        .application({ status: { resources } })
        .namespace({ metadata: { name: 'preview-mr-7-edge' } })
        .namespace({ metadata: { name: 'edge' } }),
    );
    expect(namespaces).toEqual([
      { cluster: 'main', name: 'preview-mr-7' },
      { cluster: 'main', name: 'preview-mr-7-edge' },
    ]);
  });

  it('has no namespaces of what only an Argo CD tells of', () => {
    const { sets, namespaces } = only(withEntity().argocdOnly());
    expect(sets).toHaveLength(1);
    expect(namespaces).toEqual([]);
  });

  it.each<[string, Json, string[]]>([
    ['a name', { project: 'shop' }, ['shop']],
    ['a template', { project: 'shop-{{ .number }}' }, []],
    ['no text', { project: 7 }, []],
  ])('has the AppProject of a set where it is %s', (_, spec, expected) => {
    const { appProjects } = only(
      withEntity().applicationSet({ spec: { template: { spec } } }),
    );
    expect(appProjects.map(({ name }) => name)).toEqual(expected);
  });

  it('has the repositories that its sets deploy from, on a configured GitLab', () => {
    const { repositories } = only(
      withEntity().applicationSet({
        spec: {
          template: {
            spec: {
              sources: [
                { repoURL: `https://${HOST}/group/gitops.git` },
                { repoURL: 'https://charts.example.com/stable' },
              ],
            },
          },
        },
      }),
    );
    expect(repositories).toEqual([
      { host: HOST, path: 'group/shop', role: 'service' },
      { host: HOST, path: 'group/gitops', role: 'gitops' },
    ]);
  });

  it('differs by its fingerprint when a set changes, and not with every preview', () => {
    const of = (world: WorldBuilder) => only(world).fingerprint;
    const before = of(withEntity());
    expect(of(withEntity())).toBe(before);
    expect(of(withEntity().mergeRequest({ iid: 8, sha: NEXT }))).toBe(before);
    expect(
      of(withEntity().applicationSet({ metadata: { generation: 99 } })),
    ).not.toBe(before);
    expect(of(withEntity().application(tier('dev')))).not.toBe(before);
  });
});
