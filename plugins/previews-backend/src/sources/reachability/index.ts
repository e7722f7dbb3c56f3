export { DefaultReachabilitySource } from './DefaultReachabilitySource';
export type { ReachabilitySourceOptions } from './options';
