/**
 * The backend of previews.
 *
 * @packageDocumentation
 */
export { previewsPlugin as default } from './plugin';
export {
  createPreviewConditionalDecision,
  previewConditions,
  previewPermissionResourceRef,
  previewPermissionRules,
  type PreviewPermissionFilter,
  type PreviewPermissionResource,
} from './api';
