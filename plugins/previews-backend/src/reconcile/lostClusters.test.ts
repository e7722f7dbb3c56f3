import { Story } from '../testing/Story';
import { at, DEPLOYED, Json, WorldBuilder } from '../testing/world';

const { live } = WorldBuilder;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const SERVER = 'https://workloads.example.com';
const NAMESPACE = 'preview-mr-7';
const closed: Json = { state: 'closed', closed_at: at(-HOUR) };

/** The Argo CD of cluster `main` deploys to another cluster, which may be configured under a name. */
function deployingTo(name: string | undefined): WorldBuilder {
  const destination = { server: SERVER, namespace: NAMESPACE };
  const world = WorldBuilder.open().application({ spec: { destination } });
  return name === undefined
    ? world
    : world
        .cluster({ cluster: name, destinations: [SERVER] })
        .namespace({}, name)
        .deployment({}, name)
        .replicaSet({}, name)
        .pod({}, name)
        .clusterIssuer({}, name)
        .certificate({}, name)
        .httpRoute({}, name)
        .gateway({}, name);
}

/** Another cluster is configured, in which nothing of the preview ever was. */
const withoutArgocd = () =>
  live().withoutCluster().cluster({ cluster: 'other' });

describe('a preview whose cluster of Argo CD is configured no more', () => {
  const story = () => new Story().pass(live(), at(-2 * HOUR));

  it('keeps its phase and all it shows, and says that nobody reads the cluster', () => {
    const told = story();
    const before = told.preview();
    expect(before.phase).toBe('Live');
    told.pass(withoutArgocd());
    expect(told.changes()).toEqual([]);
    expect(told.preview()).toMatchObject({
      phase: 'Live',
      stale: ['cluster:main'],
      applications: before.applications,
      namespaces: before.namespaces,
      certificates: before.certificates,
      routes: before.routes,
      workloads: before.workloads,
      urls: before.urls,
      commit: before.commit,
    });
    for (const type of ['Selected', 'Available', 'CertificateReady'] as const) {
      expect(told.condition(type)).toMatchObject({
        status: 'Unknown',
        reason: 'SourceUnavailable',
        params: { source: 'cluster:main' },
        lastKnown: { status: 'True' },
      });
    }
  });

  it('decides twice the same', () => {
    const told = story().pass(withoutArgocd()).pass(withoutArgocd(), at(HOUR));
    expect(told.decision().unchanged).toBe(true);
  });

  it('is the same again once the cluster is back, without a transition', () => {
    const told = story();
    const before = told.preview();
    told.pass(withoutArgocd(), at(-HOUR)).pass(live());
    expect(told.changes()).toEqual([]);
    expect(told.preview()).toMatchObject({
      ...before,
      conditions: expect.anything(),
    });
  });

  it.each<[string, () => WorldBuilder]>([
    ['another is read', withoutArgocd],
    ['none is', () => live().withoutCluster()],
  ])('is not gone when its MR is closed while %s', (_, without) => {
    const told = story().pass(without().mergeRequest(closed), at(-HOUR));
    expect(told.preview()).toMatchObject({
      phase: 'Live',
      mergeRequest: { state: 'closed' },
    });
    // However long that is, and it is told by what is there once the cluster is back.
    told.pass(without().mergeRequest(closed), at(400 * DAY));
    expect(told.preview().phase).toBe('Live');
    told.pass(live().mergeRequest(closed), at(401 * DAY));
    expect(told.preview().phase).toBe('TearingDown');
  });

  it.each([
    ['being torn down', -MINUTE, 'TearingDown'],
    ['an orphan', -HOUR, 'Orphaned'],
  ])('stays %s', (_, since, phase) => {
    const told = story()
      .pass(live().mergeRequest(closed), at(since))
      .pass(live().mergeRequest(closed), at(-1));
    expect(told.preview().phase).toBe(phase);
    told.pass(withoutArgocd().mergeRequest(closed));
    expect(told.preview().phase).toBe(phase);
    expect(told.changes()).toEqual([]);
  });

  it('still waits where nothing was generated for it yet', () => {
    const told = new Story().pass(WorldBuilder.open(), at(-HOUR));
    expect(told.preview().phase).toBe('Waiting');
    told.pass(WorldBuilder.open().withoutCluster().cluster({ cluster: 'b' }));
    expect(told.changes()).toEqual([]);
    expect(told.preview()).toMatchObject({
      phase: 'Waiting',
      stale: ['cluster:main'],
    });
  });

  it('belongs to the set of another cluster once that selects it', () => {
    const moved = (world: WorldBuilder) =>
      world
        .withoutCluster()
        .cluster({ cluster: 'new' })
        .applicationSet({ metadata: { uid: 'set-new' } }, 'new');
    const told = new Story()
      .pass(WorldBuilder.open(), at(-HOUR))
      .pass(moved(WorldBuilder.open()), at(-MINUTE));
    expect(told.preview()).toMatchObject({ phase: 'Waiting', stale: [] });
    expect(told.memory().selectedBy).toEqual(['new:argocd/shop-previews']);
    told.pass(moved(WorldBuilder.open()).mergeRequest(closed));
    expect(told.preview()).toMatchObject({ phase: 'NotSelected', stale: [] });
  });

  it('stays gone, as it was', () => {
    const emptied = () => live().without(DEPLOYED);
    const told = story()
      .pass(live().mergeRequest(closed), at(-HOUR))
      .pass(emptied().mergeRequest(closed), at(-MINUTE));
    expect(told.preview().phase).toBe('Gone');
    told.pass(withoutArgocd().mergeRequest(closed));
    expect(told.preview()).toMatchObject({ phase: 'Gone', stale: [] });
    expect(told.verdict('CleanedUp')).toBe('True NothingLeft');
  });

  it('is gone by its other clusters if nothing of it was left in that one', () => {
    const both = () => live().cluster({ cluster: 'old' });
    const label = {
      'previews/project-id': '42',
      'previews/merge-request': '7',
    };
    const old = {
      metadata: { name: 'old', uid: 'app-old', labels: label },
      spec: { destination: { namespace: 'old' } },
    };
    const told = new Story()
      .pass(
        both().application(old, 'old').applicationSet({}, 'old'),
        at(-3 * HOUR),
      )
      .pass(both(), at(-2 * HOUR))
      .pass(live(), at(-HOUR));
    expect(told.preview()).toMatchObject({ phase: 'Live', stale: [] });
    told.pass(live().mergeRequest(closed), at(-MINUTE));
    expect(told.preview()).toMatchObject({ phase: 'TearingDown', stale: [] });
    told.pass(live().without(DEPLOYED).mergeRequest(closed));
    expect(told.preview().phase).toBe('Gone');
  });

  it('remembers since when that is so, and no longer once the cluster is back', () => {
    const told = story();
    expect(told.memory().lostSince).toBeUndefined();
    told.pass(withoutArgocd(), at(-HOUR)).pass(withoutArgocd());
    expect(told.memory().lostSince).toBe(at(-HOUR));
    told.pass(live());
    expect(told.memory().lostSince).toBeUndefined();
  });

  it('is known by its Application where the cluster only has another name', () => {
    const renamed = (world: WorldBuilder) => world.renameCluster('renamed');
    const told = story().pass(renamed(live()), at(-HOUR));
    expect(told.preview()).toMatchObject({
      phase: 'Live',
      stale: [],
      applications: [{ cluster: 'renamed' }],
      namespaces: [{ cluster: 'renamed' }],
    });
    expect(told.memory()).toMatchObject({
      joined: [{ cluster: 'renamed' }],
      namespaces: [{ cluster: 'renamed' }],
      selectedBy: ['renamed:argocd/shop-previews'],
    });
    told
      .pass(renamed(live()).mergeRequest(closed), at(-MINUTE))
      .pass(renamed(live().without(DEPLOYED)).mergeRequest(closed));
    expect(told.preview().phase).toBe('Gone');
  });

  it('waits for its namespaces under the new name where its MR was closed meanwhile', () => {
    const told = story().pass(
      live().mergeRequest(closed).renameCluster('renamed'),
      at(-MINUTE),
    );
    expect(told.preview().phase).toBe('TearingDown');
    told.pass(
      live()
        .without('applications')
        .mergeRequest(closed)
        .renameCluster('renamed'),
    );
    expect(told.preview()).toMatchObject({
      phase: 'TearingDown',
      reason: { reason: 'NamespaceLeft' },
    });
  });
});

describe('a preview whose destination is configured no more', () => {
  const story = () => new Story().pass(deployingTo('b'), at(-2 * HOUR));

  it('stays live, and says what is not read', () => {
    const told = story();
    const before = told.preview();
    expect(before.phase).toBe('Live');
    told.pass(deployingTo(undefined));
    expect(told.changes()).toEqual([]);
    expect(told.preview()).toMatchObject({
      phase: 'Live',
      stale: ['cluster:b'],
      namespaces: before.namespaces,
      certificates: before.certificates,
      routes: before.routes,
      urls: before.urls,
    });
    expect(told.verdict('Available')).toBe('Unknown ClusterNotConfigured');
    expect(told.verdict('CertificateReady')).toBe('Unknown SourceUnavailable');
    expect(told.verdict('RouteAccepted')).toBe('Unknown SourceUnavailable');
    expect(told.memory().namespaces).toEqual([
      { cluster: 'b', name: NAMESPACE },
    ]);
  });

  it('is lost only once nothing of it is seen elsewhere any more', () => {
    const ended = () => deployingTo(undefined).mergeRequest(closed);
    const told = story().pass(ended(), at(-HOUR));
    expect(told.memory().lostSince).toBeUndefined();
    const unread = () =>
      ended()
        .without('applications')
        .kindReading('applications', { state: 'pending' });
    told.pass(unread(), at(-MINUTE));
    expect(told.memory().lostSince).toBeUndefined();
    told.pass(ended().without('applications'));
    expect(told.memory().lostSince).toBe(at(0));
    told.pass(unread(), at(MINUTE));
    expect(told.memory().lostSince).toBe(at(0));
  });

  it('is not gone before that cluster tells', () => {
    const without = () =>
      deployingTo(undefined).without('applications').mergeRequest(closed);
    const told = story()
      .pass(deployingTo(undefined).mergeRequest(closed), at(-HOUR))
      .pass(without(), at(-MINUTE));
    expect(told.preview()).toMatchObject({
      phase: 'TearingDown',
      stale: ['cluster:b'],
    });
    told.pass(without(), at(400 * DAY));
    expect(told.preview().phase).toBe('TearingDown');
    const back = () =>
      deployingTo('b').without('applications').mergeRequest(closed);
    told.pass(back(), at(401 * DAY));
    expect(told.preview()).toMatchObject({
      phase: 'Orphaned',
      reason: { reason: 'NamespaceLeft' },
    });
    told.pass(back().without('namespaces', undefined, 'b'), at(402 * DAY));
    expect(told.preview().phase).toBe('Gone');
  });

  it('is found under the new name of that cluster', () => {
    const told = story().pass(deployingTo('c'), at(-HOUR));
    expect(told.preview()).toMatchObject({
      phase: 'Live',
      stale: [],
      namespaces: [{ cluster: 'c' }],
    });
    expect(told.memory().namespaces).toEqual([
      { cluster: 'c', name: NAMESPACE },
    ]);
    const ended = () =>
      deployingTo('c').without('applications').mergeRequest(closed);
    told.pass(ended(), at(-MINUTE));
    expect(told.preview().phase).toBe('TearingDown');
    told.pass(ended().without('namespaces', undefined, 'c'));
    expect(told.preview().phase).toBe('Gone');
  });

  it('is not taken for gone where only Argo CD’s word is left of it', () => {
    const byArgocd = () => deployingTo(undefined).argocdOnly();
    const told = new Story()
      .pass(deployingTo('b').argocdOnly(), at(-2 * HOUR))
      .pass(byArgocd(), at(-HOUR))
      .pass(byArgocd().without('applications').mergeRequest(closed));
    expect(told.preview()).toMatchObject({
      phase: 'TearingDown',
      stale: ['cluster:b'],
    });
  });
});
