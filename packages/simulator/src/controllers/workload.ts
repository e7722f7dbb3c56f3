import { createHash } from 'node:crypto';
import type { Cluster, KubernetesObject } from '../kubernetes';
import { ownedBy, peek, peekOwned } from './objects';
import { setCondition, type Platform, type StatusCondition } from './platform';
import { WorkQueue } from './workQueue';

const KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet'] as const;
const REVISION = 'deployment.kubernetes.io/revision';
const HASH_LABEL = 'pod-template-hash';
const STATEFUL_HASH_LABEL = 'controller-revision-hash';
const DEFAULT_DEADLINE_SECONDS = 600;

function templateHash(workload: KubernetesObject): string {
  return createHash('sha256')
    .update(JSON.stringify(workload.spec?.template))
    .digest('hex')
    .slice(0, 10);
}

function isReady(pod: KubernetesObject): boolean {
  return (
    !pod.metadata.deletionTimestamp &&
    (pod.status?.conditions as StatusCondition[] | undefined)?.some(
      condition => condition.type === 'Ready' && condition.status === 'True',
    ) === true
  );
}

/**
 * The workload controllers of a cluster: a Deployment rolls out a ReplicaSet per template and keeps
 * the old pods until the new ones are ready; a StatefulSet replaces its pods one by one.
 */
export class WorkloadController {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly queue: WorkQueue;
  private readonly deadlines = new Map<string, () => void>();
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
      if (KINDS.some(kind => kind === object.kind)) {
        this.queue.add(`${object.kind}/${namespace}/${name}`);
      }
      for (const owner of object.metadata.ownerReferences ?? []) {
        if (KINDS.some(kind => kind === owner.kind)) {
          this.queue.add(`${owner.kind}/${namespace}/${owner.name}`);
        }
      }
    });
  }

  stop(): void {
    this.unsubscribe();
    this.queue.stop();
    this.deadlines.forEach(cancel => cancel());
  }

  private reconcile(key: string): void {
    const [kind, namespace, name] = key.split('/');
    const object = peek(this.cluster, { kind, namespace, name });
    if (
      !object ||
      object.metadata.deletionTimestamp ||
      peek(this.cluster, { kind: 'Namespace', name: namespace })?.metadata
        .deletionTimestamp
    ) {
      return;
    }
    if (kind === 'Deployment') {
      this.reconcileDeployment(object);
    } else if (kind === 'ReplicaSet') {
      this.reconcileReplicaSet(object);
    } else {
      this.reconcileStatefulSet(object);
    }
  }

  private reconcileDeployment(deployment: KubernetesObject): void {
    const { namespace, name } = deployment.metadata;
    const desired = (deployment.spec?.replicas as number | undefined) ?? 1;
    const hash = templateHash(deployment);
    const owned = this.owned('ReplicaSet', deployment);
    let current = owned.find(set => set.metadata.labels?.[HASH_LABEL] === hash);
    const others = owned.filter(set => set !== current);
    if (!current) {
      const revision =
        Math.max(
          0,
          ...others.map(set => Number(set.metadata.annotations?.[REVISION])),
        ) + 1;
      current = this.createReplicaSet(deployment, hash, revision);
      this.cluster.patch({ kind: 'Deployment', namespace, name }, draft => {
        draft.metadata.annotations = {
          ...draft.metadata.annotations,
          [REVISION]: String(revision),
        };
      });
      this.watchDeadline(deployment, hash);
    }
    this.scale(current, desired);
    const currentReady = (current.status?.readyReplicas as number) ?? 0;
    if (currentReady >= desired) {
      others.forEach(set => this.scale(set, 0));
    }
    this.writeDeploymentStatus(deployment, current.metadata.name);
  }

  private createReplicaSet(
    deployment: KubernetesObject,
    hash: string,
    revision: number,
  ): KubernetesObject {
    const { namespace, name } = deployment.metadata;
    const template = deployment.spec?.template as KubernetesObject;
    const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
    return this.cluster.create({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels,
        annotations: { [REVISION]: String(revision) },
        ownerReferences: [ownedBy(deployment)],
      },
      spec: {
        replicas: (deployment.spec?.replicas as number | undefined) ?? 1,
        selector: {
          matchLabels: {
            ...deployment.spec?.selector?.matchLabels,
            [HASH_LABEL]: hash,
          },
        },
        template: {
          ...template,
          metadata: { ...template.metadata, labels },
        },
      },
      status: { replicas: 0 },
    });
  }

  /** A rollout that is not through in time is reported, as by the real controller. */
  private watchDeadline(deployment: KubernetesObject, hash: string): void {
    const { namespace, name, uid } = deployment.metadata;
    const seconds =
      (deployment.spec?.progressDeadlineSeconds as number | undefined) ??
      DEFAULT_DEADLINE_SECONDS;
    this.deadlines.get(uid)?.();
    this.deadlines.set(
      uid,
      this.platform.clock.after(seconds * 1000, () => {
        const live = this.cluster.get({ kind: 'Deployment', namespace, name });
        if (
          !live ||
          live.metadata.uid !== uid ||
          templateHash(live) !== hash ||
          live.status?.conditions?.some(
            (condition: StatusCondition) =>
              condition.reason === 'NewReplicaSetAvailable',
          )
        ) {
          return;
        }
        this.cluster.patch({ kind: 'Deployment', namespace, name }, draft => {
          draft.status = {
            ...draft.status,
            conditions: setCondition(
              draft.status?.conditions,
              {
                type: 'Progressing',
                status: 'False',
                reason: 'ProgressDeadlineExceeded',
                message: `ReplicaSet "${name}-${hash}" has timed out progressing.`,
              },
              this.platform.clock.now(),
            ),
          };
        });
      }),
    );
  }

  private writeDeploymentStatus(
    deployment: KubernetesObject,
    currentName: string,
  ): void {
    const { namespace, name } = deployment.metadata;
    const sets = this.owned('ReplicaSet', deployment);
    const sum = (field: string, of = sets) =>
      of.reduce(
        (total, set) => total + ((set.status?.[field] as number) ?? 0),
        0,
      );
    const current = sets.filter(set => set.metadata.name === currentName);
    const desired = (deployment.spec?.replicas as number | undefined) ?? 1;
    const available = sum('availableReplicas');
    const updated = sum('replicas', current);
    const complete =
      updated >= desired &&
      sum('availableReplicas', current) >= desired &&
      sum('replicas') === updated;
    const now = this.platform.clock.now();
    this.cluster.patch({ kind: 'Deployment', namespace, name }, draft => {
      const previous = draft.status?.conditions as
        | StatusCondition[]
        | undefined;
      const exceeded = previous?.some(
        condition => condition.reason === 'ProgressDeadlineExceeded',
      );
      let conditions = setCondition(
        previous,
        available >= desired
          ? {
              type: 'Available',
              status: 'True',
              reason: 'MinimumReplicasAvailable',
              message: 'Deployment has minimum availability.',
            }
          : {
              type: 'Available',
              status: 'False',
              reason: 'MinimumReplicasUnavailable',
              message: 'Deployment does not have minimum availability.',
            },
        now,
      );
      if (complete || !exceeded || updated === 0) {
        conditions = setCondition(
          conditions,
          complete
            ? {
                type: 'Progressing',
                status: 'True',
                reason: 'NewReplicaSetAvailable',
                message: `ReplicaSet "${currentName}" has successfully progressed.`,
              }
            : {
                type: 'Progressing',
                status: 'True',
                reason: 'ReplicaSetUpdated',
                message: `ReplicaSet "${currentName}" is progressing.`,
              },
          now,
        );
      }
      const counts = {
        replicas: sum('replicas'),
        updatedReplicas: updated,
        readyReplicas: sum('readyReplicas'),
        availableReplicas: available,
        unavailableReplicas: Math.max(0, sum('replicas') - available),
      };
      draft.status = {
        observedGeneration: draft.metadata.generation,
        ...Object.fromEntries(
          Object.entries(counts).filter(([, count]) => count > 0),
        ),
        conditions: conditions.map(condition => {
          const before = previous?.find(known => known.type === condition.type);
          const same =
            before?.reason === condition.reason &&
            before?.message === condition.message;
          return {
            ...condition,
            lastUpdateTime: same
              ? before?.lastUpdateTime
              : `${now.toISOString().slice(0, 19)}Z`,
          };
        }),
      };
    });
  }

  private reconcileReplicaSet(set: KubernetesObject): void {
    const { namespace, name } = set.metadata;
    const desired = (set.spec?.replicas as number | undefined) ?? 1;
    const pods = this.owned('Pod', set).filter(
      pod => !pod.metadata.deletionTimestamp,
    );
    for (let count = pods.length; count < desired; count += 1) {
      this.createPod(set, `${name}-${this.platform.random.hex(5)}`, {});
    }
    // The ones that serve go last.
    pods
      .sort((left, right) => Number(isReady(left)) - Number(isReady(right)))
      .slice(0, Math.max(0, pods.length - desired))
      .forEach(pod =>
        this.cluster.delete({
          kind: 'Pod',
          namespace,
          name: pod.metadata.name,
        }),
      );
    const left = this.owned('Pod', set).filter(
      pod => !pod.metadata.deletionTimestamp,
    );
    const ready = left.filter(isReady).length;
    this.cluster.patch({ kind: 'ReplicaSet', namespace, name }, draft => {
      draft.status = {
        observedGeneration: draft.metadata.generation,
        replicas: left.length,
        fullyLabeledReplicas: left.length,
        ...(ready > 0 && { readyReplicas: ready, availableReplicas: ready }),
      };
    });
  }

  private reconcileStatefulSet(set: KubernetesObject): void {
    const { namespace, name } = set.metadata;
    const desired = (set.spec?.replicas as number | undefined) ?? 1;
    const hash = `${name}-${templateHash(set)}`;
    const pods = new Map(
      this.owned('Pod', set).map(pod => [pod.metadata.name, pod]),
    );
    const isCurrent = (pod: KubernetesObject) =>
      pod.metadata.labels?.[STATEFUL_HASH_LABEL] === hash;
    for (let ordinal = 0; ordinal < desired; ordinal += 1) {
      const podName = `${name}-${ordinal}`;
      const pod = pods.get(podName);
      if (!pod) {
        this.createPod(set, podName, {
          [STATEFUL_HASH_LABEL]: hash,
          'statefulset.kubernetes.io/pod-name': podName,
          'apps.kubernetes.io/pod-index': String(ordinal),
        });
        break;
      }
      if (!isCurrent(pod) && !pod.metadata.deletionTimestamp) {
        this.cluster.delete({ kind: 'Pod', namespace, name: podName });
        break;
      }
      if (!isReady(pod)) {
        break;
      }
    }
    pods.forEach((pod, podName) => {
      if (
        Number(podName.slice(name.length + 1)) >= desired &&
        !pod.metadata.deletionTimestamp
      ) {
        this.cluster.delete({ kind: 'Pod', namespace, name: podName });
      }
    });
    const left = this.owned('Pod', set);
    const ready = left.filter(isReady);
    const updated = left.filter(isCurrent);
    this.cluster.patch({ kind: 'StatefulSet', namespace, name }, draft => {
      const before = draft.status?.currentRevision as string | undefined;
      const rolledOut =
        updated.filter(isReady).length === desired && left.length === desired;
      draft.status = {
        observedGeneration: draft.metadata.generation,
        replicas: left.length,
        readyReplicas: ready.length,
        availableReplicas: ready.length,
        currentReplicas: rolledOut ? desired : left.length - updated.length,
        updatedReplicas: updated.length,
        currentRevision: rolledOut || !before ? hash : before,
        updateRevision: hash,
        collisionCount: 0,
      };
    });
  }

  private createPod(
    owner: KubernetesObject,
    name: string,
    labels: Record<string, string>,
  ): void {
    const template = owner.spec?.template as KubernetesObject;
    this.cluster.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: owner.metadata.namespace,
        labels: { ...template.metadata?.labels, ...labels },
        annotations: template.metadata?.annotations,
        ownerReferences: [ownedBy(owner)],
      },
      spec: template.spec,
    });
  }

  private scale(set: KubernetesObject, replicas: number): void {
    if (set.spec?.replicas === replicas) {
      return;
    }
    const { namespace, name } = set.metadata;
    this.cluster.patch({ kind: 'ReplicaSet', namespace, name }, draft => {
      draft.spec = { ...draft.spec, replicas };
    });
  }

  private owned(kind: string, owner: KubernetesObject): KubernetesObject[] {
    return peekOwned(this.cluster, owner, kind);
  }
}
