import { Config } from '@backstage/config';
import { assertKnownKeys } from './checks';
import { NotificationsConfig } from './types';

/** `previews.notifications`. */
export function readNotificationsConfig(
  config: Config | undefined,
): NotificationsConfig {
  if (config) {
    assertKnownKeys(config, {
      at: 'previews.notifications',
      known: ['enabled', 'failed', 'reclaim'],
    });
  }
  return {
    enabled: config?.getOptionalBoolean('enabled') ?? false,
    failed: config?.getOptionalBoolean('failed') ?? true,
    reclaim: config?.getOptionalBoolean('reclaim') ?? true,
  };
}
