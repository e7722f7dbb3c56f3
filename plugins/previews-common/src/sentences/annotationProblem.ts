import { AnnotationProblem } from '../types';
import { english } from './english';
import { renderProblem } from './render';
import { AnnotationProblemParams, AnnotationProblemReason } from './types';
import { cleanText } from '../text';

/**
 * Makes a problem of an annotation, with its English sentence.
 *
 * @public
 */
export function annotationProblem<R extends AnnotationProblemReason>(options: {
  annotation: string;
  reason: R;
  params: AnnotationProblemParams[R];
}): AnnotationProblem {
  const { annotation, reason } = options;
  const params: Record<string, string> = {};
  for (const [key, value] of Object.entries<string>(options.params)) {
    params[key] = cleanText(value);
  }
  return {
    annotation,
    reason,
    params,
    message:
      renderProblem({ annotation, reason, params }, { catalogue: english }) ??
      `The annotation ${annotation} cannot be used.`,
  };
}
