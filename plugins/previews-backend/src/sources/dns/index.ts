export { DefaultRoute53Source } from './DefaultRoute53Source';
export type { Route53Delays, Route53SourceOptions } from './options';
