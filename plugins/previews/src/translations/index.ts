export { previewsTranslationRef } from './ref';
