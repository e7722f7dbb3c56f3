import {
  CertificateFact,
  CertificateRequestFact,
  ClusterReading,
  IssuerFact,
  IssuerReference,
  ObjectMeta,
} from '../../model';
import { WorldIndex } from '../worldIndex';
import { CertificateChain } from './types';

const NOTHING: readonly never[] = [];

/**
 * Follows the controlling owner references from a Certificate down to what is
 * being done for it now. An owner is in the same namespace; what somebody writes
 * in another one says nothing.
 */
export function chainOf(
  fact: CertificateFact,
  options: { index: WorldIndex; cluster: ClusterReading },
): CertificateChain {
  const { index, cluster } = options;
  const issuer = issuerIn(cluster, fact);
  const isHere = ({ meta }: { meta: ObjectMeta }) =>
    meta.namespace === fact.meta.namespace;
  const requests = index.controlledBy(
    cluster,
    'certificateRequests',
    fact.meta.uid,
  );
  // Most previews were issued long ago, and all of them are looked at.
  const request =
    requests.length > 0
      ? currentRequest(fact, requests.filter(isHere))
      : undefined;
  if (!request) {
    return { challenges: NOTHING, events: NOTHING, ...(issuer && { issuer }) };
  }
  const order = newest(
    index.controlledBy(cluster, 'orders', request.meta.uid).filter(isHere),
  );
  const challenges = order
    ? index
        .controlledBy(cluster, 'challenges', order.meta.uid)
        .filter(isHere)
        .sort((a, b) => (a.meta.name < b.meta.name ? -1 : 1))
    : NOTHING;
  const events = order
    ? [order, ...challenges].flatMap(({ meta }) =>
        index.eventsAbout(cluster, meta.uid).filter(isHere),
      )
    : NOTHING;
  return {
    request,
    ...(order && { order }),
    challenges,
    events,
    ...(issuer && { issuer }),
  };
}

/**
 * The request of the next revision where there is one, which is under way or has
 * failed; else that of the revision that the Secret holds.
 */
function currentRequest(
  { revision = 0 }: CertificateFact,
  requests: readonly CertificateRequestFact[],
): CertificateRequestFact | undefined {
  const of = (number: number) =>
    newest(requests.filter(request => request.revision === number));
  return (
    of(revision + 1) ??
    of(revision) ??
    newest(requests.filter(request => request.revision === undefined))
  );
}

function newest<T extends { meta: ObjectMeta }>(
  objects: readonly T[],
): T | undefined {
  return objects.reduce<T | undefined>(
    (found, object) =>
      found === undefined ||
      (object.meta.createdAt ?? '') > (found.meta.createdAt ?? '')
        ? object
        : found,
    undefined,
  );
}

function issuerIn(
  { kinds }: ClusterReading,
  { issuer, meta }: CertificateFact,
): IssuerFact | undefined {
  const kind = issuer && issuerKind(issuer);
  return kind === 'clusterIssuers'
    ? kinds.clusterIssuers.objects.get(issuer!.name)
    : kind && kinds.issuers.objects.get(`${meta.namespace}/${issuer!.name}`);
}

/** The kind of an issuer as it is read; undefined for those of other makers. */
export function issuerKind({
  kind,
  group,
}: IssuerReference): 'issuers' | 'clusterIssuers' | undefined {
  if (group !== undefined) {
    return undefined;
  }
  return ({ Issuer: 'issuers', ClusterIssuer: 'clusterIssuers' } as const)[
    kind
  ];
}
