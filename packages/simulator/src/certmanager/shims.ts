import {
  deleteIfThere,
  ownedBy,
  peek,
  peekOwned,
  referenceTo,
} from '../controllers/objects';
import type { KubernetesObject } from '../kubernetes';
import type { IssuerReference } from './chain';
import { isAlive } from './chain';
import type { CertManagerContext } from './context';

interface Wanted {
  secretName: string;
  dnsNames: string[];
}

interface GatewayListener {
  hostname?: string;
  tls?: {
    mode?: string;
    certificateRefs?: { kind?: string; name: string; namespace?: string }[];
  };
}

/** The issuer that the annotations of an Ingress or a Gateway name. */
function issuerByAnnotation(
  object: KubernetesObject,
): IssuerReference | undefined {
  const annotations = object.metadata.annotations ?? {};
  const clusterIssuer = annotations['cert-manager.io/cluster-issuer'];
  const issuer = annotations['cert-manager.io/issuer'];
  if (clusterIssuer) {
    return {
      group: 'cert-manager.io',
      kind: 'ClusterIssuer',
      name: clusterIssuer,
    };
  }
  return issuer
    ? {
        group: annotations['cert-manager.io/issuer-group'] ?? 'cert-manager.io',
        kind: annotations['cert-manager.io/issuer-kind'] ?? 'Issuer',
        name: issuer,
      }
    : undefined;
}

function wantedByIngress(ingress: KubernetesObject): Wanted[] {
  const entries = (ingress.spec?.tls ?? []) as {
    hosts?: string[];
    secretName?: string;
  }[];
  return entries.flatMap(({ hosts, secretName }) =>
    secretName && hosts?.length ? [{ secretName, dnsNames: hosts }] : [],
  );
}

/** Listeners that share a Secret share its Certificate. */
function wantedByGateway(gateway: KubernetesObject): Wanted[] {
  const bySecret = new Map<string, Set<string>>();
  for (const { hostname, tls } of (gateway.spec?.listeners ??
    []) as GatewayListener[]) {
    for (const reference of tls?.certificateRefs ?? []) {
      const isHere =
        (reference.namespace ?? gateway.metadata.namespace) ===
        gateway.metadata.namespace;
      if (hostname && isHere && (tls?.mode ?? 'Terminate') === 'Terminate') {
        const names = bySecret.get(reference.name) ?? new Set<string>();
        bySecret.set(reference.name, names.add(hostname));
      }
    }
  }
  return [...bySecret].map(([secretName, names]) => ({
    secretName,
    dnsNames: [...names],
  }));
}

/** Makes Certificates for Ingresses and Gateways that ask for them by an annotation. */
export class Shims {
  private readonly context: CertManagerContext;

  constructor(context: CertManagerContext) {
    this.context = context;
  }

  reconcile(parent: KubernetesObject): void {
    const { cluster } = this.context;
    if (!isAlive(cluster, parent)) {
      return;
    }
    const issuerRef = issuerByAnnotation(parent);
    const all =
      parent.kind === 'Gateway'
        ? wantedByGateway(parent)
        : wantedByIngress(parent);
    const wanted = issuerRef ? all : [];
    wanted.forEach(entry => this.ensure(parent, entry, issuerRef));
    peekOwned(cluster, parent, 'Certificate')
      .filter(
        ({ metadata }) =>
          !wanted.some(({ secretName }) => secretName === metadata.name),
      )
      .forEach(certificate => deleteIfThere(cluster, referenceTo(certificate)));
  }

  private ensure(
    parent: KubernetesObject,
    { secretName, dnsNames }: Wanted,
    issuerRef: IssuerReference | undefined,
  ): void {
    const { cluster, events } = this.context;
    const reference = {
      kind: 'Certificate',
      namespace: parent.metadata.namespace,
      name: secretName,
    };
    const existing = peek(cluster, reference);
    if (!existing) {
      cluster.create({
        apiVersion: 'cert-manager.io/v1',
        kind: 'Certificate',
        metadata: {
          name: secretName,
          namespace: reference.namespace,
          labels: parent.metadata.labels,
          ownerReferences: [ownedBy(parent)],
        },
        spec: {
          dnsNames,
          issuerRef,
          secretName,
          usages: ['digital signature', 'key encipherment'],
        },
      });
      events.record(parent, {
        type: 'Normal',
        reason: 'CreateCertificate',
        message: `Successfully created Certificate "${secretName}"`,
        component:
          parent.kind === 'Gateway'
            ? 'cert-manager-gateway-shim'
            : 'cert-manager-ingress-shim',
      });
    } else if (
      existing.metadata.ownerReferences?.some(
        ({ uid }) => uid === parent.metadata.uid,
      ) &&
      existing.spec?.dnsNames?.join() !== dnsNames.join()
    ) {
      cluster.patch(reference, draft => {
        draft.spec = { ...draft.spec, dnsNames };
      });
    }
  }
}
