import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import { assertKnownKeys, checkedHost } from './checks';
import { domainPattern } from './domains';
import { AcmeConfig } from './types';

const AT = 'previews.acme';

/** No authority grants more. */
const MOST_CERTIFICATES = 1_000_000;

function readCount(
  config: Config | undefined,
  options: { key: string; at: string },
): number | undefined {
  const value = config?.getOptionalNumber(options.key);
  if (
    value !== undefined &&
    (!Number.isInteger(value) || value < 1 || value > MOST_CERTIFICATES)
  ) {
    throw new InputError(
      `Config value at '${options.at}.${options.key}' must be a whole number from 1 to ${MOST_CERTIFICATES}`,
    );
  }
  return value;
}

function readDomains(config: Config | undefined): AcmeConfig['domains'] {
  return (config?.getOptionalConfigArray('domains') ?? []).map(
    (entry, index) => {
      const at = `${AT}.domains[${index}]`;
      assertKnownKeys(entry, { at, known: ['domain', 'certificates'] });
      const domain = entry.getString('domain').toLocaleLowerCase('en-US');
      if (!domainPattern.test(domain)) {
        throw new InputError(
          `Config value at '${at}.domain' must be a registered domain such as 'example.com'`,
        );
      }
      const certificates = readCount(entry, { key: 'certificates', at });
      if (certificates === undefined) {
        throw new InputError(`Missing config value at '${at}.certificates'`);
      }
      return { domain, certificates };
    },
  );
}

function readNotified(config: Config | undefined): string[] {
  return (config?.getOptionalStringArray('notify') ?? []).map(
    (value, index) => {
      try {
        return stringifyEntityRef(parseEntityRef(value));
      } catch (error) {
        throw new InputError(
          `Config value at '${AT}.notify[${index}]' must be the ref of an entity such as 'group:default/platform'`,
          error,
        );
      }
    },
  );
}

/** `previews.acme`. */
export function readAcmeConfig(config: Config | undefined): AcmeConfig {
  if (config) {
    assertKnownKeys(config, {
      at: AT,
      known: [
        'certificatesPerDomain',
        'certificatesPerNameSet',
        'domains',
        'unlimitedServers',
        'notify',
      ],
    });
  }
  const certificatesPerDomain = readCount(config, {
    key: 'certificatesPerDomain',
    at: AT,
  });
  const certificatesPerNameSet = readCount(config, {
    key: 'certificatesPerNameSet',
    at: AT,
  });
  const unlimitedServers = config
    ?.getOptionalStringArray('unlimitedServers')
    ?.map((value, index) =>
      checkedHost(value, { at: `${AT}.unlimitedServers[${index}]` }),
    );
  return {
    ...(certificatesPerDomain && { certificatesPerDomain }),
    ...(certificatesPerNameSet && { certificatesPerNameSet }),
    domains: readDomains(config),
    ...(unlimitedServers && { unlimitedServers }),
    notify: readNotified(config),
  };
}
