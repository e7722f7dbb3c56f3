import type { Cluster, KubernetesObject } from '../kubernetes';
import { deleteIfThere, ownedBy, patchIfSame, referenceTo } from './objects';
import {
  kubernetesTime,
  setCondition,
  type Platform,
  type StatusCondition,
} from './platform';
import { WorkQueue } from './workQueue';

const CHALLENGE_FINALIZER = 'acme.cert-manager.io/finalizer';
const LIFETIME_MILLISECONDS = 90 * 24 * 3600 * 1000;
/** cert-manager renews after two thirds of the lifetime. */
const RENEWAL_SHARE = 2 / 3;
const REQUEST_NAME_LIMIT = 52;
const RETRY_MILLISECONDS = 5000;
const DUMMY_PEM = Buffer.from('simulated certificate').toString('base64');

interface Issuance {
  certificate: KubernetesObject;
  generation: number;
  cancel: () => void;
  /** What to go on with once the fault that holds it is healed. */
  held?: () => void;
}

interface IssuanceObjects {
  request: KubernetesObject;
  order: KubernetesObject;
  challenges: KubernetesObject[];
}

/**
 * cert-manager with an ACME issuer over DNS-01: a Certificate gets its request, order and
 * challenges, waits for propagation, and becomes ready; the challenges go once the order is valid.
 * Also the shim that makes Certificates of annotated Ingresses.
 */
export class CertificateController {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly queue: WorkQueue;
  private readonly issuances = new Map<string, Issuance>();
  private readonly unsubscribe: () => void;
  private readonly unsubscribeFaults: () => void;

  constructor(platform: Platform, cluster: Cluster) {
    this.platform = platform;
    this.cluster = cluster;
    this.queue = new WorkQueue({
      clock: platform.clock,
      activity: platform.activity,
      reconcile: key => this.reconcile(key),
    });
    this.unsubscribe = cluster.subscribe(({ type, object }) => {
      if (type === 'DELETED') {
        this.issuances.get(object.metadata.uid)?.cancel();
        this.issuances.delete(object.metadata.uid);
      } else if (
        ['Certificate', 'Ingress', 'Challenge'].includes(object.kind)
      ) {
        this.queue.add(
          `${object.kind}/${object.metadata.namespace}/${object.metadata.name}`,
        );
      }
    });
    this.unsubscribeFaults = platform.faults.subscribe(() => this.heal());
  }

  private heal(): void {
    for (const issuance of this.issuances.values()) {
      const { held } = issuance;
      if (held && !this.fault(issuance)) {
        issuance.held = undefined;
        held();
      }
    }
  }

  stop(): void {
    this.unsubscribe();
    this.unsubscribeFaults();
    this.queue.stop();
    this.issuances.forEach(issuance => issuance.cancel());
  }

  private reconcile(key: string): void {
    const [kind, namespace, name] = key.split('/');
    const object = this.cluster.get({ kind, namespace, name });
    if (!object) {
      return;
    }
    if (kind === 'Challenge') {
      this.cleanUpChallenge(object);
    } else if (object.metadata.deletionTimestamp) {
      this.issuances.get(object.metadata.uid)?.cancel();
    } else if (kind === 'Ingress') {
      this.shim(object);
    } else {
      this.reconcileCertificate(object);
    }
  }

  private cleanUpChallenge(challenge: KubernetesObject): void {
    if (challenge.metadata.deletionTimestamp) {
      this.cluster.patch(referenceTo(challenge), draft => {
        draft.metadata.finalizers = draft.metadata.finalizers?.filter(
          finalizer => finalizer !== CHALLENGE_FINALIZER,
        );
      });
    }
  }

  private shim(ingress: KubernetesObject): void {
    const issuer =
      ingress.metadata.annotations?.['cert-manager.io/cluster-issuer'];
    const { namespace } = ingress.metadata;
    for (const tls of (ingress.spec?.tls ?? []) as {
      hosts: string[];
      secretName: string;
    }[]) {
      if (
        issuer &&
        !this.cluster.get({
          kind: 'Certificate',
          namespace,
          name: tls.secretName,
        })
      ) {
        this.cluster.create({
          apiVersion: 'cert-manager.io/v1',
          kind: 'Certificate',
          metadata: {
            name: tls.secretName,
            namespace,
            labels: ingress.metadata.labels,
            ownerReferences: [ownedBy(ingress)],
          },
          spec: {
            dnsNames: tls.hosts,
            issuerRef: {
              group: 'cert-manager.io',
              kind: 'ClusterIssuer',
              name: issuer,
            },
            secretName: tls.secretName,
            usages: ['digital signature', 'key encipherment'],
          },
        });
      }
    }
  }

  private reconcileCertificate(certificate: KubernetesObject): void {
    const { uid, generation } = certificate.metadata;
    const running = this.issuances.get(uid);
    if (running?.generation === generation) {
      return;
    }
    running?.cancel();
    // A Certificate that was ready when the controller started needs nothing.
    const ready = certificate.status?.conditions?.some(
      (condition: StatusCondition) =>
        condition.type === 'Ready' &&
        condition.status === 'True' &&
        condition.observedGeneration === generation,
    );
    if (ready) {
      return;
    }
    const issuance: Issuance = {
      certificate,
      generation: generation ?? 1,
      cancel: () => {},
    };
    this.issuances.set(uid, issuance);
    this.begin(issuance);
  }

  private begin(issuance: Issuance): void {
    const { delays } = this.platform;
    const revision =
      ((issuance.certificate.status?.revision as number | undefined) ?? 0) + 1;
    const [reason, message] =
      revision === 1
        ? ['DoesNotExist', 'Issuing certificate as Secret does not exist']
        : [
            'RequestChanged',
            'Fields on existing CertificateRequest resource not up to date: [spec.dnsNames]',
          ];
    this.writeCertificate(issuance, (draft, now) => {
      const observedGeneration = issuance.generation;
      let conditions = setCondition(
        draft.status?.conditions,
        {
          type: 'Issuing',
          status: 'True',
          reason,
          message,
          observedGeneration,
        },
        now,
      );
      conditions = setCondition(
        conditions,
        { type: 'Ready', status: 'False', reason, message, observedGeneration },
        now,
      );
      draft.status = {
        ...draft.status,
        conditions,
        nextPrivateKeySecretName: `${
          draft.metadata.name
        }-${this.platform.random.hex(5)}`,
      };
    });
    this.later(issuance, delays.certificateRequest, () => {
      const objects = this.createRequest(issuance, revision);
      this.later(issuance, delays.challengePresent, () => {
        this.present(objects);
        const propagate = () =>
          this.later(issuance, delays.challengePropagation, () => {
            this.validate(objects);
            this.later(issuance, delays.certificateIssue, () =>
              this.issue(issuance, objects, revision),
            );
          });
        const fault = this.fault(issuance);
        if (fault === 'failed' || fault === 'rateLimited') {
          this.fail(issuance, objects, fault);
          issuance.held = () =>
            this.later(issuance, delays.certificateRequest, () =>
              this.begin(issuance),
            );
        } else if (fault === 'never') {
          issuance.held = propagate;
        } else {
          propagate();
        }
      });
    });
  }

  private createRequest(issuance: Issuance, revision: number): IssuanceObjects {
    const { certificate } = issuance;
    const { namespace, name } = certificate.metadata;
    const dnsNames = (certificate.spec?.dnsNames ?? []) as string[];
    const issuerRef = certificate.spec?.issuerRef as Record<string, string>;
    const now = this.platform.clock.now();
    const orderName = `${name.slice(
      0,
      REQUEST_NAME_LIMIT,
    )}-${revision}-${this.platform.random.integer(1e8, 4e9)}`;
    const requestName = `${name.slice(0, REQUEST_NAME_LIMIT)}-${revision}`;
    // One that was left when the spec changed in the middle of an issuance.
    deleteIfThere(this.cluster, {
      kind: 'CertificateRequest',
      namespace,
      name: requestName,
    });
    const request = this.cluster.create({
      apiVersion: 'cert-manager.io/v1',
      kind: 'CertificateRequest',
      metadata: {
        name: requestName,
        namespace,
        annotations: {
          'cert-manager.io/certificate-name': name,
          'cert-manager.io/certificate-revision': String(revision),
          'cert-manager.io/private-key-secret-name': `${name}-key`,
        },
        ownerReferences: [ownedBy(certificate)],
      },
      spec: {
        request: Buffer.from('simulated request').toString('base64'),
        issuerRef,
        usages: ['digital signature', 'key encipherment'],
        username: 'system:serviceaccount:cert-manager:cert-manager',
        groups: ['system:serviceaccounts', 'system:authenticated'],
      },
      status: {
        conditions: setCondition(
          setCondition(
            [],
            {
              type: 'Approved',
              status: 'True',
              reason: 'cert-manager.io',
              message:
                'Certificate request has been approved by cert-manager.io',
            },
            now,
          ),
          {
            type: 'Ready',
            status: 'False',
            reason: 'Pending',
            message: `Waiting on certificate issuance from order ${namespace}/${orderName}: "pending"`,
          },
          now,
        ),
      },
    });
    const order = this.cluster.create({
      apiVersion: 'acme.cert-manager.io/v1',
      kind: 'Order',
      metadata: {
        name: orderName,
        namespace,
        annotations: request.metadata.annotations,
        ownerReferences: [ownedBy(request)],
      },
      spec: { dnsNames, issuerRef, request: request.spec?.request as string },
      status: {
        state: 'pending',
        url: `https://acme.example.com/order/${orderName}`,
        finalizeURL: `https://acme.example.com/order/${orderName}/finalize`,
        authorizations: dnsNames.map(dnsName => ({
          identifier: dnsName.replace(/^\*\./, ''),
          initialState: 'pending',
          url: `https://acme.example.com/authz/${dnsName}`,
          wildcard: dnsName.startsWith('*.'),
        })),
      },
    });
    const challenges = dnsNames.map(dnsName =>
      this.cluster.create({
        apiVersion: 'acme.cert-manager.io/v1',
        kind: 'Challenge',
        metadata: {
          name: `${orderName}-${this.platform.random.integer(1e8, 4e9)}`,
          namespace,
          finalizers: [CHALLENGE_FINALIZER],
          ownerReferences: [ownedBy(order)],
        },
        spec: {
          type: 'DNS-01',
          dnsName: dnsName.replace(/^\*\./, ''),
          wildcard: dnsName.startsWith('*.'),
          token: this.platform.random.hex(32),
          key: this.platform.random.hex(43),
          authorizationURL: `https://acme.example.com/authz/${dnsName}`,
          url: `https://acme.example.com/challenge/${dnsName}`,
          issuerRef,
          solver: { dns01: { route53: { region: 'eu-west-1' } } },
        },
        status: { processing: true, presented: false, state: 'pending' },
      }),
    );
    return { request, order, challenges };
  }

  private present(objects: IssuanceObjects): void {
    objects.challenges.forEach(challenge =>
      patchIfSame(this.cluster, challenge, draft => {
        draft.status = {
          ...draft.status,
          presented: true,
          reason: `Waiting for DNS-01 challenge propagation: DNS record for "${draft.spec?.dnsName}" not yet propagated`,
        };
      }),
    );
  }

  private validate({ order, challenges }: IssuanceObjects): void {
    challenges.forEach(challenge => {
      patchIfSame(this.cluster, challenge, draft => {
        draft.status = {
          presented: false,
          processing: false,
          state: 'valid',
          reason: 'Successfully authorized domain',
        };
      });
    });
    patchIfSame(this.cluster, order, draft => {
      draft.status = {
        ...draft.status,
        state: 'valid',
        certificate: DUMMY_PEM,
      };
    });
    challenges.forEach(challenge =>
      deleteIfThere(this.cluster, referenceTo(challenge)),
    );
  }

  private issue(
    issuance: Issuance,
    { request }: IssuanceObjects,
    revision: number,
  ): void {
    const { certificate } = issuance;
    const { namespace, name } = certificate.metadata;
    const issuedAt = this.platform.clock.now();
    const after = (milliseconds: number) =>
      kubernetesTime(new Date(issuedAt.getTime() + milliseconds));
    patchIfSame(this.cluster, request, draft => {
      draft.status = {
        certificate: DUMMY_PEM,
        conditions: setCondition(
          draft.status?.conditions,
          {
            type: 'Ready',
            status: 'True',
            reason: 'Issued',
            message: 'Certificate fetched from issuer successfully',
          },
          issuedAt,
        ),
      };
    });
    const secretName = certificate.spec?.secretName as string;
    if (!this.cluster.get({ kind: 'Secret', namespace, name: secretName })) {
      this.cluster.create({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/tls',
        metadata: {
          name: secretName,
          namespace,
          annotations: { 'cert-manager.io/certificate-name': name },
        },
        data: { 'tls.crt': DUMMY_PEM, 'tls.key': DUMMY_PEM },
      });
    }
    this.writeCertificate(issuance, (draft, now) => {
      draft.status = {
        conditions: setCondition(
          (draft.status?.conditions as StatusCondition[]).filter(
            condition => condition.type !== 'Issuing',
          ),
          {
            type: 'Ready',
            status: 'True',
            reason: 'Ready',
            message: 'Certificate is up to date and has not expired',
            observedGeneration: issuance.generation,
          },
          now,
        ),
        notBefore: after(0),
        notAfter: after(LIFETIME_MILLISECONDS),
        renewalTime: after(LIFETIME_MILLISECONDS * RENEWAL_SHARE),
        revision,
      };
    });
  }

  private fail(
    issuance: Issuance,
    { request, order, challenges }: IssuanceObjects,
    fault: 'failed' | 'rateLimited',
  ): void {
    const now = this.platform.clock.now();
    const host = issuance.certificate.spec?.dnsNames?.[0] as string;
    const state = fault === 'failed' ? 'invalid' : 'errored';
    const retryAfter = new Date(now.getTime() + 3 * 3600 * 1000)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
    const detail =
      fault === 'failed'
        ? `acme: authorization error for ${host}: 403 urn:ietf:params:acme:error:unauthorized: No TXT record found at _acme-challenge.${host}`
        : `429 urn:ietf:params:acme:error:rateLimited: too many certificates (50) already issued for "example.com" in the last 168h0m0s, retry after ${retryAfter} UTC: see https://letsencrypt.org/docs/rate-limits/`;
    patchIfSame(this.cluster, order, draft => {
      draft.status = {
        ...draft.status,
        state,
        reason: `Failed to create Order: ${detail}`,
        failureTime: kubernetesTime(now),
      };
    });
    challenges.forEach(challenge =>
      fault === 'failed'
        ? patchIfSame(this.cluster, challenge, draft => {
            draft.status = {
              presented: false,
              processing: false,
              state: 'invalid',
              reason: `Error accepting authorization: ${detail}`,
            };
          })
        : deleteIfThere(this.cluster, referenceTo(challenge)),
    );
    const requestMessage = `Failed to wait for order resource "${order.metadata.name}" to become ready: order is in "${state}" state: ${detail}`;
    patchIfSame(this.cluster, request, draft => {
      draft.status = {
        ...draft.status,
        failureTime: kubernetesTime(now),
        conditions: setCondition(
          draft.status?.conditions,
          {
            type: 'Ready',
            status: 'False',
            reason: 'Failed',
            message: requestMessage,
          },
          now,
        ),
      };
    });
    this.writeCertificate(issuance, draft => {
      draft.status = {
        ...draft.status,
        conditions: setCondition(
          draft.status?.conditions,
          {
            type: 'Issuing',
            status: 'False',
            reason: 'Failed',
            message: `The certificate request has failed to complete and will be retried: ${requestMessage}`,
            observedGeneration: issuance.generation,
          },
          now,
        ),
        lastFailureTime: kubernetesTime(now),
        failedIssuanceAttempts:
          ((draft.status?.failedIssuanceAttempts as number | undefined) ?? 0) +
          1,
      };
    });
  }

  /** A step that the API server refuses is not lost: the issuance begins anew. */
  private attempt({ certificate }: Issuance, action: () => void): void {
    const { uid, namespace, name } = certificate.metadata;
    const key = `Certificate/${namespace}/${name}`;
    try {
      action();
    } catch (error) {
      this.issuances.delete(uid);
      this.queue.failures.set(key, error);
      this.queue.addAfter({
        key,
        milliseconds: RETRY_MILLISECONDS,
        background: true,
      });
    }
  }

  private fault({ certificate }: Issuance) {
    const { namespace, name } = certificate.metadata;
    return this.platform.faults.find(
      'certificate',
      `${namespace}/${name}`,
      namespace as string,
      ...((certificate.spec?.dnsNames ?? []) as string[]),
    );
  }

  private writeCertificate(
    issuance: Issuance,
    change: (draft: KubernetesObject, now: Date) => void,
  ): void {
    patchIfSame(this.cluster, issuance.certificate, draft =>
      change(draft, this.platform.clock.now()),
    );
  }

  /** The next step, unless the Certificate or its namespace is on its way out by then. */
  private later(
    issuance: Issuance,
    milliseconds: number,
    action: () => void,
  ): void {
    const { certificate } = issuance;
    const done = this.platform.activity.begin();
    const cancel = this.platform.clock.after(milliseconds, () => {
      const live = this.cluster.get(referenceTo(certificate));
      const namespace = this.cluster.get({
        kind: 'Namespace',
        name: certificate.metadata.namespace as string,
      });
      if (
        live?.metadata.uid === certificate.metadata.uid &&
        !live.metadata.deletionTimestamp &&
        !namespace?.metadata.deletionTimestamp
      ) {
        this.attempt(issuance, action);
      }
      done();
    });
    issuance.cancel = () => {
      cancel();
      done();
    };
  }
}
