import { CertificateFact, ClusterReading } from '../../model';
import { WorldIndex } from '../worldIndex';
import { chainOf } from './chain';
import { ObservedCertificate } from './types';

/** Certificates that matter to one preview, each once, with its chain. */
export class CertificateCollection {
  readonly #index: WorldIndex;
  readonly #found = new Map<CertificateFact, ObservedCertificate>();

  constructor(index: WorldIndex) {
    this.#index = index;
  }

  put(
    fact: CertificateFact,
    { cluster, own }: { cluster: ClusterReading; own: boolean },
  ): ObservedCertificate {
    const known = this.#found.get(fact);
    if (known) {
      return known;
    }
    const rivals = fact.secretName
      ? this.#index
          .certificatesInto(cluster, fact.meta.namespace ?? '', fact.secretName)
          .filter(other => other !== fact)
      : [];
    const observed: ObservedCertificate = {
      cluster,
      fact,
      own,
      chain: chainOf(fact, { index: this.#index, cluster }),
      rivals: rivals.map(({ meta }) => meta.name),
    };
    this.#found.set(fact, observed);
    return observed;
  }

  /** The Certificates of a Secret, which others share unless they are known as own. */
  into(
    cluster: ClusterReading,
    namespace: string,
    name: string,
  ): ObservedCertificate[] {
    return this.#index
      .certificatesInto(cluster, namespace, name)
      .map(fact => this.put(fact, { cluster, own: false }));
  }

  all(): ObservedCertificate[] {
    return [...this.#found.values()];
  }
}
