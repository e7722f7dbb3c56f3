/* eslint-disable no-script-url -- hostile on purpose */
import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { isClaimAllowed, readPreviewsConfig, withModuleClusters } from '.';

function read(data: JsonObject) {
  return readPreviewsConfig(new ConfigReader(data, 'app-config.yaml'));
}

describe('readPreviewsConfig', () => {
  it('accepts that nothing is configured', () => {
    expect(read({})).toEqual({
      gitlab: [],
      clusters: [],
      unsupportedClusters: [],
      schedule: {
        gitlabPollMilliseconds: 60_000,
        gitlabStaleAfterMilliseconds: 180_000,
        clusterRelistAfterMilliseconds: 300_000,
        clusterStaleAfterMilliseconds: 600_000,
        catalogPollMilliseconds: 60_000,
        dnsPollMilliseconds: 300_000,
        dnsStaleAfterMilliseconds: 900_000,
        checksMilliseconds: 600_000,
      },
      grace: { minimumMilliseconds: 900_000 },
      certificates: { challengeBlockedAfterMilliseconds: 1_800_000 },
      dns: { route53: [], graceMilliseconds: 300_000 },
      retentionMilliseconds: 180 * 86_400_000,
      urls: { allowedDomains: [] },
      catalog: { projectClaims: 'checked', allow: [] },
      acme: { domains: [], notify: [] },
      checks: { tokens: [] },
      tiers: [{ name: 'dev' }, { name: 'staging' }, { name: 'prod' }],
      argocd: { webUrls: {}, instances: [] },
      ttl: { idleSeconds: 'never', warnBeforeSeconds: 86_400 },
      notifications: { enabled: false, failed: true, reclaim: true },
    });
  });

  it.each<[string, JsonObject, Partial<ReturnType<typeof read>>]>([
    [
      'tiers in the order of a release, by their own names',
      {
        tiers: [
          { name: 'test' },
          { name: 'production', applications: '*-live' },
        ],
      },
      {
        tiers: [
          { name: 'test' },
          { name: 'production', applications: '*-live' },
        ],
      },
    ],
    [
      'hosted zones, with how external-dns names its records',
      {
        dns: {
          grace: '10m',
          route53: [
            { hostedZone: '/hostedzone/Z0EXAMPLE1', region: 'eu-west-1' },
            {
              hostedZone: 'Z0EXAMPLE2',
              profile: 'dns-reader',
              endpoint: 'http://127.0.0.1:4566/',
              txtPrefix: '%{record_type}-Owner.',
              txtSuffix: '-x',
            },
          ],
        },
      },
      {
        dns: {
          graceMilliseconds: 600_000,
          route53: [
            {
              hostedZone: 'Z0EXAMPLE1',
              region: 'eu-west-1',
              affixes: { prefix: '', suffix: '' },
            },
            {
              hostedZone: 'Z0EXAMPLE2',
              profile: 'dns-reader',
              endpoint: 'http://127.0.0.1:4566',
              affixes: { prefix: '%{record_type}-owner.', suffix: '-x' },
            },
          ],
        },
      },
    ],
    [
      'durations in words and as objects',
      {
        schedule: { gitlabPoll: '30s', clusterStaleAfter: { minutes: 20 } },
        grace: { minimum: 'PT1H' },
        certificates: { challengeBlockedAfter: '10m' },
        retention: { days: 30 },
      },
      {
        schedule: {
          gitlabPollMilliseconds: 30_000,
          gitlabStaleAfterMilliseconds: 180_000,
          clusterRelistAfterMilliseconds: 300_000,
          clusterStaleAfterMilliseconds: 1_200_000,
          catalogPollMilliseconds: 60_000,
          dnsPollMilliseconds: 300_000,
          dnsStaleAfterMilliseconds: 900_000,
          checksMilliseconds: 600_000,
        },
        grace: { minimumMilliseconds: 3_600_000 },
        certificates: { challengeBlockedAfterMilliseconds: 600_000 },
        retentionMilliseconds: 30 * 86_400_000,
      },
    ],
    [
      'domains in lower case',
      { urls: { allowedDomains: ['Preview.Example.com', 'localhost'] } },
      { urls: { allowedDomains: ['preview.example.com', 'localhost'] } },
    ],
    [
      'claims',
      {
        catalog: {
          projectClaims: 'any',
          allow: [
            { project: 'shared/*' },
            {
              entityRef: 'Component:default/*',
              host: 'GitLab.example.com',
              project: 'other/app',
            },
          ],
        },
      },
      {
        catalog: {
          projectClaims: 'any',
          allow: [
            { project: 'shared/*' },
            {
              entityRef: 'component:default/*',
              host: 'gitlab.example.com',
              project: 'other/app',
            },
          ],
        },
      },
    ],
    [
      'notifications to owners',
      { notifications: { enabled: true } },
      { notifications: { enabled: true, failed: true, reclaim: true } },
    ],
    [
      'notifications of one kind alone',
      { notifications: { enabled: true, failed: false } },
      { notifications: { enabled: true, failed: false, reclaim: true } },
    ],
    [
      'a time to live of idle previews',
      { ttl: { idle: 'P7D', warnBefore: { hours: 12 } } },
      { ttl: { idleSeconds: 604_800, warnBeforeSeconds: 43_200 } },
    ],
    [
      'previews that are kept however idle they are',
      { ttl: { idle: 'never' } },
      { ttl: { idleSeconds: 'never', warnBeforeSeconds: 86_400 } },
    ],
    [
      'links to Argo CD, where those of clusters win',
      {
        argocd: {
          links: [
            { cluster: 'a', webUrl: 'https://argocd-a.example.com/' },
            { cluster: 'b', webUrl: 'https://argocd-b.example.com/argo/' },
          ],
        },
        clusters: [
          {
            name: 'a',
            inCluster: true,
            argocd: { webUrl: 'https://own.example.com' },
          },
        ],
      },
      {
        argocd: {
          instances: [],
          webUrls: {
            a: 'https://own.example.com',
            b: 'https://argocd-b.example.com/argo',
          },
        },
      },
    ],
    [
      'instances of Argo CD, whose UI is their own unless a link says otherwise',
      {
        argocd: {
          instances: [
            { name: 'one', url: 'https://argocd.example.com/', token: 't' },
            {
              name: 'two',
              url: 'https://internal.example.com/argo',
              skipTLSVerify: true,
              selector: 'previews/project-id',
            },
          ],
          links: [{ cluster: 'two', webUrl: 'https://two.example.com' }],
        },
      },
      {
        argocd: {
          instances: [
            {
              name: 'one',
              url: 'https://argocd.example.com',
              token: 't',
              skipTlsVerify: false,
            },
            {
              name: 'two',
              url: 'https://internal.example.com/argo',
              skipTlsVerify: true,
              selector: 'previews/project-id',
            },
          ],
          webUrls: {
            one: 'https://argocd.example.com',
            two: 'https://two.example.com',
          },
        },
      },
    ],
  ])('reads %s', (_, previews, expected) => {
    expect(read({ previews })).toMatchObject(expected);
  });

  describe('GitLab hosts', () => {
    it.each<[string, JsonObject, unknown]>([
      [
        'with a token of their own',
        {
          integrations: {
            gitlab: [
              {
                host: 'gitlab.example.com',
                baseUrl: 'https://gitlab.example.com/git',
                apiBaseUrl: 'https://gitlab.example.com/git/api/v4',
                token: 'of-integration',
              },
            ],
          },
          previews: {
            gitlab: [
              {
                host: 'GitLab.example.com',
                token: 'of-previews',
                webhookSecrets: ['new', 'old'],
              },
            ],
          },
        },
        [
          {
            host: 'gitlab.example.com',
            webUrl: 'https://gitlab.example.com/git',
            apiUrl: 'https://gitlab.example.com/git/api/v4',
            token: 'of-previews',
            tokenFrom: 'previews',
            webhookSecrets: ['new', 'old'],
          },
        ],
      ],
      [
        'with the token of the integration',
        {
          integrations: {
            gitlab: [
              {
                host: 'localhost:7171',
                baseUrl: 'http://localhost:7171',
                apiBaseUrl: 'http://localhost:7171/api/v4',
                token: 'of-integration',
              },
            ],
          },
        },
        [
          {
            host: 'localhost:7171',
            webUrl: 'http://localhost:7171',
            apiUrl: 'http://localhost:7171/api/v4',
            token: 'of-integration',
            tokenFrom: 'integrations',
            webhookSecrets: [],
          },
        ],
      ],
      [
        'with no integration and no token',
        { previews: { gitlab: [{ host: 'gitlab.com' }] } },
        [
          {
            host: 'gitlab.com',
            webUrl: 'https://gitlab.com',
            apiUrl: 'https://gitlab.com/api/v4',
            tokenFrom: 'none',
            webhookSecrets: [],
          },
        ],
      ],
    ])('%s', (_, data, expected) => {
      expect(read(data).gitlab).toEqual(expected);
    });
  });

  describe('clusters', () => {
    it.each<[string, JsonObject, unknown]>([
      ['in the cluster', { inCluster: true }, { type: 'inCluster' }],
      [
        'by kubeconfig',
        { kubeconfig: { file: '/k', context: 'c' } },
        { type: 'kubeconfig', file: '/k', context: 'c' },
      ],
      ['by the default kubeconfig', { kubeconfig: {} }, { type: 'kubeconfig' }],
      [
        'by URL and token',
        { url: 'https://c.example.com:6443/', token: 't', caData: 'Y2E=' },
        {
          type: 'url',
          url: 'https://c.example.com:6443',
          token: 't',
          caData: 'Y2E=',
          skipTlsVerify: false,
        },
      ],
      [
        'by URL and files',
        {
          url: 'https://c.example.com/k8s/clusters/c-1',
          tokenFile: '/t',
          caFile: '/ca',
          skipTLSVerify: true,
        },
        {
          type: 'url',
          url: 'https://c.example.com/k8s/clusters/c-1',
          tokenFile: '/t',
          caFile: '/ca',
          skipTlsVerify: true,
        },
      ],
    ])('are reached %s', (_, cluster, access) => {
      expect(
        read({
          previews: {
            clusters: [
              { name: 'c', argocdDestinations: ['alias'], ...cluster },
            ],
          },
        }).clusters,
      ).toEqual([{ name: 'c', access, argocdDestinations: ['alias'] }]);
    });

    const kubernetes = {
      clusterLocatorMethods: [
        {
          type: 'config',
          clusters: [
            {
              name: 'with-token',
              url: 'https://a.example.com',
              authProvider: 'serviceAccount',
              serviceAccountToken: 't',
              skipTLSVerify: true,
            },
            {
              name: 'own-pod',
              url: 'https://b.example.com',
              authMetadata: { 'kubernetes.io/auth-provider': 'serviceAccount' },
            },
            {
              name: 'of-users',
              url: 'https://c.example.com',
              authProvider: 'oidc',
            },
          ],
        },
        { type: 'localKubectlProxy' },
        { type: 'gke', projectId: 'p' },
      ],
    };

    it('of the Kubernetes plugin are used where none are named', () => {
      const { clusters, unsupportedClusters } = read({ kubernetes });
      expect(clusters).toEqual([
        {
          name: 'with-token',
          access: {
            type: 'url',
            url: 'https://a.example.com',
            token: 't',
            skipTlsVerify: true,
          },
          argocdDestinations: [],
        },
        {
          name: 'own-pod',
          access: { type: 'inCluster' },
          argocdDestinations: [],
        },
        {
          name: 'local',
          access: {
            type: 'url',
            url: 'http://localhost:8001',
            skipTlsVerify: false,
          },
          argocdDestinations: [],
        },
      ]);
      expect(unsupportedClusters).toEqual([
        {
          name: 'of-users',
          message: expect.stringMatching(/'oidc'.*previews\.clusters/),
        },
        {
          name: 'gke',
          message: expect.stringMatching(/'gke'.*previews\.clusters/),
        },
      ]);
    });

    it('of the Kubernetes plugin are left alone where some, or none, are named', () => {
      const named = read({
        kubernetes,
        previews: { clusters: [{ name: 'c', inCluster: true }] },
      });
      expect(named.clusters.map(({ name }) => name)).toEqual(['c']);
      expect(named.unsupportedClusters).toEqual([]);
      expect(read({ kubernetes, previews: { clusters: [] } }).clusters).toEqual(
        [],
      );
    });
  });

  describe('stops with the name of the key for', () => {
    const cluster = (fields: JsonObject): JsonObject => ({
      clusters: [{ name: 'c', ...fields }],
    });
    it.each<[string, JsonObject]>([
      ['previews.gitlb', { gitlb: [] }],
      ['previews.gitlab[0].host', { gitlab: [{}] }],
      ['previews.gitlab[0].host', { gitlab: [{ host: 7 }] }],
      ['previews.gitlab[0].host', { gitlab: [{ host: 'https://gitlab.com' }] }],
      ['previews.gitlab[0].host', { gitlab: [{ host: 'gitlab.com/group' }] }],
      [
        'previews.gitlab[1].host',
        { gitlab: [{ host: 'a.com' }, { host: 'A.com' }] },
      ],
      ['previews.gitlab[0].tokn', { gitlab: [{ host: 'a.com', tokn: 't' }] }],
      [
        'previews.gitlab[0].webhookSecrets',
        { gitlab: [{ host: 'a.com', webhookSecrets: 's' }] },
      ],
      ['previews.gitlab', { gitlab: { host: 'a.com' } }],
      ['previews.clusters[0].name', { clusters: [{ inCluster: true }] }],
      ['previews.clusters[0]', cluster({})],
      [
        'previews.clusters[0]',
        cluster({ inCluster: true, url: 'https://c.example.com' }),
      ],
      ['previews.clusters[0].inCluster', cluster({ inCluster: false })],
      ['previews.clusters[0].token', cluster({ inCluster: true, token: 't' })],
      [
        'previews.clusters[0].kubeconfig.path',
        cluster({ kubeconfig: { path: '/k' } }),
      ],
      ['previews.clusters[0].kubeconfig', cluster({ kubeconfig: '/k' })],
      ['previews.clusters[0].url', cluster({ url: 'c.example.com' })],
      ['previews.clusters[0].url', cluster({ url: 'ftp://c.example.com' })],
      [
        'previews.clusters[0].url',
        cluster({ url: 'https://user:pass@c.example.com' }),
      ],
      [
        'previews.clusters[0]',
        cluster({ url: 'https://c.example.com', token: 't', tokenFile: '/t' }),
      ],
      [
        'previews.clusters[0]',
        cluster({ url: 'https://c.example.com', caData: 'c', caFile: '/c' }),
      ],
      [
        'previews.clusters[0].skipTLSVerify',
        cluster({ url: 'https://c.example.com', skipTLSVerify: 'perhaps' }),
      ],
      [
        'previews.clusters[0].skipTlsVerify',
        cluster({ url: 'https://c.example.com', skipTlsVerify: true }),
      ],
      [
        'previews.clusters[0].argocd.webUrl',
        cluster({ inCluster: true, argocd: { webUrl: 'javascript:alert(1)' } }),
      ],
      [
        'previews.clusters[0].argocd.url',
        cluster({ inCluster: true, argocd: { url: 'https://a.example.com' } }),
      ],
      [
        'previews.clusters[1].name',
        {
          clusters: [
            { name: 'c', inCluster: true },
            { name: 'c', inCluster: true },
          ],
        },
      ],
      ['previews.schedule.gitlabPol', { schedule: { gitlabPol: '1m' } }],
      ['previews.schedule.gitlabPoll', { schedule: { gitlabPoll: 'soon' } }],
      [
        'previews.schedule.gitlabPoll',
        { schedule: { gitlabPoll: { seconds: 0 } } },
      ],
      [
        'previews.schedule.catalogPoll',
        { schedule: { catalogPoll: { fortnights: 1 } } },
      ],
      ['previews.schedule', { schedule: 'PT1M' }],
      [
        'previews.certificates.blockedAfter',
        { certificates: { blockedAfter: '1h' } },
      ],
      [
        'previews.certificates.challengeBlockedAfter',
        { certificates: { challengeBlockedAfter: 'soon' } },
      ],
      ['previews.grace.minimun', { grace: { minimun: '1h' } }],
      ['previews.grace.minimum', { grace: { minimum: { minutes: -1 } } }],
      ['previews.retention', { retention: 'for ever' }],
      ['previews.urls.domains', { urls: { domains: [] } }],
      ['previews.tiers[0].name', { tiers: [{ name: 'Prod!' }] }],
      ['previews.tiers[1].name', { tiers: [{ name: 'dev' }, { name: 'dev' }] }],
      [
        'previews.tiers[0].applications',
        { tiers: [{ name: 'dev', applications: '(a+)+' }] },
      ],
      [
        'previews.urls.allowedDomains[1]',
        { urls: { allowedDomains: ['a.com', 'https://b.com'] } },
      ],
      [
        'previews.urls.allowedDomains[0]',
        { urls: { allowedDomains: ['*.a.com'] } },
      ],
      [
        'previews.catalog.projectClaims',
        { catalog: { projectClaims: 'some' } },
      ],
      ['previews.catalog.allowed', { catalog: { allowed: [] } }],
      ['previews.catalog.allow[0].project', { catalog: { allow: [{}] } }],
      [
        'previews.catalog.allow[0].project',
        { catalog: { allow: [{ project: 'https://gitlab.com/group' }] } },
      ],
      [
        'previews.catalog.allow[0].entityRef',
        { catalog: { allow: [{ entityRef: 'shop', project: 'a/*' }] } },
      ],
      [
        'previews.argocd.links[0].webUrl',
        { argocd: { links: [{ cluster: 'c' }] } },
      ],
      [
        'previews.argocd.links[0].webUrl',
        { argocd: { links: [{ cluster: 'c', webUrl: 'argocd' }] } },
      ],
      [
        'previews.argocd.instances[0].url',
        { argocd: { instances: [{ name: 'a' }] } },
      ],
      [
        'previews.argocd.instances[0].url',
        { argocd: { instances: [{ name: 'a', url: 'argocd' }] } },
      ],
      [
        'previews.argocd.instances[0].tokenFile',
        {
          argocd: {
            instances: [
              { name: 'a', url: 'https://a.example.com', tokenFile: '/t' },
            ],
          },
        },
      ],
      [
        'previews.argocd.instances[1].name',
        {
          argocd: {
            instances: [
              { name: 'a', url: 'https://a.example.com' },
              { name: 'a', url: 'https://b.example.com' },
            ],
          },
        },
      ],
      [
        'previews.argocd.instances[0].name',
        {
          clusters: [{ name: 'a', inCluster: true }],
          argocd: { instances: [{ name: 'a', url: 'https://a.example.com' }] },
        },
      ],
      [
        'previews.argocd.webUrl',
        { argocd: { webUrl: 'https://a.example.com' } },
      ],
      ['previews.dns.zones', { dns: { zones: [] } }],
      ['previews.dns.grace', { dns: { grace: 'soon' } }],
      ['previews.dns.route53[0].hostedZone', { dns: { route53: [{}] } }],
      ...(
        [
          ['hostedZone', 'example.com'],
          ['region', 'Ireland'],
          ['profile', 'two words'],
          ['endpoint', 'route53'],
          ['txtPrefix', 'a b'],
          ['txtSuffix', '%{type}'],
          ['zone', 'Z1'],
          ['accessKeyId', 'AKIAEXAMPLE'],
          ['secretAccessKey', 'hidden'],
          ['sessionToken', 'hidden'],
          ['credentials', {}],
        ] as const
      ).map(([key, value]): [string, JsonObject] => [
        `previews.dns.route53[0].${key}`,
        { dns: { route53: [{ hostedZone: 'Z1', [key]: value }] } },
      ]),
      [
        'previews.dns.route53[1].hostedZone',
        {
          dns: {
            route53: [{ hostedZone: 'Z1' }, { hostedZone: '/hostedzone/Z1' }],
          },
        },
      ],
    ])('%s in %j', (key, previews) => {
      expect(() => read({ previews })).toThrow(
        expect.objectContaining({
          name: 'InputError',
          message: expect.stringContaining(`'${key}`),
        }),
      );
    });

    it('a secret, without telling it', () => {
      const previews = cluster({ url: 'https://user:s3cret@c.example.com' });
      expect(() => read({ previews })).toThrow(
        expect.objectContaining({
          message: expect.not.stringContaining('s3cret'),
        }),
      );
    });

    it('all parts that are malformed, at once', () => {
      const previews = {
        schedule: { gitlabPoll: 'soon' },
        ttl: [],
        urls: { allowedDomains: ['https://example.com'] },
        unknown: true,
      };
      expect(() => read({ previews })).toThrow(
        expect.objectContaining({
          name: 'InputError',
          message: expect.stringMatching(
            /^4 parts .*previews\.unknown.*previews\.schedule\.gitlabPoll.*previews\.urls\.allowedDomains\[0\].*previews\.ttl/,
          ),
        }),
      );
    });

    it('previews itself', () => {
      expect(() => read({ previews: 'on' })).toThrow(/'previews'/);
    });
  });
});

describe('isClaimAllowed', () => {
  const claim = {
    entityRef: 'component:default/shop',
    host: 'gitlab.example.com',
    projectPath: 'group/sub/shop',
  };

  it.each([
    [false, 'no entry', []],
    [true, 'the project itself', [{ project: 'group/sub/shop' }]],
    [true, 'another case', [{ project: 'Group/Sub/Shop' }]],
    [true, 'the group', [{ project: 'group/*' }]],
    [true, 'everything', [{ project: '*' }]],
    [true, 'the middle', [{ project: 'group/*/shop' }]],
    [true, 'two parts', [{ project: 'g*/s*p' }]],
    [false, 'another group', [{ project: 'grou/*' }]],
    [false, 'only the beginning', [{ project: 'group' }]],
    [false, 'parts that would overlap', [{ project: 'group/sub/shop*shop' }]],
    [false, 'no regular expression', [{ project: 'group.sub.shop' }]],
    [true, 'the host', [{ host: 'gitlab.example.com', project: '*' }]],
    [false, 'another host', [{ host: 'gitlab.com', project: '*' }]],
    [true, 'the entity', [{ entityRef: 'component:default/*', project: '*' }]],
    [
      false,
      'another entity',
      [{ entityRef: 'component:other/*', project: '*' }],
    ],
    [true, 'the second entry', [{ project: 'a' }, { project: 'group/*' }]],
  ])('is %s for %s', (expected, _, allow) => {
    expect(isClaimAllowed(allow, claim)).toBe(expected);
  });
});

describe('withModuleClusters', () => {
  const config = read({
    previews: {
      clusters: [{ name: 'own', inCluster: true }],
      argocd: { instances: [{ name: 'argo', url: 'https://c.example.com' }] },
    },
  });

  it('adds those of modules and of their providers', async () => {
    const result = await withModuleClusters(config, {
      clusters: [
        {
          name: 'added',
          url: 'https://a.example.com/',
          token: 't',
          argocdWebUrl: 'https://argocd.example.com/',
        },
      ],
      providers: [
        {
          getClusters: async () => [
            { name: 'provided', url: 'https://b.example.com', tokenFile: '/t' },
          ],
        },
      ],
    });
    expect(result.clusters).toMatchObject([
      { name: 'own' },
      { name: 'added', access: { url: 'https://a.example.com', token: 't' } },
      { name: 'provided', access: { tokenFile: '/t', skipTlsVerify: false } },
    ]);
    expect(result.argocd).toEqual({
      ...config.argocd,
      webUrls: {
        added: 'https://argocd.example.com',
        argo: 'https://c.example.com',
      },
    });
  });

  it.each([
    [
      'a name that is taken',
      { name: 'own', url: 'https://a.example.com' },
      /'own'/,
    ],
    [
      'the name of an Argo CD',
      { name: 'argo', url: 'https://a.example.com' },
      /'argo'/,
    ],
    ['no name', { name: '', url: 'https://a.example.com' }, /empty/],
    ['no URL', { name: 'added', url: 'a.example.com' }, /'added'/],
  ])('rejects %s', async (_, cluster, message) => {
    await expect(
      withModuleClusters(config, { clusters: [cluster], providers: [] }),
    ).rejects.toThrow(message);
  });
});
