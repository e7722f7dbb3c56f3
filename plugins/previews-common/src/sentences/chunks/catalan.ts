// All that a reader of the language needs, in one chunk: packed together it is smaller.
export { catalanChecks } from '../checks/catalan';
export { catalan } from '../catalan';
