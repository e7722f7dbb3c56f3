export { DefaultArgocdSource } from './DefaultArgocdSource';
export type { ArgocdDelays, ArgocdSourceOptions } from './options';
