import { Config } from '@backstage/config';
import { InputError, isError } from '@backstage/errors';
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
import { assertTemplates } from './templates';
import { readTiers } from './tiers';
import { readTtlConfig } from './ttl';
import { PreviewsConfig, ScheduleConfig } from './types';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

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

function read(rootConfig: Config): PreviewsConfig {
  const config = rootConfig.getOptionalConfig('previews');
  if (config) {
    assertKnownKeys(config, {
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
    });
  }
  const grace = config?.getOptionalConfig('grace');
  if (grace) {
    assertKnownKeys(grace, { at: 'previews.grace', known: ['minimum'] });
  }
  const certificates = config?.getOptionalConfig('certificates');
  if (certificates) {
    assertKnownKeys(certificates, {
      at: 'previews.certificates',
      known: ['challengeBlockedAfter'],
    });
  }
  assertTemplates(config?.getOptionalConfig('templates'));
  const gitlab = readGitLabHosts(rootConfig);
  const { clusters, unsupportedClusters, argocdWebUrls } =
    readClusters(rootConfig);
  const argocd = readArgocdConfig(config?.getOptionalConfig('argocd'), {
    clusters,
  });
  const probe = readProbeConfig(config?.getOptionalConfig('probe'));
  return {
    gitlab,
    clusters,
    unsupportedClusters,
    schedule: readSchedule(config?.getOptionalConfig('schedule')),
    grace: {
      minimumMilliseconds: readMilliseconds(grace, {
        key: 'minimum',
        at: 'previews.grace',
        default: 15 * MINUTE,
      }),
    },
    certificates: {
      challengeBlockedAfterMilliseconds: readMilliseconds(certificates, {
        key: 'challengeBlockedAfter',
        at: 'previews.certificates',
        default: 30 * MINUTE,
      }),
    },
    dns: readDnsConfig(config?.getOptionalConfig('dns')),
    retentionMilliseconds: readMilliseconds(config, {
      key: 'retention',
      at: 'previews',
      default: 180 * DAY,
    }),
    urls: {
      allowedDomains: readAllowedDomains(config?.getOptionalConfig('urls')),
    },
    catalog: readCatalogConfig(config?.getOptionalConfig('catalog')),
    acme: readAcmeConfig(config?.getOptionalConfig('acme')),
    tiers: readTiers(config),
    checks: {
      tokens: readNamedTokens(config?.getOptionalConfig('checks'), { gitlab }),
    },
    ...(probe && { probe }),
    argocd: {
      ...argocd,
      webUrls: { ...argocd.webUrls, ...argocdWebUrls },
    },
    ttl: readTtlConfig(config?.getOptionalConfig('ttl')),
    notifications: readNotificationsConfig(
      config?.getOptionalConfig('notifications'),
    ),
  };
}

/**
 * Reads the whole configuration once, at start-up. Nothing configured at all is
 * valid.
 *
 * @throws InputError that names the key, for an unknown key under `previews` or
 *   a malformed value. Values are never part of it.
 */
export function readPreviewsConfig(rootConfig: Config): PreviewsConfig {
  try {
    return read(rootConfig);
  } catch (error) {
    if (isError(error) && error.name !== 'InputError') {
      // The reader's own errors name the key, but are no input errors.
      throw new InputError('The configuration is malformed', error);
    }
    throw error;
  }
}
