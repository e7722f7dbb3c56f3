export { PreviewsTable } from './PreviewsTable';
