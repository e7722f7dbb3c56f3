import { LoggerService } from '@backstage/backend-plugin-api';
import { ArgocdInstanceConfig, ScheduleConfig } from '../../config';
import { CallListener } from '../calls';

/** What an Argo CD source is made of. */
export interface ArgocdSourceOptions {
  config: ArgocdInstanceConfig;
  schedule: Pick<
    ScheduleConfig,
    'clusterRelistAfterMilliseconds' | 'clusterStaleAfterMilliseconds'
  >;
  logger: LoggerService;
  onCall?: CallListener;
  /** Default: the machine's clock. */
  clock?: () => Date;
  /** For tests; all in milliseconds. */
  delays?: Partial<ArgocdDelays>;
}

/** Waiting times in milliseconds. */
export interface ArgocdDelays {
  /** First wait after a failure; it doubles with each further one. */
  backOffStart: number;
  backOffMaximum: number;
  /** From one reading of the ApplicationSets to the next; there is no stream of them. */
  applicationSetsPoll: number;
  /** How long the stream is given to open before the list is asked for. */
  streamHeadStart: number;
  /** How long a list may take. */
  callTimeout: number;
}
