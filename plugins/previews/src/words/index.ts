export { secondsBetween } from './time';
export { useCheckTexts } from './useCheckTexts';
export { useWords, WordsProvider } from './WordsProvider';
export type { Translate, Words } from './WordsProvider';
