import {
  ApplicationSetFact,
  MergeRequestKey,
  MergeRequestReading,
} from '../model';
import { GeneratorUse, namesFor, selects } from './generator';
import { keyString, WorldIndex } from './worldIndex';

/** The MRs that a set gives one name to. */
export interface NamedMergeRequests {
  /** Those that the set selects now: each of them would have the Application. */
  selected: readonly MergeRequestKey[];
  /** The others, which may have left one behind. */
  others: readonly MergeRequestReading[];
}

const NOBODY: NamedMergeRequests = { selected: [], others: [] };

interface Named {
  selected: MergeRequestKey[];
  others: MergeRequestReading[];
}

/** Names that each set gives to the MRs of its projects, rendered once a set. */
export class NameIndex {
  readonly #bySet = new Map<ApplicationSetFact, Map<string, Named>>();

  constructor(private readonly index: WorldIndex) {}

  named(set: ApplicationSetFact, name: string): NamedMergeRequests {
    let names = this.#bySet.get(set);
    if (!names) {
      names = this.#render(set);
      this.#bySet.set(set, names);
    }
    return names.get(name) ?? NOBODY;
  }

  #render(set: ApplicationSetFact): Map<string, Named> {
    const names = new Map<string, Named>();
    for (const use of this.index.usesOfSet(set)) {
      for (const { reading, name } of namesOfUse(use, this.index)) {
        const known = names.get(name) ?? { selected: [], others: [] };
        names.set(name, known);
        take(known, reading, isSelected(use, reading));
      }
    }
    return names;
  }
}

/** Several uses of a set may list an MR, and one that selects it is enough. */
function take(
  named: Named,
  reading: MergeRequestReading,
  selected: boolean,
): void {
  const id = keyString(reading.fact.key);
  const isKnown = named.selected.some(key => keyString(key) === id);
  if (isKnown) {
    return;
  }
  const others = named.others.filter(({ fact }) => keyString(fact.key) !== id);
  if (selected) {
    named.others = others;
    named.selected.push(reading.fact.key);
  } else {
    named.others = [...others, reading];
  }
}

/** Whether a set lists an MR now. */
export function isSelected(
  use: GeneratorUse,
  { fact, deletedAt }: MergeRequestReading,
): boolean {
  return deletedAt === undefined && selects(use, fact).selected;
}

function* namesOfUse(
  use: GeneratorUse,
  index: WorldIndex,
): Iterable<{ reading: MergeRequestReading; name: string }> {
  for (const project of index.projectsOf(use)) {
    for (const reading of project.mergeRequests.values()) {
      for (const name of namesFor(use, reading.fact)) {
        yield { reading, name };
      }
    }
  }
}
