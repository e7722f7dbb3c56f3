import { Config, readDurationFromConfig } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { durationToMilliseconds } from '@backstage/types';

/** A spelling mistake in an optional key would otherwise be a silent default. */
export function assertKnownKeys(
  config: Config,
  options: { at: string; known: readonly string[] },
): void {
  const unknown = config.keys().find(key => !options.known.includes(key));
  if (unknown !== undefined) {
    throw new InputError(
      `Unknown config key '${options.at}.${unknown}', known are ${options.known
        .map(key => `'${key}'`)
        .join(', ')}`,
    );
  }
}

/**
 * A base URL without a trailing slash. The value is not repeated in the error,
 * since it may hold a password.
 */
export function checkedBaseUrl(value: string, options: { at: string }): string {
  let url: URL;
  try {
    url = new URL(value);
  } catch (error) {
    throw new InputError(`Config value at '${options.at}' is not a URL`, error);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InputError(
      `Config value at '${options.at}' must be an http or https URL`,
    );
  }
  if (url.username || url.password) {
    throw new InputError(
      `Config value at '${options.at}' must not hold a user name or password`,
    );
  }
  if (url.search || url.hash) {
    throw new InputError(
      `Config value at '${options.at}' must have no query and no fragment`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** `host` or `host:port`, in lower case. */
export function checkedHost(value: string, options: { at: string }): string {
  const host = value.toLocaleLowerCase('en-US');
  if (
    !/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/.test(host)
  ) {
    throw new InputError(
      `Config value at '${options.at}' must be a host such as 'gitlab.example.com', without a scheme or path`,
    );
  }
  return host;
}

/** Milliseconds, more than zero. */
export function readMilliseconds(
  config: Config | undefined,
  options: { key: string; at: string; default: number },
): number {
  if (!config?.has(options.key)) {
    return options.default;
  }
  let milliseconds: number;
  try {
    milliseconds = durationToMilliseconds(
      readDurationFromConfig(config, { key: options.key }),
    );
  } catch (error) {
    // Its own error names only the last part of the key.
    throw new InputError(
      `Config value at '${options.at}.${options.key}' is not a duration such as '5m' or { minutes: 5 }`,
      error,
    );
  }
  if (!Number.isFinite(milliseconds) || milliseconds <= 0) {
    throw new InputError(
      `Config value at '${options.at}.${options.key}' must be longer than zero`,
    );
  }
  return milliseconds;
}
