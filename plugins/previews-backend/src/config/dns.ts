import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { assertKnownKeys, checkedBaseUrl, readMilliseconds } from './checks';
import { DnsConfig, Route53ZoneConfig } from './types';

const MINUTE = 60_000;

const ZONE_KEYS = [
  'hostedZone',
  'region',
  'profile',
  'endpoint',
  'txtPrefix',
  'txtSuffix',
];

/** What a key for credentials may be called. */
const CREDENTIALS = /key|secret|token|credential|password/i;

function readText(
  config: Config,
  options: { key: string; at: string; pattern: RegExp; expected: string },
): string | undefined {
  const { key, at, pattern, expected } = options;
  const value = config.getOptionalString(key);
  if (value !== undefined && !pattern.test(value)) {
    throw new InputError(`Config value at '${at}.${key}' must be ${expected}`);
  }
  return value;
}

function readZone(entry: Config, at: string): Route53ZoneConfig {
  const credential = entry
    .keys()
    .find(key => !ZONE_KEYS.includes(key) && CREDENTIALS.test(key));
  if (credential !== undefined) {
    throw new InputError(
      `Config key '${at}.${credential}' is refused: AWS credentials are not configured here, but come from the chain of the AWS SDK, such as the web identity of the pod`,
    );
  }
  assertKnownKeys(entry, { at, known: ZONE_KEYS });
  const text = (key: string, pattern: RegExp, expected: string) =>
    readText(entry, { key, at, pattern, expected });
  const affix = (key: string) =>
    text(
      key,
      /^([a-z0-9._-]|%\{record_type\})*$/i,
      `what external-dns takes, such as 'owner-' or '%{record_type}-owner.'`,
    )?.toLowerCase() ?? '';
  entry.getString('hostedZone');
  const hostedZone = text(
    'hostedZone',
    /^(\/hostedzone\/)?[A-Z0-9]{1,32}$/,
    `the id of a hosted zone, such as 'Z0123456789ABCDEFGHIJ'`,
  )!.replace('/hostedzone/', '');
  const region = text(
    'region',
    /^[a-z]{2,}(-[a-z]+)+-\d+$/,
    `a region, such as 'eu-west-1'`,
  );
  const profile = text('profile', /^\S+$/, 'the name of a profile');
  const endpoint = entry.getOptionalString('endpoint');
  return {
    hostedZone,
    ...(region !== undefined && { region }),
    ...(profile !== undefined && { profile }),
    ...(endpoint !== undefined && {
      endpoint: checkedBaseUrl(endpoint, { at: `${at}.endpoint` }),
    }),
    affixes: { prefix: affix('txtPrefix'), suffix: affix('txtSuffix') },
  };
}

/** `previews.dns`. */
export function readDnsConfig(config: Config | undefined): DnsConfig {
  const at = 'previews.dns';
  if (config) {
    assertKnownKeys(config, { at, known: ['route53', 'grace'] });
  }
  const route53: Route53ZoneConfig[] = [];
  (config?.getOptionalConfigArray('route53') ?? []).forEach((entry, index) => {
    const zone = readZone(entry, `${at}.route53[${index}]`);
    if (route53.some(({ hostedZone }) => hostedZone === zone.hostedZone)) {
      throw new InputError(
        `Config value at '${at}.route53[${index}].hostedZone' names a hosted zone that an earlier entry has already`,
      );
    }
    route53.push(zone);
  });
  return {
    route53,
    graceMilliseconds: readMilliseconds(config, {
      key: 'grace',
      at,
      default: 5 * MINUTE,
    }),
  };
}
