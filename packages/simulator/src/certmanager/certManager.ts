import { EventRecorder } from '../controllers/events';
import { peek, peekAll } from '../controllers/objects';
import type { Platform } from '../controllers/platform';
import { WorkQueue } from '../controllers/workQueue';
import type { Cluster, ClusterEvent, KubernetesObject } from '../kubernetes';
import { createRandom } from '../random';
import { CertificateRequests } from './certificateRequests';
import { Certificates } from './certificates';
import { CERTIFICATE_NAME, controllerOf, namesOf } from './chain';
import { Challenges } from './challenges';
import type { CertificateFault, CertManagerContext } from './context';
import { Issuers } from './issuers';
import { Orders } from './orders';
import { Shims } from './shims';
import { Steps } from './steps';

const CHAIN_KINDS = ['Certificate', 'CertificateRequest', 'Order', 'Challenge'];
const SHIM_KINDS = ['Ingress', 'Gateway'];
const ISSUER_KINDS = ['Issuer', 'ClusterIssuer'];

function keyOf({ kind, metadata }: KubernetesObject): string {
  return `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}

/**
 * cert-manager with an ACME issuer over DNS-01. One queue over its kinds; what each is at is read from
 * the cluster, and a change of one part brings the part that waits for it.
 */
export class CertManager {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly queue: WorkQueue;
  private readonly context: CertManagerContext;
  private readonly certificates: Certificates;
  private readonly challenges: Challenges;
  private readonly issuers: Issuers;
  private readonly reconcilers: Record<
    string,
    { reconcile(object: KubernetesObject): void }
  >;
  private readonly unsubscribe: (() => void)[];

  constructor(platform: Platform, cluster: Cluster) {
    this.platform = platform;
    this.cluster = cluster;
    this.queue = new WorkQueue({
      clock: platform.clock,
      activity: platform.activity,
      reconcile: key => this.reconcile(key),
    });
    const random = createRandom(
      `${cluster.name}/${platform.random.integer(0, 1e9)}`,
    );
    this.context = {
      platform,
      cluster,
      random,
      steps: new Steps(platform),
      events: new EventRecorder({ cluster, random }),
      enqueue: object => this.queue.add(keyOf(object)),
      faultOf: object => this.faultOf(object),
    };
    this.certificates = new Certificates(this.context);
    this.challenges = new Challenges(this.context);
    this.issuers = new Issuers({ platform, cluster });
    const shims = new Shims(this.context);
    this.reconcilers = {
      Certificate: this.certificates,
      CertificateRequest: new CertificateRequests(this.context),
      Order: new Orders(this.context),
      Challenge: this.challenges,
      Ingress: shims,
      Gateway: shims,
      Issuer: this.issuers,
      ClusterIssuer: this.issuers,
    };
    this.unsubscribe = [
      cluster.subscribe(event => this.observe(event)),
      platform.faults.subscribe(() => this.lookAgain()),
    ];
  }

  stop(): void {
    this.unsubscribe.forEach(unsubscribe => unsubscribe());
    this.queue.stop();
    this.context.steps.stop();
  }

  private observe({ type, object }: ClusterEvent): void {
    const { kind, metadata } = object;
    if (CHAIN_KINDS.includes(kind)) {
      this.observeChain(type, object);
    } else if (SHIM_KINDS.includes(kind) && type !== 'DELETED') {
      this.context.enqueue(object);
    } else if (ISSUER_KINDS.includes(kind)) {
      this.context.enqueue(object);
      this.all('CertificateRequest', metadata.namespace).forEach(
        this.context.enqueue,
      );
      this.all('Challenge', metadata.namespace).forEach(this.context.enqueue);
    } else if (kind === 'Secret') {
      this.all('Certificate', metadata.namespace)
        .filter(({ spec }) => spec?.secretName === metadata.name)
        .forEach(this.context.enqueue);
    }
  }

  private observeChain(
    type: ClusterEvent['type'],
    object: KubernetesObject,
  ): void {
    const owner = controllerOf(this.cluster, object);
    if (owner) {
      this.context.enqueue(owner);
    }
    if (type === 'DELETED') {
      const { uid } = object.metadata;
      this.context.steps.forget(uid);
      this.context.events.forget(uid);
      this.certificates.forget(uid);
      this.challenges.forget(uid);
    } else {
      this.context.enqueue(object);
    }
    if (
      object.kind === 'Challenge' &&
      (type === 'DELETED' || object.status?.processing === false)
    ) {
      this.challenges.schedulable().forEach(this.context.enqueue);
    }
  }

  /** After a change of the faults: any of these may go on, or fail, that did not before. */
  private lookAgain(): void {
    this.issuers.restore();
    [...CHAIN_KINDS, ...ISSUER_KINDS]
      .flatMap(kind => this.all(kind))
      .forEach(this.context.enqueue);
  }

  private all(kind: string, namespace?: string): KubernetesObject[] {
    return peekAll(this.cluster, kind, namespace);
  }

  private reconcile(key: string): void {
    const [kind, namespace, name] = key.split('/');
    const object = peek(this.cluster, {
      kind,
      namespace: namespace || undefined,
      name,
    });
    if (object) {
      this.reconcilers[kind].reconcile(object);
    }
  }

  private faultOf(object: KubernetesObject): CertificateFault | undefined {
    const { namespace, name } = object.metadata;
    const named =
      object.kind === 'Challenge'
        ? controllerOf(this.cluster, object)?.metadata.annotations
        : object.metadata.annotations;
    const certificate =
      object.kind === 'Certificate' ? name : named?.[CERTIFICATE_NAME];
    const names =
      object.kind === 'Challenge'
        ? [String(object.spec?.dnsName)]
        : namesOf(
            object.kind === 'CertificateRequest'
              ? controllerOf(this.cluster, object) ?? object
              : object,
          );
    return this.platform.faults.find(
      'certificate',
      `${namespace}/${certificate}`,
      namespace as string,
      ...names,
    );
  }
}
