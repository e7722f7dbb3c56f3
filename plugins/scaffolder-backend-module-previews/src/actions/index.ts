export { createEditAction } from './editAction';
export { createPromoteAction } from './promoteAction';
export { createRenderAction } from './renderAction';
export { createValidateAction } from './validateAction';
