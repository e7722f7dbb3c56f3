import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { MAXIMUM_TIME_TO_LIVE_SECONDS } from '@previews/backstage-plugin-previews-common';
import { assertKnownKeys, readMilliseconds } from './checks';
import { TtlConfig } from './types';

const AT = 'previews.ttl';
const DAY_MILLISECONDS = 86_400_000;

function readIdle(config: Config | undefined): TtlConfig['idleSeconds'] {
  if (!config?.has('idle') || config.getOptional('idle') === 'never') {
    return 'never';
  }
  const milliseconds = readMilliseconds(config, {
    key: 'idle',
    at: AT,
    default: 0,
  });
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 1 || seconds > MAXIMUM_TIME_TO_LIVE_SECONDS) {
    throw new InputError(
      `Config value at '${AT}.idle' must be from a second to ${
        MAXIMUM_TIME_TO_LIVE_SECONDS / 86_400
      } days, or 'never'`,
    );
  }
  return seconds;
}

/** `previews.ttl`. */
export function readTtlConfig(config: Config | undefined): TtlConfig {
  if (config) {
    assertKnownKeys(config, { at: AT, known: ['idle', 'warnBefore'] });
  }
  return {
    idleSeconds: readIdle(config),
    warnBeforeSeconds:
      readMilliseconds(config, {
        key: 'warnBefore',
        at: AT,
        default: DAY_MILLISECONDS,
      }) / 1000,
  };
}
