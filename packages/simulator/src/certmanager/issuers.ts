import { patchIfSame, referenceTo } from '../controllers/objects';
import { setCondition, type Platform } from '../controllers/platform';
import type { Cluster, KubernetesObject } from '../kubernetes';

const ACCOUNT_URL = 'https://acme.example.com/acct/1';

/** Registers ACME accounts, and tells in each issuer's status whether it has one. */
export class Issuers {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  /** Those a fault took away, to come back as they were. */
  private readonly absent = new Map<string, KubernetesObject>();

  constructor(options: { platform: Platform; cluster: Cluster }) {
    this.platform = options.platform;
    this.cluster = options.cluster;
  }

  /** Brings back the issuers whose fault is healed. */
  restore(): void {
    for (const [key, issuer] of this.absent) {
      if (this.faultOf(issuer) !== 'notFound') {
        this.absent.delete(key);
        if (!this.cluster.get(referenceTo(issuer))) {
          const { name, namespace, labels, annotations } = issuer.metadata;
          this.cluster.create({
            ...issuer,
            metadata: { name, namespace, labels, annotations },
          });
        }
      }
    }
  }

  reconcile(issuer: KubernetesObject): void {
    if (issuer.metadata.deletionTimestamp) {
      return;
    }
    const fault = this.faultOf(issuer);
    if (fault === 'notFound') {
      this.absent.set(issuer.metadata.uid, issuer);
      this.cluster.delete(referenceTo(issuer));
      return;
    }
    const server = (issuer.spec?.acme?.server ?? '') as string;
    patchIfSame(this.cluster, issuer, draft => {
      draft.status = {
        ...draft.status,
        acme: fault ? { uri: '' } : { uri: ACCOUNT_URL },
        conditions: setCondition(
          draft.status?.conditions,
          fault
            ? {
                type: 'Ready',
                status: 'False',
                reason: 'ErrRegisterACMEAccount',
                message: `Failed to register ACME account: Get "${server}": dial tcp: lookup ${
                  new URL(server || 'https://acme.example.com').hostname
                }: no such host`,
                observedGeneration: draft.metadata.generation,
              }
            : {
                type: 'Ready',
                status: 'True',
                reason: 'ACMEAccountRegistered',
                message: 'The ACME account was registered with the ACME server',
                observedGeneration: draft.metadata.generation,
              },
          this.platform.clock.now(),
        ),
      };
    });
  }

  private faultOf({ metadata }: KubernetesObject) {
    return this.platform.faults.find(
      'issuer',
      `${metadata.namespace ?? ''}/${metadata.name}`,
      metadata.name,
    );
  }
}
