import { AwsError } from '../aws/errors';
import type { RecordChange, RecordSet } from '../aws/zones';
import type { Cluster, KubernetesObject } from '../kubernetes';
import { gatewayOf, type ParentReference } from './gatewayListeners';
import { peek } from './objects';
import type { Platform, StatusCondition } from './platform';
import { WorkQueue } from './workQueue';

const TTL_SECONDS = 300;
const SOURCES: Record<string, string> = {
  HTTPRoute: 'httproute',
  Ingress: 'ingress',
};

interface Endpoint {
  host: string;
  type: 'A' | 'CNAME';
  target: string;
}

/**
 * external-dns with policy `sync`: hosts of routes that have an address get a record, with a TXT
 * record beside it that says whose it is; both go with the route. The cluster's name is the owner.
 */
export class ExternalDns {
  private readonly platform: Platform;
  private readonly cluster: Cluster;
  private readonly queue: WorkQueue;
  private readonly unsubscribe: (() => void)[];
  /** What was written for each route, until it is taken away. */
  private readonly written = new Map<string, Endpoint[]>();

  constructor(platform: Platform, cluster: Cluster) {
    this.platform = platform;
    this.cluster = cluster;
    this.queue = new WorkQueue({
      clock: platform.clock,
      activity: platform.activity,
      reconcile: key => this.reconcile(key),
    });
    this.unsubscribe = [
      cluster.subscribe(({ object }) => {
        if (SOURCES[object.kind]) {
          this.plan(
            `${object.kind}/${object.metadata.namespace}/${object.metadata.name}`,
          );
        }
      }),
      platform.faults.subscribe(() => {
        const sources = Object.keys(SOURCES).flatMap(kind =>
          cluster.store
            .list(kind)
            .map(
              ({ metadata }) =>
                `${kind}/${metadata.namespace}/${metadata.name}`,
            ),
        );
        new Set([...sources, ...this.written.keys()]).forEach(key =>
          this.plan(key),
        );
      }),
    ];
  }

  stop(): void {
    this.unsubscribe.forEach(unsubscribe => unsubscribe());
    this.queue.stop();
  }

  private plan(key: string): void {
    this.queue.addAfter({
      key,
      milliseconds: this.platform.delays.externalDns,
    });
  }

  private reconcile(key: string): void {
    const [kind, namespace, name] = key.split('/');
    const object = peek(this.cluster, { kind, namespace, name });
    const before = this.written.get(key) ?? [];
    const faultOf = (host: string) =>
      this.platform.faults.find('externalDns', namespace, host);
    // With a record in place a fault changes nothing before the route goes.
    const wanted = (object ? this.endpointsOf(object) : []).filter(
      ({ host, type }) =>
        faultOf(host) !== 'down' ||
        before.some(known => known.host === host && known.type === type),
    );
    const isWanted = (endpoint: Endpoint) =>
      wanted.some(
        other => other.host === endpoint.host && other.type === endpoint.type,
      );
    const surplus = before.filter(endpoint => !isWanted(endpoint));
    const leaving = surplus.filter(({ host }) => faultOf(host) === undefined);
    const kept = surplus.filter(endpoint => !leaving.includes(endpoint));
    const resource = `${SOURCES[kind]}/${namespace}/${name}`;
    leaving.forEach(endpoint => this.remove(endpoint, resource));
    wanted.forEach(endpoint => this.upsert(endpoint, resource));
    if (wanted.length + kept.length > 0) {
      this.written.set(key, [...wanted, ...kept]);
    } else {
      this.written.delete(key);
    }
  }

  private endpointsOf(object: KubernetesObject): Endpoint[] {
    if (object.kind === 'Ingress') {
      const rules = (object.spec?.rules ?? []) as { host?: string }[];
      const addresses = (object.status?.loadBalancer?.ingress ?? []) as {
        ip?: string;
        hostname?: string;
      }[];
      return rules.flatMap(({ host }) =>
        host
          ? addresses
              .slice(0, 1)
              .map(({ ip, hostname }) => endpointTo(host, ip ?? hostname))
          : [],
      );
    }
    const parents = (object.status?.parents ?? []) as {
      parentRef: ParentReference;
      conditions: StatusCondition[];
    }[];
    const accepted = parents.find(({ conditions }) =>
      conditions.some(
        ({ type, status }) => type === 'Accepted' && status === 'True',
      ),
    );
    const gateway =
      accepted && gatewayOf(this.cluster, accepted.parentRef, object);
    const address = gateway?.status?.addresses?.[0]?.value as
      | string
      | undefined;
    return address
      ? ((object.spec?.hostnames ?? []) as string[]).map(host =>
          endpointTo(host, address),
        )
      : [];
  }

  /** The record and, on a name with its type in front, the TXT record that tells the owner. */
  private recordSets(
    { host, type, target }: Endpoint,
    resource: string,
  ): RecordSet[] {
    return [
      { name: host, type, ttl: TTL_SECONDS, values: [target] },
      {
        name: `${type.toLowerCase()}-${host}`,
        type: 'TXT',
        ttl: TTL_SECONDS,
        values: [
          `"heritage=external-dns,external-dns/owner=${this.cluster.name},external-dns/resource=${resource}"`,
        ],
      },
    ];
  }

  private upsert(wanted: Endpoint, resource: string): void {
    const present = this.platform.dns
      .lookup(wanted.host)
      .some(
        ({ type, values }) =>
          type === wanted.type && values?.join() === wanted.target,
      );
    if (!present) {
      this.change('UPSERT', wanted, resource);
    }
  }

  private remove(left: Endpoint, resource: string): void {
    try {
      this.change('DELETE', left, resource);
    } catch (error) {
      // Somebody else took it away.
      if (!(error instanceof AwsError) || error.code !== 'InvalidChangeBatch') {
        throw error;
      }
    }
  }

  /** A host that is in no zone is nothing to external-dns. */
  private change(
    action: RecordChange['action'],
    changed: Endpoint,
    resource: string,
  ): void {
    const zone = this.platform.dns.zoneFor(changed.host);
    if (zone) {
      this.platform.dns.change(
        zone.id,
        this.recordSets(changed, resource).map(recordSet => ({
          action,
          recordSet,
        })),
      );
    }
  }
}

function endpointTo(host: string, target: string | undefined): Endpoint {
  const address = target ?? '';
  return /^[\d.]+$/.test(address)
    ? { host, type: 'A', target: address }
    : { host, type: 'CNAME', target: address };
}
