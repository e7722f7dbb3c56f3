import { LoggerService } from '@backstage/backend-plugin-api';
import { ClusterConfig, ScheduleConfig } from '../../config';
import { CallListener } from '../calls';

/** What a cluster source is made of. */
export interface ClusterSourceOptions {
  config: ClusterConfig;
  schedule: Pick<
    ScheduleConfig,
    'clusterRelistAfterMilliseconds' | 'clusterStaleAfterMilliseconds'
  >;
  logger: LoggerService;
  onCall?: CallListener;
  /** Default: the machine's clock. */
  clock?: () => Date;
  /** For tests; all in milliseconds. */
  delays?: Partial<ReflectorDelays>;
}

/** Waiting times of a reflector in milliseconds. */
export interface ReflectorDelays {
  /** First wait after a failure; it doubles with each further one. */
  backOffStart: number;
  backOffMaximum: number;
  /** How often a kind that is not installed is looked for again. */
  notInstalledRecheck: number;
  /** How often a kind that is forbidden is tried again. */
  forbiddenRecheck: number;
  /** How long a list or discovery call may take. */
  callTimeout: number;
}

export const defaultDelays: ReflectorDelays = {
  backOffStart: 1_000,
  backOffMaximum: 30_000,
  notInstalledRecheck: 5 * 60_000,
  forbiddenRecheck: 60_000,
  callTimeout: 60_000,
};
