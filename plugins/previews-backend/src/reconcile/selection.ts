import { ParamsOf, ReasonOf } from '@previews/backstage-plugin-previews-common';
import {
  meets,
  MergeRequestFact,
  PullRequestGenerator,
  Requirement,
} from '../model';
import { compileExpression } from './expressions';
import { ProjectPattern } from './ProjectPattern';

export type Selection =
  | { selected: true }
  | {
      [R in
        | 'LabelMissing'
        | 'BranchFiltered'
        | 'TitleFiltered'
        | 'TargetFiltered'
        | 'SelectorExcluded'
        | 'StateExcluded']: {
        selected: false;
        reason: R & ReasonOf<'Selected'>;
        params: ParamsOf<'Selected', R>;
      };
    }[
      | 'LabelMissing'
      | 'BranchFiltered'
      | 'TitleFiltered'
      | 'TargetFiltered'
      | 'SelectorExcluded'
      | 'StateExcluded'];

/**
 * Labels that are asked for and not there. GitLab takes `None` for no label and `Any`
 * for one at least. Of a template that cannot be rendered here any label is one that
 * fits what stands around its actions.
 */
export function missingLabels(
  asked: readonly string[],
  { labels }: MergeRequestFact,
): string[] {
  const missing = asked.filter(
    label =>
      !labels.includes(label) &&
      !(label.includes('{{') && labels.some(one => fitsTemplate(one, label))),
  );
  if (missing.length === 0) {
    return missing;
  }
  const word = (['none', 'any'] as const).find(one =>
    missing.some(label => label.toLowerCase() === one),
  );
  if (word === undefined) {
    return missing;
  }
  return labels.length > 0 === (word === 'any')
    ? []
    : missing.filter(label => label.toLowerCase() === word);
}

/** Parameters that a generator of MRs gives by itself, nested ones below them. */
const OWN_PARAMETERS =
  /^(number|title|(target_)?branch(_slug)?|head_sha|head_short_sha(_7)?|author|labels|values)(\.|$)/;

/**
 * A requirement of the selector that an MR does not meet, as people write it. What the
 * siblings of a matrix would have to tell, and only a running Argo CD knows, is met.
 */
export function unmetRequirement(
  selector: readonly Requirement[],
  options: {
    /** Whether what the siblings give is among the parameters. */
    areSiblingsKnown: boolean;
    parameters: () => Record<string, unknown>;
  },
): string | undefined {
  const known = selector.filter(
    ({ key }) => options.areSiblingsKnown || OWN_PARAMETERS.test(key),
  );
  if (known.length === 0) {
    return undefined;
  }
  const parameters = options.parameters();
  const unmet = known.find(requirement => !meets(parameters, requirement));
  return unmet && textOf(unmet);
}

function textOf({ key, operator, values }: Requirement): string {
  return values.length > 0
    ? `${key} ${operator} (${values.join(', ')})`
    : `${key} ${operator}`;
}

function fitsTemplate(text: string, template: string): boolean {
  return ProjectPattern.fromTemplate(template).test(text);
}

/** Why a filter does not take an MR; undefined where it does. */
export function refusedBy(
  filter: PullRequestGenerator['filters'][number],
  { sourceBranch, targetBranch, title }: MergeRequestFact,
  applicationSet: string,
): Selection | undefined {
  if (filter.branchMatch && !matches(filter.branchMatch, sourceBranch)) {
    const params = {
      applicationSet,
      pattern: filter.branchMatch,
      branch: sourceBranch,
    };
    return { selected: false, reason: 'BranchFiltered', params };
  }
  if (
    filter.targetBranchMatch &&
    !matches(filter.targetBranchMatch, targetBranch)
  ) {
    const params = {
      applicationSet,
      pattern: filter.targetBranchMatch,
      branch: targetBranch,
    };
    return { selected: false, reason: 'TargetFiltered', params };
  }
  if (filter.titleMatch && !matches(filter.titleMatch, title)) {
    return {
      selected: false,
      reason: 'TitleFiltered',
      params: { applicationSet, pattern: filter.titleMatch },
    };
  }
  return undefined;
}

/**
 * Unanchored; an invalid expression matches nothing, as the set reports an error itself.
 * One with a template that cannot be rendered here may match anything.
 */
function matches(pattern: string, text: string): boolean {
  if (pattern.includes('{{')) {
    return true;
  }
  try {
    return compileExpression(pattern).matcher(text).find();
  } catch {
    return false;
  }
}
