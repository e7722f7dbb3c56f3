import {
  ClusterReading,
  MergeRequestKey,
  MergeRequestReading,
  PodFact,
  ProjectReading,
  ReplicaSetFact,
  StoredPreview,
  WorkloadFact,
} from '../model';
import { ObservedTls, observeTls, watchesOfTls } from './certificates';
import { HostsInUse, ObservedHost, observeDns } from './dns';
import {
  ApplicationCommit,
  applicationCommit,
  commitExpressions,
  expectedTagOf,
  tagExpression,
} from './commit';
import { CurrentParts, currentParts } from './currentParts';
import { GeneratorUse, selects } from './generator';
import { Homes, homesOf } from './homes';
import { IntendedNamespaces } from './intendedNamespaces';
import { Joined } from './join';
import { ObservedNamespace, observeNamespaces } from './observeNamespaces';
import { isTrackedBy } from './tracking';
import { probeHostsOf } from './probes';
import { wholeNamespace } from './watches';
import { keyString, LocatedApplication, WorldIndex } from './worldIndex';

export type { ObservedNamespace } from './observeNamespaces';

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

/** All that is known of one preview now. */
export interface Observed {
  key: MergeRequestKey;
  index: WorldIndex;
  project?: ProjectReading;
  mergeRequest?: MergeRequestReading;
  /** ISO: GitLab has the MR no more, whether it was read before or not. */
  deletedAt?: string;
  uses: readonly GeneratorUse[];
  /** Path of its project, where it is not read now and no set lists it, whatever GitLab would say. */
  unlistedPath?: string;
  /** Those of the uses that select the MR now; all of them where the MR is not read. */
  selecting: readonly GeneratorUse[];
  applications: readonly ObservedApplication[];
  namespaces: readonly ObservedNamespace[];
  /** Those of both that are not about to go while others stay: what it is judged by. */
  current: CurrentParts;
  /** Of what is current. */
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
    key,
    intended,
    memory: previous?.memory,
    preview: previous?.preview,
    applications,
    openedAt:
      mergeRequest?.fact.createdAt ?? previous?.preview.mergeRequest.createdAt,
  });
  const current = currentParts({
    applications,
    namespaces,
    uses,
    selecting,
    mergeRequest: mergeRequest?.fact,
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
    ...(mergeRequest && project?.state === 'ready'
      ? undefined
      : unlisted({ key, index, project, applications, previous })),
    selecting,
    applications,
    namespaces,
    current,
    tls: observeTls({ index, namespaces: current.namespaces }),
    dns: observeDns({
      zones: index.world.dns ?? [],
      hosts: previous?.memory.hosts ?? [],
      inUse: hostsInUse,
      id: keyString(key),
    }),
    homes: homesOf({
      index,
      applications,
      namespaces,
      isSelected: mergeRequest !== undefined && selecting.length > 0,
      previous,
    }),
    probeHosts: probeHostsOf(current.namespaces, index.world.reachability),
    expectedTags: selecting.flatMap(use => {
      const expression = tagExpression(commitExpressions(use));
      return expression ? [{ tag: expectedTagOf(expression, head) }] : [];
    }),
  };
}

function unlisted({
  key,
  index,
  project,
  applications,
  previous,
}: Pick<Observed, 'key' | 'index' | 'project' | 'applications'> & {
  previous: StoredPreview | undefined;
}): Pick<Observed, 'unlistedPath'> {
  // A host that has another name now: they go to its MRs there once these are read.
  if (!index.gitlab.has(key.host) && applications.length > 0) {
    return {};
  }
  const known = project?.fact ?? {
    id: key.projectId,
    path: previous?.preview.mergeRequest.project ?? '',
  };
  return index.isListedByNone(key.host, known)
    ? { unlistedPath: known.path }
    : {};
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
 * Everything that a preview's objects were looked for in, as `watches` names it:
 * what changes nowhere of that cannot change what was observed.
 */
export function watchesOf({
  applications,
  namespaces,
  tls,
}: Observed): Set<string> {
  const watches = new Set<string>(watchesOfTls(tls));
  for (const { cluster, watched, httpRoutes } of namespaces) {
    watched.forEach(one => watches.add(one));
    for (const { kind, namespace } of httpRoutes.flatMap(
      route => route.parentRefs,
    )) {
      // Usually beside the route, but a route may name that of another namespace.
      if (kind === 'ListenerSet') {
        watches.add(wholeNamespace(cluster.cluster, namespace));
      }
    }
  }
  for (const application of applications) {
    const { destination } = application;
    if (destination) {
      for (const namespace of namespacesOf(application)) {
        watches.add(wholeNamespace(destination.cluster, namespace));
      }
    }
  }
  return watches;
}

/** Where an Application's workloads live: its destination and what its status lists beyond. */
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
