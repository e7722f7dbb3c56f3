import { FurtherCondition, Texts } from '../types';
import { Language } from './languages';
import { renderSentence, RenderOptions } from './render';

/**
 * A text of a module in a language, else in English.
 *
 * @public
 */
export function textIn(texts: Texts, language: Language): string {
  return texts[language] ?? texts.en;
}

/**
 * The sentence of a condition that a module of the backend added: its own, or one
 * that every condition shares.
 *
 * @public
 */
export function renderFurtherCondition(
  condition: Pick<
    FurtherCondition,
    'reason' | 'params' | 'message' | 'sentences'
  >,
  options: RenderOptions,
): string {
  const { reason, params, message, sentences } = condition;
  if (sentences) {
    return textIn(sentences, options.catalogue.language);
  }
  // The reasons of `Unknown` are the same for every condition.
  return (
    renderSentence({ type: 'MergeRequestOpen', reason, params }, options) ??
    message
  );
}
