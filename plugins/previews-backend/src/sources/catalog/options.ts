import { AuthService, LoggerService } from '@backstage/backend-plugin-api';
import { CatalogService } from '@backstage/plugin-catalog-node';
import { GitLabHostConfig, ScheduleConfig } from '../../config';

/** What the catalog source is made of. */
export interface CatalogSourceOptions {
  catalog: CatalogService;
  auth: AuthService;
  /** The configured instances; an entity can name no other one. */
  gitlab: readonly GitLabHostConfig[];
  schedule: Pick<ScheduleConfig, 'catalogPollMilliseconds'>;
  logger: LoggerService;
  /** Default: the machine's clock. */
  clock?: () => Date;
}
