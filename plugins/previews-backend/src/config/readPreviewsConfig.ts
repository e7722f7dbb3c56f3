import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { readAcmeConfig } from './acme';
import { readArgocdConfig } from './argocd';
import { readCatalogConfig } from './catalog';
import { assertKnownKeys, readMilliseconds } from './checks';
import { readClusters } from './clusters';
import { readDnsConfig } from './dns';
import { domainPattern } from './domains';
import { readGitLabHosts } from './gitlab';
import { readNamedTokens } from './namedTokens';
import { readNotificationsConfig } from './notifications';
import { readProbeConfig } from './probe';
import { readParts } from './readParts';
import { assertTemplates } from './templates';
import { readTiers } from './tiers';
import { readTtlConfig } from './ttl';
import { PreviewsConfig, ScheduleConfig } from './types';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const KNOWN = {
  at: 'previews',
  known: [
    'gitlab',
    'clusters',
    'schedule',
    'grace',
    'certificates',
    'dns',
    'retention',
    'urls',
    'catalog',
    'acme',
    'checks',
    'probe',
    'argocd',
    'ttl',
    'notifications',
    'templates',
    'tiers',
  ],
};

function readSchedule(config: Config | undefined): ScheduleConfig {
  const at = 'previews.schedule';
  if (config) {
    assertKnownKeys(config, {
      at,
      known: [
        'gitlabPoll',
        'gitlabStaleAfter',
        'clusterRelistAfter',
        'clusterStaleAfter',
        'catalogPoll',
        'dnsPoll',
        'dnsStaleAfter',
        'checks',
      ],
    });
  }
  const millisecondsOf = (key: string, defaultValue: number) =>
    readMilliseconds(config, { key, at, default: defaultValue });
  return {
    gitlabPollMilliseconds: millisecondsOf('gitlabPoll', 60 * SECOND),
    gitlabStaleAfterMilliseconds: millisecondsOf(
      'gitlabStaleAfter',
      180 * SECOND,
    ),
    clusterRelistAfterMilliseconds: millisecondsOf(
      'clusterRelistAfter',
      5 * MINUTE,
    ),
    clusterStaleAfterMilliseconds: millisecondsOf(
      'clusterStaleAfter',
      10 * MINUTE,
    ),
    catalogPollMilliseconds: millisecondsOf('catalogPoll', 60 * SECOND),
    dnsPollMilliseconds: millisecondsOf('dnsPoll', 5 * MINUTE),
    dnsStaleAfterMilliseconds: millisecondsOf('dnsStaleAfter', 15 * MINUTE),
    checksMilliseconds: millisecondsOf('checks', 10 * MINUTE),
  };
}

function readAllowedDomains(config: Config | undefined): string[] {
  if (!config) {
    return [];
  }
  assertKnownKeys(config, { at: 'previews.urls', known: ['allowedDomains'] });
  return (config.getOptionalStringArray('allowedDomains') ?? []).map(
    (value, index) => {
      const domain = value.toLocaleLowerCase('en-US');
      if (!domainPattern.test(domain)) {
        throw new InputError(
          `Config value at 'previews.urls.allowedDomains[${index}]' must be a domain such as 'preview.example.com', without a scheme, port, path or wildcard`,
        );
      }
      return domain;
    },
  );
}

function readGrace(config: Config | undefined): PreviewsConfig['grace'] {
  const at = 'previews.grace';
  if (config) {
    assertKnownKeys(config, { at, known: ['minimum'] });
  }
  return {
    minimumMilliseconds: readMilliseconds(config, {
      key: 'minimum',
      at,
      default: 15 * MINUTE,
    }),
  };
}

function readCertificates(
  config: Config | undefined,
): PreviewsConfig['certificates'] {
  const at = 'previews.certificates';
  if (config) {
    assertKnownKeys(config, { at, known: ['challengeBlockedAfter'] });
  }
  return {
    challengeBlockedAfterMilliseconds: readMilliseconds(config, {
      key: 'challengeBlockedAfter',
      at,
      default: 30 * MINUTE,
    }),
  };
}

function readClustersAndArgocd(
  rootConfig: Config,
): Pick<PreviewsConfig, 'clusters' | 'unsupportedClusters' | 'argocd'> {
  const { clusters, unsupportedClusters, argocdWebUrls } =
    readClusters(rootConfig);
  const argocd = readArgocdConfig(
    rootConfig.getOptionalConfig('previews.argocd'),
    { clusters },
  );
  return {
    clusters,
    unsupportedClusters,
    argocd: { ...argocd, webUrls: { ...argocd.webUrls, ...argocdWebUrls } },
  };
}

function readGitLabAndTokens(
  rootConfig: Config,
): Pick<PreviewsConfig, 'gitlab' | 'checks'> {
  const gitlab = readGitLabHosts(rootConfig);
  const tokens = readNamedTokens(
    rootConfig.getOptionalConfig('previews.checks'),
    { gitlab },
  );
  return { gitlab, checks: { tokens } };
}

/**
 * Reads the whole configuration once, at start-up. Nothing configured at all is
 * valid.
 *
 * @throws InputError that names the keys, for unknown keys under `previews` and
 *   malformed values. Values are never part of it.
 */
export function readPreviewsConfig(rootConfig: Config): PreviewsConfig {
  const { config } = readParts({
    config: () => rootConfig.getOptionalConfig('previews'),
  });
  const part = (key: string) => config?.getOptionalConfig(key);
  const { keys, templates, hosts, platform, probe, retention, ...parts } =
    readParts({
      keys: () => config && assertKnownKeys(config, KNOWN),
      templates: () => assertTemplates(part('templates')),
      hosts: () => readGitLabAndTokens(rootConfig),
      platform: () => readClustersAndArgocd(rootConfig),
      schedule: () => readSchedule(part('schedule')),
      grace: () => readGrace(part('grace')),
      certificates: () => readCertificates(part('certificates')),
      dns: () => readDnsConfig(part('dns')),
      retention: () =>
        readMilliseconds(config, {
          key: 'retention',
          at: 'previews',
          default: 180 * DAY,
        }),
      urls: () => ({ allowedDomains: readAllowedDomains(part('urls')) }),
      catalog: () => readCatalogConfig(part('catalog')),
      acme: () => readAcmeConfig(part('acme')),
      tiers: () => readTiers(config),
      probe: () => readProbeConfig(part('probe')),
      ttl: () => readTtlConfig(part('ttl')),
      notifications: () => readNotificationsConfig(part('notifications')),
    });
  return {
    ...hosts,
    ...platform,
    ...parts,
    ...(probe && { probe }),
    retentionMilliseconds: retention,
  };
}
