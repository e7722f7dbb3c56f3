export { createCheckTokenAction } from './checkTokenAction';
export { createEditAction } from './editAction';
export { createMergeRequestAction } from './mergeRequestAction';
export { createNotesAction } from './notesAction';
export { createPromoteAction } from './promoteAction';
export { createRenderAction } from './renderAction';
export { createResolveAction } from './resolveAction';
export { createValidateAction } from './validateAction';
