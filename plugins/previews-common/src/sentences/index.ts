export { annotationProblem } from './annotationProblem';
export {
  englishChecks,
  loadCheckCatalogue,
  renderCheck,
  type CheckCatalogue,
  type CheckSentences,
  type CheckTexts,
} from './checks';
export { english } from './english';
export {
  createSentenceFormat,
  type SentenceFormat,
  type SentenceFormatOptions,
  type TimeWords,
} from './format';
export {
  languageOf,
  languages,
  loadCatalogue,
  type Language,
} from './languages';
export { renderFurtherCondition, textIn } from './furtherCondition';
export {
  eventOf,
  findingMessage,
  renderEvent,
  renderFinding,
  renderMessage,
  renderProblem,
  renderSentence,
  renderSourceError,
  renderSourceNote,
  sourceNote,
  type RenderOptions,
} from './render';
export type {
  AnnotationProblemParams,
  AnnotationProblemReason,
  Catalogue,
  Sentence,
  SourceErrorParams,
} from './types';
