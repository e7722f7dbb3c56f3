export { secondsBetween } from './time';
export { useWords, WordsProvider } from './WordsProvider';
export type { Translate, Words } from './WordsProvider';
