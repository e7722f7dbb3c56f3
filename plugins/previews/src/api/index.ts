export { loadRows } from './loadRows';
export { previewsApiFactory, previewsApiRef } from './previewsApiRef';
