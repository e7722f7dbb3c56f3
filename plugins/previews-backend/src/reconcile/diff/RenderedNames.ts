import { ApplicationSetFact, MergeRequestFact, ProjectFact } from '../../model';
import {
  GeneratorUse,
  nameTemplate,
  parametersFor,
  renderParameter,
  selects,
} from '../generator';

/** Longest name of any Kubernetes object. */
const LONGEST_NAME = 253;

/**
 * Names that sets give to the MRs that they select. Sources hand out the same
 * facts while nothing changed, so that nothing is rendered twice for them.
 */
export class RenderedNames {
  readonly #known = new WeakMap<
    ApplicationSetFact,
    WeakMap<MergeRequestFact, { project: ProjectFact; names: string[] }>
  >();

  /**
   * @param uses - those of the set's uses that list the project.
   */
  namesOf(options: {
    set: ApplicationSetFact;
    uses: readonly GeneratorUse[];
    project: ProjectFact;
    mergeRequest: MergeRequestFact;
  }): readonly string[] {
    const { set, uses, project, mergeRequest } = options;
    let ofSet = this.#known.get(set);
    if (!ofSet) {
      ofSet = new WeakMap();
      this.#known.set(set, ofSet);
    }
    const known = ofSet.get(mergeRequest);
    if (known?.project === project) {
      return known.names;
    }
    const names = [
      ...new Set(uses.flatMap(use => nameOf(use, mergeRequest) ?? [])),
    ];
    ofSet.set(mergeRequest, { project, names });
    return names;
  }
}

/** By the slug rule of today: two rules at once would find collisions that there are not. */
function nameOf(
  use: GeneratorUse,
  mergeRequest: MergeRequestFact,
): string | undefined {
  const template = nameTemplate(use.set);
  if (template === undefined || !selects(use, mergeRequest).selected) {
    return undefined;
  }
  const parameters = parametersFor(use, mergeRequest);
  const name = renderParameter(use.set, template, parameters);
  return name !== undefined &&
    name.length <= LONGEST_NAME &&
    !name.includes('{{')
    ? name
    : undefined;
}
