import { ApplicationSetFact, MergeRequestKey } from '../model';
import { GeneratorUse, namesFor } from './generator';
import { keyString, WorldIndex } from './worldIndex';

/** Names that each set gives to the MRs of its projects, rendered once a set. */
export class NameIndex {
  readonly #bySet = new Map<
    ApplicationSetFact,
    Map<string, MergeRequestKey[]>
  >();

  constructor(private readonly index: WorldIndex) {}

  candidates(set: ApplicationSetFact, name: string): MergeRequestKey[] {
    let names = this.#bySet.get(set);
    if (!names) {
      names = this.#render(set);
      this.#bySet.set(set, names);
    }
    return names.get(name) ?? [];
  }

  #render(set: ApplicationSetFact): Map<string, MergeRequestKey[]> {
    const names = new Map<string, MergeRequestKey[]>();
    for (const use of this.index.usesOfSet(set)) {
      for (const { key, name } of namesOfUse(use, this.index)) {
        const known = names.get(name) ?? [];
        if (!known.some(other => keyString(other) === keyString(key))) {
          names.set(name, [...known, key]);
        }
      }
    }
    return names;
  }
}

function* namesOfUse(
  use: GeneratorUse,
  index: WorldIndex,
): Iterable<{ key: MergeRequestKey; name: string }> {
  for (const project of index.projectsOf(use)) {
    for (const { fact } of project.mergeRequests.values()) {
      for (const name of namesFor(use, fact)) {
        yield { key: fact.key, name };
      }
    }
  }
}
