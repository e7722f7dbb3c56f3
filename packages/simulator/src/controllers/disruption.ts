import type { Cluster, KubernetesObject } from '../kubernetes';
import { matchesSelector, type LabelSelector } from './labelSelector';
import { peek, peekAll } from './objects';
import { setCondition, type Platform, type StatusCondition } from './platform';
import { WorkQueue } from './workQueue';

/**
 * The disruption controller of a cluster: it counts how many pods of a PodDisruptionBudget may go. Pods
 * that are there stand for those that are wanted.
 */
export class DisruptionController {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly queue: WorkQueue;
  private readonly unsubscribe: () => void;

  constructor(platform: Platform, cluster: Cluster) {
    this.platform = platform;
    this.cluster = cluster;
    this.queue = new WorkQueue({
      clock: platform.clock,
      activity: platform.activity,
      reconcile: key => this.reconcile(key),
    });
    this.unsubscribe = cluster.subscribe(({ object }) => {
      const { namespace } = object.metadata;
      if (object.kind === 'PodDisruptionBudget') {
        this.plan(object);
      } else if (object.kind === 'Pod') {
        peekAll(cluster, 'PodDisruptionBudget', namespace)
          .filter(budget => isOfBudget(object, budget))
          .forEach(budget => this.plan(budget));
      }
    });
  }

  stop(): void {
    this.unsubscribe();
    this.queue.stop();
  }

  private plan({ metadata }: KubernetesObject): void {
    this.queue.add(`${metadata.namespace}/${metadata.name}`);
  }

  private reconcile(key: string): void {
    const [namespace, name] = key.split('/');
    const reference = { kind: 'PodDisruptionBudget', namespace, name };
    const budget = peek(this.cluster, reference);
    if (!budget || budget.metadata.deletionTimestamp) {
      return;
    }
    const pods = peekAll(this.cluster, 'Pod', namespace).filter(
      pod => !pod.metadata.deletionTimestamp && isOfBudget(pod, budget),
    );
    const currentHealthy = pods.filter(isReady).length;
    const desiredHealthy = desiredOf(budget, pods.length);
    const disruptionsAllowed = Math.max(0, currentHealthy - desiredHealthy);
    this.cluster.patch(reference, draft => {
      draft.status = {
        observedGeneration: draft.metadata.generation,
        currentHealthy,
        desiredHealthy,
        expectedPods: pods.length,
        disruptionsAllowed,
        conditions: setCondition(
          draft.status?.conditions,
          {
            type: 'DisruptionAllowed',
            status: disruptionsAllowed > 0 ? 'True' : 'False',
            reason:
              disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
            message: '',
            observedGeneration: draft.metadata.generation,
          },
          this.platform.clock.now(),
        ),
      };
    });
  }
}

function isOfBudget(pod: KubernetesObject, budget: KubernetesObject): boolean {
  return matchesSelector(
    budget.spec?.selector as LabelSelector | undefined,
    pod.metadata.labels,
  );
}

function isReady(pod: KubernetesObject): boolean {
  return (
    (pod.status?.conditions as StatusCondition[] | undefined)?.some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    ) === true
  );
}

/** Percentages are rounded up, as by the real controller. */
function desiredOf(budget: KubernetesObject, expected: number): number {
  const numberOf = (value: number | string) =>
    typeof value === 'string' && value.endsWith('%')
      ? Math.ceil((Number.parseInt(value, 10) * expected) / 100)
      : Number(value);
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  if (maxUnavailable !== undefined) {
    return Math.max(0, expected - numberOf(maxUnavailable));
  }
  return numberOf(minAvailable ?? 1);
}
