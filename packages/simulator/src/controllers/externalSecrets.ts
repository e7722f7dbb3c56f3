import type { Cluster, KubernetesObject } from '../kubernetes';
import { ownedBy, peek } from './objects';
import { setCondition, type Platform, type StatusCondition } from './platform';
import { WorkQueue } from './workQueue';

interface RemoteReference {
  key?: string;
  property?: string;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * The External Secrets Operator of a cluster: it makes the Secret that an ExternalSecret asks for, from
 * what the platform's store holds.
 */
export class ExternalSecretsController {
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
    this.unsubscribe = cluster.subscribe(({ type, object }) => {
      if (object.kind === 'ExternalSecret' && type !== 'DELETED') {
        this.queue.add(`${object.metadata.namespace}/${object.metadata.name}`);
      }
      // A store that comes later serves those that waited for it.
      if (/SecretStore$/.test(object.kind) && type === 'ADDED') {
        cluster
          .list({ kind: 'ExternalSecret' })
          .forEach(({ metadata }) =>
            this.queue.add(`${metadata.namespace}/${metadata.name}`),
          );
      }
    });
  }

  stop(): void {
    this.unsubscribe();
    this.queue.stop();
  }

  private reconcile(key: string): void {
    const [namespace, name] = key.split('/');
    const reference = { kind: 'ExternalSecret', namespace, name };
    const external = peek(this.cluster, reference);
    if (!external || external.metadata.deletionTimestamp) {
      return;
    }
    const outcome = this.sync(external);
    this.cluster.patch(
      reference,
      draft => {
        draft.status = {
          ...draft.status,
          conditions: setCondition(
            draft.status?.conditions as StatusCondition[] | undefined,
            {
              type: 'Ready',
              status: outcome === undefined ? 'True' : 'False',
              reason:
                outcome === undefined ? 'SecretSynced' : 'SecretSyncedError',
              message: outcome ?? 'secret synced',
            },
            this.platform.clock.now(),
          ),
        };
      },
      { scope: 'status' },
    );
  }

  /** Makes the Secret; the answer is why it could not. */
  private sync(external: KubernetesObject): string | undefined {
    const { namespace, name } = external.metadata;
    const { secretStoreRef, target, data = [] } = external.spec ?? {};
    const store = {
      kind: (secretStoreRef?.kind as string | undefined) ?? 'SecretStore',
      name: String(secretStoreRef?.name),
    };
    const place =
      store.kind === 'ClusterSecretStore' ? store : { ...store, namespace };
    if (!peek(this.cluster, place)) {
      return `could not get secret data from provider: could not get ${store.kind} "${store.name}", ${store.kind}.external-secrets.io "${store.name}" not found`;
    }
    const values: Record<string, string> = {};
    for (const item of data as {
      secretKey: string;
      remoteRef?: RemoteReference;
    }[]) {
      const { key = '', property } = item.remoteRef ?? {};
      const value = this.platform.secrets.get(
        property === undefined ? key : `${key}#${property}`,
      );
      if (value === undefined) {
        return `error processing spec.data[0] (key: ${key}), err: Secret does not exist`;
      }
      values[item.secretKey] = base64(value);
    }
    const secret = {
      kind: 'Secret',
      namespace,
      name: (target?.name as string | undefined) ?? name,
    };
    if (peek(this.cluster, secret)) {
      this.cluster.patch(secret, draft => {
        draft.data = values;
      });
    } else {
      this.cluster.create({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'Opaque',
        metadata: {
          name: secret.name,
          namespace,
          labels: target?.template?.metadata?.labels,
          ownerReferences: [ownedBy(external)],
        },
        data: values,
      });
    }
    return undefined;
  }
}
