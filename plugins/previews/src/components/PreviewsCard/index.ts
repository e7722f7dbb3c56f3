export { EntityPreviewsCard } from './EntityPreviewsCard';
