import { ApplicationSetFact } from '../../model';
import {
  GeneratorUse,
  NumberedParts,
  numberedParts,
  renderNumbered,
} from '../generator';
import { Destination } from '../intendedNamespaces';
import { WorldIndex } from '../worldIndex';

/** What a set's template says of where the Application of a number goes. */
interface NumberedPlace {
  namespace: NumberedParts;
  /** The same for every number. */
  server?: string;
  name?: string;
}

/** An MR's number by the name of a namespace, with a use that gives such names. */
export interface NumberedUse {
  use: GeneratorUse;
  iid: number;
}

// Sets are the same facts while nothing changed, and so are their uses in order.
const placesOfSets = new WeakMap<
  ApplicationSetFact,
  readonly (NumberedPlace | undefined)[]
>();

/**
 * Reads the number of an MR back from the name of a namespace, for sets whose
 * namespaces are named by literals and the number. A template that puts a digit next
 * to the number is left out: where the number begins would be a guess.
 */
export class NumberedNamespaces {
  readonly #byParts = new Map<string, GeneratorUse[]>();

  constructor(index: WorldIndex) {
    const sets = new Set(index.uses.map(({ set }) => set));
    for (const set of sets) {
      const uses = index.usesOfSet(set);
      const places = placesOfSets.get(set) ?? uses.map(placeOf);
      placesOfSets.set(set, places);
      uses.forEach((use, position) => this.#add(use, places[position], index));
    }
  }

  #add(
    use: GeneratorUse,
    place: NumberedPlace | undefined,
    index: WorldIndex,
  ): void {
    const cluster =
      place &&
      index.destinationOf({
        cluster: use.cluster,
        fact: { destination: { server: place.server, name: place.name } },
      });
    if (!cluster) {
      return;
    }
    const key = keyOf(cluster.cluster, place.namespace);
    const known = this.#byParts.get(key);
    if (known) {
      known.push(use);
    } else {
      this.#byParts.set(key, [use]);
    }
  }

  /** The MRs, by use and number, whose namespace would have that name in that cluster. */
  usesFor(cluster: string, name: string): NumberedUse[] {
    return [...name.matchAll(/\d+/g)].flatMap(({ 0: digits, index }) => {
      const prefix = name.slice(0, index);
      const suffix = name.slice(index + digits.length);
      const uses = /^[1-9]\d{0,9}$/.test(digits)
        ? this.#byParts.get(keyOf(cluster, { prefix, suffix })) ?? []
        : [];
      return uses.map(use => ({ use, iid: Number(digits) }));
    });
  }
}

function keyOf(cluster: string, { prefix, suffix }: NumberedParts): string {
  return JSON.stringify([cluster, prefix, suffix]);
}

function placeOf(use: GeneratorUse): NumberedPlace | undefined {
  const { spec } = use.set.template as {
    spec?: { destination?: Record<keyof Destination, unknown> };
  };
  const { namespace, server, name } = spec?.destination ?? {};
  const parts =
    typeof namespace === 'string' ? numberedParts(use, namespace) : undefined;
  if (!parts) {
    return undefined;
  }
  const fixed = (template: unknown) =>
    typeof template === 'string'
      ? renderNumbered(use, template, '1')
      : undefined;
  return { namespace: parts, server: fixed(server), name: fixed(name) };
}
