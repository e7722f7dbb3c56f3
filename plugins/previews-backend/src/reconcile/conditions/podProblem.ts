import { ContainerFact, PodFact } from '../../model';
import { splitImage } from '../commit';
import { addSeconds, hasElapsed } from '../time';
import { Verdict, verdict } from '../verdict';

const TYPE = 'Available';

/** A container that restarted so often and does not run is crashing, between its back-offs too. */
const CRASHING_RESTARTS = 2;

/**
 * Without a readiness probe a container is ready at once, each time before it fails: one
 * that was started again is believed when it has run for so long.
 */
const SETTLED_AFTER_SECONDS = 60;

/** What the image's build says about a pull that fails. */
export interface ImageOutlook {
  state: 'built' | 'comes' | 'never';
  /** Of the image that is built for the MR; others that its pods have are somebody else's. */
  tag?: string;
}

/**
 * What keeps a pod from becoming ready, or undefined when it is merely on its
 * way. A pull that finds no image waits for the build as long as the build can
 * still deliver it.
 */
export function podProblem(
  pod: PodFact,
  options: { workload: string; image: ImageOutlook; now: string },
): Verdict | undefined {
  const { workload } = options;
  if (pod.unschedulable !== undefined) {
    return verdict(TYPE, 'False', 'Unschedulable', {
      workload,
      error: pod.unschedulable,
    });
  }
  for (const container of pod.containers) {
    const problem = containerProblem(container, {
      ...options,
      since: pod.meta.createdAt,
    });
    if (problem) {
      return problem;
    }
  }
  return undefined;
}

function containerProblem(
  container: ContainerFact,
  options: {
    workload: string;
    image: ImageOutlook;
    now: string;
    since?: string;
  },
): Verdict | undefined {
  const { name, image, waiting } = container;
  const { workload } = options;
  switch (waiting?.reason) {
    case 'ErrImagePull':
    case 'ImagePullBackOff':
      return pullProblem(container, options);
    case 'InvalidImageName':
      return verdict(TYPE, 'False', 'InvalidImageName', {
        image,
        container: name,
      });
    case 'CreateContainerConfigError':
    case 'CreateContainerError':
    case 'RunContainerError':
      return verdict(TYPE, 'False', 'ContainerConfigError', {
        container: name,
        workload,
        error: waiting.message ?? waiting.reason,
      });
    case 'CrashLoopBackOff':
      return crash(container, workload);
    default:
  }
  return hasCrashed(container) &&
    (!container.ready || isUnsettled(container, options.now))
    ? crash(container, workload)
    : undefined;
}

/** Whether it failed again and again; that it runs now is no sign that it stays. */
function hasCrashed(container: ContainerFact): boolean {
  const failing = container.terminated ?? container.lastTerminated;
  return (
    failing !== undefined &&
    failing.exitCode !== 0 &&
    container.restarts >= CRASHING_RESTARTS
  );
}

function isUnsettled({ runningSince }: ContainerFact, now: string): boolean {
  return (
    runningSince !== undefined &&
    !hasElapsed(runningSince, now, SETTLED_AFTER_SECONDS)
  );
}

/** Whether a pod that is ready may be so only until its container fails once more. */
export function isPodUnsettled({ containers }: PodFact, now: string): boolean {
  return containers.some(
    container => hasCrashed(container) && isUnsettled(container, now),
  );
}

/** ISO: when containers that were started again have run for long enough to be believed. */
export function settledTimes({ containers }: PodFact): string[] {
  return containers.flatMap(container =>
    container.runningSince !== undefined && hasCrashed(container)
      ? addSeconds(container.runningSince, SETTLED_AFTER_SECONDS)
      : [],
  );
}

function crash(container: ContainerFact, workload: string): Verdict {
  const { name, restarts } = container;
  const last = container.terminated ?? container.lastTerminated;
  if (last?.reason === 'OOMKilled') {
    return verdict(TYPE, 'False', 'OutOfMemory', {
      container: name,
      workload,
      restarts,
    });
  }
  return verdict(TYPE, 'False', 'CrashLoop', {
    container: name,
    workload,
    restarts,
    exitCode: last?.exitCode,
  });
}

function pullProblem(
  { image, waiting }: ContainerFact,
  options: { workload: string; image: ImageOutlook; since?: string },
): Verdict {
  const { workload, since } = options;
  const message = waiting?.message ?? '';
  // Back-off hides the cause; only the message of the pull itself tells it.
  const denied =
    /unauthorized|denied|forbidden|authentication required|no basic auth|\b40[13]\b/i.test(
      message,
    );
  const absent =
    /not ?found|manifest unknown|does not exist|no such manifest/i.test(
      message,
    );
  if (denied && !/manifest unknown|not found: manifest/i.test(message)) {
    return verdict(TYPE, 'False', 'PullDenied', { image, workload });
  }
  if (
    options.image.state === 'never' &&
    (absent || waiting?.reason === 'ImagePullBackOff')
  ) {
    return verdict(TYPE, 'False', 'ImageNotFound', { image, workload });
  }
  const { state, tag } = options.image;
  const isThere = state === 'built' && splitImage(image).tag === tag;
  const reason = isThere ? 'PullRetried' : 'WaitingForImage';
  return verdict(TYPE, 'False', reason, { image, workload, since });
}
