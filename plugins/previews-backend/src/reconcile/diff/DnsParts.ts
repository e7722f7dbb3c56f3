import { FindingEvidence } from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../../model';
import { Decision } from '../decide';
import { dnsNameOf, leftRecords, zonesOf } from '../dns';
import { WorldIndex } from '../worldIndex';

interface RouteReference {
  kind: string;
  cluster: string;
  namespace: string;
  name: string;
}

function routeKey({ kind, cluster, namespace, name }: RouteReference): string {
  return JSON.stringify([kind, cluster, namespace, name]);
}

function add<T>(sets: Map<string, Set<T>>, name: string, value: T): void {
  sets.set(name, (sets.get(name) ?? new Set()).add(value));
}

/**
 * Records in DNS that are part of previews, as the zones were last read. Unlike what
 * is left when all else is gone, they are told while the preview's own routes are
 * there; a host that anything else uses is nobody's part. What it needs is worked
 * out when it is first asked for, which most passes never do.
 */
export class DnsParts {
  readonly #index: WorldIndex;
  readonly #decisions: ReadonlyMap<string, Decision>;
  #routes?: Map<string, Set<string>>;
  #previews?: Map<string, Set<string>>;

  constructor(options: {
    index: WorldIndex;
    decisions: ReadonlyMap<string, Decision>;
  }) {
    this.#index = options.index;
    this.#decisions = options.decisions;
  }

  /** Each once, by its type and name. */
  of({ preview, memory }: StoredPreview): FindingEvidence[] {
    const zones = this.#index.world.dns ?? [];
    const { hosts = [] } = memory;
    if (zones.length === 0 || hosts.length === 0) {
      return [];
    }
    const own = new Set(preview.routes.map(routeKey));
    const isUsed = (host: string) =>
      [...(this.#routesOf(host) ?? [])].some(route => !own.has(route)) ||
      [...(this.#previewsOf(host) ?? [])].some(id => id !== preview.id);
    const records = hosts
      .filter(host => !isUsed(host))
      .flatMap(host =>
        zonesOf(host, zones).flatMap(zone =>
          leftRecords(zone, host, {
            isUsed,
            // A challenge is answered as long as there is a certificate for it.
            isCertified: preview.certificates.length > 0,
          }),
        ),
      );
    const names = new Set(records.map(({ type, name }) => `${type} ${name}`));
    return [...names].map(name => ({
      kind: 'DnsRecord',
      name,
      previewId: preview.id,
    }));
  }

  #routesOf(host: string): ReadonlySet<string> | undefined {
    if (!this.#routes) {
      this.#routes = new Map();
      for (const { cluster, kinds } of this.#index.world.clusters) {
        for (const { meta, hostnames } of kinds.httpRoutes.objects.values()) {
          this.#addRoute({ kind: 'HTTPRoute', cluster, meta }, hostnames);
        }
        for (const { meta, hosts } of kinds.ingresses.objects.values()) {
          this.#addRoute({ kind: 'Ingress', cluster, meta }, hosts);
        }
      }
    }
    return this.#routes.get(host);
  }

  #addRoute(
    route: {
      kind: string;
      cluster: string;
      meta: { namespace?: string; name: string };
    },
    hosts: readonly string[],
  ): void {
    const { kind, cluster, meta } = route;
    const { namespace = '', name } = meta;
    for (const host of hosts.flatMap(one => dnsNameOf(one) ?? [])) {
      add(this.#routes!, host, routeKey({ kind, cluster, namespace, name }));
    }
  }

  #previewsOf(host: string): ReadonlySet<string> | undefined {
    if (!this.#previews) {
      this.#previews = new Map();
      for (const { change } of this.#decisions.values()) {
        const { preview, memory } = change.stored;
        for (const name of preview.phase === 'Gone' ? [] : memory.hosts ?? []) {
          add(this.#previews, name, preview.id);
        }
      }
    }
    return this.#previews.get(host);
  }
}
