import {
  CertificateFact,
  CertificateRequestFact,
  ClusterReading,
  IssuanceRecord,
  IssuerReference,
  ObjectMeta,
  OrderFact,
} from '../../model';
import { addSeconds, secondsBetween } from '../time';
import { WorldIndex } from '../worldIndex';
import { orderCauseOf, retryAfterOf } from './causes';

/** Let's Encrypt sets the beginning of the validity back by an hour. */
const SET_BACK_SECONDS = 2 * 3600;

/** Names that a certificate can have at most, by every authority that there is. */
const MOST_NAMES = 100;

type Owner = Pick<ObjectMeta, 'namespace' | 'name'>;

export interface IssuanceOptions {
  index: WorldIndex;
  /** Ids of records that are there already, which are passed over. */
  known: { has(id: string): boolean };
  /** The preview whose own the object is. */
  previewOf(cluster: string, meta: ObjectMeta): string | undefined;
  now: string;
}

/**
 * Certificates that ACME servers issued and refused, as Certificates, their requests
 * and their Orders tell of them now. What other issuers signed is left out: their
 * limits, if they have any, are others.
 */
export function issuancesIn(options: IssuanceOptions): IssuanceRecord[] {
  return options.index.world.clusters.flatMap(cluster => [
    ...issuedIn(cluster, options),
    ...refusedIn(cluster, options),
  ]);
}

/** Clusters of which not all Certificates are known. */
export function clustersWithoutCertificates({ world }: WorldIndex): string[] {
  return world.clusters
    .filter(({ kinds }) => {
      const { state } = kinds.certificates;
      const areIssuersUnread = [kinds.issuers, kinds.clusterIssuers].some(
        reading =>
          reading.state === 'forbidden' || reading.state === 'notObserved',
      );
      return (
        (state !== 'ready' && state !== 'notInstalled') ||
        // Without them nobody can tell which certificates are an ACME server's.
        (areIssuersUnread && kinds.certificates.objects.size > 0)
      );
    })
    .map(({ cluster }) => cluster)
    .sort();
}

function issuedIn(
  cluster: ClusterReading,
  options: IssuanceOptions,
): IssuanceRecord[] {
  const { known, now, index } = options;
  const records: IssuanceRecord[] = [];
  const taken = new Set<string>();
  const take = (
    fact: CertificateFact,
    issued: {
      revision: number;
      names: readonly string[];
      at: string;
      notBefore?: string;
      issuer?: IssuerReference;
      order?: OrderFact;
    },
  ) => {
    const { revision, issuer, order, notBefore } = issued;
    const id = `${fact.meta.uid}/${revision}`;
    const names = namesOf(issued.names);
    if (known.has(id) || taken.has(id) || names.length === 0) {
      return;
    }
    const acme = acmeOf(cluster, { issuer, meta: fact.meta, order });
    if (!acme) {
      return;
    }
    taken.add(id);
    const previewId = options.previewOf(cluster.cluster, fact.meta);
    records.push({
      kind: 'issued',
      id,
      ...acme,
      names,
      ...(notBefore && { notBefore }),
      at: notAfter(issued.at, now),
      ...(previewId !== undefined && { previewId }),
    });
  };
  for (const fact of cluster.kinds.certificates.objects.values()) {
    const { meta, ready, notBefore, revision = 0 } = fact;
    // Without Ready its Secret may hold something else than what it asks for.
    const isCurrent = ready?.status === 'True' && notBefore !== undefined;
    const isKnown = !isCurrent || known.has(`${meta.uid}/${revision}`);
    const requests = isKnown
      ? []
      : issuedRequests(
          index.controlledBy(cluster, 'certificateRequests', meta.uid),
        );
    if (isCurrent && !isKnown) {
      const own = requests.find(request => request.revision === revision);
      take(fact, {
        revision,
        names: fact.dnsNames,
        notBefore,
        at: own?.ready?.lastTransitionAt ?? issuedAtOf(notBefore, ready),
        issuer: fact.issuer,
        order: own && orderOf(own, { cluster, index }),
      });
    }
  }
  for (const request of issuedRequests(
    cluster.kinds.certificateRequests.objects.values(),
  )) {
    const { owner } = request.meta;
    const isKnown =
      owner === undefined || known.has(`${owner.uid}/${request.revision}`);
    const fact =
      isKnown || owner.kind !== 'Certificate'
        ? undefined
        : cluster.kinds.certificates.objects.get(
            `${request.meta.namespace}/${owner.name}`,
          );
    if (fact && fact.meta.uid === owner?.uid) {
      const order = orderOf(request, { cluster, index });
      take(fact, {
        revision: request.revision,
        names: order?.dnsNames ?? fact.dnsNames,
        at: request.ready.lastTransitionAt,
        issuer: request.issuer ?? fact.issuer,
        order,
      });
    }
  }
  return records;
}

type IssuedRequest = CertificateRequestFact & {
  revision: number;
  ready: { lastTransitionAt: string };
};

function issuedRequests(
  requests: Iterable<CertificateRequestFact>,
): IssuedRequest[] {
  return [...requests].filter(
    (request): request is IssuedRequest =>
      request.revision !== undefined &&
      request.ready?.status === 'True' &&
      request.ready.lastTransitionAt !== undefined,
  );
}

/** Its condition may have changed long after; then the validity tells it better. */
function issuedAtOf(
  notBefore: string,
  ready: CertificateFact['ready'],
): string {
  const after = secondsBetween(notBefore, ready?.lastTransitionAt ?? '');
  return after !== undefined && after >= 0 && after <= SET_BACK_SECONDS
    ? ready!.lastTransitionAt!
    : notBefore;
}

function refusedIn(
  cluster: ClusterReading,
  options: IssuanceOptions,
): IssuanceRecord[] {
  const { index } = options;
  const records: IssuanceRecord[] = [];
  for (const order of cluster.kinds.orders.objects.values()) {
    if (order.state === 'errored' && order.reason) {
      records.push(
        ...refusal({
          cluster,
          options,
          meta: order.meta,
          names: order.dnsNames,
          text: order.reason,
          at: order.failureTime ?? order.meta.createdAt,
          acme: acmeOf(cluster, {
            issuer: order.issuer,
            meta: order.meta,
            order,
          }),
        }),
      );
    }
  }
  for (const fact of cluster.kinds.certificates.objects.values()) {
    const { issuing, lastFailureTime, meta } = fact;
    // Where the Order is there it says the same.
    const isTold = () =>
      index
        .controlledBy(cluster, 'certificateRequests', meta.uid)
        .some(
          request => orderOf(request, { cluster, index })?.state === 'errored',
        );
    if (issuing?.status === 'False' && issuing.message && !isTold()) {
      records.push(
        ...refusal({
          cluster,
          options,
          meta,
          names: fact.dnsNames,
          text: issuing.message,
          at: lastFailureTime ?? issuing.lastTransitionAt,
          acme: acmeOf(cluster, { issuer: fact.issuer, meta }) ?? {},
        }),
      );
    }
  }
  return records;
}

function refusal(refused: {
  cluster: ClusterReading;
  options: IssuanceOptions;
  meta: ObjectMeta;
  names: readonly string[];
  text: string;
  at: string | undefined;
  acme: { server?: string } | undefined;
}): IssuanceRecord[] {
  const { meta, text, acme, options } = refused;
  const cause = orderCauseOf(text);
  const names = namesOf(refused.names);
  if (refused.at === undefined) {
    // Without a time it would be another one in every pass.
    return [];
  }
  const id = `${meta.uid}/refused/${refused.at}`;
  const at = notAfter(refused.at, options.now);
  if (
    !acme ||
    options.known.has(id) ||
    (cause.cause !== 'RateLimitedForDomain' &&
      cause.cause !== 'RateLimitedForNames') ||
    names.length === 0
  ) {
    return [];
  }
  const size = Number(/too many certificates \((\d{1,7})\)/i.exec(text)?.[1]);
  const retryAt = retryAfterOf(text);
  const previewId = options.previewOf(refused.cluster.cluster, meta);
  return [
    {
      kind: 'refused',
      id,
      ...acme,
      names,
      limit: cause.cause === 'RateLimitedForDomain' ? 'domain' : 'names',
      ...(cause.cause === 'RateLimitedForDomain' &&
        cause.domain !== undefined && { domain: cause.domain.toLowerCase() }),
      ...(size > 0 && { size }),
      // No limit lasts longer than a week, whatever a text says.
      ...(retryAt !== undefined &&
        retryAt <= addSeconds(at, 7 * 86_400) && { retryAt }),
      at,
      ...(previewId !== undefined && { previewId }),
    },
  ];
}

function orderOf(
  request: CertificateRequestFact,
  { cluster, index }: { cluster: ClusterReading; index: WorldIndex },
): OrderFact | undefined {
  return index
    .controlledBy(cluster, 'orders', request.meta.uid)
    .find(({ meta }) => meta.namespace === request.meta.namespace);
}

/**
 * The ACME server behind an issuer; undefined where it is none, or where nothing
 * tells that it is one.
 */
function acmeOf(
  { kinds }: ClusterReading,
  options: { issuer?: IssuerReference; meta: Owner; order?: OrderFact },
): { server?: string } | undefined {
  const { issuer, meta, order } = options;
  const isOfCertManager = issuer !== undefined && issuer.group === undefined;
  const found = isOfCertManager
    ? kinds[
        issuer.kind === 'ClusterIssuer' ? 'clusterIssuers' : 'issuers'
      ].objects.get(
        issuer.kind === 'ClusterIssuer'
          ? issuer.name
          : `${meta.namespace}/${issuer.name}`,
      )
    : undefined;
  if (found) {
    const { acmeServer } = found;
    return acmeServer !== undefined && URL.canParse(acmeServer)
      ? { server: new URL(acmeServer).host }
      : undefined;
  }
  // Only ACME has Orders.
  return order ? {} : undefined;
}

/**
 * A clock that is ahead must not use up what is to come. Kubernetes tells whole
 * seconds, so that times are no texts to compare.
 */
function notAfter(at: string, now: string): string {
  return Date.parse(at) > Date.parse(now) ? now : at;
}

function namesOf(names: readonly string[]): string[] {
  return [...new Set(names.map(name => name.toLowerCase()))]
    .sort()
    .slice(0, MOST_NAMES);
}
