import { StoredPreview } from '../../model';
import { keyString, WorldIndex } from '../worldIndex';
import { dnsNameOf } from './hosts';

/**
 * Who uses a host now: routes and certificates of any cluster that is read, and
 * other previews that have not ended. What somebody uses is nobody's leftover.
 */
export class HostsInUse {
  readonly #index: WorldIndex;
  readonly #stored: ReadonlyMap<string, StoredPreview>;
  #routed?: Set<string>;
  #certified?: Set<string>;
  #previews?: Map<string, Set<string>>;

  constructor(index: WorldIndex, stored: ReadonlyMap<string, StoredPreview>) {
    this.#index = index;
    this.#stored = stored;
  }

  /** Routes or certificates have changed. */
  forget(): void {
    this.#routed = undefined;
    this.#certified = undefined;
  }

  /** A route names the host, or another preview did. */
  isUsed(host: string, options: { exceptBy: string }): boolean {
    this.#routed ??= this.#namesOf(({ kinds }) => [
      ...[...kinds.httpRoutes.objects.values()].flatMap(
        ({ hostnames }) => hostnames,
      ),
      ...[...kinds.ingresses.objects.values()].flatMap(({ hosts }) => hosts),
    ]);
    const others = this.#usersOf(host);
    return (
      this.#routed.has(host) ||
      others.size > 1 ||
      (others.size === 1 && !others.has(options.exceptBy))
    );
  }

  /** A certificate names the host, so that a challenge may be answered for it. */
  isCertified(host: string): boolean {
    this.#certified ??= this.#namesOf(({ kinds }) =>
      [...kinds.certificates.objects.values()].flatMap(
        ({ dnsNames }) => dnsNames,
      ),
    );
    return this.#certified.has(host);
  }

  #usersOf(host: string): ReadonlySet<string> {
    if (!this.#previews) {
      this.#previews = new Map();
      for (const { key, memory } of this.#stored.values()) {
        for (const name of memory.hosts ?? []) {
          const users = this.#previews.get(name) ?? new Set();
          this.#previews.set(name, users.add(keyString(key)));
        }
      }
    }
    return this.#previews.get(host) ?? new Set();
  }

  #namesOf(
    hostsOf: (cluster: WorldIndex['world']['clusters'][number]) => string[],
  ): Set<string> {
    return new Set(
      this.#index.world.clusters.flatMap(cluster =>
        hostsOf(cluster).flatMap(host => dnsNameOf(host) ?? []),
      ),
    );
  }
}
