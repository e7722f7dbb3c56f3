import { Memory } from '../model';
import { Story } from '../testing/Story';
import {
  at,
  generatedBy,
  HEAD,
  Json,
  MERGE_REQUEST,
  ownedBy,
  routeParent,
  WorldBuilder,
} from '../testing/world';

const MINUTE = 60;
const HOUR = 3600;
const OTHER = { ...MERGE_REQUEST, iid: 8 };
const HOST_NAME = 'mr-7.preview.example.com';

const closing: Json = { state: 'closed', closed_at: at(0) };

/** A tracking id of Argo CD. */
const trackedFor = (application: string, object: string): Json => ({
  annotations: {
    'argocd.argoproj.io/tracking-id': `${application}:${object}`,
  },
});

const resource = (
  group: string,
  kind: string,
  namespace: string | undefined,
  name: string,
): Json => ({
  group,
  kind,
  name,
  status: 'Synced',
  ...(namespace !== undefined && { namespace }),
});

const routeIn = (namespace: string, name = 'shop') =>
  resource('gateway.networking.k8s.io', 'HTTPRoute', namespace, name);
const certificateIn = (namespace: string, name = 'shop-tls') =>
  resource('cert-manager.io', 'Certificate', namespace, name);
const ingressIn = (namespace: string, name = 'shop') =>
  resource('networking.k8s.io', 'Ingress', namespace, name);
const listenerSetIn = (namespace: string, name = 'shop') =>
  resource('gateway.networking.k8s.io', 'ListenerSet', namespace, name);
const namespaceNamed = (name: string) =>
  resource('', 'Namespace', undefined, name);

const inside = (namespace: string, name: string, patch: Json = {}): Json => ({
  ...patch,
  metadata: { namespace, name, ...patch.metadata },
});

/** The workloads of one preview, in the namespace that its Application deploys to. */
const workloads = () =>
  WorldBuilder.open()
    .namespace()
    .deployment()
    .replicaSet()
    .pod()
    .clusterIssuer()
    .gateway();

const EDGE = 'preview-mr-7-edge';

const listing = (...resources: Json[]): Json => ({ status: { resources } });

/** A preview whose route and certificate are in a namespace of its own beside its workloads. */
const split = () =>
  workloads()
    .application(
      listing(
        namespaceNamed('preview-mr-7'),
        namespaceNamed(EDGE),
        routeIn(EDGE),
        certificateIn(EDGE),
      ),
    )
    .namespace({ metadata: { name: EDGE } })
    .httpRoute(inside(EDGE, 'shop'))
    .certificate(inside(EDGE, 'shop-tls'));

const WORKLOADS = ['deployments', 'replicaSets', 'pods'] as const;
/** The Application is gone, with all that is in the namespace that it deployed to. */
const undeployed = (world: WorldBuilder) =>
  world
    .without(['applications', ...WORKLOADS])
    .without('namespaces', 'preview-mr-7')
    .mergeRequest(closing);

const refused: Json = {
  status: {
    parents: [
      routeParent({
        accepted: { status: 'False', reason: 'NotAllowedByListeners' },
      }),
    ],
  },
};

const namespacesOf = (story: Story, key = MERGE_REQUEST) =>
  story.preview(key).namespaces.map(({ name, own }) => ({ name, own }));
const remembered = (story: Story, key = MERGE_REQUEST): Memory['namespaces'] =>
  story.memory(key).namespaces;

describe('a preview with its route in a namespace of its own beside its workloads', () => {
  it('is live with an accepted route, its address and its certificate', () => {
    const story = new Story().pass(split());
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      urls: [{ url: `https://${HOST_NAME}` }],
      routes: [{ namespace: EDGE, name: 'shop', accepted: 'True' }],
      certificates: [{ namespace: EDGE, name: 'shop-tls', state: 'ready' }],
    });
    expect(story.verdict('RouteAccepted')).toBe('True Accepted');
    expect(story.verdict('CertificateReady')).toBe('True Ready');
    expect(namespacesOf(story)).toEqual([
      { name: 'preview-mr-7', own: true },
      { name: EDGE, own: true },
    ]);
  });

  it('is not live while its route is refused', () => {
    const story = new Story().pass(
      split().httpRoute(inside(EDGE, 'shop', refused)),
    );
    expect(story.preview()).toMatchObject({
      phase: 'Failed',
      reason: { type: 'RouteAccepted', reason: 'NotAllowedByListeners' },
    });
  });

  it.each([
    ['HTTPRoute', routeIn(EDGE, 'second'), 'False Pending'],
    ['Ingress', ingressIn(EDGE, 'second'), 'False IngressPending'],
  ])(
    'is not live while an applied %s has not been seen there',
    (_, route, verdict) => {
      const story = new Story().pass(
        split().application(
          listing(namespaceNamed(EDGE), routeIn(EDGE), route),
        ),
      );
      expect(story.preview().phase).toBe('Securing');
      expect(story.verdict('RouteAccepted')).toBe(verdict);
    },
  );

  it('does not wait for a route there that Argo CD has yet to apply', () => {
    const story = new Story().pass(
      split().application(
        listing(namespaceNamed(EDGE), routeIn(EDGE), {
          ...routeIn(EDGE, 'second'),
          status: 'OutOfSync',
        }),
      ),
    );
    expect(story.verdict('RouteAccepted')).toBe('True Accepted');
  });

  it('is not live while its certificate is issued', () => {
    const story = new Story().pass(
      split().certificate(inside(EDGE, 'shop-tls', { status: null })),
    );
    expect(story.preview().phase).toBe('Securing');
  });

  it('has its address by an Ingress there', () => {
    const story = new Story().pass(
      split()
        .without('httpRoutes')
        .application(listing(namespaceNamed(EDGE), ingressIn(EDGE)))
        .ingress(inside(EDGE, 'shop')),
    );
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      routes: [{ kind: 'Ingress', namespace: EDGE }],
      urls: [{ url: `https://${HOST_NAME}` }],
    });
  });

  it('has its route through a ListenerSet there', () => {
    const parentRef = { kind: 'ListenerSet', namespace: EDGE, name: 'shop' };
    const story = new Story().pass(
      split()
        .application(
          listing(namespaceNamed(EDGE), routeIn(EDGE), listenerSetIn(EDGE)),
        )
        .httpRoute(
          inside(EDGE, 'shop', {
            spec: { parentRefs: [{ kind: 'ListenerSet', name: 'shop' }] },
            status: { parents: [routeParent({ parentRef })] },
          }),
        )
        .listenerSet(inside(EDGE, 'shop')),
    );
    expect(story.verdict('RouteAccepted')).toBe('True Accepted');
    expect(story.verdict('CertificateReady')).toBe('True Ready');
  });

  it('has its host visited', () => {
    const story = new Story().pass(
      split().visited({ kind: 'answered', status: 502 }),
    );
    expect(story.preview().probes).toMatchObject([{ host: HOST_NAME }]);
    expect(story.condition('Reachable')?.status).toBe('False');
  });

  it('finds what Argo CD does not list there, such as a Certificate that another controller made', () => {
    const story = new Story().pass(
      split().application(listing(namespaceNamed(EDGE), routeIn(EDGE))),
    );
    expect(story.preview().certificates).toMatchObject([
      { namespace: EDGE, name: 'shop-tls' },
    ]);
  });

  it('takes a namespace for its own that is tracked for its Application and not listed', () => {
    const story = new Story().pass(
      split()
        .application(listing(routeIn(EDGE)))
        .namespace({
          metadata: {
            name: EDGE,
            ...trackedFor('preview-mr-7', `/Namespace:preview-mr-7/${EDGE}`),
          },
        }),
    );
    expect(namespacesOf(story)).toContainEqual({ name: EDGE, own: true });
  });

  it('takes the objects there for unknown, not for absent, while they are not read', () => {
    const story = new Story()
      .pass(split(), at(-MINUTE))
      .pass(
        split()
          .without('httpRoutes')
          .kindReading('httpRoutes', { state: 'pending' }),
      );
    expect(story.condition('RouteAccepted')).toMatchObject({
      status: 'Unknown',
      lastKnown: { status: 'True' },
    });
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      routes: [{ namespace: EDGE }],
    });
  });

  it('keeps a namespace for its own while Namespaces are not read', () => {
    const story = new Story()
      .pass(split(), at(-MINUTE))
      .pass(
        split()
          .without('namespaces')
          .kindReading('namespaces', { state: 'pending' }),
      );
    expect(remembered(story)).toEqual([
      { cluster: 'main', name: 'preview-mr-7' },
      { cluster: 'main', name: EDGE, beside: 'own' },
    ]);
  });

  it('decides twice the same', () => {
    const story = new Story().pass(split(), at(-MINUTE)).pass(split());
    expect(story.decision().unchanged).toBe(true);
  });
});

describe('the end of a preview with a namespace beside its workloads', () => {
  const without = () =>
    undeployed(split()).without(['httpRoutes', 'certificates']);

  it('waits for that namespace', () => {
    const story = new Story().pass(split(), at(-HOUR)).pass(without());
    expect(story.preview()).toMatchObject({
      phase: 'TearingDown',
      reason: { reason: 'NamespaceLeft', params: { namespace: EDGE } },
    });
  });

  it('is told by the state of that namespace', () => {
    const story = new Story().pass(split(), at(-HOUR)).pass(
      without().namespace({
        metadata: { name: EDGE, deletionTimestamp: at(-MINUTE) },
        status: { phase: 'Terminating' },
      }),
    );
    expect(story.verdict('CleanedUp')).toBe('False NamespaceTerminating');
  });

  it('has an orphan in that namespace alone', () => {
    const story = new Story()
      .pass(split(), at(-3 * HOUR))
      .pass(without(), at(-2 * HOUR))
      .pass(without());
    expect(story.preview().phase).toBe('Orphaned');
  });

  it('comes when that namespace is gone by complete evidence', () => {
    const ended = () => without().without('namespaces');
    const story = new Story()
      .pass(split(), at(-HOUR))
      .pass(ended().kindReading('namespaces', { state: 'pending' }));
    expect(story.preview().phase).toBe('TearingDown');
    expect(story.pass(ended(), at(MINUTE)).preview()).toMatchObject({
      phase: 'Gone',
      urls: [],
    });
    expect(remembered(story)).toEqual([]);
  });

  it('leaves that namespace to another MR that uses it since', () => {
    const story = new Story().pass(split(), at(-HOUR)).pass(
      without()
        .mergeRequest({ iid: 8 })
        .application({
          metadata: { name: 'preview-mr-8' },
          ...listing(routeIn(EDGE)),
        }),
    );
    expect(namespacesOf(story)).toEqual([{ name: EDGE, own: false }]);
    expect(story.preview().phase).toBe('Gone');
  });

  it('looks for the records of the hosts that were there', () => {
    const zone = [`A ${HOST_NAME}`];
    const story = new Story()
      .pass(split().dnsZone(zone), at(-HOUR))
      .pass(without().without('namespaces').dnsZone(zone));
    expect(story.memory().hosts).toEqual([HOST_NAME]);
    expect(story.preview().phase).toBe('TearingDown');
    expect(story.condition('CleanedUp')?.reason).toMatch(/^DnsRecord/);
  });
});

describe('a namespace that many previews have their routes in', () => {
  const SHARED = 'edge';
  const hostOf = (iid: number) => `mr-${iid}.preview.example.com`;
  const routeOf = (iid: number, patch: Json = {}): Json =>
    inside(SHARED, `shop-${iid}`, {
      ...patch,
      metadata: {
        uid: `route-${iid}`,
        ...trackedFor(
          `preview-mr-${iid}`,
          `gateway.networking.k8s.io/HTTPRoute:${SHARED}/shop-${iid}`,
        ),
        ...patch.metadata,
      },
      spec: { hostnames: [hostOf(iid)] },
    });

  /** Two previews, each with a route in that namespace, which was made lately. */
  const both = () =>
    workloads()
      .mergeRequest({ iid: 8, source_branch: 'feature/stars', sha: HEAD })
      .application(listing(routeIn(SHARED, 'shop-7')))
      .application({
        metadata: { name: 'preview-mr-8' },
        ...listing(routeIn(SHARED, 'shop-8')),
      })
      .namespace({ metadata: { name: 'preview-mr-8' } })
      .deployment(inside('preview-mr-8', 'shop'))
      .namespace({ metadata: { name: SHARED } })
      .httpRoute(routeOf(7))
      .httpRoute(routeOf(8))
      .httpRoute(inside(SHARED, 'somebody', { metadata: { uid: 'other' } }));

  it('gives each its own route and address, and nothing of the other', () => {
    const story = new Story().pass(both());
    for (const key of [MERGE_REQUEST, OTHER]) {
      expect(story.preview(key)).toMatchObject({
        urls: [{ url: `https://${hostOf(key.iid)}` }],
        routes: [{ namespace: SHARED, name: `shop-${key.iid}` }],
      });
      expect(story.verdict('RouteAccepted', key)).toBe('True Accepted');
    }
  });

  it('is nobody’s own, though nothing in it is older than the MRs', () => {
    const story = new Story().pass(both());
    for (const key of [MERGE_REQUEST, OTHER]) {
      expect(namespacesOf(story, key)).toContainEqual({
        name: SHARED,
        own: false,
      });
      expect(remembered(story, key)).toContainEqual({
        cluster: 'main',
        name: SHARED,
        beside: 'shared',
      });
    }
  });

  it('is nobody’s own though all their Applications list the Namespace', () => {
    const story = new Story().pass(
      both()
        .application(listing(namespaceNamed(SHARED), routeIn(SHARED, 'shop-7')))
        .application({
          metadata: { name: 'preview-mr-8' },
          ...listing(namespaceNamed(SHARED), routeIn(SHARED, 'shop-8')),
        }),
    );
    for (const key of [MERGE_REQUEST, OTHER]) {
      expect(namespacesOf(story, key)).toContainEqual({
        name: SHARED,
        own: false,
      });
    }
  });

  it.each<[string, (world: WorldBuilder) => WorldBuilder]>([
    [
      'lists something in it',
      world =>
        world.application({
          metadata: { name: 'platform', ownerReferences: null },
          spec: { destination: { namespace: 'platform' } },
          ...listing(resource('', 'ConfigMap', EDGE, 'settings')),
        }),
    ],
    [
      'lists the Namespace itself',
      world =>
        world.application({
          metadata: { name: 'platform', ownerReferences: null },
          spec: { destination: { namespace: 'platform' } },
          ...listing(namespaceNamed(EDGE)),
        }),
    ],
    [
      'deploys into it',
      world =>
        world.application({
          metadata: { name: 'platform', ownerReferences: null },
          spec: { destination: { namespace: EDGE } },
        }),
    ],
  ])('is not its own where someone else’s Application %s', (_, adding) => {
    const story = new Story().pass(adding(split()));
    expect(namespacesOf(story)).toContainEqual({ name: EDGE, own: false });
    // What is listed is still its own, by name.
    expect(story.preview().routes).toMatchObject([{ namespace: EDGE }]);
    expect(story.verdict('RouteAccepted')).toBe('True Accepted');
  });

  it('is not its own where it is older than the MR', () => {
    const story = new Story().pass(
      split().namespace({
        metadata: { name: EDGE, creationTimestamp: at(-900 * 86_400) },
      }),
    );
    expect(namespacesOf(story)).toContainEqual({ name: EDGE, own: false });
    expect(story.verdict('RouteAccepted')).toBe('True Accepted');
  });

  it('is not its own only because nobody else is there yet', () => {
    const story = new Story().pass(
      split().application(listing(routeIn(EDGE), certificateIn(EDGE))),
    );
    expect(namespacesOf(story)).toContainEqual({ name: EDGE, own: false });
    expect(story.preview().phase).toBe('Live');
  });

  it('finds what Argo CD tracks there by its label', () => {
    const story = new Story().pass(
      both()
        .application(listing(certificateIn(SHARED, 'shop-7')))
        .httpRoute(
          routeOf(7, {
            metadata: {
              annotations: null,
              labels: { 'app.kubernetes.io/instance': 'preview-mr-7' },
            },
          }),
        ),
    );
    expect(story.preview().routes).toMatchObject([{ name: 'shop-7' }]);
  });

  it('does not take what a tracking id was copied to', () => {
    const story = new Story().pass(
      both().httpRoute(
        inside(SHARED, 'copy', {
          metadata: {
            uid: 'copy',
            ...trackedFor(
              'preview-mr-7',
              `gateway.networking.k8s.io/HTTPRoute:${SHARED}/shop-7`,
            ),
          },
        }),
      ),
    );
    expect(story.preview().routes.map(({ name }) => name)).toEqual(['shop-7']);
  });

  describe('of which another is tracked by the same name, as one of another Argo CD', () => {
    const CART = { ...MERGE_REQUEST, projectId: 43 };
    const tracked = (name: string) =>
      inside(SHARED, name, {
        metadata: trackedFor(
          'preview-mr-7',
          `gateway.networking.k8s.io/HTTPRoute:${SHARED}/${name}`,
        ),
        spec: { hostnames: [`${name}.preview.example.com`] },
      });
    /** A preview of another project, whose Application is in another namespace. */
    const withCart = (world: WorldBuilder) =>
      world
        .project({ id: 43, path_with_namespace: 'group/cart' })
        .mergeRequest({ project_id: 43, title: 'Empty the cart' })
        .applicationSet({
          metadata: { name: 'cart-previews', namespace: 'argocd-second' },
          ...generatedBy({ project: 'group/cart' }),
        })
        .application({
          ...listing(routeIn(SHARED, 'cart')),
          metadata: {
            namespace: 'argocd-second',
            uid: 'app-cart',
            ownerReferences: [ownedBy('cart-previews')],
          },
          spec: { destination: { namespace: 'cart-mr-7' } },
        })
        .httpRoute(tracked('cart'));
    const namesakes = () =>
      withCart(
        workloads()
          .application(listing(routeIn(SHARED, 'shop')))
          .httpRoute(tracked('shop')),
      );
    const hostsOf = (story: Story, key?: typeof CART) =>
      story.preview(key).urls.map(({ host }) => host);

    it('each has the route that its Application lists', () => {
      const story = new Story().pass(namesakes());
      expect(hostsOf(story)).toEqual(['shop.preview.example.com']);
      expect(hostsOf(story, CART)).toEqual(['cart.preview.example.com']);
    });

    it('one ends though the other one stays', () => {
      const story = new Story()
        .pass(namesakes(), at(-HOUR))
        .pass(withCart(WorldBuilder.open().mergeRequest(closing)));
      expect(story.preview().phase).toBe('Gone');
      expect(hostsOf(story, CART)).toEqual(['cart.preview.example.com']);
    });

    it('what neither lists any more is still looked at by who had it', () => {
      const story = new Story()
        .pass(namesakes(), at(-HOUR))
        .pass(
          withCart(
            WorldBuilder.open()
              .mergeRequest(closing)
              .httpRoute(tracked('shop')),
          ),
        );
      expect(story.condition('CleanedUp')).toMatchObject({
        reason: 'ResourcesLeft',
        params: { resources: ['HTTPRoute shop'] },
      });
    });
  });

  it('does not let the refused route of one keep the other', () => {
    const story = new Story().pass(both().httpRoute(routeOf(8, refused)));
    expect(story.verdict('RouteAccepted')).toBe('True Accepted');
    expect(story.verdict('RouteAccepted', OTHER)).toBe(
      'False NotAllowedByListeners',
    );
  });

  describe('at the end of one of them', () => {
    const left = () => undeployed(both());
    const ended = () => left().without('httpRoutes', 'shop-7');

    it('still finds the route that is left, and tells of it', () => {
      const story = new Story().pass(both(), at(-HOUR)).pass(left());
      expect(story.condition('CleanedUp')).toMatchObject({
        status: 'False',
        reason: 'ResourcesLeft',
        params: { namespace: SHARED, resources: ['HTTPRoute shop-7'] },
      });
    });

    it('does not wait for the namespace, nor for the routes of others', () => {
      const story = new Story().pass(both(), at(-HOUR)).pass(ended());
      expect(story.preview().phase).toBe('Gone');
      expect(story.preview(OTHER).phase).not.toBe('Gone');
    });

    it('does not wait for it once all are gone either', () => {
      const story = new Story().pass(both(), at(-HOUR)).pass(
        ended()
          .mergeRequest({ iid: 8, ...closing })
          .without(['namespaces'], 'preview-mr-8')
          .without('httpRoutes', 'shop-8'),
      );
      for (const key of [MERGE_REQUEST, OTHER]) {
        expect(story.preview(key).phase).toBe('Gone');
      }
    });

    it('never becomes an orphan by it', () => {
      const story = new Story()
        .pass(both(), at(-3 * HOUR))
        .pass(left(), at(-2 * HOUR))
        .pass(left());
      expect(story.preview().phase).toBe('TearingDown');
    });

    it.each(['certificates', 'httpRoutes', 'ingresses'] as const)(
      'is not over while %s are not read',
      kind => {
        const story = new Story()
          .pass(both(), at(-HOUR))
          .pass(ended().kindReading(kind, { state: 'pending' }));
        expect(story.preview().phase).toBe('TearingDown');
        expect(story.pass(ended(), at(MINUTE)).preview().phase).toBe('Gone');
      },
    );
  });
});

describe('where a preview is looked for', () => {
  it('is nowhere that its Application has only what leads to nothing', () => {
    const story = new Story().pass(
      split().application(
        listing(
          namespaceNamed(EDGE),
          routeIn(EDGE),
          resource('rbac.authorization.k8s.io', 'RoleBinding', 'default', 'x'),
        ),
      ),
    );
    expect(remembered(story).map(({ name }) => name)).toEqual([
      'preview-mr-7',
      EDGE,
    ]);
  });

  it('stays a destination that its Application only has resources in since', () => {
    const moved = () =>
      split().application({
        spec: { destination: { namespace: 'elsewhere' } },
      });
    const story = new Story().pass(split(), at(-HOUR)).pass(moved());
    expect(remembered(story)).toContainEqual({
      cluster: 'main',
      name: 'preview-mr-7',
    });
  });

  it('tells nothing new where only the API of Argo CD is read', () => {
    const byApi = (world: WorldBuilder) => {
      const story = new Story().pass(world.argocdOnly());
      return story.preview().conditions.map(({ type, status, reason }) => ({
        type,
        status,
        reason,
      }));
    };
    expect(byApi(split())).toEqual(
      byApi(split().application(listing(namespaceNamed('preview-mr-7')))),
    );
  });
});
