export { narrowScreen, PreviewsTable } from './PreviewsTable';
