import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { assertKnownKeys, checkedBaseUrl } from './checks';

const AT = 'previews.templates';

/**
 * The frontend reads them, where a malformed value could only make a button
 * vanish: so they stop the start here, as all others do.
 */
export function assertTemplates(config: Config | undefined): void {
  if (!config) {
    return;
  }
  assertKnownKeys(config, {
    at: AT,
    known: ['onboard', 'promote', 'docsUrl'],
  });
  for (const key of ['onboard', 'promote']) {
    const value = config.getOptionalString(key);
    if (value !== undefined && !/^[\w.-]+\/[\w.-]+$/.test(value)) {
      throw new InputError(
        `Config value at '${AT}.${key}' must be the namespace and name of a template, such as 'default/onboard-service'`,
      );
    }
  }
  const docsUrl = config.getOptionalString('docsUrl');
  if (docsUrl !== undefined) {
    checkedBaseUrl(docsUrl, { at: `${AT}.docsUrl` });
  }
}
