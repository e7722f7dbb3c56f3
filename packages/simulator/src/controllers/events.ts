import type { Cluster, KubernetesObject } from '../kubernetes';
import type { Random } from '../random';
import { peek } from './objects';
import { kubernetesTime } from './platform';

/** What a controller has to say of an object. */
export interface EventOptions {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  /** Such as `cert-manager-challenges`. */
  component: string;
}

const NAME_DIGITS = 16;

/** Writes Events; one that says the same of the same object again is counted. */
export class EventRecorder {
  private readonly cluster: Cluster;
  private readonly random: Random;
  private readonly names = new Map<string, Map<string, string>>();

  constructor(options: { cluster: Cluster; random: Random }) {
    this.cluster = options.cluster;
    this.random = options.random;
  }

  /** Writes nothing in a namespace that is on its way out: it would be refused. */
  record(object: KubernetesObject, options: EventOptions): void {
    const namespace = object.metadata.namespace ?? 'default';
    const home = peek(this.cluster, { kind: 'Namespace', name: namespace });
    if (!home || home.metadata.deletionTimestamp) {
      return;
    }
    const { uid } = object.metadata;
    const known = this.names.get(uid) ?? new Map<string, string>();
    this.names.set(uid, known);
    const key = `${options.reason} ${options.message}`;
    const name = known.get(key);
    const now = kubernetesTime(this.cluster.clock.now());
    if (
      name !== undefined &&
      peek(this.cluster, { kind: 'Event', namespace, name })
    ) {
      this.cluster.patch({ kind: 'Event', namespace, name }, draft => {
        draft.count = Number(draft.count) + 1;
        draft.lastTimestamp = now;
      });
      return;
    }
    const created = this.cluster.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${object.metadata.name}.${this.random.hex(NAME_DIGITS)}`,
        namespace,
      },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name: object.metadata.name,
        namespace: object.metadata.namespace,
        uid,
        resourceVersion: object.metadata.resourceVersion,
      },
      type: options.type,
      reason: options.reason,
      message: options.message,
      source: { component: options.component },
      reportingComponent: options.component,
      reportingInstance: '',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    });
    known.set(key, created.metadata.name);
  }

  /** Forgets an object that is gone. */
  forget(uid: string): void {
    this.names.delete(uid);
  }
}
