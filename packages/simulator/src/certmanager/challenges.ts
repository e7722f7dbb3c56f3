import { patchIfSame, peekAll } from '../controllers/objects';
import { kubernetesTime } from '../controllers/platform';
import type { KubernetesObject } from '../kubernetes';
import { controllerOf, issuerOf, type IssuerReference } from './chain';
import type { CertificateFault, CertManagerContext } from './context';
import { DnsSolver, SolverError } from './dnsSolver';
import { acmeOf } from './orders';

/** Keeps what a Challenge made from being forgotten: cert-manager takes it off after cleaning up. */
export const CHALLENGE_FINALIZER = 'acme.cert-manager.io/finalizer';

const COMPONENT = 'cert-manager-challenges';
const AT_ONCE = 60;
const FINAL_STATES = ['valid', 'invalid', 'expired', 'errored'];
const LONGEST_RETRY_MILLISECONDS = 30 * 60 * 1000;

function isFinal(challenge: KubernetesObject): boolean {
  return FINAL_STATES.includes((challenge.status?.state ?? '') as string);
}

function placeOf({ spec }: KubernetesObject): string {
  return `${spec?.type} ${spec?.dnsName}`;
}

/** Takes Challenges from the queue to their end, over DNS. */
export class Challenges {
  private readonly context: CertManagerContext;
  private readonly solver: DnsSolver;
  private readonly attempts = new Map<string, number>();

  constructor(context: CertManagerContext) {
    this.context = context;
    this.solver = new DnsSolver({
      zones: context.platform.dns,
      random: context.random,
    });
  }

  forget(uid: string): void {
    this.attempts.delete(uid);
  }

  /** Those that have a place now, oldest first: so many at once, and one for each name and type. */
  schedulable(): KubernetesObject[] {
    const all = peekAll(this.context.cluster, 'Challenge').sort(
      (one, other) =>
        Date.parse(one.metadata.creationTimestamp) -
        Date.parse(other.metadata.creationTimestamp),
    );
    const running = all.filter(({ status }) => status?.processing);
    const taken = new Set(running.map(placeOf));
    const chosen: KubernetesObject[] = [];
    for (const challenge of all) {
      if (running.length + chosen.length >= AT_ONCE) {
        break;
      }
      if (
        !challenge.status?.processing &&
        !isFinal(challenge) &&
        !challenge.metadata.deletionTimestamp &&
        !taken.has(placeOf(challenge)) &&
        this.context.faultOf(challenge) !== 'queued'
      ) {
        taken.add(placeOf(challenge));
        chosen.push(challenge);
      }
    }
    return chosen;
  }

  reconcile(challenge: KubernetesObject): void {
    const fault = this.context.faultOf(challenge);
    if (fault === 'controllerDown') {
      return;
    }
    if (challenge.metadata.deletionTimestamp || isFinal(challenge)) {
      this.cleanUp(challenge, fault);
    } else if (!challenge.status?.processing) {
      this.schedule(challenge);
    } else if (this.hasIssuer(challenge)) {
      // Without one, it comes again when the issuer does.
      this.solve(challenge, fault);
    }
  }

  private solve(
    challenge: KubernetesObject,
    fault: CertificateFault | undefined,
  ): void {
    if (challenge.status?.presented) {
      this.check(challenge, fault);
    } else {
      this.present(challenge, fault);
    }
  }

  private hasIssuer(challenge: KubernetesObject): boolean {
    return (
      issuerOf(
        this.context.cluster,
        challenge.spec?.issuerRef as IssuerReference,
        challenge.metadata.namespace,
      ) !== undefined
    );
  }

  private schedule(challenge: KubernetesObject): void {
    const { uid } = challenge.metadata;
    if (!this.schedulable().some(({ metadata }) => metadata.uid === uid)) {
      return;
    }
    patchIfSame(this.context.cluster, challenge, draft => {
      draft.metadata.finalizers = [
        ...(draft.metadata.finalizers ?? []),
        CHALLENGE_FINALIZER,
      ];
      draft.status = {
        ...draft.status,
        processing: true,
        presented: false,
        state: 'pending',
      };
    });
    this.record(challenge, {
      reason: 'Started',
      message: 'Challenge scheduled for processing',
    });
  }

  private present(
    challenge: KubernetesObject,
    fault: CertificateFault | undefined,
  ): void {
    const { steps, platform } = this.context;
    const { uid } = challenge.metadata;
    const attempt = this.attempts.get(uid) ?? 0;
    const hinders = dnsFault(fault);
    // What was healed is tried again at once.
    const waits = attempt === 0 || this.cannotPresent(challenge, hinders);
    if (
      waits &&
      !steps.passed(
        {
          uid,
          step: `present ${attempt}`,
          milliseconds:
            attempt === 0
              ? platform.delays.challengePresent
              : this.retryDelay(attempt),
          background: attempt > 0,
        },
        () => this.context.enqueue(challenge),
      )
    ) {
      return;
    }
    try {
      this.solver.present(challenge, hinders);
    } catch (error) {
      this.failStep(
        challenge,
        error,
        'PresentError',
        'Error presenting challenge',
      );
      return;
    }
    this.attempts.delete(uid);
    patchIfSame(this.context.cluster, challenge, draft => {
      draft.status = {
        ...draft.status,
        presented: true,
        presentedAt: kubernetesTime(platform.clock.now()),
        reason: `Waiting for DNS-01 challenge propagation: DNS record for "${draft.spec?.dnsName}" not yet propagated`,
      };
    });
    this.record(challenge, {
      reason: 'Presented',
      message: 'Presented challenge using DNS-01 challenge mechanism',
    });
  }

  private cannotPresent(
    challenge: KubernetesObject,
    fault: 'zoneNotFound' | 'accessDenied' | undefined,
  ): boolean {
    return (
      fault !== undefined ||
      !this.context.platform.dns.zoneFor(String(challenge.spec?.dnsName))
    );
  }

  private check(
    challenge: KubernetesObject,
    fault: CertificateFault | undefined,
  ): void {
    const { steps, platform } = this.context;
    const due = steps.passed(
      {
        uid: challenge.metadata.uid,
        step: 'propagation',
        milliseconds: platform.delays.challengePropagation,
      },
      () => this.context.enqueue(challenge),
    );
    if (due && fault !== 'never' && fault !== 'secretMissing') {
      this.accept(challenge, fault);
    }
  }

  private accept(
    challenge: KubernetesObject,
    fault: CertificateFault | undefined,
  ): void {
    const known = acmeOf(this.context, challenge);
    if (!known) {
      return;
    }
    const { acme } = this.context.platform;
    const host = String(challenge.spec?.dnsName);
    const isRefused =
      fault === 'failed' ||
      (fault === 'renewalFails' && this.isRenewal(challenge)) ||
      !this.solver.isPresent(challenge);
    if (isRefused) {
      acme.refuse(known.order, known.authorization);
      const detail = `acme: authorization error for ${host}: 403 urn:ietf:params:acme:error:unauthorized: No TXT record found at _acme-challenge.${host}`;
      this.conclude(
        challenge,
        'invalid',
        `Error accepting authorization: ${detail}`,
      );
      this.record(challenge, {
        type: 'Warning',
        reason: 'Failed',
        message: `Accepting challenge authorization failed: ${detail}`,
      });
    } else {
      acme.authorize(known.order, known.authorization);
      this.conclude(challenge, 'valid', 'Successfully authorized domain');
      this.record(challenge, {
        reason: 'DomainVerified',
        message: `Domain "${host}" verified with "DNS-01" validation`,
      });
    }
  }

  private isRenewal(challenge: KubernetesObject): boolean {
    const order = controllerOf(this.context.cluster, challenge);
    return (
      Number(
        order?.metadata.annotations?.['cert-manager.io/certificate-revision'],
      ) > 1
    );
  }

  private conclude(
    challenge: KubernetesObject,
    state: string,
    reason: string,
  ): void {
    this.context.steps.forget(challenge.metadata.uid);
    patchIfSame(this.context.cluster, challenge, draft => {
      draft.status = { ...draft.status, state, reason };
    });
  }

  /** Takes the record away and lets go of the Challenge, in this order. */
  private cleanUp(
    challenge: KubernetesObject,
    fault: CertificateFault | undefined,
  ): void {
    const { steps, cluster } = this.context;
    const { uid, finalizers } = challenge.metadata;
    if (!finalizers?.includes(CHALLENGE_FINALIZER)) {
      return;
    }
    const attempt = this.attempts.get(uid) ?? 0;
    const hinders = fault === 'cleanUpStuck' ? 'accessDenied' : dnsFault(fault);
    if (attempt > 0 && hinders) {
      const due = steps.passed(
        {
          uid,
          step: `clean up ${attempt}`,
          milliseconds: this.retryDelay(attempt),
          background: true,
        },
        () => this.context.enqueue(challenge),
      );
      if (!due) {
        return;
      }
    }
    try {
      if (challenge.status?.presented) {
        this.solver.cleanUp(challenge, hinders);
      }
    } catch (error) {
      this.failStep(
        challenge,
        error,
        'CleanUpError',
        'Error cleaning up challenge',
      );
      return;
    }
    steps.forget(uid);
    this.attempts.delete(uid);
    patchIfSame(cluster, challenge, draft => {
      draft.metadata.finalizers = draft.metadata.finalizers?.filter(
        finalizer => finalizer !== CHALLENGE_FINALIZER,
      );
      draft.status = { ...draft.status, presented: false, processing: false };
    });
  }

  private retryDelay(attempt: number): number {
    return Math.min(
      this.context.platform.delays.challengeRetry * 2 ** (attempt - 1),
      LONGEST_RETRY_MILLISECONDS,
    );
  }

  /** The status gets the stable text, so that it does not change with every call; the Event the whole. */
  private failStep(
    challenge: KubernetesObject,
    error: unknown,
    reason: string,
    what: string,
  ): void {
    if (!(error instanceof SolverError)) {
      throw error;
    }
    const { uid } = challenge.metadata;
    this.attempts.set(uid, (this.attempts.get(uid) ?? 0) + 1);
    this.record(challenge, {
      type: 'Warning',
      reason,
      message: `${what}: ${error.message}`,
    });
    patchIfSame(this.context.cluster, challenge, draft => {
      draft.status = {
        ...draft.status,
        reason:
          reason === 'CleanUpError' ? `${what}: ${error.stable}` : error.stable,
      };
    });
    // Whether or not the status changed, it is tried again.
    this.context.enqueue(challenge);
  }

  private record(
    challenge: KubernetesObject,
    options: { type?: 'Normal' | 'Warning'; reason: string; message: string },
  ): void {
    this.context.events.record(challenge, {
      type: 'Normal',
      component: COMPONENT,
      ...options,
    });
  }
}

function dnsFault(
  fault: CertificateFault | undefined,
): 'zoneNotFound' | 'accessDenied' | undefined {
  return fault === 'zoneNotFound' || fault === 'accessDenied'
    ? fault
    : undefined;
}
