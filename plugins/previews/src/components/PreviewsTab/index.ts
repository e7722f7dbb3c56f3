export { EntityPreviewsContent } from './EntityPreviewsContent';
