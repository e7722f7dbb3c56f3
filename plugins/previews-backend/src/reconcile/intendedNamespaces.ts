import {
  ApplicationSetFact,
  MergeRequestFact,
  MergeRequestKey,
} from '../model';
import {
  GeneratorUse,
  parametersFor,
  renderParameter,
  selects,
} from './generator';
import { keyString, WorldIndex } from './worldIndex';

/** Longer ones name no cluster and no namespace, and are remembered for every MR. */
const LONGEST_DESTINATION = 2000;

/** Of an Application, rendered. */
export interface Destination {
  server?: string;
  name?: string;
  namespace?: string;
}

// Facts live as long as their object is unchanged, so most passes render nothing.
const rendered = new WeakMap<
  ApplicationSetFact,
  WeakMap<MergeRequestFact, Destination>
>();

/**
 * The namespaces that open MRs are about to be deployed into. Worked out only
 * when a namespace is found that no Application targets any more.
 */
export class IntendedNamespaces {
  #byNamespace: Map<string, Set<string>> | undefined;

  constructor(private readonly index: WorldIndex) {}

  /** Whether a set would deploy another open MR into the namespace. */
  isForAnother(
    key: MergeRequestKey,
    namespace: { cluster: string; name: string },
  ): boolean {
    this.#byNamespace ??= this.#collect();
    const keys = this.#byNamespace.get(
      `${namespace.cluster}/${namespace.name}`,
    );
    return keys !== undefined && (keys.size > 1 || !keys.has(keyString(key)));
  }

  #collect(): Map<string, Set<string>> {
    const byNamespace = new Map<string, Set<string>>();
    for (const use of this.index.uses) {
      for (const project of this.index.projectsOf(use)) {
        for (const { fact, deletedAt } of project.mergeRequests.values()) {
          if (deletedAt !== undefined || !selects(use, fact).selected) {
            continue;
          }
          const destination = destinationFor(use, fact);
          const cluster = this.index.destinationOf({
            cluster: use.cluster,
            fact: { destination },
          });
          if (cluster && destination.namespace) {
            const place = `${cluster.cluster}/${destination.namespace}`;
            const keys = byNamespace.get(place) ?? new Set();
            byNamespace.set(place, keys.add(keyString(fact.key)));
          }
        }
      }
    }
    return byNamespace;
  }
}

/** Where a set deploys an MR's Application to, as far as its template tells. */
export function destinationFor(
  use: GeneratorUse,
  mergeRequest: MergeRequestFact,
): Destination {
  // Siblings of a matrix are in the use, not in the set: no cache for them.
  const isAlone = Object.keys(use.sibling ?? {}).length === 0;
  const known = isAlone ? rendered.get(use.set)?.get(mergeRequest) : undefined;
  if (known) {
    return known;
  }
  const { spec } = use.set.template as { spec?: { destination?: Destination } };
  const parameters = parametersFor(use, mergeRequest);
  const destination = Object.fromEntries(
    (['server', 'name', 'namespace'] as const).flatMap(field => {
      const template = spec?.destination?.[field];
      const value =
        typeof template === 'string'
          ? renderParameter(use.set, template, parameters)
          : undefined;
      return value === undefined || value.length > LONGEST_DESTINATION
        ? []
        : [[field, value]];
    }),
  );
  if (isAlone) {
    const ofSet = rendered.get(use.set) ?? new WeakMap();
    rendered.set(use.set, ofSet.set(mergeRequest, destination));
  }
  return destination;
}
