export { DefaultCatalogSource } from './DefaultCatalogSource';
export type { CatalogSourceOptions } from './options';
