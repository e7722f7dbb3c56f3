export { annotationProblem } from './annotationProblem';
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
export {
  renderMessage,
  renderProblem,
  renderSentence,
  renderSourceError,
  type RenderOptions,
} from './render';
export type {
  AnnotationProblemParams,
  AnnotationProblemReason,
  Catalogue,
  Sentence,
  SourceErrorParams,
} from './types';
