import { checkDefinitions, CheckId } from '../../checks';
import { createSentenceFormat } from '../format';
import { cleanParams } from '../render';
import { Sentence } from '../types';
import { CheckCatalogue } from './types';

/**
 * Both sentences of a readiness check as text.
 *
 * @public
 */
export interface CheckTexts {
  problem: string;
  fix: string;
}

/**
 * Renders the sentences of what a readiness check found.
 *
 * Undefined when this version does not know the check, or when the params lack
 * what its sentence needs; `message` and `fix` of the result serve then.
 *
 * @public
 */
export function renderCheck(
  result: { id: string; params?: Readonly<Record<string, unknown>> },
  options: {
    catalogue: CheckCatalogue;
    /** BCP 47, for numbers; default is the catalogue's language. */
    locale?: string;
  },
): CheckTexts | undefined {
  const { catalogue, locale } = options;
  const { id, params = {} } = result;
  if (!Object.hasOwn(checkDefinitions, id)) {
    return undefined;
  }
  const { problem, fix } = catalogue.checks[id as CheckId];
  const clean = cleanParams(checkDefinitions[id as CheckId].params, params);
  return (
    clean && {
      problem: (problem as Sentence<object>)(
        clean,
        createSentenceFormat({ language: catalogue.language, locale }),
      ),
      fix,
    }
  );
}
