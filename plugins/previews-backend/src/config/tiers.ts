import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { assertKnownKeys } from './checks';
import { TierConfig } from './types';

const DEFAULT_TIERS: readonly TierConfig[] = [
  { name: 'dev' },
  { name: 'staging' },
  { name: 'prod' },
];

/**
 * Reads `previews.tiers`: the names of long-lived environments, in the order in which a release
 * passes them.
 *
 * @throws InputError that names the key.
 */
export function readTiers(config: Config | undefined): TierConfig[] {
  const entries = config?.getOptionalConfigArray('tiers');
  if (!entries) {
    return [...DEFAULT_TIERS];
  }
  const names = new Set<string>();
  return entries.map((entry, index) => {
    const at = `previews.tiers[${index}]`;
    assertKnownKeys(entry, { at, known: ['name', 'applications'] });
    const name = entry.getString('name');
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
      throw new InputError(
        `Config value at '${at}.name' must be lower case letters, digits and hyphens`,
      );
    }
    if (names.has(name)) {
      throw new InputError(
        `Config value at '${at}.name' names a tier that is named before`,
      );
    }
    names.add(name);
    const applications = entry.getOptionalString('applications');
    if (
      applications !== undefined &&
      !/^[a-z0-9.*-]{1,253}$/.test(applications)
    ) {
      throw new InputError(
        `Config value at '${at}.applications' must be a name of Applications such as '*-production', in which '*' stands for anything`,
      );
    }
    return { name, ...(applications !== undefined && { applications }) };
  });
}
