import { ownedBy, patchIfSame, peek } from '../controllers/objects';
import {
  kubernetesTime,
  setCondition,
  type StatusCondition,
} from '../controllers/platform';
import type { KubernetesObject } from '../kubernetes';
import {
  conditionOf,
  decode,
  hashedName,
  isAlive,
  issuerOf,
  type IssuerReference,
  type SigningRequest,
} from './chain';
import type { CertManagerContext } from './context';

const ACME_COMPONENT = 'cert-manager-certificaterequests-issuer-acme';
const FAILURE_STATES = ['invalid', 'expired', 'errored'];
const ORDER_RETRY_MILLISECONDS = 1000;

/** Approves CertificateRequests, makes their Orders, and takes over how those end. */
export class CertificateRequests {
  private readonly context: CertManagerContext;

  constructor(context: CertManagerContext) {
    this.context = context;
  }

  reconcile(request: KubernetesObject): void {
    if (
      !isAlive(this.context.cluster, request) ||
      this.context.faultOf(request) === 'controllerDown' ||
      isFinal(request)
    ) {
      return;
    }
    if (!conditionOf(request, 'Approved') && !conditionOf(request, 'Denied')) {
      // The decision is a change, which brings this request back here.
      this.decide(request);
    } else if (conditionOf(request, 'Denied')?.status === 'True') {
      this.write(
        request,
        {
          type: 'Ready',
          status: 'False',
          reason: 'Denied',
          message:
            'The CertificateRequest was denied by an approval controller',
        },
        { failed: true },
      );
    } else {
      this.sign(request);
    }
  }

  private decide(request: KubernetesObject): void {
    const names = decode<SigningRequest>(request.spec?.request)?.dnsNames ?? [];
    const denied = this.context.faultOf(request) === 'denied';
    const reason = denied ? 'policy.cert-manager.io' : 'cert-manager.io';
    const message = denied
      ? `No policy approved this request: [previews: spec.allowed.dnsNames.values: Invalid value: []string{"${names.join(
          '", "',
        )}"}: *.allowed.example.com]`
      : 'Certificate request has been approved by cert-manager.io';
    this.write(request, {
      type: denied ? 'Denied' : 'Approved',
      status: 'True',
      reason,
      message,
    });
    this.context.events.record(request, {
      type: denied ? 'Warning' : 'Normal',
      reason: denied ? 'Denied' : reason,
      message,
      component: denied
        ? 'approver-policy'
        : 'cert-manager-certificaterequests-approver',
    });
  }

  private sign(request: KubernetesObject): void {
    const { cluster } = this.context;
    const reference = request.spec?.issuerRef as IssuerReference;
    const kind = reference.kind ?? 'Issuer';
    const issuer = issuerOf(cluster, reference, request.metadata.namespace);
    if (!issuer || issuer.metadata.deletionTimestamp) {
      this.pend(
        request,
        'IssuerNotFound',
        `Referenced "${kind}" not found: ${kind.toLowerCase()}.cert-manager.io "${
          reference.name
        }" not found`,
      );
      return;
    }
    if (conditionOf(issuer, 'Ready')?.status !== 'True') {
      this.pend(
        request,
        'IssuerNotReady',
        'Referenced issuer does not have a Ready status condition',
      );
      return;
    }
    const signing = decode<SigningRequest>(request.spec?.request);
    if (!signing) {
      this.fail(
        request,
        'RequestParsingError',
        'Failed to decode CSR in spec.request: error decoding certificate request PEM block',
      );
      return;
    }
    const { commonName, dnsNames } = signing;
    if (commonName && !dnsNames.includes(commonName)) {
      this.fail(
        request,
        'InvalidOrder',
        `The CSR PEM requests a commonName that is not present in the list of dnsNames or ipAddresses. If a commonName is set, ACME requires that the value is also present in the list of dnsNames or ipAddresses: "${commonName}" does not exist in [${dnsNames.join(
          ' ',
        )}] or []`,
      );
      return;
    }
    const order = this.order(request, signing);
    if (order) {
      this.follow(request, order);
    }
  }

  /** The Order of a request, made when it is not there; undefined while another is in its place. */
  private order(
    request: KubernetesObject,
    { dnsNames, commonName }: SigningRequest,
  ): KubernetesObject | undefined {
    const { cluster, steps } = this.context;
    const { namespace, uid } = request.metadata;
    const spec = {
      dnsNames,
      ...(commonName && { commonName }),
      issuerRef: request.spec?.issuerRef as IssuerReference,
    };
    const name = hashedName(request.metadata.name, spec);
    const existing = peek(cluster, { kind: 'Order', namespace, name });
    if (existing?.metadata.ownerReferences?.[0]?.uid === uid) {
      return existing;
    }
    if (existing) {
      // Of an attempt before: the collector has not come to it yet.
      const again = () => {
        steps.forget(uid);
        this.context.enqueue(request);
      };
      steps.passed(
        {
          uid,
          step: 'order',
          milliseconds: ORDER_RETRY_MILLISECONDS,
        },
        again,
      );
      return undefined;
    }
    const order = cluster.create({
      apiVersion: 'acme.cert-manager.io/v1',
      kind: 'Order',
      metadata: {
        name,
        namespace,
        labels: request.metadata.labels,
        annotations: request.metadata.annotations,
        ownerReferences: [ownedBy(request)],
      },
      spec: { ...spec, request: request.spec?.request as string },
    });
    this.pend(
      request,
      'OrderCreated',
      `Created Order resource ${namespace}/${name}`,
    );
    return order;
  }

  private follow(request: KubernetesObject, order: KubernetesObject): void {
    const { namespace, name } = order.metadata;
    const state = (order.status?.state ?? '') as string;
    if (FAILURE_STATES.includes(state)) {
      this.fail(
        request,
        'OrderFailed',
        `Failed to wait for order resource "${name}" to become ready: order is in "${state}" state: ${
          order.status?.reason ?? ''
        }`,
      );
    } else if (state === 'valid' && order.status?.certificate) {
      const message = 'Certificate fetched from issuer successfully';
      this.write(
        request,
        { type: 'Ready', status: 'True', reason: 'Issued', message },
        { certificate: order.status.certificate as string },
      );
      this.context.events.record(request, {
        type: 'Normal',
        reason: 'CertificateIssued',
        message,
        component: ACME_COMPONENT,
      });
    } else if (order.status) {
      this.pend(
        request,
        'OrderPending',
        `Waiting on certificate issuance from order ${namespace}/${name}: "${state}"`,
      );
    }
  }

  private pend(
    request: KubernetesObject,
    eventReason: string,
    message: string,
  ): void {
    if (conditionOf(request, 'Ready')?.message === message) {
      return;
    }
    this.write(request, {
      type: 'Ready',
      status: 'False',
      reason: 'Pending',
      message,
    });
    this.context.events.record(request, {
      type: 'Normal',
      reason: eventReason,
      message,
      component: ACME_COMPONENT,
    });
  }

  private fail(
    request: KubernetesObject,
    eventReason: string,
    message: string,
  ): void {
    this.write(
      request,
      { type: 'Ready', status: 'False', reason: 'Failed', message },
      { failed: true },
    );
    this.context.events.record(request, {
      type: 'Warning',
      reason: eventReason,
      message,
      component: ACME_COMPONENT,
    });
  }

  private write(
    request: KubernetesObject,
    condition: StatusCondition,
    more: { failed?: boolean; certificate?: string } = {},
  ): void {
    const now = this.context.platform.clock.now();
    patchIfSame(this.context.cluster, request, draft => {
      draft.status = {
        ...draft.status,
        conditions: setCondition(draft.status?.conditions, condition, now),
        ...(more.failed && { failureTime: kubernetesTime(now) }),
        ...(more.certificate && { certificate: more.certificate }),
      };
    });
  }
}

function isFinal(request: KubernetesObject): boolean {
  const ready = conditionOf(request, 'Ready');
  return (
    ready?.status === 'True' ||
    ['Failed', 'Denied'].includes(ready?.reason ?? '')
  );
}
