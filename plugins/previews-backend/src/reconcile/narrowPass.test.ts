import fc from 'fast-check';
import {
  kindNames,
  KindReading,
  KindFacts,
  KindName,
  StoredPreview,
  World,
} from '../model';
import {
  at,
  CLUSTER,
  controller,
  generatedBy,
  HEAD,
  HOST,
  Json,
  NEXT,
  NOW,
  OLD,
  ownedBy,
  pipeline,
  podStatus,
  podTemplate,
  REGISTRY,
  rollingOut,
  routeParent,
  setError,
  WorldBuilder,
} from '../testing/world';
import { Decision } from './decide';
import { DecisionCache } from './decisionCache';
import { isEnded } from './demand';
import { HeadChecks } from './headChecks';
import { decideChanged, WorldChanges } from './narrowPass';
import { decideAll } from './pass';
import { PassBasis } from './PassBasis';
import { isEqual, isSame } from './sameness';
import { defaultSettings } from './settings';
import { addSeconds } from './time';
import { keyString } from './worldIndex';

jest.setTimeout(60_000);

const IIDS = [7, 8, 9];
const idOf = (iid: number) => keyString({ host: HOST, projectId: 42, iid });
const nameOf = (iid: number) => `preview-mr-${iid}`;

/** A namespace beside the workloads of a preview, where it may have its route. */
const besideOf = (iid: number) => `${nameOf(iid)}-edge`;
/** Where any preview may have its route. */
const SHARED = 'edge';

/** Everything that a preview can have, for one more MR. */
function addPreview(world: WorldBuilder, iid: number): WorldBuilder {
  const metadata = { name: nameOf(iid) };
  const inside = (name: string) => ({
    metadata: { name, namespace: nameOf(iid) },
  });
  return world
    .mergeRequest({ iid, source_branch: `feature/${iid}` })
    .application({ metadata })
    .namespace({ metadata })
    .namespace({ metadata: { name: besideOf(iid) } })
    .deployment(inside('shop'))
    .replicaSet(inside('shop-1'))
    .pod(inside('shop-1-aaaaa'))
    .certificate({
      metadata: {
        name: 'shop-tls',
        namespace: nameOf(iid),
        uid: `certificate-${iid}`,
      },
    })
    .httpRoute(inside('shop'));
}

/** Three previews, and an Application that no set owns. */
function organisation(): WorldBuilder {
  const world = WorldBuilder.empty()
    .applicationSet()
    .gateway()
    .namespace({ metadata: { name: SHARED } })
    .entity({ timeToLive: 4500 })
    .visiting('preview.example.com');
  IIDS.forEach(iid => addPreview(world, iid));
  return world.application(foreign());
}

function foreign(patch: Json = {}): Json {
  return {
    metadata: { name: 'shop-production', ownerReferences: null },
    spec: { destination: { namespace: 'production' } },
    ...patch,
  };
}

/** The changes that the sources tell of when one world follows another. */
function changesBetween(before: World, after: World): WorldChanges {
  const kinds = (world: World) => world.clusters[0].kinds;
  return {
    objects: kindNames.map(kind => {
      type Reading = KindReading<KindFacts[KindName]>;
      const former: Reading = kinds(before)[kind];
      const reading: Reading = kinds(after)[kind];
      const all = [...former.objects.keys(), ...reading.objects.keys()];
      const keys = new Set(
        all.filter(
          key => !isEqual(former.objects.get(key), reading.objects.get(key)),
        ),
      );
      const objects = new Map(
        [...reading.objects].filter(([key]) => keys.has(key)),
      );
      return { cluster: CLUSTER, kind, keys, reading: { ...reading, objects } };
    }),
    projects: [...after.gitlab[0].projects.values()].map(reading => ({
      host: HOST,
      reading,
    })),
    probes: probesBetween(before, after),
    previews: [],
  };
}

/** What visits found that differs from before. */
function probesBetween(before: World, after: World): WorldChanges['probes'] {
  const found = (world: World) => world.reachability?.observations;
  const hosts = new Set([
    ...(found(before)?.keys() ?? []),
    ...(found(after)?.keys() ?? []),
  ]);
  return [...hosts]
    .map(host => ({ host, observation: found(after)?.get(host) }))
    .filter(
      ({ host, observation }) =>
        !isEqual(found(before)?.get(host), observation),
    );
}

/** The world with the MRs of the one before that were not read again. */
function withoutReading(before: World, after: World): World {
  const [{ projects: former }] = before.gitlab;
  const [gitlab] = after.gitlab;
  const projects = new Map(
    [...gitlab.projects].map(([id, project]) => {
      const mergeRequests = new Map(
        [...project.mergeRequests].map(([iid, reading]) => {
          const known = former.get(id)?.mergeRequests.get(iid);
          const pipelines = reading.pipelines && {
            ...reading.pipelines,
            readAt: known?.pipelines?.readAt,
          };
          const isSameReading = isEqual(known, {
            ...reading,
            readAt: known?.readAt,
            pipelines,
          });
          return [iid, known && isSameReading ? known : reading];
        }),
      );
      return [id, { ...project, mergeRequests }];
    }),
  );
  return { ...after, gitlab: [{ ...gitlab, projects }] };
}

/**
 * The writer's memory. `narrow` decides by changes where it can, as the engine
 * does; without it every pass is over everything.
 */
class Writer {
  readonly stored = new Map<string, StoredPreview>();
  readonly #cache = new DecisionCache();
  readonly #headChecks = new HeadChecks();
  readonly #isNarrow: boolean;
  #basis?: PassBasis;
  #world?: World;
  passes = { narrow: 0, full: 0 };
  looked: string[] = [];
  lookAgainAt?: string;
  isDemandChanged = false;

  constructor(options: { narrow: boolean }) {
    this.#isNarrow = options.narrow;
  }

  /** Returns the transitions of the pass, by key string. */
  pass(world: World, now: string, isEverything = false) {
    const deciding = {
      stored: this.stored,
      settings: defaultSettings,
      cache: this.#cache,
      headChecks: this.#headChecks,
      now,
    };
    const narrow =
      this.#isNarrow && !isEverything && this.#basis && this.#world
        ? decideChanged({
            ...deciding,
            basis: this.#basis,
            changes: changesBetween(this.#world, world),
          })
        : undefined;
    const result =
      narrow ?? decideAll({ ...deciding, world, isClaimAllowed: () => true });
    if ('basis' in result) {
      this.#basis = result.basis;
      this.passes.full += 1;
    } else {
      this.isDemandChanged = result.isDemandChanged;
      this.passes.narrow += 1;
    }
    this.#world = world;
    this.looked = [...result.decisions.keys()];
    this.lookAgainAt = result.lookAgainAt;
    const transitions = this.#apply(result.decisions);
    if ('basis' in result) {
      this.#letGo(world);
    }
    return transitions;
  }

  #apply(decisions: ReadonlyMap<string, Decision>) {
    const transitions = new Map<string, unknown>();
    for (const [id, { change, unchanged }] of decisions) {
      if (!unchanged) {
        this.stored.set(id, change.stored);
        transitions.set(id, change.transitions);
      }
    }
    return transitions;
  }

  #letGo(world: World) {
    for (const [id, preview] of this.stored) {
      const { projectId, iid } = preview.key;
      const project = world.gitlab[0].projects.get(projectId);
      if (isEnded(preview) && !project?.mergeRequests.has(iid)) {
        this.stored.delete(id);
      }
    }
  }
}

type Change = (world: WorldBuilder, iid: number) => void;

const inside = (iid: number, name: string, patch: Json) => ({
  ...patch,
  metadata: { name, namespace: nameOf(iid), ...patch.metadata },
});
/** An object of a preview with a uid and an owner that no other's have. */
const ownedIn = (iid: number, name: string, owner?: [string, string]) => ({
  metadata: {
    name,
    namespace: nameOf(iid),
    uid: `${name}-${iid}`,
    ...(owner && {
      ownerReferences: [controller(owner[0], 'owner', owner[1])],
    }),
  },
});
const application =
  (patch: Json): Change =>
  (world, iid) =>
    world.application({
      ...patch,
      metadata: { name: nameOf(iid), ...patch.metadata },
    });

const listing = (...resources: Json[]): Json => ({ status: { resources } });
const namespaceNamed = (name: string): Json => ({
  group: '',
  kind: 'Namespace',
  name,
  status: 'Synced',
});
const routeNamed = (namespace: string, name: string): Json => ({
  group: 'gateway.networking.k8s.io',
  kind: 'HTTPRoute',
  namespace,
  name,
  status: 'Synced',
});
const refused: Json = {
  status: {
    parents: [
      routeParent({
        accepted: { status: 'False', reason: 'NotAllowedByListeners' },
      }),
    ],
  },
};
/** A preview's route where all may have theirs, tracked for an Application. */
const sharedRoute = (
  iid: number,
  options: { trackedFor?: string; patch?: Json } = {},
): Json => ({
  ...options.patch,
  metadata: {
    namespace: SHARED,
    name: `shop-${iid}`,
    uid: `shared-route-${iid}`,
    annotations: {
      'argocd.argoproj.io/tracking-id': `${
        options.trackedFor ?? nameOf(iid)
      }:gateway.networking.k8s.io/HTTPRoute:${SHARED}/shop-${iid}`,
    },
  },
});
/** A preview's workload where all have their routes, tracked for its Application. */
const sharedWorkload = (iid: number): Json => ({
  metadata: {
    namespace: SHARED,
    name: `shop-${iid}`,
    uid: `shared-workload-${iid}`,
    annotations: {
      'argocd.argoproj.io/tracking-id': `${nameOf(
        iid,
      )}:apps/Deployment:${SHARED}/shop-${iid}`,
    },
  },
});
const routeBeside = (iid: number, patch: Json = {}): Json => ({
  ...patch,
  metadata: { namespace: besideOf(iid), name: 'shop', uid: `beside-${iid}` },
});

/** What can happen to a preview, and to what it shares with others. */
const changes: Record<string, Change> = {
  'its Application progresses': application({
    status: { health: { status: 'Progressing' } },
  }),
  'its Application is degraded': application({
    status: { health: { status: 'Degraded', message: 'Back-off' } },
  }),
  'its Application is healthy': application({
    status: { health: { status: 'Healthy' } },
  }),
  'its Application asks for the next commit': application({
    spec: {
      source: {
        helm: { parameters: [{ name: 'image.tag', value: NEXT.slice(0, 8) }] },
      },
    },
    status: { summary: { images: [`${REGISTRY}:${NEXT.slice(0, 8)}`] } },
  }),
  'its Application deploys to where another does': application({
    spec: { destination: { namespace: nameOf(7) } },
  }),
  'its Application deploys to its own namespace': (world, iid) =>
    application({ spec: { destination: { namespace: nameOf(iid) } } })(
      world,
      iid,
    ),
  'its Application lists a workload elsewhere': application({
    status: {
      resources: [
        {
          group: 'apps',
          kind: 'Deployment',
          namespace: 'production',
          name: 'shared',
          status: 'Synced',
        },
      ],
    },
  }),
  'its Application has a namespace beside it': (world, iid) =>
    application(
      listing(namespaceNamed(besideOf(iid)), routeNamed(besideOf(iid), 'shop')),
    )(world, iid),
  'its Application has its route where all have theirs': (world, iid) =>
    application(listing(routeNamed(SHARED, `shop-${iid}`)))(world, iid),
  'its Application has the namespace of all for its own': application(
    listing(namespaceNamed(SHARED)),
  ),
  'its Application has something beside another': application(
    listing(routeNamed(besideOf(7), 'second')),
  ),
  'its Application has nothing beside it': application(listing()),
  'its route beside it is accepted': (world, iid) =>
    world.httpRoute(routeBeside(iid, { status: { parents: [routeParent()] } })),
  'its route beside it is refused': (world, iid) =>
    world.httpRoute(routeBeside(iid, refused)),
  'its route where all have theirs is accepted': (world, iid) =>
    world.httpRoute(
      sharedRoute(iid, { patch: { status: { parents: [routeParent()] } } }),
    ),
  'its route where all have theirs is refused': (world, iid) =>
    world.httpRoute(sharedRoute(iid, { patch: refused })),
  'its route where all have theirs is tracked for another': (world, iid) =>
    world.httpRoute(sharedRoute(iid, { trackedFor: nameOf(9) })),
  'its route where all have theirs goes': (world, iid) =>
    world.without('httpRoutes', `shop-${iid}`),
  'something of it runs where all have their routes': (world, iid) =>
    world.deployment(sharedWorkload(iid)),
  'nothing of it runs there any more': (world, iid) =>
    world.without('deployments', `shop-${iid}`),
  'somebody has a route where all have theirs': world =>
    world.httpRoute({ metadata: { namespace: SHARED, name: 'somebody' } }),
  'someone’s Application has something beside it': (world, iid) =>
    world.application(foreign(listing(routeNamed(besideOf(iid), 'theirs')))),
  'someone’s Application has something where all have theirs': world =>
    world.application(foreign(listing(routeNamed(SHARED, 'theirs')))),
  'someone’s Application has nothing beside it': world =>
    world.application(foreign(listing())),
  'the namespace beside it terminates': (world, iid) =>
    world.namespace({
      metadata: { name: besideOf(iid), deletionTimestamp: NOW },
      status: { phase: 'Terminating' },
    }),
  'the namespace beside it goes': (world, iid) =>
    world.without('namespaces', besideOf(iid)),
  'the namespace of all is marked': world =>
    world.namespace({
      metadata: {
        name: SHARED,
        annotations: {
          'argocd.argoproj.io/tracking-id': `${nameOf(8)}:/Namespace:${nameOf(
            8,
          )}/${SHARED}`,
        },
      },
    }),
  'its Application is marked for deletion': application({
    metadata: { deletionTimestamp: NOW },
  }),
  'someone has its name': (world, iid) =>
    world.without('applications', nameOf(iid)).application(
      foreign({
        metadata: { name: nameOf(iid), uid: 'theirs', ownerReferences: null },
      }),
    ),
  'who has its name is marked for deletion': (world, iid) =>
    world.application({
      metadata: { name: nameOf(iid), deletionTimestamp: NOW },
    }),
  'its Application goes': (world, iid) =>
    world.without('applications', nameOf(iid)),
  'its Application is created anew': (world, iid) =>
    world
      .without('applications', nameOf(iid))
      .application({ metadata: { name: nameOf(iid), uid: `again-${iid}` } }),
  'its Application gets another owner': application({
    metadata: { ownerReferences: [ownedBy('others')] },
  }),
  'its Application gets its owner back': application({
    metadata: { ownerReferences: [ownedBy('shop-previews')] },
  }),
  'someone’s Application changes': world =>
    world.application(foreign({ status: { health: { status: 'Degraded' } } })),
  'someone’s Application names an MR': (world, iid) =>
    world.application(
      foreign({
        spec: {
          destination: { namespace: 'production' },
          info: [
            {
              name: 'mr',
              value: `https://${HOST}/group/shop/-/merge_requests/${iid}`,
            },
          ],
        },
      }),
    ),
  'someone’s Application goes': world =>
    world.without('applications', 'shop-production'),
  'its pod crashes': (world, iid) =>
    world.pod(
      inside(
        iid,
        'shop-1-aaaaa',
        podStatus({ state: { waiting: { reason: 'CrashLoopBackOff' } } }),
      ),
    ),
  'its pod runs': (world, iid) =>
    world.without('pods', `gone-${iid}`).pod(
      inside(iid, 'shop-1-aaaaa', {
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [
            {
              name: 'shop',
              ready: true,
              restartCount: 0,
              image: `${REGISTRY}:${HEAD.slice(0, 8)}`,
              imageID: `${REGISTRY}@sha256:${'ab'.repeat(32)}`,
              state: { running: {} },
            },
          ],
        },
      }),
    ),
  'it gets a second pod': (world, iid) =>
    world.pod(inside(iid, `second-${iid}`, podTemplate(OLD))),
  'its second pod goes': (world, iid) => world.without('pods', `second-${iid}`),
  'its Deployment rolls out': (world, iid) =>
    world.deployment(inside(iid, 'shop', rollingOut)),
  'a workload appears elsewhere': world =>
    world.deployment({
      metadata: { name: 'shared', namespace: 'production' },
      ...rollingOut,
    }),
  'its namespace terminates': (world, iid) =>
    world.namespace({
      metadata: { name: nameOf(iid), deletionTimestamp: NOW },
      status: {
        phase: 'Terminating',
        conditions: [
          {
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            message: 'Some content has finalizers remaining',
          },
        ],
      },
    }),
  'its namespace goes': (world, iid) =>
    world.without('namespaces', nameOf(iid)),
  'its namespace is there': (world, iid) =>
    world.namespace({ metadata: { name: nameOf(iid) } }),
  'its Certificate fails': (world, iid) =>
    world.certificate(
      inside(iid, 'shop-tls', {
        status: {
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'DoesNotExist',
              message: 'The secret does not exist',
            },
          ],
        },
      }),
    ),
  'its Certificate is being issued': (world, iid) =>
    world
      .certificateRequest(
        ownedIn(iid, 'request', ['Certificate', `certificate-${iid}`]),
      )
      .order(ownedIn(iid, 'order', ['CertificateRequest', `request-${iid}`]))
      .challenge(ownedIn(iid, 'challenge', ['Order', `order-${iid}`])),
  'its Challenge waits for the record': (world, iid) =>
    world.challenge({
      ...ownedIn(iid, 'challenge', ['Order', `order-${iid}`]),
      status: { reason: 'Waiting for DNS-01 challenge propagation: not yet' },
    }),
  'its Challenge cannot be presented': (world, iid) =>
    world.acmeEvent({
      ...ownedIn(iid, 'event'),
      message: 'Error presenting challenge: AccessDenied',
      involvedObject: {
        namespace: nameOf(iid),
        name: 'challenge',
        uid: `challenge-${iid}`,
      },
    }),
  'its Order fails': (world, iid) =>
    world.order({
      ...ownedIn(iid, 'order', ['CertificateRequest', `request-${iid}`]),
      status: { state: 'errored', reason: '429 rateLimited' },
    }),
  'the Challenges go': world => world.without('challenges'),
  'another Certificate writes its Secret': (world, iid) =>
    world.certificate({
      metadata: {
        name: 'second-tls',
        namespace: nameOf(iid),
        uid: `second-certificate-${iid}`,
      },
      spec: { secretName: 'shop-tls' },
    }),
  'the wildcard Certificate fails': world =>
    world.certificate({
      metadata: { name: 'wildcard', namespace: 'gateways' },
      spec: { dnsNames: ['*.preview.example.com'] },
      status: {
        conditions: [
          { type: 'Ready', status: 'False', reason: 'DoesNotExist' },
        ],
      },
    }),
  'the wildcard Certificate goes': world =>
    world.without('certificates', 'wildcard'),
  'the issuer is not ready': world =>
    world.clusterIssuer({
      status: {
        conditions: [
          { type: 'Ready', status: 'False', reason: 'ErrRegisterACMEAccount' },
        ],
      },
    }),
  'its route is refused': (world, iid) =>
    world.httpRoute(
      inside(iid, 'shop', {
        status: {
          parents: [
            routeParent({
              accepted: { status: 'False', reason: 'NotAllowedByListeners' },
            }),
          ],
        },
      }),
    ),
  'its route is accepted': (world, iid) =>
    world.httpRoute(
      inside(iid, 'shop', { status: { parents: [routeParent()] } }),
    ),
  'the listener is not programmed': world =>
    world.gateway({
      status: {
        listeners: [
          {
            name: 'https',
            conditions: [
              { type: 'Programmed', status: 'False', reason: 'Pending' },
            ],
          },
        ],
      },
    }),
  'its route attaches to a ListenerSet': (world, iid) =>
    world.httpRoute(
      inside(iid, 'shop', {
        spec: { parentRefs: [{ kind: 'ListenerSet', name: 'shop' }] },
        status: {
          parents: [
            routeParent({
              parentRef: {
                kind: 'ListenerSet',
                namespace: nameOf(iid),
                name: 'shop',
              },
            }),
          ],
        },
      }),
    ),
  'its route attaches to the ListenerSet of all': (world, iid) =>
    world.httpRoute(
      inside(iid, 'shop', {
        spec: {
          parentRefs: [
            { kind: 'ListenerSet', namespace: 'gateways', name: 'shared' },
          ],
        },
        status: { parents: [] },
      }),
    ),
  'its ListenerSet is there': (world, iid) =>
    world.listenerSet(inside(iid, 'shop', {})),
  'its ListenerSet is not admitted': (world, iid) =>
    world.listenerSet(
      inside(iid, 'shop', {
        status: {
          conditions: [
            { type: 'Accepted', status: 'False', reason: 'NotAllowed' },
          ],
          listeners: [],
        },
      }),
    ),
  'the ListenerSet of all is there': world =>
    world.listenerSet({ metadata: { name: 'shared', namespace: 'gateways' } }),
  'the ListenerSets go': world => world.without('listenerSets'),
  'the Gateway goes': world => world.without('gateways'),
  'the Gateway is there': world => world.gateway(),
  'the host of all is visited': world =>
    world.visited({ kind: 'answered', status: 200 }, { milliseconds: 20 }),
  'the host of all is slow': world =>
    world.visited({ kind: 'answered', status: 200 }, { milliseconds: 900 }),
  'the host of all fails': world =>
    world.visited({ kind: 'answered', status: 502 }),
  'the host of all is forgotten': world => world.visited(undefined),
  'the set fails': world =>
    world.applicationSet(
      setError('ApplicationGenerationFromParamsError', 'no answer'),
    ),
  'the set wants another label': world =>
    world.applicationSet(generatedBy({ labels: ['show'] })),
  'the set wants its label again': world => world.applicationSet(generatedBy()),
  'it is pushed to': (world, iid) =>
    world.mergeRequest(
      { iid, sha: NEXT },
      { pipelines: [pipeline({ id: 901, sha: NEXT, status: 'running' })] },
    ),
  'its pipeline fails': (world, iid) =>
    world.mergeRequest(
      { iid },
      { pipelines: [pipeline({ status: 'failed' })] },
    ),
  'its tag is missing': (world, iid) =>
    world.mergeRequest(
      { iid },
      {
        pipelines: [pipeline()],
        tag: {
          state: 'missing',
          tag: HEAD.slice(0, 8),
          near: [],
          afterPipeline: 900,
          readAt: NOW,
        },
      },
    ),
  'it is a draft': (world, iid) => world.mergeRequest({ iid, draft: true }),
  'it has another title': (world, iid) =>
    world.mergeRequest({ iid, title: 'Something else' }),
  'somebody comments on it': (world, iid) =>
    world.mergeRequest({ iid, updated_at: at(-3000) }),
  'it loses its label': (world, iid) => world.mergeRequest({ iid, labels: [] }),
  'it has its label': (world, iid) =>
    world.mergeRequest({ iid, labels: ['preview'] }),
  'it is merged': (world, iid) =>
    world.mergeRequest({ iid, state: 'merged', merged_at: NOW }),
  'it is reopened': (world, iid) =>
    world.mergeRequest({ iid, state: 'opened', merged_at: null }),
  'it is deleted': (world, iid) =>
    world.mergeRequest({ iid }, { deletedAt: NOW }),
  'another MR is opened': (world, iid) => addPreview(world, iid + 10),
  'GitLab fails': world =>
    world.projectReading({ state: 'failing', completeAt: NOW }),
  'GitLab answers': world => world.projectReading({}),
  'pods cannot be listed': world =>
    world.kindReading('pods', {
      state: 'failing',
      completeAt: NOW,
      error: { reason: 'ServerError', message: 'no', since: NOW },
    }),
  'pods are listed': world => world.kindReading('pods', {}),
};

const step = fc.record({
  what: fc.constantFrom(...Object.keys(changes)),
  iid: fc.constantFrom(...IIDS),
  seconds: fc.constantFrom(5, 5, 5, 40, 700),
  /** GitLab was asked for every MR again, and said nothing new. */
  isRead: fc.boolean(),
  /** The idle time is over. */
  isEverything: fc.integer({ min: 0, max: 9 }).map(one => one === 0),
});

describe('deciding by what changed', () => {
  it('comes to what deciding everything comes to, whatever happens', () => {
    let narrow = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 15 }), steps => {
        const world = organisation();
        const byChanges = new Writer({ narrow: true });
        const byAll = new Writer({ narrow: false });
        let now = NOW;
        let before = world.readAt(now).build();
        byChanges.pass(before, now);
        byAll.pass(before, now);
        for (const { what, iid, seconds, isRead, isEverything } of steps) {
          changes[what](world, iid);
          now = addSeconds(now, seconds);
          const built = world.readAt(now).build();
          const next = isRead ? built : withoutReading(before, built);
          before = next;
          const transitions = byChanges.pass(next, now, isEverything);
          expect(transitions).toEqual(byAll.pass(next, now));
          for (const [id, preview] of byAll.stored) {
            const other = byChanges.stored.get(id);
            expect(other && isSame(other, preview)).toBe(true);
          }
          expect(byChanges.lookAgainAt).toBe(byAll.lookAgainAt);
        }
        narrow += byChanges.passes.narrow;
      }),
      { numRuns: 100 },
    );
    // Or else the property is about nothing.
    expect(narrow).toBeGreaterThan(100);
  });

  /** A pass over everything, then changes, seconds later. */
  function after(whats: string[], prepare: Change = () => {}) {
    const world = organisation();
    prepare(world, 8);
    const before = world.readAt(NOW).build();
    const writer = new Writer({ narrow: true });
    writer.pass(before, NOW);
    writer.pass(before, NOW, true);
    whats.forEach(what => changes[what](world, 8));
    const now = at(5);
    writer.pass(withoutReading(before, world.readAt(now).build()), now);
    return writer;
  }

  it.each([
    'its Application is degraded',
    'its pod crashes',
    'it gets a second pod',
    'its Deployment rolls out',
    'its namespace terminates',
    'its Certificate fails',
    'its Certificate is being issued',
    'another Certificate writes its Secret',
    'its route is refused',
    'its pipeline fails',
    'it is pushed to',
    'it has another title',
    'somebody comments on it',
  ])('looks at the one preview it matters to when %s', what => {
    const writer = after([what]);
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect(writer.looked).toEqual([idOf(8)]);
  });

  const inTheirOwn: Change = (world, iid) => {
    changes['its Application has a namespace beside it'](world, iid);
    changes['its route beside it is accepted'](world, iid);
  };
  const whereAllHaveTheirs: Change = world =>
    IIDS.forEach(iid => {
      changes['its Application has its route where all have theirs'](
        world,
        iid,
      );
      changes['its route where all have theirs is accepted'](world, iid);
    });

  it.each<[string, Change]>([
    ['its route beside it is refused', inTheirOwn],
    ['the namespace beside it terminates', inTheirOwn],
    ['someone’s Application has something beside it', inTheirOwn],
    ['its route where all have theirs is refused', whereAllHaveTheirs],
    ['its route where all have theirs goes', whereAllHaveTheirs],
    ['its Application has nothing beside it', inTheirOwn],
  ])('looks at the one preview it matters to when %s', (what, prepare) => {
    const writer = after([what], prepare);
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect(writer.looked).toEqual([idOf(8)]);
  });

  it('looks at the one that waits for a name when who has it is marked for deletion', () => {
    const prepare = changes['someone has its name'];
    const writer = after(['who has its name is marked for deletion'], prepare);
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect(writer.looked).toEqual([idOf(8)]);
    const generated = writer.stored
      .get(idOf(8))
      ?.preview.conditions.find(({ type }) => type === 'ApplicationGenerated');
    expect(generated).toMatchObject({ status: 'False', reason: 'Deleting' });
  });

  it('looks at no preview when somebody has a route where all have theirs', () => {
    const writer = after(
      ['somebody has a route where all have theirs'],
      whereAllHaveTheirs,
    );
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect(writer.looked).toEqual([]);
  });

  it('looks at no neighbour when one more has its route where all have theirs', () => {
    const writer = after(
      ['its Application has its route where all have theirs'],
      world => {
        whereAllHaveTheirs(world, 8);
        changes['its Application has nothing beside it'](world, 8);
      },
    );
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect(writer.looked).toEqual([idOf(8)]);
  });

  it('looks at the one that was alone in a namespace when another comes', () => {
    const writer = after(
      ['its Application has something beside another'],
      world => {
        changes['its Application has a namespace beside it'](world, 7);
        changes['its route beside it is accepted'](world, 7);
      },
    );
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect([...writer.looked].sort()).toEqual([idOf(7), idOf(8)]);
  });

  it('looks at all previews that have something in a namespace when one has it no more', () => {
    const writer = after(
      ['its Application has nothing beside it'],
      whereAllHaveTheirs,
    );
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect([...writer.looked].sort()).toEqual(IIDS.map(idOf));
  });

  it.each(['someone’s Application changes', 'a workload appears elsewhere'])(
    'looks at no preview when %s',
    what => {
      const writer = after([what]);
      expect(writer.passes).toEqual({ full: 2, narrow: 1 });
      expect(writer.looked).toEqual([]);
    },
  );

  it('looks at all previews behind a listener when its Certificate fails', () => {
    const writer = after(['the wildcard Certificate fails']);
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect(writer.looked).toEqual(IIDS.map(idOf));
  });

  it('looks at all previews whose host was visited', () => {
    const writer = after(['the host of all fails']);
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
    expect(writer.looked).toEqual(IIDS.map(idOf));
    expect(writer.isDemandChanged).toBe(false);
  });

  it('asks for visits anew when what leads to the host has changed', () => {
    expect(after(['its Certificate fails']).isDemandChanged).toBe(true);
  });

  it('looks at all previews that a namespace is of', () => {
    const writer = after(['a workload appears elsewhere'], (world, iid) =>
      [7, iid].forEach(each =>
        changes['its Application lists a workload elsewhere'](world, each),
      ),
    );
    expect(writer.looked).toEqual([idOf(7), idOf(8)]);
  });

  it.each([
    'its Application goes',
    'its Application is created anew',
    'its Application gets another owner',
    'its Application deploys to where another does',
    'someone’s Application names an MR',
    'someone’s Application goes',
    'its namespace goes',
    'the Gateway goes',
    'the listener is not programmed',
    'the issuer is not ready',
    'the set fails',
    'the set wants another label',
    'it loses its label',
    'it is merged',
    'it is deleted',
    'another MR is opened',
    'GitLab fails',
    'pods cannot be listed',
  ])('decides everything when %s', what => {
    expect(after([what]).passes).toEqual({ full: 3, narrow: 0 });
  });

  it('decides everything when the title is part of the name', () => {
    const prepare: Change = world =>
      world.applicationSet({
        spec: {
          template: {
            metadata: { name: 'preview-mr-{{.number}}-{{.title | lower}}' },
          },
        },
      });
    expect(after(['it has another title'], prepare).passes.narrow).toBe(0);
  });

  it('decides everything at a push where Applications are told by their commits', () => {
    const prepare: Change = world =>
      world.application({
        metadata: { name: 'odd', ownerReferences: [ownedBy('shop-previews')] },
      });
    expect(after(['it is pushed to'], prepare).passes.narrow).toBe(0);
    expect(after(['it has another title'], prepare).passes.narrow).toBe(1);
  });

  it('decides everything when a reading has become stale', () => {
    const world = organisation().readAt(NOW).build();
    const writer = new Writer({ narrow: true });
    writer.pass(world, NOW);
    writer.pass(world, at(defaultSettings.gitlabStaleAfterSeconds - 1));
    expect(writer.passes).toEqual({ full: 1, narrow: 1 });
    writer.pass(world, at(defaultSettings.gitlabStaleAfterSeconds));
    expect(writer.passes).toEqual({ full: 2, narrow: 1 });
  });

  it('looks again when the time of a preview has come, though nothing changed', () => {
    const world = organisation();
    changes['its Application is marked for deletion'](world, 8);
    const writer = new Writer({ narrow: true });
    writer.pass(world.readAt(NOW).build(), NOW);
    const due = at(defaultSettings.deletionStuckAfterSeconds);
    expect(writer.lookAgainAt).toBe(due);
    // Read again until shortly before, so that nothing is stale then.
    const before = world.readAt(at(500)).build();
    writer.pass(before, at(500), true);
    writer.pass(before, at(550));
    expect(writer.looked).toEqual([]);
    writer.pass(before, due);
    expect(writer.passes).toEqual({ full: 2, narrow: 2 });
    expect(writer.looked).toEqual([idOf(8)]);
  });

  it('tells whether the sources are to read something else', () => {
    expect(after(['its Application is degraded']).isDemandChanged).toBe(false);
    // Its pod has not pulled the image any more: the registry is asked.
    const writer = after(['its pod crashes']);
    expect(writer.passes.narrow).toBe(1);
    expect(writer.isDemandChanged).toBe(true);
  });

  it('looks at a preview that somebody asks for', () => {
    const world = organisation().readAt(NOW).build();
    const stored = new Map<string, StoredPreview>();
    const deciding = { stored, settings: defaultSettings, now: NOW };
    const decide = () => {
      const result = decideAll({
        ...deciding,
        world,
        isClaimAllowed: () => true,
      });
      result.decisions.forEach(({ change }, id) =>
        stored.set(id, change.stored),
      );
      return result;
    };
    decide();
    const { basis } = decide();
    const { key } = stored.get(idOf(9))!;
    const result = decideChanged({
      ...deciding,
      basis,
      changes: { objects: [], projects: [], previews: [key] },
    });
    expect([...result!.decisions.keys()]).toEqual([idOf(9)]);
  });
});
