import { Preview } from '@previews/backstage-plugin-previews-common';
import {
  ApplicationSetFact,
  CertificateFact,
  ChallengeFact,
  ClusterReading,
  HttpRouteFact,
  IngressFact,
  Memory,
  MergeRequestKey,
  NamespaceFact,
  RememberedNamespace,
  WorkloadFact,
} from '../model';
import { deployedObjects, namesListed } from './deployedObjects';
import type { ObservedApplication } from './gather';
import { IntendedNamespaces } from './intendedNamespaces';
import { LEADING_KINDS, LeadingKind, namespacesBeside } from './listed';
import { lostCluster, renamedClusters } from './lostClusters';
import { isTrackedBy, trackedNames, TrackingApplication } from './tracking';
import {
  namespaceItself,
  objectInNamespace,
  trackedInNamespace,
  wholeNamespace,
} from './watches';
import { LocatedApplication, WorldIndex } from './worldIndex';

/** A namespace that an Application of the preview deploys, or deployed, something into. */
export interface ObservedNamespace {
  cluster: ClusterReading;
  name: string;
  fact?: NamespaceFact;
  /**
   * It is there for this preview alone. Of a destination: no other preview's
   * Application targets it, and it is not older than the MR. Beside the
   * destinations that has to be seen: see {@link isOwnBeside}.
   */
  own: boolean;
  /** None of its Applications deploys to it, nor ever did: they only have resources there. */
  beside: boolean;
  /** A destination that others deploy to as well, or did when its Applications were last there. */
  shared: boolean;
  certificates: readonly CertificateFact[];
  httpRoutes: readonly HttpRouteFact[];
  ingresses: readonly IngressFact[];
  /** What still runs of Applications that are gone, in a namespace that is not its own. */
  workloads: readonly WorkloadFact[];
  /** All of them, of an own namespace; they may keep it from ending. */
  challenges: readonly ChallengeFact[];
  /** All that was looked for in it, as `watches` names it. */
  watched: readonly string[];
}

interface Place {
  cluster: ClusterReading;
  name: string;
  /** One of its Applications deploys to it, or did. */
  isDestination: boolean;
  /** One of its Applications lists the Namespace itself. */
  isListed: boolean;
  remembered?: RememberedNamespace;
}

interface Context {
  key: MergeRequestKey;
  index: WorldIndex;
  intended: IntendedNamespaces;
  memory: Memory | undefined;
  /** As it was last decided. */
  preview: Preview | undefined;
  applications: readonly ObservedApplication[];
  /** ISO: when the MR was opened. */
  openedAt: string | undefined;
}

/**
 * Collects what leads to a preview from wherever something of it is, or was: the
 * namespaces that its Applications deploy to, and those beside them where routes,
 * certificates or whole namespaces of theirs are.
 */
export function observeNamespaces(context: Context): ObservedNamespace[] {
  const ownUids = new Set(
    context.applications.map(({ fact }) => fact.meta.uid),
  );
  return placesOf(context).map(place => {
    const { cluster, name, isDestination } = place;
    const fact = cluster.kinds.namespaces.objects.get(name);
    const options = { ...context, ownUids, fact };
    const shared = isDestination && isShared(place, options);
    const own = isDestination
      ? !shared && isOwnDestination(place, options)
      : isOwnBeside(place, options);
    return {
      cluster,
      name,
      ...(fact && { fact }),
      own,
      beside: !isDestination,
      shared,
      ...(own ? everythingIn(place, context) : onlyOfPreview(place, context)),
    };
  });
}

/** Destinations first, then what is beside them, then what is remembered. */
function placesOf({ index, memory, preview, applications }: Context): Place[] {
  const places = new Map<string, Place>();
  const add = (place: Place) => {
    const id = wholeNamespace(place.cluster.cluster, place.name);
    const known = places.get(id);
    places.set(id, {
      ...known,
      ...place,
      isDestination: place.isDestination || known?.isDestination === true,
      isListed: place.isListed || known?.isListed === true,
    });
  };
  for (const { destination: cluster, fact } of applications) {
    const { namespace: name } = fact.destination;
    if (cluster && name) {
      add({ cluster, name, isDestination: true, isListed: false });
    }
  }
  for (const { destination: cluster, fact } of applications) {
    for (const { name, isPlace, isListed } of cluster
      ? namespacesBeside(fact)
      : []) {
      if (isPlace) {
        add({ cluster: cluster!, name, isDestination: false, isListed });
      }
    }
  }
  const seen = [...places.values()];
  const renamed = renamedClusters(applications, memory, index);
  for (const remembered of memory?.namespaces ?? []) {
    const { cluster: home, name, beside } = remembered;
    const cluster =
      index.clusters.get(renamed.get(home) ?? home) ?? lostCluster(home);
    const isThere =
      index.clusters.has(cluster.cluster) ||
      (wasIn(preview, { cluster: home, name }) &&
        // Where its Applications still have a namespace of that name in a cluster that
        // is read, that is where they had it: the cluster has another name since.
        !seen.some(
          place =>
            place.name === name &&
            place.cluster.kinds.namespaces.state !== 'notObserved',
        ));
    if (isThere) {
      add({
        cluster,
        name,
        isDestination: beside === undefined,
        isListed: false,
        remembered,
      });
    }
  }
  return [...places.values()];
}

/** What was last seen of a preview: not all that is remembered was there to the last. */
function wasIn(
  preview: Preview | undefined,
  place: { cluster: string; name: string },
): boolean {
  if (!preview) {
    return false;
  }
  const { namespaces, certificates, routes, workloads } = preview;
  return (
    namespaces.some(
      ({ cluster, name, own }) =>
        own && cluster === place.cluster && name === place.name,
    ) ||
    [
      ...certificates.filter(({ shared }) => !shared),
      ...routes,
      ...workloads,
    ].some(
      ({ cluster, namespace }) =>
        cluster === place.cluster && namespace === place.name,
    )
  );
}

type OwnershipOptions = Context & {
  ownUids: ReadonlySet<string>;
  fact: NamespaceFact | undefined;
};

function isOwnDestination(
  { cluster, name }: Place,
  options: OwnershipOptions,
): boolean {
  const { key, index, intended, openedAt, fact } = options;
  return (
    (!isOlder(fact, openedAt) || isTakenOver(options)) &&
    // What is left may be what another MR's Application is about to use.
    (index.applicationsInto(cluster.cluster, name).length > 0 ||
      !fact ||
      !intended.isForAnother(key, { cluster: cluster.cluster, name }))
  );
}

/**
 * Whether others deploy to it, or the set deploys all of its MRs there; once nobody
 * deploys to it any more, whether that was so to the last.
 */
function isShared(
  { cluster, name, remembered }: Place,
  { index, ownUids, applications }: OwnershipOptions,
): boolean {
  const targeting = index.applicationsInto(cluster.cluster, name);
  return targeting.length === 0
    ? remembered?.shared === true
    : isAnyOther(targeting, ownUids) ||
        applications.some(
          ({ fact, set }) =>
            fact.destination.namespace === name && isForAll(set),
        );
}

/** A template without parameters gives one namespace to all MRs. */
function isForAll(set: ApplicationSetFact | undefined): boolean {
  const { spec } = (set?.template ?? {}) as {
    spec?: { destination?: { namespace?: unknown } };
  };
  const namespace = spec?.destination?.namespace;
  return typeof namespace === 'string' && !namespace.includes('{{');
}

/** An Application that is older than the MR was another's, and what it made came with it. */
function isTakenOver({ applications, openedAt }: OwnershipOptions): boolean {
  return applications.some(({ fact }) => isOlder(fact, openedAt));
}

/**
 * Beside the destinations a namespace is as good as ever somebody else's, such as
 * the one where all routes are. It is the preview's own only where Argo CD made the
 * Namespace itself for it, nobody else has anything in it, and it is not older than
 * the MR; once the Applications are gone, where that was seen before.
 */
function isOwnBeside(
  { cluster, name, isListed, remembered }: Place,
  options: OwnershipOptions,
): boolean {
  const { key, index, intended, applications, openedAt, ownUids, fact } =
    options;
  const isOthers =
    isAnyOther(index.applicationsInto(cluster.cluster, name), ownUids) ||
    isAnyOther(index.applicationsBeside(cluster.cluster, name), ownUids);
  if (isOthers || isOlder(fact, openedAt)) {
    return false;
  }
  if (!fact) {
    // Not there, or not read: what was seen before stands.
    return remembered?.beside === 'own';
  }
  const wasOwn = remembered?.beside === 'own' && applications.length === 0;
  const object = { group: '', kind: 'Namespace', meta: fact.meta };
  return (
    isListed ||
    trackersOf(options).some(tracker => isTrackedBy(object, tracker, {})) ||
    (wasOwn && !intended.isForAnother(key, { cluster: cluster.cluster, name }))
  );
}

/** Of thousands the first ones tell: they are not copied for it. */
function isAnyOther(
  applications: Iterable<LocatedApplication>,
  ownUids: ReadonlySet<string>,
): boolean {
  for (const { fact } of applications) {
    if (!ownUids.has(fact.meta.uid)) {
      return true;
    }
  }
  return false;
}

/** A namespace that was there before the MR, such as `default`, was not made for it. */
export function isOlder(
  object: Pick<NamespaceFact, 'meta'> | undefined,
  openedAt: string | undefined,
): boolean {
  const created = Date.parse(object?.meta.createdAt ?? '');
  const opened = Date.parse(openedAt ?? '');
  // The clocks of a cluster and of GitLab may differ a little.
  return created < opened - 60_000;
}

type Contents = Pick<
  ObservedNamespace,
  | 'certificates'
  | 'httpRoutes'
  | 'ingresses'
  | 'workloads'
  | 'challenges'
  | 'watched'
>;

/** In an own namespace everything is the preview's. */
function everythingIn(
  { cluster, name }: Place,
  { index }: Pick<Context, 'index'>,
): Contents {
  return {
    certificates: index.objectsIn(cluster, 'certificates', name),
    httpRoutes: index.objectsIn(cluster, 'httpRoutes', name),
    ingresses: index.objectsIn(cluster, 'ingresses', name),
    workloads: [],
    challenges: index.objectsIn(cluster, 'challenges', name),
    watched: [wholeNamespace(cluster.cluster, name)],
  };
}

/** In a shared one only what Argo CD tracks for it, or lists as its Applications' own, by name. */
function onlyOfPreview(place: Place, context: Context): Contents {
  const { cluster, name: namespace } = place;
  const { index, applications } = context;
  const home = cluster.cluster;
  const trackers = trackersOf(context);
  const trackedFor = new Set(
    trackers.flatMap(tracker => trackedNames(tracker)),
  );
  const listed = applications
    .filter(({ destination }) => destination === cluster)
    .flatMap(({ fact }) =>
      fact.resources.filter(resource => resource.namespace === namespace),
    );
  const listedByNamesakes = namesakesOf(trackers, index)
    .filter(namesake => index.destinationOf(namesake) === cluster)
    .flatMap(({ fact }) =>
      fact.resources.filter(resource => resource.namespace === namespace),
    );
  const of = {
    index,
    cluster,
    namespace,
    trackedFor,
    listed,
    listedByNamesakes,
  };
  return {
    certificates: deployedObjects('certificates', of),
    httpRoutes: deployedObjects('httpRoutes', of),
    ingresses: deployedObjects('ingresses', of),
    // While an Application is there, it is what is left.
    workloads:
      applications.length > 0
        ? []
        : [
            ...deployedObjects('deployments', of),
            ...deployedObjects('statefulSets', of),
          ],
    challenges: [],
    watched: [
      namespaceItself(home, namespace),
      ...[...trackedFor].map(name => trackedInNamespace(home, namespace, name)),
      ...(Object.keys(LEADING_KINDS) as LeadingKind[]).flatMap(kind =>
        namesListed(kind, listed).map(name =>
          objectInNamespace(home, namespace, { kind, name }),
        ),
      ),
    ],
  };
}

/**
 * Applications that objects may be tracked for by the same name: of the namespace of an
 * Argo CD, and of another one or of that of another Argo CD.
 */
function namesakesOf(
  trackers: readonly TrackingApplication[],
  index: WorldIndex,
): LocatedApplication[] {
  const own = new Set(
    trackers.map(({ meta }) => `${meta.namespace}/${meta.name}`),
  );
  const names = new Set(trackers.map(({ meta }) => meta.name));
  return [...names]
    .flatMap(name => index.applicationsOfName(name))
    .filter(({ fact: { meta } }) => !own.has(`${meta.namespace}/${meta.name}`));
}

/**
 * Objects may outlive the Application that they are tracked for. Where another MR has
 * one of that name now, they are its own.
 */
function trackersOf({
  applications,
  memory,
  index,
}: Pick<Context, 'applications' | 'memory' | 'index'>): TrackingApplication[] {
  return [
    ...applications.map(({ fact }) => fact),
    ...(memory?.joined ?? []).flatMap(meta =>
      index.applicationNamed(meta.cluster, meta.namespace, meta.name)
        ? []
        : { meta },
    ),
  ];
}
