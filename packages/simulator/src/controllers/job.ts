import type { Cluster, KubernetesObject } from '../kubernetes';
import { ownedBy, peek, peekOwned } from './objects';
import {
  kubernetesTime,
  setCondition,
  type Platform,
  type StatusCondition,
} from './platform';
import { WorkQueue } from './workQueue';

const DEFAULT_BACK_OFF_LIMIT = 6;
const FIRST_BACK_OFF_MILLISECONDS = 10_000;
const LAST_BACK_OFF_MILLISECONDS = 360_000;

/**
 * The Job controller of a cluster: it runs one pod after the other until as many succeeded as are
 * wanted, or more failed than its `backoffLimit` allows.
 */
export class JobController {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly queue: WorkQueue;
  private readonly retries = new Map<string, () => void>();
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
      const { namespace, name } = object.metadata;
      if (object.kind === 'Job') {
        this.queue.add(`${namespace}/${name}`);
      }
      for (const owner of object.metadata.ownerReferences ?? []) {
        if (owner.kind === 'Job') {
          this.queue.add(`${namespace}/${owner.name}`);
        }
      }
    });
  }

  stop(): void {
    this.unsubscribe();
    this.queue.stop();
    this.retries.forEach(cancel => cancel());
  }

  private reconcile(key: string): void {
    const [namespace, name] = key.split('/');
    const job = peek(this.cluster, { kind: 'Job', namespace, name });
    if (
      !job ||
      job.metadata.deletionTimestamp ||
      job.spec?.suspend === true ||
      isFinished(job) ||
      peek(this.cluster, { kind: 'Namespace', name: namespace })?.metadata
        .deletionTimestamp
    ) {
      return;
    }
    const pods = peekOwned(this.cluster, job, 'Pod').filter(
      pod => !pod.metadata.deletionTimestamp,
    );
    const inPhase = (phase: string) =>
      pods.filter(pod => pod.status?.phase === phase);
    const succeeded = inPhase('Succeeded').length;
    const failed = inPhase('Failed').length;
    const active = pods.length - succeeded - failed;
    const completions = (job.spec?.completions as number | undefined) ?? 1;
    const limit =
      (job.spec?.backoffLimit as number | undefined) ?? DEFAULT_BACK_OFF_LIMIT;
    if (succeeded >= completions) {
      this.finish(job, { succeeded, failed, condition: 'Complete' });
      return;
    }
    // A pod that starts its containers again counts each time.
    if (failed > limit || restartsOf(pods) > limit) {
      inPhase('Running').forEach(pod =>
        this.cluster.delete({
          kind: 'Pod',
          namespace,
          name: pod.metadata.name,
        }),
      );
      this.finish(job, { succeeded, failed, condition: 'Failed' });
      return;
    }
    this.write(job, draft => {
      draft.status = {
        startTime:
          draft.status?.startTime ?? kubernetesTime(this.platform.clock.now()),
        ...counts({ active, succeeded, failed }),
      };
    });
    const parallelism = (job.spec?.parallelism as number | undefined) ?? 1;
    const wanted = Math.min(parallelism, completions - succeeded);
    if (active < wanted) {
      this.start(job, { count: wanted - active, failed });
    }
  }

  /** At once, or after a failure later with each one. */
  private start(
    job: KubernetesObject,
    { count, failed }: { count: number; failed: number },
  ): void {
    const { uid, namespace, name } = job.metadata;
    if (failed === 0) {
      for (let index = 0; index < count; index += 1) {
        this.createPod(job);
      }
      return;
    }
    if (this.retries.has(uid)) {
      return;
    }
    const done = this.platform.activity.begin();
    const cancel = this.platform.clock.after(
      Math.min(
        FIRST_BACK_OFF_MILLISECONDS * 2 ** (failed - 1),
        LAST_BACK_OFF_MILLISECONDS,
      ),
      () => {
        this.retries.delete(uid);
        const live = peek(this.cluster, { kind: 'Job', namespace, name });
        if (
          live?.metadata.uid === uid &&
          !live.metadata.deletionTimestamp &&
          !isFinished(live) &&
          !peek(this.cluster, { kind: 'Namespace', name: namespace as string })
            ?.metadata.deletionTimestamp
        ) {
          this.createPod(live);
        }
        done();
      },
    );
    this.retries.set(uid, () => {
      cancel();
      done();
    });
  }

  private createPod(job: KubernetesObject): void {
    const template = job.spec?.template as KubernetesObject;
    const { name, namespace, uid } = job.metadata;
    this.cluster.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${name}-${this.platform.random.hex(5)}`,
        namespace,
        labels: {
          ...template.metadata?.labels,
          'batch.kubernetes.io/controller-uid': uid,
          'batch.kubernetes.io/job-name': name,
        },
        annotations: template.metadata?.annotations,
        ownerReferences: [ownedBy(job)],
      },
      spec: template.spec,
    });
  }

  private finish(
    job: KubernetesObject,
    {
      succeeded,
      failed,
      condition,
    }: { succeeded: number; failed: number; condition: 'Complete' | 'Failed' },
  ): void {
    const now = this.platform.clock.now();
    const told =
      condition === 'Complete'
        ? {
            reason: 'CompletionsReached',
            message: 'Reached expected number of succeeded pods',
          }
        : {
            reason: 'BackoffLimitExceeded',
            message: 'Job has reached the specified backoff limit',
          };
    this.write(job, draft => {
      const before =
        condition === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
      draft.status = {
        startTime: draft.status?.startTime ?? kubernetesTime(now),
        ...(condition === 'Complete' && {
          completionTime: kubernetesTime(now),
        }),
        ...counts({ active: 0, succeeded, failed }),
        conditions: [before, condition].reduce<StatusCondition[]>(
          (all, type) =>
            setCondition(all, { type, status: 'True', ...told }, now),
          [],
        ),
      };
    });
  }

  private write(
    { metadata }: KubernetesObject,
    change: (draft: KubernetesObject) => void,
  ): void {
    this.cluster.patch(
      { kind: 'Job', namespace: metadata.namespace, name: metadata.name },
      change,
    );
  }
}

function isFinished(job: KubernetesObject): boolean {
  return (
    (job.status?.conditions as StatusCondition[] | undefined)?.some(
      ({ type, status }) =>
        (type === 'Complete' || type === 'Failed') && status === 'True',
    ) === true
  );
}

/** Numbers as the API server keeps them: none is left out. */
function counts({
  active,
  succeeded,
  failed,
}: {
  active: number;
  succeeded: number;
  failed: number;
}): Record<string, number> {
  return {
    ...(active > 0 && { active }),
    ...(succeeded > 0 && { succeeded }),
    ...(failed > 0 && { failed }),
    ready: 0,
    terminating: 0,
  };
}

function restartsOf(pods: KubernetesObject[]): number {
  return pods
    .flatMap(
      pod =>
        (pod.status?.containerStatuses ?? []) as { restartCount?: number }[],
    )
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}
