import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { assertKnownKeys, checkedHost } from './checks';
import { GitLabHostConfig, NamedTokenConfig } from './types';

const AT = 'previews.checks';

/**
 * `previews.checks.tokens`. Only hosts that are configured are ever called.
 *
 * @throws InputError that names the key and never the token.
 */
export function readNamedTokens(
  config: Config | undefined,
  options: { gitlab: readonly GitLabHostConfig[] },
): NamedTokenConfig[] {
  if (!config) {
    return [];
  }
  assertKnownKeys(config, { at: AT, known: ['tokens'] });
  const seen = new Set<string>();
  return (config.getOptionalConfigArray('tokens') ?? []).map((entry, index) => {
    const at = `${AT}.tokens[${index}]`;
    assertKnownKeys(entry, { at, known: ['name', 'host', 'token'] });
    const name = entry.getString('name');
    const host = checkedHost(entry.getString('host'), { at: `${at}.host` });
    if (!options.gitlab.some(one => one.host === host)) {
      throw new InputError(
        `Config value at '${at}.host' must be a host of 'previews.gitlab' or 'integrations.gitlab'`,
      );
    }
    const key = JSON.stringify([host, name]);
    if (seen.has(key)) {
      throw new InputError(
        `Config value at '${at}.name' is the name of an earlier token of that host already`,
      );
    }
    seen.add(key);
    const token = entry.getOptionalString('token');
    return { name, host, ...(token && { token }) };
  });
}
