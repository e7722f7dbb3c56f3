import type { Cluster, KubernetesObject } from '../kubernetes';
import {
  kubernetesTime,
  setCondition,
  type Platform,
  type StatusCondition,
} from './platform';

interface PodWork {
  reference: { kind: 'Pod'; namespace: string; name: string };
  cancel: () => void;
  pullAttempts: number;
  /** How often it failed; it counts as started again only when it is. */
  crashes: number;
  restarts: number;
  /** How the run before ended; it is told until the next one ends. */
  lastTerminated?: object;
  /** Set while the next pull waits for its back-off. */
  waitingForImages?: string[];
}

const BACK_OFF_NOTICE_MILLISECONDS = 1500;
const FIRST_BACK_OFF_MILLISECONDS = 10_000;
const LAST_BACK_OFF_MILLISECONDS = 300_000;
const CRASH_MILLISECONDS = 3000;
const READINESS_PERIOD_MILLISECONDS = 10_000;

function backOff(attempt: number): number {
  return Math.min(
    FIRST_BACK_OFF_MILLISECONDS * 2 ** attempt,
    LAST_BACK_OFF_MILLISECONDS,
  );
}

function backOffText(attempt: number): string {
  const seconds = backOff(attempt) / 1000;
  return seconds >= 60
    ? `${Math.floor(seconds / 60)}m${seconds % 60}s`
    : `${seconds}s`;
}

/**
 * Runs the pods of a cluster: pulls their images (with back-off until the registry has the tag),
 * starts them, makes them ready, or lets them crash.
 */
export class Kubelet {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly pods = new Map<string, PodWork>();
  private readonly unsubscribe: () => void;
  private nextAddress = 2;

  constructor(platform: Platform, cluster: Cluster) {
    this.platform = platform;
    this.cluster = cluster;
    this.unsubscribe = cluster.subscribe(({ type, object }) => {
      if (object.kind !== 'Pod') {
        return;
      }
      const { uid } = object.metadata;
      if (type === 'DELETED' || object.metadata.deletionTimestamp) {
        this.pods.get(uid)?.cancel();
        this.pods.delete(uid);
      } else if (type === 'ADDED') {
        this.start(object);
      }
    });
  }

  /** Whether a pod waits in back-off for an image that is there by now. */
  get isCatchingUp(): boolean {
    return [...this.pods.values()].some(work =>
      work.waitingForImages?.every(image => this.hasImage(image)),
    );
  }

  stop(): void {
    this.unsubscribe();
    this.pods.forEach(work => work.cancel());
    this.pods.clear();
  }

  private start(pod: KubernetesObject): void {
    const work: PodWork = {
      reference: {
        kind: 'Pod',
        namespace: pod.metadata.namespace as string,
        name: pod.metadata.name,
      },
      cancel: () => {},
      pullAttempts: 0,
      crashes: 0,
      restarts: 0,
    };
    this.pods.set(pod.metadata.uid, work);
    this.later(work, 0, () => {
      this.write(work, (draft, now) => {
        draft.spec = { ...draft.spec, nodeName: 'node-1' };
        draft.status = {
          phase: 'Pending',
          hostIP: '10.0.0.10',
          qosClass: 'BestEffort',
          startTime: kubernetesTime(now),
          conditions: podConditions(draft, false, now),
          containerStatuses: this.containerStatuses(draft, work, () => ({
            waiting: { reason: 'ContainerCreating' },
          })),
        };
      });
      this.later(work, this.platform.delays.imagePull, () => this.pull(work));
    });
  }

  private pull(work: PodWork): void {
    const pod = this.cluster.get(work.reference);
    if (!pod) {
      return;
    }
    work.waitingForImages = undefined;
    const missing = containersOf(pod)
      .map(container => container.image)
      .filter(image => !this.hasImage(image));
    if (missing.length === 0) {
      this.run(work);
      return;
    }
    const setWaiting = (describe: (image: string) => object) =>
      this.write(work, draft => {
        draft.status = {
          ...draft.status,
          phase: 'Pending',
          containerStatuses: this.containerStatuses(draft, work, image => ({
            waiting: missing.includes(image)
              ? describe(image)
              : { reason: 'ContainerCreating' },
          })),
        };
      });
    setWaiting(image => ({
      reason: 'ErrImagePull',
      message: `rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
    }));
    this.later(work, BACK_OFF_NOTICE_MILLISECONDS, () => {
      const attempt = work.pullAttempts;
      work.pullAttempts += 1;
      setWaiting(image => ({
        reason: 'ImagePullBackOff',
        message: `Back-off pulling image "${image}": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
      }));
      work.waitingForImages = missing;
      this.later(
        work,
        backOff(attempt) - BACK_OFF_NOTICE_MILLISECONDS,
        () => this.pull(work),
        { background: true },
      );
    });
  }

  private run(work: PodWork): void {
    const pod = this.cluster.get(work.reference);
    if (!pod) {
      return;
    }
    work.restarts = work.crashes;
    const fault = this.faultOf(work, pod);
    const startedAt = kubernetesTime(this.platform.clock.now());
    const setRunning = (ready: boolean) =>
      this.write(work, (draft, now) => {
        draft.status = {
          ...draft.status,
          phase: 'Running',
          podIP: draft.status?.podIP ?? this.address(),
          conditions: podConditions(draft, ready, now),
          containerStatuses: this.containerStatuses(
            draft,
            work,
            () => ({ running: { startedAt } }),
            ready,
          ),
        };
      });
    setRunning(false);
    if (runsToItsEnd(pod)) {
      this.later(work, this.platform.delays.containerStart, () =>
        this.end(work, startedAt),
      );
      return;
    }
    if (fault === 'crashLoop') {
      this.later(work, CRASH_MILLISECONDS, () => this.crash(work, startedAt));
      return;
    }
    const becomeReady = () => {
      if (this.faultOf(work, pod) === 'neverReady') {
        this.later(work, READINESS_PERIOD_MILLISECONDS, becomeReady, {
          background: true,
        });
      } else {
        setRunning(true);
      }
    };
    this.later(work, this.platform.delays.containerStart, becomeReady);
  }

  /** The containers of a Job end: a pod that is not restarted with them. */
  private end(work: PodWork, startedAt: string): void {
    const pod = this.cluster.get(work.reference);
    if (!pod) {
      return;
    }
    const { namespace } = work.reference;
    const job = pod.metadata.ownerReferences?.[0]?.name ?? '';
    const images = containersOf(pod).map(container => container.image);
    const isFailing =
      this.platform.faults.find(
        'job',
        namespace,
        `${namespace}/${job}`,
        ...images,
      ) !== undefined || this.faultOf(work, pod) === 'crashLoop';
    if (isFailing && pod.spec?.restartPolicy === 'OnFailure') {
      this.crash(work, startedAt);
      return;
    }
    this.write(work, (draft, now) => {
      draft.status = {
        ...draft.status,
        phase: isFailing ? 'Failed' : 'Succeeded',
        conditions: podConditions(draft, false, now),
        containerStatuses: this.containerStatuses(draft, work, () => ({
          terminated: {
            containerID: `containerd://${draft.metadata.uid}`,
            exitCode: isFailing ? 1 : 0,
            reason: isFailing ? 'Error' : 'Completed',
            startedAt,
            finishedAt: kubernetesTime(now),
          },
        })),
      };
    });
  }

  private faultOf(work: PodWork, pod: KubernetesObject) {
    return this.platform.faults.find(
      'workload',
      work.reference.namespace,
      ...containersOf(pod).map(container => container.image),
    );
  }

  /** The first time it is started again at once, then after a back-off that grows. */
  private crash(work: PodWork, startedAt: string): void {
    const { namespace, name } = work.reference;
    const pod = this.cluster.get(work.reference);
    const attempt = work.crashes - 1;
    work.crashes += 1;
    this.write(work, (draft, now) => {
      const terminated = {
        containerID: `containerd://${draft.metadata.uid}`,
        exitCode: 1,
        reason: 'Error',
        startedAt,
        finishedAt: kubernetesTime(now),
      };
      if (attempt >= 0) {
        work.lastTerminated = terminated;
      }
      const state =
        attempt < 0
          ? { terminated }
          : {
              waiting: {
                reason: 'CrashLoopBackOff',
                message: `back-off ${backOffText(
                  attempt,
                )} restarting failed container=${
                  containersOf(draft)[0].name
                } pod=${name}_${namespace}(${pod?.metadata.uid})`,
              },
            };
      draft.status = {
        ...draft.status,
        conditions: podConditions(draft, false, now),
        containerStatuses: this.containerStatuses(draft, work, () => state),
      };
      work.lastTerminated = terminated;
    });
    this.later(work, attempt < 0 ? 0 : backOff(attempt), () => this.run(work), {
      background: true,
    });
  }

  private hasImage(image: string): boolean {
    // Images of other registries are taken to exist.
    return this.platform.gitlab.hasImage(image) ?? true;
  }

  private containerStatuses(
    pod: KubernetesObject,
    work: PodWork,
    stateOf: (image: string) => object,
    ready = false,
  ): Record<string, unknown>[] {
    return containersOf(pod).map(container => {
      const state = stateOf(container.image);
      const running = 'running' in state;
      // A container that waits to be started again keeps what was pulled for it.
      const wasPulled = running || work.crashes > 0;
      return {
        name: container.name,
        image: container.image,
        imageID: wasPulled
          ? `${container.image.split(':')[0]}@sha256:${'0'.repeat(64)}`
          : '',
        ...(wasPulled && { containerID: `containerd://${pod.metadata.uid}` }),
        ready,
        started: running && ready,
        restartCount: work.restarts,
        lastState: work.lastTerminated
          ? { terminated: work.lastTerminated }
          : {},
        state,
      };
    });
  }

  private write(
    work: PodWork,
    change: (draft: KubernetesObject, now: Date) => void,
  ): void {
    if (this.cluster.get(work.reference)) {
      this.cluster.patch(work.reference, draft =>
        change(draft, this.platform.clock.now()),
      );
    }
  }

  private later(
    work: PodWork,
    milliseconds: number,
    action: () => void,
    options: { background?: boolean } = {},
  ): void {
    const done = options.background ? () => {} : this.platform.activity.begin();
    const cancel = this.platform.clock.after(milliseconds, () => {
      action();
      done();
    });
    work.cancel = () => {
      cancel();
      done();
    };
  }

  private address(): string {
    const number = this.nextAddress;
    this.nextAddress += 1;
    return `10.244.${Math.floor(number / 254) % 254}.${(number % 254) + 1}`;
  }
}

interface Container {
  name: string;
  image: string;
}

function containersOf(pod: KubernetesObject): Container[] {
  return (pod.spec?.containers ?? []) as Container[];
}

/** Pods of Jobs alone may be told not to start again. */
function runsToItsEnd(pod: KubernetesObject): boolean {
  return (
    ['Never', 'OnFailure'].includes(pod.spec?.restartPolicy) &&
    pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') === true
  );
}

function podConditions(
  pod: KubernetesObject,
  ready: boolean,
  now: Date,
): StatusCondition[] {
  let conditions = pod.status?.conditions as StatusCondition[] | undefined;
  const unready = containersOf(pod)
    .map(container => container.name)
    .join(' ');
  const set = (type: string, value: boolean) => {
    conditions = setCondition(
      conditions,
      {
        type,
        status: value ? 'True' : 'False',
        ...(!value && {
          reason: 'ContainersNotReady',
          message: `containers with unready status: [${unready}]`,
        }),
      } as StatusCondition,
      now,
    );
  };
  set('PodScheduled', true);
  set('Initialized', true);
  set('ContainersReady', ready);
  set('Ready', ready);
  return conditions as StatusCondition[];
}
