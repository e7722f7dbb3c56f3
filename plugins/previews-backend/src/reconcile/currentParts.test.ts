import {
  at,
  controller,
  generatedBy,
  HEAD,
  Json,
  merged,
  NEXT,
  ownedBy,
  podTemplate,
  REGISTRY,
  rollingOut,
  routeParent,
  WorldBuilder,
} from '../testing/world';
import { Story } from '../testing/Story';

const CARTS = 'carts-mr-7';
const carts = { namespace: CARTS };

/** The patch for a set of another name for the same project, with names and namespaces of its own. */
function setOfCarts(gitlab: Json, pullRequest: Json = {}): Json {
  return {
    metadata: { name: 'carts' },
    spec: {
      ...generatedBy(gitlab, pullRequest).spec,
      template: {
        metadata: { name: 'carts-mr-{{.number}}' },
        spec: { destination: { namespace: 'carts-mr-{{.number}}' } },
      },
    },
  };
}

/** What the second set has deployed, with workloads, a route and a certificate of its own. */
function withCarts(world: WorldBuilder): WorldBuilder {
  return world
    .application({
      metadata: { name: CARTS, ownerReferences: [ownedBy('carts')] },
      spec: { destination: carts },
    })
    .namespace({ metadata: { name: CARTS } })
    .deployment({ metadata: { ...carts, name: 'carts' } })
    .replicaSet({
      metadata: {
        ...carts,
        name: 'carts-1',
        ownerReferences: [
          controller('Deployment', 'carts', 'deployment-carts'),
        ],
      },
    })
    .pod({
      metadata: {
        ...carts,
        name: 'carts-1-a',
        ownerReferences: [controller('ReplicaSet', 'carts-1', 'rs-carts-1')],
      },
    })
    .certificate({
      metadata: { ...carts, name: 'carts-tls' },
      spec: { dnsNames: ['carts-7.preview.example.com'] },
    })
    .httpRoute({
      metadata: { ...carts, name: 'carts' },
      spec: { hostnames: ['carts-7.preview.example.com'] },
    });
}

/** A live preview of two sets, each of which asks for a label of its own. */
function ofTwoSets(labels: string[] = ['preview', 'carts']): WorldBuilder {
  return withCarts(WorldBuilder.live())
    .applicationSet(setOfCarts({ labels: ['carts'] }))
    .mergeRequest({ labels });
}

/** Argo CD is deleting the second Application, and what it deployed is half gone. */
function cartsGoing(world: WorldBuilder): WorldBuilder {
  return world
    .application({
      metadata: { name: CARTS, deletionTimestamp: at(20) },
      status: {
        sync: { status: 'OutOfSync' },
        health: { status: 'Missing' },
        resources: [
          {
            group: 'networking.k8s.io',
            kind: 'Ingress',
            ...carts,
            name: 'gone',
            status: 'Synced',
          },
        ],
      },
    })
    .deployment(merged(rollingOut, { metadata: { ...carts, name: 'carts' } }))
    .without('pods', 'carts-1-a')
    .certificate({
      metadata: { ...carts, name: 'carts-tls' },
      status: {
        conditions: [
          { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
        ],
      },
    })
    .httpRoute({
      metadata: { ...carts, name: 'carts' },
      status: {
        parents: [
          routeParent({
            resolved: { status: 'False', reason: 'BackendNotFound' },
          }),
        ],
      },
    });
}

describe('of two sets that took a merge request, one takes it no more', () => {
  it('and what goes with it is no trouble of what the other one has', () => {
    const story = new Story().pass(ofTwoSets());
    expect(story.preview()).toMatchObject({ phase: 'Live' });

    story.pass(ofTwoSets(['preview']), at(10));
    expect(story.changes()).toEqual([]);

    story.pass(cartsGoing(ofTwoSets(['preview'])), at(30));
    expect(story.changes()).toEqual([]);
    expect(story.preview().reason).toBeUndefined();
    expect(story.condition('ApplicationGenerated')?.params).toEqual({
      applications: ['preview-mr-7'],
    });
  });

  it('and what goes is shown until it is gone', () => {
    const { preview } = new Story()
      .pass(ofTwoSets())
      .pass(cartsGoing(ofTwoSets(['preview'])), at(30))
      .decision().change.stored;
    expect(preview.applications.map(({ name }) => name)).toEqual([
      'preview-mr-7',
      CARTS,
    ]);
    expect(preview.namespaces.map(({ name }) => name)).toEqual([
      'preview-mr-7',
      CARTS,
    ]);
  });

  it('and trouble of the other one is told as ever', () => {
    const story = new Story().pass(ofTwoSets()).pass(
      cartsGoing(ofTwoSets(['preview']))
        .deployment(rollingOut)
        .replicaSet({ status: { readyReplicas: 0 } }),
      at(30),
    );
    expect(story.preview().phase).toBe('Degraded');
    expect(story.condition('Available')).toMatchObject({
      reason: 'Progressing',
      params: { workload: 'Deployment shop' },
    });
  });

  it('and what it keeps at an old commit holds nothing back', () => {
    const kept = () =>
      ofTwoSets(['preview'])
        .applicationSet(
          merged(setOfCarts({ labels: ['carts'] }), {
            spec: { syncPolicy: { applicationsSync: 'create-only' } },
          }),
        )
        .mergeRequest({ sha: NEXT })
        .application({
          spec: {
            source: {
              helm: {
                parameters: [{ name: 'image.tag', value: NEXT.slice(0, 8) }],
              },
            },
          },
        })
        .deployment({ spec: { template: podTemplate(NEXT) } })
        .replicaSet({ spec: { template: podTemplate(NEXT) } })
        .pod({
          spec: podTemplate(NEXT).spec,
          status: {
            containerStatuses: [
              {
                name: 'shop',
                ready: true,
                restartCount: 0,
                image: `${REGISTRY}:${NEXT.slice(0, 8)}`,
                imageID: `${REGISTRY}@sha256:${'cd'.repeat(32)}`,
                state: { running: { startedAt: at(-60) } },
              },
            ],
          },
        });
    const story = new Story().pass(ofTwoSets()).pass(kept(), at(30));
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      commit: { head: NEXT, running: NEXT.slice(0, 8) },
    });
    expect(story.verdict('Synced')).toBe('True Synced');
  });

  it('and all of it is looked for once the merge request is over', () => {
    const story = new Story().pass(ofTwoSets()).pass(
      cartsGoing(
        ofTwoSets(['preview']).mergeRequest({
          state: 'merged',
          merged_at: at(25),
        }),
      ).without('applications', 'preview-mr-7'),
      at(30),
    );
    expect(story.preview().phase).toBe('TearingDown');
    expect(story.condition('CleanedUp')).toMatchObject({
      reason: 'ApplicationDeleting',
      params: { application: CARTS },
    });
  });
});

describe('of two sets that take a merge request', () => {
  it('each has to serve', () => {
    const story = new Story()
      .pass(ofTwoSets())
      .pass(cartsGoing(ofTwoSets()), at(30));
    expect(story.preview().phase).toBe('Degraded');
    expect(story.condition('ApplicationGenerated')).toMatchObject({
      reason: 'Deleting',
      params: { application: CARTS },
    });
  });

  it('each has to serve where it is not known any more whom they take', () => {
    const story = new Story()
      .pass(ofTwoSets())
      .pass(cartsGoing(ofTwoSets()).forgetProjects(), at(30));
    expect(story.preview().phase).toBe('Degraded');
  });
});

describe('a merge request that goes from one set to another with its target', () => {
  const retargeted = () =>
    WorldBuilder.live()
      .applicationSet({
        ...generatedBy({}, { filters: [{ targetBranchMatch: '^main$' }] }),
      })
      .applicationSet(
        setOfCarts({}, { filters: [{ targetBranchMatch: '^release-' }] }),
      )
      .mergeRequest({ target_branch: 'release-2' });

  it('is served by its former Application until there is another', () => {
    const story = new Story()
      .pass(WorldBuilder.live())
      .pass(retargeted(), at(10));
    expect(story.preview().phase).toBe('Live');
    expect(story.verdict('ApplicationGenerated')).toBe('False NotPolledYet');
  });

  it('is served by the other one alone from then on', () => {
    const story = new Story().pass(WorldBuilder.live()).pass(
      withCarts(retargeted())
        .application({ metadata: { deletionTimestamp: at(5) } })
        .without('pods', 'shop-1-aaaaa')
        .deployment(rollingOut),
      at(10),
    );
    expect(story.preview().phase).toBe('Live');
    expect(story.verdict('ApplicationGenerated')).toBe('True Generated');
  });

  it('is deploying while the other one comes up', () => {
    const story = new Story().pass(WorldBuilder.live()).pass(
      withCarts(retargeted())
        .application({ metadata: { deletionTimestamp: at(5) } })
        .deployment(
          merged(rollingOut, { metadata: { ...carts, name: 'carts' } }),
        )
        .replicaSet({
          metadata: { ...carts, name: 'carts-1' },
          status: { readyReplicas: 0 },
        }),
      at(10),
    );
    expect(story.preview().phase).toBe('Deploying');
  });
});

describe('a set that names Applications by the commit', () => {
  const nameOf = (sha: string) => `shop-${sha.slice(0, 8)}`;
  const named = () =>
    WorldBuilder.open().applicationSet({
      spec: { template: { metadata: { name: 'shop-{{.head_short_sha}}' } } },
    });
  const of = (sha: string): Json => ({
    metadata: { name: nameOf(sha) },
    spec: {
      source: {
        helm: { parameters: [{ name: 'image.tag', value: sha.slice(0, 8) }] },
      },
      destination: { namespace: nameOf(sha) },
    },
  });
  const before = () => named().application(of(HEAD));
  const pushed = () => before().mergeRequest({ sha: NEXT }, { pipelines: [] });
  const deleted = (world: WorldBuilder) =>
    world.application({
      metadata: { name: nameOf(HEAD), deletionTimestamp: at(5) },
      status: { health: { status: 'Missing' } },
    });

  it('serves by the former one until there is one of the new commit', () => {
    const story = new Story().pass(before()).pass(pushed(), at(10));
    expect(story.verdict('Available')).toBe('True NoWorkloads');
  });

  it('serves by the new one while the former one goes', () => {
    const story = new Story()
      .pass(before())
      .pass(deleted(pushed()).application(of(NEXT)), at(10));
    expect(story.verdict('ApplicationGenerated')).toBe('True Generated');
    expect(story.verdict('Available')).toBe('True NoWorkloads');
    expect(story.preview().commit).toMatchObject({
      head: NEXT,
      wantedByArgo: NEXT.slice(0, 8),
    });
  });

  it('serves by nothing where the former one goes and there is no other', () => {
    const story = new Story().pass(before()).pass(deleted(pushed()), at(10));
    expect(story.verdict('Available')).toBe('False Missing');
  });

  it('is told that the one of the commit is deleted', () => {
    const story = new Story()
      .pass(before())
      .pass(deleted(before()).application(of(NEXT)), at(10));
    expect(story.condition('ApplicationGenerated')).toMatchObject({
      reason: 'Deleting',
      params: { application: nameOf(HEAD) },
    });
  });
});
