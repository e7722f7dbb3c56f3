import { toldOf } from '../certificates';
import { ObservedApplication, ObservedNamespace } from '../gather';
import { CHALLENGE_FINALIZERS, Remainder, remaindersOf } from '../finalizers';
import { deletesApplications, setName } from '../generator';
import { relevantClusters } from '../homes';
import { kindUnknown } from '../readability';
import { hasElapsed } from '../time';
import { Verdict, verdict, worst } from '../verdict';
import { WorldIndex } from '../worldIndex';
import { errorOfSet } from './applicationGenerated';
import { PolicyContext } from './context';
import { dnsLeft } from './dnsLeft';

const TYPE = 'CleanedUp';

/**
 * Whether nothing of what is watched is left, once no set wants the MR. Absence
 * counts only where every cluster it could be in was read completely and lately.
 */
export function cleanedUp(context: PolicyContext): Verdict | undefined {
  const { observed, wanted, existed } = context;
  if (wanted || (!existed && observed.applications.length === 0)) {
    return undefined;
  }
  const ofNamespaces = (isTerminating: boolean) =>
    observed.namespaces
      .filter(({ fact }) => (fact?.phase === 'Terminating') === isTerminating)
      .flatMap(namespace => namespaceLeft(namespace, context) ?? []);
  // An Application waits for its namespace to end: the namespace tells more.
  const left = [
    ...ofNamespaces(true),
    ...observed.applications.map(application =>
      applicationLeft(application, context),
    ),
    ...ofNamespaces(false),
  ];
  if (left.length > 0) {
    return worst(TYPE, left);
  }
  return (
    unread(context) ??
    // External-dns takes records away once the routes are gone, not before.
    dnsLeft(context) ??
    verdict(TYPE, 'True', 'NothingLeft', {})
  );
}

/** What is looked for in a namespace that is not the preview's own. */
const KINDS_IN_SHARED_NAMESPACES = [
  'certificates',
  'httpRoutes',
  'ingresses',
  'deployments',
  'statefulSets',
] as const;

function unread({
  observed,
  now,
  settings,
}: PolicyContext): Verdict | undefined {
  const options = { now, settings };
  const homes = (['applications', 'namespaces'] as const)
    .flatMap(kind =>
      relevantClusters(observed, kind).map(cluster =>
        kindUnknown(TYPE, cluster, kind, options),
      ),
    )
    .find(isHindrance);
  return (
    homes ??
    observed.namespaces
      .filter(({ own }) => !own)
      .flatMap(({ cluster }) =>
        KINDS_IN_SHARED_NAMESPACES.map(kind =>
          kindUnknown(TYPE, cluster, kind, options),
        ),
      )
      .find(
        // What the role never allows is not watched either.
        found => isHindrance(found) && found?.reason !== 'KindForbidden',
      )
  );
}

/** What is not watched at all holds nothing up: it could never be told gone. */
function isHindrance(found: Verdict | undefined): boolean {
  return found !== undefined && found.reason !== 'NotObserved';
}

function applicationLeft(
  { cluster, fact, set }: ObservedApplication,
  { observed, now, settings }: PolicyContext,
): Verdict {
  const home = observed.index.clusters.get(cluster)!;
  const notRead = kindUnknown(TYPE, home, 'applications', { now, settings });
  if (notRead) {
    return notRead;
  }
  const { name, deletionRequestedAt: since, finalizers } = fact.meta;
  if (since === undefined) {
    if (set ? !deletesApplications(set) : fact.meta.owner === undefined) {
      return verdict(TYPE, 'False', 'ApplicationKept', {
        application: name,
        applicationSet: set && setName(set),
      });
    }
    const held = set && errorOfSet(set);
    if (held?.deletes === false) {
      return verdict(TYPE, 'False', 'FrozenByGenerator', {
        application: name,
        applicationSet: setName(set!),
        error: held.message,
      });
    }
    return verdict(TYPE, 'False', 'ApplicationLeft', {
      applications: [name],
      everySeconds: set?.requeueAfterSeconds,
    });
  }
  const error = fact.conditions.find(
    ({ type }) => type === 'DeletionError',
  )?.message;
  const stuck = hasElapsed(since, now, settings.deletionStuckAfterSeconds);
  if (stuck && fact.operation?.phase === 'Running') {
    return verdict(TYPE, 'False', 'OperationBlocksDeletion', {
      application: name,
      since,
    });
  }
  return stuck || error !== undefined
    ? verdict(TYPE, 'False', 'ApplicationDeletionStuck', {
        application: name,
        since,
        finalizers,
        error,
      })
    : verdict(TYPE, 'False', 'ApplicationDeleting', {
        application: name,
        since,
      });
}

function namespaceLeft(
  namespace: ObservedNamespace,
  { observed, now, settings }: PolicyContext,
): Verdict | undefined {
  const { own, name, fact, cluster } = namespace;
  const { certificates, httpRoutes, ingresses, workloads } = namespace;
  if (!own) {
    const resources = [
      ...certificates.map(({ meta }) => `Certificate ${meta.name}`),
      ...httpRoutes.map(({ meta }) => `HTTPRoute ${meta.name}`),
      ...ingresses.map(({ meta }) => `Ingress ${meta.name}`),
      ...workloads.map(({ kind, meta }) => `${kind} ${meta.name}`),
    ];
    return resources.length > 0
      ? verdict(TYPE, 'False', 'ResourcesLeft', { namespace: name, resources })
      : undefined;
  }
  const notRead = kindUnknown(TYPE, cluster, 'namespaces', { now, settings });
  if (notRead || !fact) {
    return isHindrance(notRead) ? notRead : undefined;
  }
  if (fact.phase !== 'Terminating') {
    return verdict(TYPE, 'False', 'NamespaceLeft', { namespace: name });
  }
  const since = fact.meta.deletionRequestedAt;
  const isStuck =
    since === undefined ||
    hasElapsed(since, now, settings.deletionStuckAfterSeconds);
  const stuck = isStuck
    ? stuckNamespace(namespace, { since, index: observed.index })
    : undefined;
  if (stuck) {
    return stuck;
  }
  return isStuck && since !== undefined
    ? verdict(TYPE, 'False', 'NamespaceStuck', { namespace: name, since })
    : verdict(TYPE, 'False', 'NamespaceTerminating', {
        namespace: name,
        since,
      });
}

/** What holds a namespace that should be gone, where its conditions tell. */
function stuckNamespace(
  { name, fact, cluster, challenges }: ObservedNamespace,
  { since, index }: { since: string | undefined; index: WorldIndex },
): Verdict | undefined {
  const problems = fact?.problems ?? [];
  const ofType = (type: string) =>
    problems.find(problem => problem.type === type);
  const byFinalizers = ofType('NamespaceFinalizersRemaining');
  const problem = byFinalizers ?? problems[0];
  if (!problem) {
    return undefined;
  }
  const finalizers = remaindersOf(byFinalizers?.message ?? '');
  const ofChallenges = finalizers.filter(finalizer =>
    CHALLENGE_FINALIZERS.includes(finalizer.name),
  );
  if (ofChallenges.length > 0) {
    const told = challenges
      .filter(({ meta }) =>
        meta.finalizers.some(one => CHALLENGE_FINALIZERS.includes(one)),
      )
      .map(challenge =>
        toldOf(challenge, {
          events: index
            .eventsAbout(cluster, challenge.meta.uid)
            .filter(({ meta }) => meta.namespace === challenge.meta.namespace),
          kind: 'CleanUpError',
        }),
      )
      .find(reason => reason !== undefined);
    return verdict(TYPE, 'False', 'ChallengeFinalizerStuck', {
      namespace: name,
      since,
      finalizer: ofChallenges[0].name,
      count: ofChallenges.reduce((sum, { count }) => sum + count, 0),
      error: told ?? '',
    });
  }
  const resources = remaindersOf(
    ofType('NamespaceContentRemaining')?.message ?? '',
  );
  return verdict(TYPE, 'False', 'FinalizerStuck', {
    namespace: name,
    since,
    error: problem.message,
    finalizers: listOf(finalizers),
    resources: listOf(resources),
  });
}

function listOf(remainders: readonly Remainder[]): string[] | undefined {
  return remainders.length > 0
    ? remainders.map(({ name, count }) => `${name} (${count})`)
    : undefined;
}

/** Something that nobody is deleting is still there: what an orphan is made of. */
export function hasUndeletedLeftovers(context: PolicyContext): boolean {
  const { observed } = context;
  return (
    cleanedUp(context)?.reason === 'DnsRecordLeft' ||
    observed.applications.some(
      ({ fact }) => fact.meta.deletionRequestedAt === undefined,
    ) ||
    (observed.applications.length === 0 &&
      observed.namespaces.some(
        ({ own, fact }) =>
          own && fact !== undefined && fact.phase !== 'Terminating',
      ))
  );
}
