import { mockServices } from '@backstage/backend-test-utils';
import { ListFindingsResponse } from '@previews/backstage-plugin-previews-common';
// What is held here is the source itself, with the real SDK; it is no public part of the package.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { DefaultRoute53Source } from '@previews/backstage-plugin-previews-backend/src/sources/dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AwsServer,
  createRandom,
  createRealClock,
  DnsZones,
  RealClock,
  Simulator,
  startAwsServer,
} from 'simulator';
import { freePort } from '../support/freePort';
import {
  condition,
  MergeRequestReference,
  StartedPlugin,
  startPlugin,
} from '../support/startPlugin';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const ZONE = 'Z0SIMULATED1';
const PROJECT = 'shop/checkout';
/** An identity of the account, which nobody has to know. */
const IDENTITY = /arn:aws|\b\d{12}\b|AKIA|ASIA|assumed-role/;

const variables = process.env;

/** Nothing of the machine's own AWS is found by the SDK. */
function useVariables(own: Record<string, string>) {
  process.env = {
    ...Object.fromEntries(
      Object.entries(variables).filter(([name]) => !name.startsWith('AWS_')),
    ),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    ...own,
  };
}

afterAll(() => {
  process.env = variables;
});

describe('the source of a hosted zone, with the AWS SDK', () => {
  let server: AwsServer;
  let zones: DnsZones;
  let clock: RealClock;
  let stop: AbortController;
  let directory: string;

  beforeEach(async () => {
    clock = createRealClock({ speed: 1 });
    zones = new DnsZones({ clock, random: createRandom(1) });
    zones.addZone({ name: 'example.com', id: ZONE });
    server = await startAwsServer({ zones, clock });
    stop = new AbortController();
    directory = await mkdtemp(join(tmpdir(), 'previews-dns-'));
    useVariables({
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
    });
  });

  afterEach(async () => {
    stop.abort();
    clock.stop();
    await server.close();
    await rm(directory, { recursive: true });
  });

  function start(options: { profile?: string; poll?: number } = {}) {
    const source = DefaultRoute53Source.create({
      config: {
        hostedZone: ZONE,
        endpoint: server.url,
        ...(options.profile && { profile: options.profile }),
        affixes: { prefix: '', suffix: '' },
      },
      schedule: {
        dnsPollMilliseconds: options.poll ?? 60_000,
        dnsStaleAfterMilliseconds: 900_000,
      },
      logger: mockServices.logger.mock({
        child: () => mockServices.logger.mock(),
      }),
      delays: { betweenPages: 1, backOffStart: 20 },
    });
    source.start({ signal: stop.signal });
    return source;
  }

  const until = (source: DefaultRoute53Source, status: 'fresh' | 'failing') =>
    waitFor(`a source that is ${status}`, () => {
      const state = source.state(new Date());
      return state.status === status ? state : undefined;
    });

  it('follows pages in the middle of sets of one name and type', async () => {
    zones.change(
      ZONE,
      Array.from({ length: 700 }, (_, index) => ({
        action: 'CREATE' as const,
        recordSet: {
          name: '_acme-challenge.mr-7.example.com',
          type: 'TXT',
          ttl: 10,
          multiValueAnswer: true,
          setIdentifier: `"${String(index).padStart(4, '0')}"`,
          values: [`"${String(index).padStart(4, '0')}"`],
        },
      })),
    );
    zones.change(ZONE, [
      {
        action: 'CREATE',
        recordSet: {
          name: '*.preview.example.com',
          type: 'A',
          ttl: 60,
          values: ['192.0.2.1'],
        },
      },
      {
        action: 'CREATE',
        recordSet: {
          name: 'mr-9.preview.example.com',
          type: 'A',
          alias: {
            hostedZoneId: 'ZLOADBALANCER',
            dnsName: 'lb.example.net',
            evaluateTargetHealth: true,
          },
        },
      },
      {
        action: 'CREATE',
        recordSet: {
          name: 'a-mr-9.preview.example.com',
          type: 'TXT',
          ttl: 300,
          values: [
            '"heritage=external-dns,external-dns/owner=edge,external-dns/resource=httproute/preview-mr-9/shop"',
          ],
        },
      },
    ]);
    const source = start();
    await until(source, 'fresh');
    expect(source.reading().domain).toBe('example.com');
    expect([...source.reading().records.values()].flat()).toEqual([
      { name: '_acme-challenge.mr-7.example.com', type: 'TXT' },
      {
        name: 'a-mr-9.preview.example.com',
        type: 'TXT',
        ownership: { owner: 'edge', resource: 'httproute/preview-mr-9/shop' },
      },
      { name: 'mr-9.preview.example.com', type: 'A' },
    ]);
    expect(new Set(server.requests.map(({ operation }) => operation))).toEqual(
      new Set(['ListResourceRecordSets']),
    );
    expect(server.requests).toHaveLength(3);
  });

  async function useWebIdentity(own: Record<string, string>) {
    const file = join(directory, 'token');
    await writeFile(file, 'a-token-of-the-pod');
    useVariables({
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_STS: server.stsUrl,
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      ...own,
    });
    return file;
  }

  it('reads as the role of the pod’s web identity, without any key', async () => {
    await useWebIdentity({
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/portal',
    });
    await until(start(), 'fresh');
    expect(
      server.requests.map(({ operation, principal = '' }) => [
        operation,
        principal.split('/').slice(0, 2).join('/'),
      ]),
    ).toEqual([
      ['AssumeRoleWithWebIdentity', ''],
      [
        'ListResourceRecordSets',
        'arn:aws:sts::123456789012:assumed-role/portal',
      ],
    ]);
  });

  it('reads as the role of a profile', async () => {
    const config = join(directory, 'config');
    const file = await useWebIdentity({ AWS_CONFIG_FILE: config });
    await writeFile(
      config,
      `[profile dns-reader]\nrole_arn = arn:aws:iam::123456789012:role/dns-reader\nweb_identity_token_file = ${file}\n`,
    );
    await until(start({ profile: 'dns-reader' }), 'fresh');
    expect(server.requests[1].principal).toMatch(/assumed-role\/dns-reader\//);
  });

  it('says that the role may not be assumed, and not which', async () => {
    await useWebIdentity({
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/portal',
    });
    server.faults.denyAssumeRole = true;
    const state = await until(start(), 'failing');
    expect(state.errors).toMatchObject([{ reason: 'Forbidden' }]);
    expect(JSON.stringify(state)).not.toMatch(IDENTITY);
  });

  it.each([
    ['denied', 'Forbidden', (one: AwsServer) => one.faults.deny()],
    ['throttled', 'RateLimited', (one: AwsServer) => one.faults.throttle()],
    [
      'without the zone',
      'NotFound',
      (one: AwsServer) => one.faults.hideZone(ZONE),
    ],
    [
      'down',
      'ServerError',
      (one: AwsServer) => {
        one.faults.failing = 503;
      },
    ],
  ])(
    'is failing while it is %s, and heals by itself',
    async (_, reason, fail) => {
      const source = start({ poll: 20 });
      await until(source, 'fresh');
      const { domain } = source.reading();
      fail(server);
      const state = await until(source, 'failing');
      expect(state.errors).toMatchObject([{ reason }]);
      expect(JSON.stringify(state)).not.toMatch(IDENTITY);
      expect(source.reading()).toMatchObject({ state: 'failing', domain });
      server.faults.clear();
      expect((await until(source, 'fresh')).errors).toEqual([]);
    },
  );
});

describe('records in DNS after a merge request is closed', () => {
  let plugin: StartedPlugin;
  let simulator: Simulator;
  const source = `dns:${ZONE}`;

  beforeAll(async () => {
    const awsPort = await freePort();
    plugin = await startPlugin({
      simulator: { speed: 20, awsPort },
      scenario: ({ scenario, aws }) => {
        useVariables({
          AWS_REGION: 'eu-west-1',
          AWS_ACCESS_KEY_ID: aws.credentials.accessKeyId,
          AWS_SECRET_ACCESS_KEY: aws.credentials.secretAccessKey,
        });
        scenario.addService({ name: 'checkout', requeueAfterSeconds: 1 });
      },
      previews: {
        grace: { minimum: { milliseconds: 500 } },
        dns: {
          grace: { seconds: 2 },
          route53: [
            {
              hostedZone: ZONE,
              endpoint: `http://127.0.0.1:${awsPort}`,
            },
          ],
        },
        schedule: {
          dnsPoll: { milliseconds: 500 },
          dnsStaleAfter: { milliseconds: 4000 },
        },
      },
    });
    simulator = plugin.simulator;
  });

  afterEach(async () => {
    await simulator.faults.clear();
  });

  afterAll(async () => {
    await plugin?.stop();
  });

  async function live(): Promise<MergeRequestReference & { host: string }> {
    const { iid } = simulator.control.openMergeRequest({
      project: PROJECT,
      sourceBranch: `feature/dns-${simulator.control.mergeRequests().length}`,
      title: 'A change',
      author: 'dev1',
    });
    const reference = { project: PROJECT, iid };
    const row = await plugin.untilPhase(reference, 'Live');
    const { host } = row.urls[0];
    await waitFor(
      'its record',
      () => simulator.platform.dns.lookup(host)[0] as object | undefined,
    );
    return { ...reference, host };
  }

  it('go with it, and the preview is gone only then', async () => {
    const reference = await live();
    simulator.control.close(reference);
    await plugin.untilPhase(reference, 'Gone');
    expect(simulator.platform.dns.lookup(reference.host)).toEqual([]);
  });

  it('are told when external-dns leaves them, until somebody deletes them', async () => {
    const reference = await live();
    simulator.faults.platform.set('externalDns', '*', 'leavesRecords');
    simulator.control.close(reference);
    const row = await plugin.until(
      reference,
      preview =>
        preview.phase === 'Orphaned' &&
        condition(preview, 'CleanedUp')?.reason === 'DnsRecordLeft',
    );
    expect(condition(row, 'CleanedUp')?.params.owned).toEqual(
      expect.arrayContaining([expect.stringContaining(reference.host)]),
    );
    const names = await waitFor('the records among the parts', async () => {
      const { items }: ListFindingsResponse = JSON.parse(
        await plugin.fetchText(`/v1/findings?type=WithoutMergeRequest`),
      );
      const records = items
        .filter(({ previewIds }) => previewIds.includes(row.id))
        .flatMap(({ evidence }) => evidence)
        .filter(({ kind }) => kind === 'DnsRecord');
      return records.length > 0 ? records.map(({ name }) => name) : undefined;
    });
    expect(names).toContain(`A ${reference.host}`);
    await simulator.faults.clear();
    await plugin.untilPhase(reference, 'Gone');
  });

  it('are unknown while Route 53 denies them, which names no account anywhere', async () => {
    const reference = await live();
    simulator.aws.faults.deny();
    await plugin.untilSource(source, ({ status }) => status === 'stale');
    simulator.control.close(reference);
    const row = await plugin.until(
      reference,
      preview =>
        preview.namespaces.length === 0 &&
        condition(preview, 'CleanedUp')?.status === 'Unknown' &&
        preview.stale.includes(source),
    );
    expect(row.phase).toBe('TearingDown');
    expect((await plugin.source(source)).errors).toMatchObject([
      { reason: 'Forbidden' },
    ]);
    for (const path of ['/v1/sources', `/v1/previews/${row.id}`]) {
      expect(await plugin.fetchText(path)).not.toMatch(IDENTITY);
    }
    simulator.aws.faults.clear();
    await plugin.untilPhase(reference, 'Gone');
  });
});
