import { ContainerFact, PodFact } from '../../model';
import { Verdict, verdict } from '../verdict';

const TYPE = 'Available';

/** A container that restarted so often and does not run is crashing, between its back-offs too. */
const CRASHING_RESTARTS = 2;

/** What the image's build says about a pull that fails. */
export type ImageOutlook = 'built' | 'comes' | 'never';

/**
 * What keeps a pod from becoming ready, or undefined when it is merely on its
 * way. A pull that finds no image waits for the build as long as the build can
 * still deliver it.
 */
export function podProblem(
  pod: PodFact,
  options: { workload: string; image: ImageOutlook },
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
  options: { workload: string; image: ImageOutlook; since?: string },
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
  const failing = container.terminated ?? container.lastTerminated;
  const failed = failing !== undefined && failing.exitCode !== 0;
  return !container.ready && failed && container.restarts >= CRASHING_RESTARTS
    ? crash(container, workload)
    : undefined;
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
    options.image === 'never' &&
    (absent || waiting?.reason === 'ImagePullBackOff')
  ) {
    return verdict(TYPE, 'False', 'ImageNotFound', { image, workload });
  }
  return verdict(TYPE, 'False', 'WaitingForImage', { image, workload, since });
}
