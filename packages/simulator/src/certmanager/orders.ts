import {
  AcmeProblem,
  type AcmeAuthorization,
  type AcmeOrder,
} from '../acme/acmeServer';
import type { AcmeLimitName } from '../acme/limits';
import {
  deleteIfThere,
  ownedBy,
  patchIfSame,
  peek,
  peekOwned,
  referenceTo,
} from '../controllers/objects';
import { kubernetesTime } from '../controllers/platform';
import type { KubernetesObject } from '../kubernetes';
import {
  controllerOf,
  encode,
  hashedName,
  isAlive,
  issuerOf,
  storedCertificate,
  type IssuerReference,
} from './chain';
import type { CertificateFault, CertManagerContext } from './context';

const COMPONENT = 'cert-manager-orders';
const FAILURE_STATES = ['invalid', 'expired', 'errored'];
const LIMIT_RETRY_MILLISECONDS = 3 * 3600 * 1000;
const CHALLENGE_RETRY_MILLISECONDS = 5000;

const LIMIT_FAULTS: Partial<
  Record<CertificateFault, { limit: AcmeLimitName; dated: boolean }>
> = {
  rateLimited: { limit: 'domain', dated: true },
  rateLimitedUndated: { limit: 'domain', dated: false },
  rateLimitedSet: { limit: 'set', dated: true },
  rateLimitedSetUndated: { limit: 'set', dated: false },
  rateLimitedOrders: { limit: 'orders', dated: true },
  rateLimitedAuthorizations: { limit: 'authorizations', dated: true },
};

/** Takes Orders through ACME: authorizations, their Challenges, and the certificate at the end. */
export class Orders {
  private readonly context: CertManagerContext;

  constructor(context: CertManagerContext) {
    this.context = context;
  }

  reconcile(order: KubernetesObject): void {
    const { cluster } = this.context;
    const state = order.status?.state as string | undefined;
    const fault = this.context.faultOf(order);
    if (
      !isAlive(cluster, order) ||
      fault === 'controllerDown' ||
      (state && FAILURE_STATES.includes(state))
    ) {
      return;
    }
    if (!order.status?.url) {
      this.submit(order, fault);
      return;
    }
    if (state === 'valid') {
      // Owned Challenges are gone after this: that there is none can mean success.
      peekOwned(cluster, order, 'Challenge').forEach(challenge =>
        deleteIfThere(cluster, referenceTo(challenge)),
      );
      return;
    }
    const acmeOrder = this.context.platform.acme.order(order.status.url);
    if (!acmeOrder) {
      this.end(
        order,
        'errored',
        'Failed to retrieve Order resource: 404 urn:ietf:params:acme:error:malformed: No order for ID',
      );
    } else if (fault === 'orderExpired') {
      this.expire(order, acmeOrder);
    } else if (state === 'ready') {
      this.finalize(order, acmeOrder);
    } else {
      this.follow(order, acmeOrder);
    }
  }

  private submit(
    order: KubernetesObject,
    fault: CertificateFault | undefined,
  ): void {
    const { acme } = this.context.platform;
    let acmeOrder: AcmeOrder;
    try {
      this.refuseByFault(order, fault);
      acmeOrder = acme.newOrder({
        account: this.context.cluster.name,
        names: order.spec?.dnsNames as string[],
        fresh: fault !== undefined,
      });
    } catch (error) {
      if (!(error instanceof AcmeProblem)) {
        throw error;
      }
      this.end(order, 'errored', `Failed to create Order: ${error.message}`);
      return;
    }
    const isReady = acmeOrder.authorizations.every(
      ({ status }) => status === 'valid',
    );
    this.write(order, {
      state: isReady ? 'ready' : 'pending',
      url: acmeOrder.url,
      finalizeURL: acmeOrder.finalizeUrl,
      authorizations: acmeOrder.authorizations.map(
        ({ url, identifier, status, wildcard, challenge }) => ({
          url,
          identifier,
          initialState: status,
          wildcard,
          challenges: [
            {
              type: challenge.type,
              url: challenge.url,
              token: challenge.token,
            },
          ],
        }),
      ),
    });
  }

  private refuseByFault(
    order: KubernetesObject,
    fault: CertificateFault | undefined,
  ): void {
    const { platform } = this.context;
    const limited = fault && LIMIT_FAULTS[fault];
    if (limited) {
      throw platform.acme.limitProblem({
        limit: limited.limit,
        names: order.spec?.dnsNames as string[],
        retryAfter: limited.dated
          ? new Date(platform.clock.now().getTime() + LIMIT_RETRY_MILLISECONDS)
          : undefined,
      });
    }
    if (fault === 'accountMissing') {
      const account = issuerOf(
        this.context.cluster,
        order.spec?.issuerRef as IssuerReference,
        order.metadata.namespace,
      )?.status?.acme?.uri as string | undefined;
      throw new AcmeProblem({
        status: 400,
        type: 'accountDoesNotExist',
        detail: `Account "${account ?? ''}" not found`,
      });
    }
  }

  private expire(order: KubernetesObject, acmeOrder: AcmeOrder): void {
    acmeOrder.authorizations.forEach(authorization => {
      authorization.status = 'expired';
    });
    peekOwned(this.context.cluster, order, 'Challenge').forEach(challenge =>
      patchIfSame(this.context.cluster, challenge, draft => {
        draft.status = { ...draft.status, state: 'expired' };
      }),
    );
    this.end(order, 'expired', '');
  }

  /** Makes the Challenges there are to be, and sees whether they have all ended. */
  private follow(order: KubernetesObject, acmeOrder: AcmeOrder): void {
    const { cluster } = this.context;
    const pending = acmeOrder.authorizations.filter(
      ({ status }) => status === 'pending',
    );
    if (acmeOrder.authorizations.some(({ status }) => status === 'invalid')) {
      this.end(order, 'invalid', '');
    } else if (pending.length === 0) {
      this.write(order, { state: 'ready' });
    } else {
      const owned = peekOwned(cluster, order, 'Challenge');
      pending
        .filter(
          ({ url }) =>
            !owned.some(challenge => challenge.spec?.authorizationURL === url),
        )
        .forEach(authorization => this.createChallenge(order, authorization));
    }
  }

  private createChallenge(
    order: KubernetesObject,
    authorization: AcmeAuthorization,
  ): void {
    const { cluster, events, steps } = this.context;
    const { namespace, uid } = order.metadata;
    const { identifier, wildcard, challenge, url } = authorization;
    const name = hashedName(order.metadata.name, [identifier, wildcard]);
    if (peek(cluster, { kind: 'Challenge', namespace, name })) {
      // Of an attempt before, which its finalizer still holds.
      steps.passed(
        {
          uid,
          step: 'challenge',
          milliseconds: CHALLENGE_RETRY_MILLISECONDS,
          background: true,
        },
        () => {
          steps.forget(uid);
          this.context.enqueue(order);
        },
      );
      return;
    }
    const issuerRef = order.spec?.issuerRef as IssuerReference;
    const solvers = issuerOf(cluster, issuerRef, namespace)?.spec?.acme
      ?.solvers as object[] | undefined;
    if (!solvers?.length) {
      events.record(order, {
        type: 'Warning',
        reason: 'Solver',
        message: `Failed to determine a valid solver configuration for the set of domains on the Order: no configured challenge solvers can be used for this challenge`,
        component: COMPONENT,
      });
      return;
    }
    cluster.create({
      apiVersion: 'acme.cert-manager.io/v1',
      kind: 'Challenge',
      metadata: { name, namespace, ownerReferences: [ownedBy(order)] },
      spec: {
        type: 'DNS-01',
        dnsName: identifier,
        wildcard,
        authorizationURL: url,
        url: challenge.url,
        token: challenge.token,
        key: challenge.key,
        issuerRef,
        solver: solvers[0],
      },
    });
    events.record(order, {
      type: 'Normal',
      reason: 'Created',
      message: `Created Challenge resource "${name}" for domain "${identifier}"`,
      component: COMPONENT,
    });
  }

  private finalize(order: KubernetesObject, acmeOrder: AcmeOrder): void {
    const { steps, platform, events } = this.context;
    const { uid } = order.metadata;
    const due = steps.passed(
      { uid, step: 'finalize', milliseconds: platform.delays.certificateIssue },
      () => this.context.enqueue(order),
    );
    if (!due) {
      return;
    }
    steps.forget(uid);
    this.write(order, {
      state: 'valid',
      certificate: encode(storedCertificate(platform.acme.finalize(acmeOrder))),
    });
    events.record(order, {
      type: 'Normal',
      reason: 'Complete',
      message: 'Order completed successfully',
      component: COMPONENT,
    });
  }

  private end(order: KubernetesObject, state: string, reason: string): void {
    this.context.steps.forget(order.metadata.uid);
    this.write(order, {
      state,
      ...(reason && { reason }),
      failureTime: kubernetesTime(this.context.platform.clock.now()),
    });
  }

  private write(
    order: KubernetesObject,
    status: Record<string, unknown>,
  ): void {
    patchIfSame(this.context.cluster, order, draft => {
      draft.status = { ...draft.status, ...status };
    });
  }
}

/** The Order that a Challenge is of, and what the ACME server has of it. */
export function acmeOf(
  { cluster, platform }: CertManagerContext,
  challenge: KubernetesObject,
): { order: AcmeOrder; authorization: AcmeAuthorization } | undefined {
  const order = platform.acme.order(
    controllerOf(cluster, challenge)?.status?.url as string | undefined,
  );
  const authorization = order?.authorizations.find(
    ({ url }) => url === challenge.spec?.authorizationURL,
  );
  return order && authorization && { order, authorization };
}
