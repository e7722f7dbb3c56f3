import { CheckId, CheckParams } from '../../checks';
import { Language } from '../languages';
import { Sentence } from '../types';

/**
 * The two sentences of a readiness check.
 *
 * @public
 */
export interface CheckSentences<P> {
  /** What is wrong, and what comes of it. */
  problem: Sentence<P>;
  /** What to do; the same words for every object. */
  fix: string;
}

/**
 * The sentences of the readiness checks in one language. They stand apart from
 * {@link Catalogue}: a portal loads them only where checks are shown.
 *
 * @public
 */
export interface CheckCatalogue {
  language: Language;
  checks: { [I in CheckId]: CheckSentences<CheckParams[I]> };
}
