import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { assertKnownKeys, readMilliseconds } from './checks';
import { domainPattern } from './domains';
import { AllowedNetwork, ProbeConfig } from './types';

const AT = 'previews.probe';
const KEYS = [
  'enabled',
  'domains',
  'allowedNetworks',
  'port',
  'every',
  'timeout',
  'concurrency',
  'caFile',
];
const MAXIMUM_CONCURRENCY = 50;

/**
 * `previews.probe`; undefined unless it is enabled. What is written is checked either
 * way, so that a mistake does not wait for the day that it is switched on.
 */
export function readProbeConfig(
  config: Config | undefined,
): ProbeConfig | undefined {
  if (!config) {
    return undefined;
  }
  assertKnownKeys(config, { at: AT, known: KEYS });
  const enabled = config.getOptionalBoolean('enabled') ?? false;
  const probe: ProbeConfig = {
    domains: readDomains(config),
    allowedNetworks: readNetworks(config),
    port: readInteger(config, { key: 'port', default: 443, maximum: 65_535 }),
    everyMilliseconds: readMilliseconds(config, {
      key: 'every',
      at: AT,
      default: 300_000,
    }),
    timeoutMilliseconds: readMilliseconds(config, {
      key: 'timeout',
      at: AT,
      default: 10_000,
    }),
    concurrency: readInteger(config, {
      key: 'concurrency',
      default: 4,
      maximum: MAXIMUM_CONCURRENCY,
    }),
    caCertificates: readAuthorities(config.getOptionalString('caFile')),
  };
  if (!enabled) {
    return undefined;
  }
  if (probe.domains.length === 0) {
    throw new InputError(
      `Config value at '${AT}.domains' must name at least one domain, since no other host is visited`,
    );
  }
  return probe;
}

function readDomains(config: Config): string[] {
  return (config.getOptionalStringArray('domains') ?? []).map(
    (value, index) => {
      const domain = value.toLocaleLowerCase('en-US');
      if (!domainPattern.test(domain)) {
        throw new InputError(
          `Config value at '${AT}.domains[${index}]' must be a domain such as 'preview.example.com', without a scheme, port, path or wildcard`,
        );
      }
      return domain;
    },
  );
}

function readNetworks(config: Config): AllowedNetwork[] {
  return (config.getOptionalStringArray('allowedNetworks') ?? []).map(
    (value, index) => {
      const network = parseNetwork(value);
      if (!network) {
        throw new InputError(
          `Config value at '${AT}.allowedNetworks[${index}]' must be a range of addresses such as '10.0.0.0/8' or 'fd00::/8'`,
        );
      }
      return network;
    },
  );
}

function parseNetwork(text: string): AllowedNetwork | undefined {
  const [address, digits, ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(digits ?? '')) {
    return undefined;
  }
  const prefix = Number(digits);
  if (isIPv4(address)) {
    return prefix <= 32 ? { address, prefix, family: 'ipv4' } : undefined;
  }
  return isIPv6(address) && !address.includes('%') && prefix <= 128
    ? { address, prefix, family: 'ipv6' }
    : undefined;
}

function readInteger(
  config: Config,
  options: { key: string; default: number; maximum: number },
): number {
  const { key, maximum } = options;
  const value = config.getOptionalNumber(key) ?? options.default;
  if (!Number.isInteger(value) || value < 1 || value > maximum) {
    throw new InputError(
      `Config value at '${AT}.${key}' must be a whole number from 1 to ${maximum}`,
    );
  }
  return value;
}

/** Certificates of a PEM file, one by one. */
function readAuthorities(file: string | undefined): string[] {
  if (file === undefined) {
    return [];
  }
  let certificates: string[];
  try {
    const blocks =
      readFileSync(file, 'utf8').match(
        /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
      ) ?? [];
    certificates = blocks.map(block => new X509Certificate(block).toString());
  } catch (error) {
    throw new InputError(
      `Config value at '${AT}.caFile' must be a file with certificates in PEM`,
      error,
    );
  }
  if (certificates.length === 0) {
    throw new InputError(
      `Config value at '${AT}.caFile' must be a file with certificates in PEM`,
    );
  }
  return certificates;
}
