export { createPreviewsService } from './createPreviewsService';
export { agedStates, confirmedAt } from './freshness';
export { createRouter } from './router';
export {
  createPreviewConditionalDecision,
  previewConditions,
  previewPermissionResourceRef,
  previewPermissionRules,
} from './permissions';
export type {
  PreviewPermissionFilter,
  PreviewPermissionResource,
} from './permissions';
export type {
  CallerOptions,
  PreviewsService,
  RefreshPort,
  Versioned,
} from './PreviewsService';
export type { SignalHints, SignalScope } from './SignalHints';
export { openApiDocument } from './openapi';
