import { ClusterReading, PodFact, ReplicaSetFact } from '../../model';
import {
  ObservedApplication,
  ObservedWorkload,
  WORKLOAD_KINDS,
} from '../gather';
import { kindUnknown } from '../readability';
import { effectOf, Verdict, verdict, worst } from '../verdict';
import { PolicyContext } from './context';
import { ImageOutlook, isPodUnsettled, podProblem } from './podProblem';

const TYPE = 'Available';

/**
 * Whether the workloads serve what was rolled out last, read from the workloads
 * themselves; Argo CD's health is asked only where they cannot be read.
 */
export function available(
  context: PolicyContext & { imageBuilt?: Verdict },
): Verdict | undefined {
  const { observed, wanted } = context;
  if (!wanted || observed.applications.length === 0) {
    return undefined;
  }
  const outlook = imageOutlook(context.imageBuilt);
  return worst(
    TYPE,
    observed.current.applications.map(application =>
      ofApplication(application, outlook, context),
    ),
  );
}

function imageOutlook(imageBuilt: Verdict | undefined): ImageOutlook {
  if (imageBuilt?.status === 'True') {
    const { tag } = imageBuilt.params;
    return { state: 'built', ...(typeof tag === 'string' && { tag }) };
  }
  const isBlocked =
    imageBuilt?.status === 'False' &&
    effectOf('ImageBuilt', imageBuilt.reason) === 'blocked';
  return { state: isBlocked ? 'never' : 'comes' };
}

function ofApplication(
  application: ObservedApplication,
  outlook: ImageOutlook,
  { observed, now, settings }: PolicyContext,
): Verdict {
  const { fact, destination, workloads } = application;
  const home = observed.index.clusters.get(application.cluster)!;
  const unreadApplication = kindUnknown(TYPE, home, 'applications', {
    now,
    settings,
  });
  if (unreadApplication) {
    return unreadApplication;
  }
  if (!destination) {
    const { server, name } = fact.destination;
    return verdict(TYPE, 'Unknown', 'ClusterNotConfigured', {
      destination: server || name || '',
      application: fact.meta.name,
    });
  }
  const unread = unreadKind(destination, { now, settings });
  if (unread) {
    return unread.reason === 'KindForbidden' || unread.reason === 'NotObserved'
      ? byHealth(application)
      : unread;
  }
  if (workloads.length === 0) {
    return withoutWorkloads(application);
  }
  // A chart may well keep a worker at no replicas; asleep is what has none at all.
  const awake = workloads.filter(({ fact: { desired } }) => desired > 0);
  return worst(
    TYPE,
    (awake.length > 0 ? awake : workloads).map(workload =>
      ofWorkload(workload, { image: outlook, now }),
    ),
  )!;
}

function unreadKind(
  cluster: ClusterReading,
  options: { now: string; settings: PolicyContext['settings'] },
): Verdict | undefined {
  return WORKLOAD_KINDS.map(kind =>
    kindUnknown(TYPE, cluster, kind, options),
  ).find(found => found !== undefined);
}

function ofWorkload(
  { fact, replicaSets, pods }: ObservedWorkload,
  { image, now }: { image: ImageOutlook; now: string },
): Verdict {
  const workload = `${fact.kind} ${fact.meta.name}`;
  const { desired, ready, updated } = fact;
  if (desired === 0) {
    return verdict(TYPE, 'False', 'Asleep', { workload });
  }
  const current = currentReplicaSet(fact.images, replicaSets);
  // Pods of the former rollout count as ready too, so the workload's own number
  // says nothing about the new one while both run.
  const servesCurrent = current
    ? current.ready >= desired
    : ready >= desired && updated >= desired;
  const ofRollout = podsOf(current, pods);
  if (
    fact.observed &&
    servesCurrent &&
    ready >= desired &&
    updated >= desired &&
    !ofRollout.some(pod => isPodUnsettled(pod, now))
  ) {
    return verdict(TYPE, 'True', 'Available', { ready, desired });
  }
  const problems = ofRollout
    .filter(pod => !pod.ready || isPodUnsettled(pod, now))
    .map(pod => podProblem(pod, { workload, image, now }))
    .filter((problem): problem is Verdict => problem !== undefined);
  const problem = worst(TYPE, problems);
  if (problem) {
    return problem;
  }
  const failure = (current ? [current] : replicaSets)
    .map(replicaSet => replicaSet.failure)
    .find(message => message !== undefined);
  if (failure !== undefined) {
    return verdict(TYPE, 'False', 'ReplicaFailure', {
      workload,
      error: failure,
    });
  }
  const overdue = fact.conditions.some(
    ({ type, status, reason }) =>
      type === 'Progressing' &&
      status === 'False' &&
      reason === 'ProgressDeadlineExceeded',
  );
  return overdue
    ? verdict(TYPE, 'False', 'ProgressDeadlineExceeded', {
        workload,
        ready,
        desired,
      })
    : verdict(TYPE, 'False', 'Progressing', { workload, ready, desired });
}

/**
 * The ReplicaSet of the rollout under way: the one with the Deployment's images,
 * since a rollback takes an older one up again, and of several the newest.
 */
function currentReplicaSet(
  images: readonly string[],
  replicaSets: readonly ReplicaSetFact[],
): ReplicaSetFact | undefined {
  const same = replicaSets.filter(
    replicaSet => replicaSet.images.join() === images.join(),
  );
  const candidates = same.length > 0 ? same : replicaSets;
  const active = candidates.filter(({ desired }) => desired > 0);
  return byAge(active.length > 0 ? active : candidates)[0];
}

/** Pods of the rollout under way, newest first; those that are being deleted are not of it. */
function podsOf(
  current: ReplicaSetFact | undefined,
  pods: readonly PodFact[],
): PodFact[] {
  return byAge(
    pods.filter(
      ({ meta }) =>
        meta.deletionRequestedAt === undefined &&
        (current === undefined || meta.owner?.uid === current.meta.uid),
    ),
  );
}

function byAge<T extends { meta: { createdAt?: string } }>(
  objects: readonly T[],
): T[] {
  return [...objects].sort((a, b) =>
    (b.meta.createdAt ?? '').localeCompare(a.meta.createdAt ?? ''),
  );
}

/** The workloads were read and there are none: an Application may well have none. */
function withoutWorkloads(application: ObservedApplication): Verdict {
  const { fact } = application;
  if (fact.health.status === 'Healthy') {
    return verdict(TYPE, 'True', 'NoWorkloads', {
      application: fact.meta.name,
    });
  }
  return byHealth(application);
}

function byHealth({ fact }: ObservedApplication): Verdict {
  const application = fact.meta.name;
  switch (fact.health.status) {
    case 'Healthy':
      return verdict(TYPE, 'True', 'Healthy', { application });
    case 'Degraded':
      return verdict(TYPE, 'False', 'Degraded', {
        application,
        error: fact.health.message ?? '',
      });
    case 'Suspended':
      return verdict(TYPE, 'False', 'Suspended', { application });
    case 'Progressing':
      return verdict(TYPE, 'False', 'Progressing', {
        workload: `Application ${application}`,
        ready: 0,
        desired: 1,
      });
    default:
      return verdict(TYPE, 'False', 'Missing', { application });
  }
}
