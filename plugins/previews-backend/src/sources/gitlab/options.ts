import { LoggerService } from '@backstage/backend-plugin-api';
import { GitLabHostConfig, ScheduleConfig } from '../../config';
import { CallListener } from '../calls';

/** What a GitLab source is made of. */
export interface GitLabSourceOptions {
  config: GitLabHostConfig;
  schedule: Pick<
    ScheduleConfig,
    'gitlabPollMilliseconds' | 'gitlabStaleAfterMilliseconds'
  >;
  logger: LoggerService;
  onCall?: CallListener;
  /** Default: the machine's clock. */
  clock?: () => Date;
  /** How long one call may take. Default 20 seconds. */
  timeoutMilliseconds?: number;
}
