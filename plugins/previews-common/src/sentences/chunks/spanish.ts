// All that a reader of the language needs, in one chunk: packed together it is smaller.
export { spanishChecks } from '../checks/spanish';
export { spanish } from '../spanish';
