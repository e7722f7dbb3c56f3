/**
 * Shows each entity's preview environments in the portal.
 *
 * @packageDocumentation
 */
export { previewsApiRef } from './api';
export {
  EntityPreviewsCard,
  EntityPreviewsContent,
  previewsPlugin,
} from './plugin';
export { previewsTranslationRef } from './translations';
export { isPreviewsAvailable } from '@previews/backstage-plugin-previews-common';
