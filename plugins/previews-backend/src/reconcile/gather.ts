import {
  CertificateFact,
  ChallengeFact,
  ClusterReading,
  HttpRouteFact,
  IngressFact,
  Memory,
  MergeRequestKey,
  MergeRequestReading,
  NamespaceFact,
  PodFact,
  ProjectReading,
  ReplicaSetFact,
  StoredPreview,
  WorkloadFact,
} from '../model';
import { ObservedTls, observeTls, placesOfTls } from './certificates';
import { HostsInUse, ObservedHost, observeDns } from './dns';
import {
  ApplicationCommit,
  applicationCommit,
  commitExpressions,
  expectedTagOf,
  tagExpression,
} from './commit';
import { GeneratorUse, selects } from './generator';
import { Homes, homesOf } from './homes';
import { IntendedNamespaces } from './intendedNamespaces';
import { Joined } from './join';
import { isTrackedBy, TrackingApplication } from './tracking';
import { probeHostsOf } from './probes';
import { keyString, LocatedApplication, WorldIndex } from './worldIndex';

/** Kinds that tell together whether something serves. */
export const WORKLOAD_KINDS = [
  'deployments',
  'statefulSets',
  'replicaSets',
  'pods',
] as const;

export interface ObservedWorkload {
  fact: WorkloadFact;
  replicaSets: readonly ReplicaSetFact[];
  pods: readonly PodFact[];
}

/** An Application of the preview with what it deployed. */
export interface ObservedApplication extends Joined {
  /** The cluster it deploys to; undefined when that is none that is configured. */
  destination?: ClusterReading;
  /** Its workloads or their pods are in no cluster that lets them be read. */
  workloadsUnreadable: boolean;
  workloads: readonly ObservedWorkload[];
  commit: ApplicationCommit;
}

/** A namespace that is, or was, a destination of the preview. */
export interface ObservedNamespace {
  cluster: ClusterReading;
  name: string;
  fact?: NamespaceFact;
  /** Every Application that targets it belongs to this preview. */
  own: boolean;
  certificates: readonly CertificateFact[];
  httpRoutes: readonly HttpRouteFact[];
  ingresses: readonly IngressFact[];
  /** All of them, of an own namespace; they may keep it from ending. */
  challenges: readonly ChallengeFact[];
}

/** All that is known of one preview now. */
export interface Observed {
  key: MergeRequestKey;
  index: WorldIndex;
  project?: ProjectReading;
  mergeRequest?: MergeRequestReading;
  /** ISO: GitLab has the MR no more, whether it was read before or not. */
  deletedAt?: string;
  uses: readonly GeneratorUse[];
  /** Those of the uses that select the MR now; all of them where the MR is not read. */
  selecting: readonly GeneratorUse[];
  applications: readonly ObservedApplication[];
  namespaces: readonly ObservedNamespace[];
  tls: ObservedTls;
  /** What zones of DNS have of its hosts. */
  dns: readonly ObservedHost[];
  homes: Homes;
  /** Hosts of its own that the portal visits. */
  probeHosts: readonly string[];
  /**
   * Tags that the selecting sets expect for the head; an entry without a tag is
   * a set that expects one while the head is not known.
   */
  expectedTags: readonly { tag?: string }[];
}

/** Collects a preview's observations; decides nothing. */
export function gather(options: {
  key: MergeRequestKey;
  index: WorldIndex;
  joined: readonly Joined[];
  intended: IntendedNamespaces;
  hostsInUse: HostsInUse;
  previous: StoredPreview | undefined;
}): Observed {
  const { key, index, joined, intended, hostsInUse, previous } = options;
  const project = index.project(key.host, key.projectId);
  const mergeRequest = project?.mergeRequests.get(key.iid);
  const uses = project ? index.usesOfProject(key.host, project.fact) : [];
  // While GitLab cannot be read, the head is the one that was read last.
  const head = mergeRequest
    ? mergeRequest.fact.headSha
    : previous?.preview.mergeRequest.headSha;
  const branch =
    mergeRequest?.fact.sourceBranch ??
    previous?.preview.mergeRequest.sourceBranch;
  const applications = joined.map(application =>
    observeApplication(application, { index, uses, project, head, branch }),
  );
  const selecting = mergeRequest
    ? uses.filter(use => selects(use, mergeRequest.fact).selected)
    : uses;
  const namespaces = observeNamespaces({
    index,
    joined,
    key,
    intended,
    memory: previous?.memory,
    applications,
    openedAt:
      mergeRequest?.fact.createdAt ?? previous?.preview.mergeRequest.createdAt,
  });
  return {
    key,
    index,
    project,
    mergeRequest,
    deletedAt: mergeRequest
      ? mergeRequest.deletedAt
      : project?.missing?.get(key.iid),
    uses,
    selecting,
    applications,
    namespaces,
    tls: observeTls({ index, namespaces }),
    dns: observeDns({
      zones: index.world.dns ?? [],
      hosts: previous?.memory.hosts ?? [],
      inUse: hostsInUse,
      id: keyString(key),
    }),
    homes: homesOf(applications, previous?.memory),
    probeHosts: probeHostsOf(namespaces, index.world.reachability),
    expectedTags: selecting.flatMap(use => {
      const expression = tagExpression(commitExpressions(use));
      return expression ? [{ tag: expectedTagOf(expression, head) }] : [];
    }),
  };
}

function observeApplication(
  joined: Joined,
  context: {
    index: WorldIndex;
    uses: readonly GeneratorUse[];
    project: ProjectReading | undefined;
    head: string | undefined;
    branch: string | undefined;
  },
): ObservedApplication {
  const { index, uses, project, head, branch } = context;
  const destination = index.destinationOf(joined);
  const workloads = destination ? workloadsOf(joined, destination, index) : [];
  const use =
    uses.find(({ set }) => set === joined.set) ??
    (joined.set && index.usesOfSet(joined.set)[0]);
  const workloadsUnreadable =
    !destination ||
    WORKLOAD_KINDS.some(kind =>
      ['forbidden', 'notObserved'].includes(destination.kinds[kind].state),
    );
  const commit = applicationCommit({
    application: joined.fact,
    expressions: use ? commitExpressions(use) : [],
    head,
    branch,
    project: project?.fact,
    pods: workloadsUnreadable
      ? 'unreadable'
      : workloads.flatMap(({ pods }) => pods),
  });
  return { ...joined, destination, workloads, workloadsUnreadable, commit };
}

function workloadsOf(
  application: LocatedApplication,
  destination: ClusterReading,
  index: WorldIndex,
): ObservedWorkload[] {
  return [...namespacesOf(application)].flatMap(namespace => {
    const alone =
      index.applicationsInto(destination.cluster, namespace).length === 1;
    const facts = [
      ...index.objectsIn(destination, 'deployments', namespace),
      ...index.objectsIn(destination, 'statefulSets', namespace),
    ];
    return facts
      .filter(fact =>
        belongsTo(
          fact,
          application,
          alone && namespace === application.fact.destination.namespace,
        ),
      )
      .map(fact => observeWorkload(fact, destination, index));
  });
}

function belongsTo(
  fact: WorkloadFact,
  { fact: application }: LocatedApplication,
  alone: boolean,
): boolean {
  return (
    alone ||
    isTrackedBy(
      { group: 'apps', kind: fact.kind, meta: fact.meta },
      application,
      {},
    ) ||
    application.resources.some(
      ({ kind, namespace, name }) =>
        kind === fact.kind &&
        name === fact.meta.name &&
        namespace === fact.meta.namespace,
    )
  );
}

/**
 * Everywhere that a preview's objects were looked for, as `cluster/namespace`:
 * what changes in no other namespace cannot change what was observed.
 */
export function placesOf({
  applications,
  namespaces,
  tls,
}: Observed): Set<string> {
  const places = new Set<string>(placesOfTls(tls));
  for (const { cluster, name, httpRoutes } of namespaces) {
    places.add(`${cluster.cluster}/${name}`);
    for (const { kind, namespace } of httpRoutes.flatMap(
      route => route.parentRefs,
    )) {
      // Usually beside the route, but a route may name that of another namespace.
      if (kind === 'ListenerSet') {
        places.add(`${cluster.cluster}/${namespace}`);
      }
    }
  }
  for (const application of applications) {
    const { destination } = application;
    if (destination) {
      for (const namespace of namespacesOf(application)) {
        places.add(`${destination.cluster}/${namespace}`);
      }
    }
  }
  return places;
}

/** Where an Application's resources live: its destination and what its status lists beyond. */
function namespacesOf({ fact }: LocatedApplication): Set<string> {
  const namespaces = new Set<string>();
  if (fact.destination.namespace) {
    namespaces.add(fact.destination.namespace);
  }
  for (const { kind, namespace } of fact.resources) {
    if (namespace && (kind === 'Deployment' || kind === 'StatefulSet')) {
      namespaces.add(namespace);
    }
  }
  return namespaces;
}

function observeWorkload(
  fact: WorkloadFact,
  cluster: ClusterReading,
  index: WorldIndex,
): ObservedWorkload {
  const namespace = fact.meta.namespace ?? '';
  const replicaSets = index
    .objectsIn(cluster, 'replicaSets', namespace)
    .filter(({ meta }) => meta.owner?.uid === fact.meta.uid);
  const owners = new Set([
    fact.meta.uid,
    ...replicaSets.map(({ meta }) => meta.uid),
  ]);
  const pods = index
    .objectsIn(cluster, 'pods', namespace)
    .filter(
      ({ meta }) => meta.owner !== undefined && owners.has(meta.owner.uid),
    );
  return { fact, replicaSets, pods };
}

function observeNamespaces(options: {
  key: MergeRequestKey;
  index: WorldIndex;
  joined: readonly Joined[];
  intended: IntendedNamespaces;
  memory: Memory | undefined;
  applications: readonly ObservedApplication[];
  openedAt: string | undefined;
}): ObservedNamespace[] {
  const { key, index, joined, intended, memory, applications, openedAt } =
    options;
  const places = new Map<string, { cluster: ClusterReading; name: string }>();
  for (const { destination, fact } of applications) {
    if (destination && fact.destination.namespace) {
      const { namespace } = fact.destination;
      places.set(`${destination.cluster}/${namespace}`, {
        cluster: destination,
        name: namespace,
      });
    }
  }
  for (const { cluster, name } of memory?.namespaces ?? []) {
    const reading = index.clusters.get(cluster);
    if (reading) {
      places.set(`${cluster}/${name}`, { cluster: reading, name });
    }
  }
  const ownUids = new Set(joined.map(({ fact }) => fact.meta.uid));
  return [...places.values()].map(({ cluster, name }) => {
    const namespace = cluster.kinds.namespaces.objects.get(name);
    const targeting = index.applicationsInto(cluster.cluster, name);
    const own =
      !isOlder(namespace, openedAt) &&
      targeting.every(({ fact }) => ownUids.has(fact.meta.uid)) &&
      // What is left may be what another MR's Application is about to use.
      (targeting.length > 0 ||
        !namespace ||
        !intended.isForAnother(key, { cluster: cluster.cluster, name }));
    const mine = ownedObjects({ joined, memory, own });
    return {
      cluster,
      name,
      fact: namespace,
      own,
      certificates: index
        .objectsIn(cluster, 'certificates', name)
        .filter(fact => mine('cert-manager.io', 'Certificate', fact)),
      httpRoutes: index
        .objectsIn(cluster, 'httpRoutes', name)
        .filter(fact => mine('gateway.networking.k8s.io', 'HTTPRoute', fact)),
      ingresses: index
        .objectsIn(cluster, 'ingresses', name)
        .filter(fact => mine('networking.k8s.io', 'Ingress', fact)),
      challenges: own ? index.objectsIn(cluster, 'challenges', name) : [],
    };
  });
}

/** A namespace that was there before the MR, such as `default`, was not made for it. */
function isOlder(
  namespace: NamespaceFact | undefined,
  openedAt: string | undefined,
): boolean {
  const created = Date.parse(namespace?.meta.createdAt ?? '');
  const opened = Date.parse(openedAt ?? '');
  // The clocks of a cluster and of GitLab may differ a little.
  return created < opened - 60_000;
}

/** In an own namespace everything is the preview's; in a shared one only what Argo CD tracks for it. */
function ownedObjects(options: {
  joined: readonly Joined[];
  memory: Memory | undefined;
  own: boolean;
}) {
  const { joined, memory, own } = options;
  // Objects may outlive the Application that they are tracked for.
  const trackers: TrackingApplication[] = [
    ...joined.map(({ fact }) => fact),
    ...(memory?.joined ?? []).map(meta => ({ meta })),
  ];
  return (
    group: string,
    kind: string,
    { meta }: CertificateFact | HttpRouteFact | IngressFact,
  ): boolean =>
    own ||
    trackers.some(tracker => isTrackedBy({ group, kind, meta }, tracker, {})) ||
    joined.some(({ fact }) =>
      fact.resources.some(
        resource =>
          resource.group === group &&
          resource.kind === kind &&
          resource.name === meta.name &&
          resource.namespace === meta.namespace,
      ),
    );
}
