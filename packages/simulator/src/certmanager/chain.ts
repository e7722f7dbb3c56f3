import type { IssuedCertificate } from '../acme/acmeServer';
import { peek } from '../controllers/objects';
import { kubernetesTime, type StatusCondition } from '../controllers/platform';
import type { Cluster, KubernetesObject } from '../kubernetes';

/** Annotations by which the parts of a chain name their Certificate. */
export const CERTIFICATE_NAME = 'cert-manager.io/certificate-name';
export const CERTIFICATE_REVISION = 'cert-manager.io/certificate-revision';
export const PRIVATE_KEY_SECRET = 'cert-manager.io/private-key-secret-name';

/** Names of requests and orders are cut, so that with their numbers they stay labels. */
const NAME_LIMIT = 52;
const RENEWAL_SHARE = 2 / 3;

/** A reference to an issuer. */
export interface IssuerReference {
  name: string;
  kind?: string;
  group?: string;
}

/** What stands in for a signing request, base64 in `spec.request`. */
export interface SigningRequest {
  dnsNames: string[];
  commonName?: string;
}

/** The certificate in a TLS Secret. */
export interface StoredCertificate {
  dnsNames: string[];
  /** As Kubernetes writes times. */
  notBefore: string;
  notAfter: string;
  serial: string;
}

/** A name cut for a suffix to follow. */
export function shortened(name: string): string {
  return name.slice(0, NAME_LIMIT);
}

/** A name from another and the hash (FNV-1a) of what it stands for: the same every time. */
export function hashedName(name: string, subject: unknown): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(JSON.stringify(subject))) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return `${shortened(name)}-${hash}`;
}

/** All names a Certificate asks for. */
export function namesOf(certificate: KubernetesObject): string[] {
  const { commonName, dnsNames = [] } = (certificate.spec ?? {}) as {
    commonName?: string;
    dnsNames?: string[];
  };
  return [...new Set([...(commonName ? [commonName] : []), ...dnsNames])];
}

/** Encodes what stands in for PEM data. */
export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** Reads what {@link encode} wrote; undefined for anything else. */
export function decode<T>(value: unknown): T | undefined {
  try {
    return JSON.parse(
      Buffer.from(String(value), 'base64').toString('utf8'),
    ) as T;
  } catch {
    return undefined;
  }
}

/** What was issued, as it is stored. */
export function storedCertificate(
  issued: IssuedCertificate,
): StoredCertificate {
  return {
    dnsNames: issued.dnsNames,
    notBefore: kubernetesTime(issued.notBefore),
    notAfter: kubernetesTime(issued.notAfter),
    serial: issued.serial,
  };
}

/** When a certificate is renewed: after two thirds of its lifetime. */
export function renewalTime({ notBefore, notAfter }: StoredCertificate): Date {
  const start = Date.parse(notBefore);
  return new Date(start + (Date.parse(notAfter) - start) * RENEWAL_SHARE);
}

/** A condition of an object's status. */
export function conditionOf(
  object: KubernetesObject,
  type: string,
): StatusCondition | undefined {
  return (object.status?.conditions as StatusCondition[] | undefined)?.find(
    condition => condition.type === type,
  );
}

/** Whether an object is neither on its way out nor in a namespace that is. */
export function isAlive(cluster: Cluster, object: KubernetesObject): boolean {
  const { namespace, deletionTimestamp } = object.metadata;
  return (
    !deletionTimestamp &&
    !(
      namespace &&
      peek(cluster, { kind: 'Namespace', name: namespace })?.metadata
        .deletionTimestamp
    )
  );
}

/** The object that controls another, if it is there. */
export function controllerOf(
  cluster: Cluster,
  object: KubernetesObject,
): KubernetesObject | undefined {
  const owner = object.metadata.ownerReferences?.find(
    reference => reference.controller,
  );
  return owner && cluster.store.byUid(owner.uid);
}

/** The issuer that a reference in a namespace means. */
export function issuerOf(
  cluster: Cluster,
  reference: IssuerReference,
  namespace: string | undefined,
): KubernetesObject | undefined {
  const kind = reference.kind ?? 'Issuer';
  return peek(cluster, {
    kind,
    namespace: kind === 'ClusterIssuer' ? undefined : namespace,
    name: reference.name,
  });
}
