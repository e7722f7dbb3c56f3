// All that a reader of the language needs, in one chunk: packed together it is smaller.
export { frenchChecks } from '../checks/french';
export { french } from '../french';
