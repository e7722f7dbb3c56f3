export { englishChecks } from './english';
export { loadCheckCatalogue } from './loadCheckCatalogue';
export { renderCheck, type CheckTexts } from './renderCheck';
export type { CheckCatalogue, CheckSentences } from './types';
