import { LoggerService } from '@backstage/backend-plugin-api';
import { Route53ZoneConfig, ScheduleConfig } from '../../config';
import { CallListener } from '../calls';

/** What the source of a hosted zone is made of. */
export interface Route53SourceOptions {
  config: Route53ZoneConfig;
  schedule: Pick<
    ScheduleConfig,
    'dnsPollMilliseconds' | 'dnsStaleAfterMilliseconds'
  >;
  logger: LoggerService;
  onCall?: CallListener;
  /** Default: the machine's clock. */
  clock?: () => Date;
  /** For tests; all in milliseconds. */
  delays?: Partial<Route53Delays>;
}

/** Waiting times in milliseconds. */
export interface Route53Delays {
  /** First wait after a failure; it doubles with each further one, up to the time between readings. */
  backOffStart: number;
  /** Least time between two readings where one is asked for before it is due. */
  soonest: number;
  /**
   * Between two pages: an account has five calls a second, which cert-manager and
   * external-dns need too.
   */
  betweenPages: number;
  /** How long a call may take, with getting credentials for it. */
  callTimeout: number;
}
