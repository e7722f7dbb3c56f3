import { ProbeConfig } from '../../config';
import { HostResolver } from './resolveHost';

/** What a source of visits is made of. */
export interface ReachabilitySourceOptions {
  config: ProbeConfig;
  /** Default: DNS. */
  resolve?: HostResolver;
  clock?: () => Date;
  /** From 0 to 1, as `Math.random`. */
  random?: () => number;
}
