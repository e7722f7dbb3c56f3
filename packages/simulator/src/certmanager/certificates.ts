import {
  deleteIfThere,
  ownedBy,
  peek,
  peekAll,
  peekOwned,
  referenceTo,
  patchIfSame,
} from '../controllers/objects';
import {
  kubernetesTime,
  setCondition,
  type StatusCondition,
} from '../controllers/platform';
import type { KubernetesObject } from '../kubernetes';
import {
  CERTIFICATE_NAME,
  CERTIFICATE_REVISION,
  conditionOf,
  decode,
  encode,
  isAlive,
  namesOf,
  PRIVATE_KEY_SECRET,
  renewalTime,
  shortened,
  type SigningRequest,
} from './chain';
import type { CertificateFault, CertManagerContext } from './context';
import {
  issuanceReason,
  storedIn,
  unreadiness,
  type PolicyInput,
  type Violation,
} from './policies';

const DAY_MILLISECONDS = 24 * 3600 * 1000;
const PAST_RENEWAL_DAYS = 61;
const PAST_EXPIRY_DAYS = 91;
const LONGEST_BACK_OFF_FACTOR = 32;
/** A timer for the moment itself may come a little early. */
const SHORTEST_RENEWAL_WAIT_MILLISECONDS = 1000;

/** Lets time pass for a certificate: what it was issued for begins and ends so much earlier. */
export function ageCertificate(
  { cluster }: Pick<CertManagerContext, 'cluster'>,
  certificate: KubernetesObject,
  days: number,
): void {
  const earlier = (time: unknown) =>
    kubernetesTime(
      new Date(Date.parse(String(time)) - days * DAY_MILLISECONDS),
    );
  const secret = {
    kind: 'Secret',
    namespace: certificate.metadata.namespace,
    name: String(certificate.spec?.secretName),
  };
  const stored = storedIn(peek(cluster, secret));
  if (stored) {
    cluster.patch(secret, draft => {
      draft.data = {
        ...draft.data,
        'tls.crt': encode({
          ...stored,
          notBefore: earlier(stored.notBefore),
          notAfter: earlier(stored.notAfter),
        }),
      };
    });
  }
  cluster.patch(referenceTo(certificate), draft => {
    for (const key of ['notBefore', 'notAfter', 'renewalTime']) {
      if (draft.status?.[key] !== undefined) {
        draft.status[key] = earlier(draft.status[key]);
      }
    }
  });
}

/** Asks for a new certificate now, as `cmctl renew` does. */
export function renewCertificate(
  { cluster }: Pick<CertManagerContext, 'cluster'>,
  certificate: KubernetesObject,
): void {
  cluster.patch(referenceTo(certificate), draft => {
    draft.status = {
      ...draft.status,
      conditions: setCondition(
        draft.status?.conditions,
        {
          type: 'Issuing',
          status: 'True',
          reason: 'ManuallyTriggered',
          message: 'Certificate re-issuance manually triggered',
          observedGeneration: draft.metadata.generation,
        },
        cluster.clock.now(),
      ),
    };
  });
}

/**
 * Keeps Certificates: tells whether they are ready, starts an issuance when its policies say so,
 * waits longer after each failure, and stores what was issued. The Secret outlives its Certificate.
 */
export class Certificates {
  private readonly context: CertManagerContext;
  /** Faults that failed the latest issuance: once such a one is healed nobody waits. */
  private readonly failedBy = new Map<string, CertificateFault>();

  constructor(context: CertManagerContext) {
    this.context = context;
  }

  forget(uid: string): void {
    this.failedBy.delete(uid);
  }

  reconcile(certificate: KubernetesObject): void {
    const { cluster, steps } = this.context;
    if (!isAlive(cluster, certificate)) {
      steps.forget(certificate.metadata.uid);
      return;
    }
    const fault = this.context.faultOf(certificate);
    this.applyFault(certificate, fault);
    if (fault === 'controllerDown') {
      return;
    }
    const live = peek(cluster, referenceTo(certificate));
    if (!live) {
      return;
    }
    if (conditionOf(live, 'Issuing')?.status === 'True') {
      this.advance(live);
    } else {
      this.trigger(live);
    }
  }

  /** What a fault does to a certificate that is there; done again it changes nothing. */
  private applyFault(
    certificate: KubernetesObject,
    fault: CertificateFault | undefined,
  ): void {
    const { cluster, platform } = this.context;
    const isReady = conditionOf(certificate, 'Ready')?.status === 'True';
    const isBefore = (key: string) =>
      platform.clock.now() < new Date(String(certificate.status?.[key]));
    if (fault === 'secretMissing') {
      deleteIfThere(cluster, {
        kind: 'Secret',
        namespace: certificate.metadata.namespace,
        name: String(certificate.spec?.secretName),
      });
    } else if (fault === 'renewalFails' && isReady && isBefore('renewalTime')) {
      ageCertificate(this.context, certificate, PAST_RENEWAL_DAYS);
    } else if (fault === 'controllerDown' && isReady && isBefore('notAfter')) {
      ageCertificate(this.context, certificate, PAST_EXPIRY_DAYS);
    }
  }

  private gather(certificate: KubernetesObject): PolicyInput {
    const { cluster, platform } = this.context;
    return {
      certificate,
      secret: peek(cluster, {
        kind: 'Secret',
        namespace: certificate.metadata.namespace,
        name: String(certificate.spec?.secretName),
      }),
      currentRequest: this.request(certificate, revisionOf(certificate)),
      now: platform.clock.now(),
    };
  }

  private request(
    certificate: KubernetesObject,
    revision: number,
  ): KubernetesObject | undefined {
    return peekOwned(
      this.context.cluster,
      certificate,
      'CertificateRequest',
    ).find(
      request =>
        request.metadata.annotations?.[CERTIFICATE_REVISION] ===
          String(revision) && !request.metadata.deletionTimestamp,
    );
  }

  private trigger(certificate: KubernetesObject): void {
    const input = this.gather(certificate);
    const violation = issuanceReason(input);
    if (
      !violation ||
      !this.ownsSecret(certificate, input) ||
      !this.mayTry(certificate)
    ) {
      this.write(certificate, draft => this.setReadiness(draft, input));
      if (!violation) {
        this.waitForRenewal(certificate, input);
      }
      return;
    }
    this.begin(certificate, input, violation);
  }

  /** Of several that name one Secret only one may fill it, else they would take turns for ever. */
  private ownsSecret(
    certificate: KubernetesObject,
    { secret }: PolicyInput,
  ): boolean {
    const { namespace, name } = certificate.metadata;
    const rivals = peekAll(
      this.context.cluster,
      'Certificate',
      namespace,
    ).filter(other => other.spec?.secretName === certificate.spec?.secretName);
    const filledFor = secret?.metadata.annotations?.[CERTIFICATE_NAME];
    const owner =
      rivals.find(other => other.metadata.name === filledFor) ??
      [...rivals].sort((one, other) =>
        one.metadata.creationTimestamp < other.metadata.creationTimestamp
          ? -1
          : 1,
      )[0];
    return owner === undefined || owner.metadata.name === name;
  }

  private waitForRenewal(
    certificate: KubernetesObject,
    { secret, now }: PolicyInput,
  ): void {
    const stored = storedIn(secret);
    if (stored) {
      const at = renewalTime(stored);
      this.context.steps.passed(
        {
          uid: certificate.metadata.uid,
          step: `renewal ${at.getTime()} ${now.getTime()}`,
          milliseconds: Math.max(
            at.getTime() - now.getTime(),
            SHORTEST_RENEWAL_WAIT_MILLISECONDS,
          ),
          background: true,
        },
        () => this.context.enqueue(certificate),
      );
    }
  }

  /** Whether the time after a failure is over, or what failed it. */
  private mayTry(certificate: KubernetesObject): boolean {
    const { steps, platform } = this.context;
    const { uid } = certificate.metadata;
    const attempts = Number(certificate.status?.failedIssuanceAttempts ?? 0);
    if (attempts === 0) {
      return true;
    }
    const failedBy = this.failedBy.get(uid);
    if (failedBy && this.context.faultOf(certificate) !== failedBy) {
      return true;
    }
    const next = this.request(certificate, revisionOf(certificate) + 1);
    if (next && !this.isRequestOf(certificate, next)) {
      return true;
    }
    return steps.passed(
      {
        uid,
        step: `back-off ${attempts} ${certificate.status?.lastFailureTime}`,
        milliseconds:
          platform.delays.certificateBackOff *
          Math.min(2 ** (attempts - 1), LONGEST_BACK_OFF_FACTOR),
        background: true,
      },
      () => this.context.enqueue(certificate),
    );
  }

  private isRequestOf(
    certificate: KubernetesObject,
    request: KubernetesObject,
  ): boolean {
    const signing = decode<SigningRequest>(request.spec?.request);
    return (
      signing?.dnsNames.join() ===
        signingRequestOf(certificate).dnsNames.join() &&
      signing.commonName === certificate.spec?.commonName &&
      request.spec?.issuerRef.name === certificate.spec?.issuerRef.name &&
      request.spec?.issuerRef.kind === certificate.spec?.issuerRef.kind
    );
  }

  private begin(
    certificate: KubernetesObject,
    input: PolicyInput,
    violation: Violation,
  ): void {
    const { cluster, events, random, steps } = this.context;
    const { uid, name, namespace } = certificate.metadata;
    steps.forget(uid);
    this.failedBy.delete(uid);
    // What an earlier attempt at this revision left; its Order goes with it.
    const leftover = this.request(certificate, revisionOf(certificate) + 1);
    if (leftover) {
      deleteIfThere(cluster, referenceTo(leftover));
    }
    const keySecret = `${shortened(name)}-${random.hex(5)}`;
    cluster.create({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: {
        name: keySecret,
        namespace,
        labels: { 'cert-manager.io/next-private-key': 'true' },
        ownerReferences: [ownedBy(certificate)],
      },
      data: { 'tls.key': encode({ key: keySecret }) },
    });
    this.write(certificate, (draft, now) => {
      draft.status = {
        ...draft.status,
        conditions: setCondition(
          draft.status?.conditions,
          {
            type: 'Issuing',
            status: 'True',
            ...violation,
            observedGeneration: draft.metadata.generation,
          },
          now,
        ),
        nextPrivateKeySecretName: keySecret,
      };
      this.setReadiness(draft, input);
    });
    events.record(certificate, {
      type: 'Normal',
      reason: 'Issuing',
      message: violation.message,
      component: 'cert-manager-certificates-trigger',
    });
    events.record(certificate, {
      type: 'Normal',
      reason: 'Generated',
      message: `Stored new private key in temporary Secret resource "${keySecret}"`,
      component: 'cert-manager-certificates-key-manager',
    });
  }

  /** An issuance that is under way: its request is made, and its end is taken over. */
  private advance(certificate: KubernetesObject): void {
    const { cluster, steps, platform, events } = this.context;
    const { uid } = certificate.metadata;
    const revision = revisionOf(certificate) + 1;
    const request = this.request(certificate, revision);
    if (request && !this.isRequestOf(certificate, request)) {
      steps.forget(uid);
      deleteIfThere(cluster, referenceTo(request));
    } else if (request) {
      this.conclude(certificate, request, revision);
      return;
    }
    this.write(certificate, draft =>
      this.setReadiness(draft, this.gather(certificate)),
    );
    const due = steps.passed(
      {
        uid,
        step: `request ${revision}`,
        milliseconds: platform.delays.certificateRequest,
      },
      () => this.context.enqueue(certificate),
    );
    if (due) {
      const created = this.createRequest(certificate, revision);
      events.record(certificate, {
        type: 'Normal',
        reason: 'Requested',
        message: `Created new CertificateRequest resource "${created.metadata.name}"`,
        component: 'cert-manager-certificates-request-manager',
      });
    }
  }

  private createRequest(
    certificate: KubernetesObject,
    revision: number,
  ): KubernetesObject {
    const { namespace, name, labels } = certificate.metadata;
    return this.context.cluster.create({
      apiVersion: 'cert-manager.io/v1',
      kind: 'CertificateRequest',
      metadata: {
        name: `${shortened(name)}-${revision}`,
        namespace,
        labels,
        annotations: {
          [CERTIFICATE_NAME]: name,
          [CERTIFICATE_REVISION]: String(revision),
          [PRIVATE_KEY_SECRET]: String(
            certificate.status?.nextPrivateKeySecretName,
          ),
        },
        ownerReferences: [ownedBy(certificate)],
      },
      spec: {
        request: encode(signingRequestOf(certificate)),
        issuerRef: certificate.spec?.issuerRef,
        usages: ['digital signature', 'key encipherment'],
        username: 'system:serviceaccount:cert-manager:cert-manager',
        groups: [
          'system:serviceaccounts',
          'system:serviceaccounts:cert-manager',
          'system:authenticated',
        ],
      },
    });
  }

  private conclude(
    certificate: KubernetesObject,
    request: KubernetesObject,
    revision: number,
  ): void {
    const denied = conditionOf(request, 'Denied');
    const ready = conditionOf(request, 'Ready');
    if (denied?.status === 'True') {
      this.fail(certificate, denied);
    } else if (ready?.reason === 'Failed') {
      this.fail(certificate, ready);
    } else if (ready?.status === 'True') {
      this.issue(certificate, request, revision);
    }
  }

  private fail(
    certificate: KubernetesObject,
    { reason, message: cause }: StatusCondition,
  ): void {
    const { events, steps } = this.context;
    const { uid } = certificate.metadata;
    const message = `The certificate request has failed to complete and will be retried: ${cause}`;
    const fault = this.context.faultOf(certificate);
    if (fault) {
      this.failedBy.set(uid, fault);
    }
    steps.forget(uid);
    this.write(certificate, (draft, now) => {
      draft.status = {
        ...draft.status,
        conditions: setCondition(
          draft.status?.conditions,
          {
            type: 'Issuing',
            status: 'False',
            reason,
            message,
            observedGeneration: draft.metadata.generation,
          },
          now,
        ),
        lastFailureTime: kubernetesTime(now),
        failedIssuanceAttempts:
          Number(draft.status?.failedIssuanceAttempts ?? 0) + 1,
      };
    });
    events.record(certificate, {
      type: 'Warning',
      reason,
      message,
      component: 'cert-manager-certificates-issuing',
    });
  }

  private issue(
    certificate: KubernetesObject,
    request: KubernetesObject,
    revision: number,
  ): void {
    const { cluster, events, steps } = this.context;
    const { uid, namespace } = certificate.metadata;
    steps.forget(uid);
    this.storeSecret(certificate, request);
    const keySecret = certificate.status?.nextPrivateKeySecretName;
    if (keySecret) {
      deleteIfThere(cluster, {
        kind: 'Secret',
        namespace,
        name: String(keySecret),
      });
    }
    this.write(certificate, draft => {
      const {
        nextPrivateKeySecretName: _key,
        lastFailureTime: _time,
        failedIssuanceAttempts: _attempts,
        ...status
      } = draft.status ?? {};
      draft.status = {
        ...status,
        revision,
        conditions: (status.conditions as StatusCondition[]).filter(
          ({ type }) => type !== 'Issuing',
        ),
      };
      this.setReadiness(draft, {
        ...this.gather(certificate),
        currentRequest: request,
      });
    });
    events.record(certificate, {
      type: 'Normal',
      reason: 'Issuing',
      message: 'The certificate has been successfully issued',
      component: 'cert-manager-certificates-issuing',
    });
  }

  private storeSecret(
    certificate: KubernetesObject,
    request: KubernetesObject,
  ): void {
    const { cluster } = this.context;
    const reference = {
      kind: 'Secret',
      namespace: certificate.metadata.namespace,
      name: String(certificate.spec?.secretName),
    };
    const issuer = certificate.spec?.issuerRef as Record<string, string>;
    const annotations = {
      [CERTIFICATE_NAME]: certificate.metadata.name,
      'cert-manager.io/alt-names': namesOf(certificate).join(','),
      'cert-manager.io/common-name': namesOf(certificate)[0] ?? '',
      'cert-manager.io/issuer-name': issuer.name,
      'cert-manager.io/issuer-kind': issuer.kind ?? 'Issuer',
      'cert-manager.io/issuer-group': issuer.group ?? 'cert-manager.io',
    };
    const data = {
      'tls.crt': request.status?.certificate as string,
      'tls.key': encode({ key: certificate.status?.nextPrivateKeySecretName }),
    };
    if (peek(cluster, reference)) {
      cluster.patch(reference, draft => {
        draft.data = { ...draft.data, ...data };
        draft.metadata.annotations = {
          ...draft.metadata.annotations,
          ...annotations,
        };
      });
    } else {
      cluster.create({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/tls',
        metadata: {
          name: reference.name,
          namespace: reference.namespace,
          labels: { 'controller.cert-manager.io/fao': 'true' },
          annotations,
        },
        data,
      });
    }
  }

  private setReadiness(draft: KubernetesObject, input: PolicyInput): void {
    const violation = unreadiness(input);
    const stored = storedIn(input.secret);
    const {
      notBefore: _before,
      notAfter: _after,
      renewalTime: _renewal,
      ...status
    } = draft.status ?? {};
    draft.status = {
      ...status,
      conditions: setCondition(
        status.conditions,
        {
          type: 'Ready',
          status: violation ? 'False' : 'True',
          reason: violation?.reason ?? 'Ready',
          message:
            violation?.message ??
            'Certificate is up to date and has not expired',
          observedGeneration: draft.metadata.generation,
        },
        input.now,
      ),
      ...(stored && {
        notBefore: stored.notBefore,
        notAfter: stored.notAfter,
        renewalTime: kubernetesTime(renewalTime(stored)),
      }),
    };
  }

  private write(
    certificate: KubernetesObject,
    change: (draft: KubernetesObject, now: Date) => void,
  ): void {
    patchIfSame(this.context.cluster, certificate, draft =>
      change(draft, this.context.platform.clock.now()),
    );
  }
}

function signingRequestOf({ spec }: KubernetesObject): SigningRequest {
  return {
    dnsNames: (spec?.dnsNames ?? []) as string[],
    commonName: spec?.commonName as string | undefined,
  };
}

function revisionOf(certificate: KubernetesObject): number {
  return Number(certificate.status?.revision ?? 0);
}
