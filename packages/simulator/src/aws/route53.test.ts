import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  GetHostedZoneCommand,
  ListHostedZonesByNameCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
  type ResourceRecordSet,
} from '@aws-sdk/client-route-53';
import { createRandom } from '../random';
import { createManualClock } from '../testing/manualClock';
import { startAwsServer, type AwsServer } from './server';
import { DnsZones } from './zones';

const ZONE = 'Z0EXAMPLE0001';

describe('Route 53 of the simulator, as the AWS SDK speaks to it', () => {
  // The SDK compares the expiry of credentials with the time of the machine.
  const clock = createManualClock(new Date());
  let zones: DnsZones;
  let server: AwsServer;
  let client: Route53Client;

  beforeEach(async () => {
    zones = new DnsZones({ clock, random: createRandom(1) });
    zones.addZone({ name: 'example.com', id: ZONE });
    server = await startAwsServer({ zones, clock });
    client = new Route53Client({
      region: 'eu-west-1',
      endpoint: server.url,
      credentials: server.credentials,
      retryMode: 'standard',
      maxAttempts: 1,
    });
  });

  afterEach(async () => {
    client.destroy();
    await server.close();
  });

  const upsert = (...recordSets: ResourceRecordSet[]) =>
    client.send(
      new ChangeResourceRecordSetsCommand({
        HostedZoneId: ZONE,
        ChangeBatch: {
          Changes: recordSets.map(set => ({
            Action: 'UPSERT',
            ResourceRecordSet: set,
          })),
        },
      }),
    );
  const list = (input: object = {}) =>
    client.send(
      new ListResourceRecordSetsCommand({ HostedZoneId: ZONE, ...input }),
    );

  it('lists by reversed labels, with escaped names, and what it was given comes back', async () => {
    await upsert(
      {
        Name: 'b.example.com',
        Type: 'A',
        AliasTarget: {
          HostedZoneId: 'ZLOADBALANCER',
          DNSName: 'lb.eu-west-1.elb.amazonaws.com',
          EvaluateTargetHealth: true,
        },
      },
      {
        Name: '*.a.example.com',
        Type: 'CNAME',
        TTL: 60,
        ResourceRecords: [{ Value: 'edge.example.com' }],
      },
      {
        Name: '_acme-challenge.b.example.com',
        Type: 'TXT',
        TTL: 10,
        MultiValueAnswer: true,
        SetIdentifier: '"x&<y>"',
        ResourceRecords: [{ Value: '"x&<y>"' }],
      },
    );
    const { ResourceRecordSets, IsTruncated } = await list();
    expect(IsTruncated).toBe(false);
    expect(ResourceRecordSets?.map(({ Name, Type }) => [Name, Type])).toEqual([
      ['example.com.', 'NS'],
      ['example.com.', 'SOA'],
      ['\\052.a.example.com.', 'CNAME'],
      ['b.example.com.', 'A'],
      ['_acme-challenge.b.example.com.', 'TXT'],
    ]);
    expect(ResourceRecordSets?.[3].AliasTarget).toEqual({
      HostedZoneId: 'ZLOADBALANCER',
      DNSName: 'lb.eu-west-1.elb.amazonaws.com.',
      EvaluateTargetHealth: true,
    });
    expect(ResourceRecordSets?.[4]).toMatchObject({
      TTL: 10,
      MultiValueAnswer: true,
      SetIdentifier: '"x&<y>"',
      ResourceRecords: [{ Value: '"x&<y>"' }],
    });
  });

  it('gives at most 300 records a page, which continue by name, type and identifier', async () => {
    zones.change(
      ZONE,
      Array.from({ length: 700 }, (_, index) => ({
        action: 'CREATE' as const,
        recordSet: {
          // All of one name and type: only the identifier tells where a page begins.
          name: '_acme-challenge.example.com',
          type: 'TXT',
          ttl: 10,
          setIdentifier: `"${String(index).padStart(4, '0')}"`,
          values: [`"${index}"`],
        },
      })),
    );
    const seen: ResourceRecordSet[] = [];
    const sizes: number[] = [];
    let from = {};
    for (;;) {
      const page = await list(from);
      sizes.push(page.ResourceRecordSets?.length ?? 0);
      seen.push(...(page.ResourceRecordSets ?? []));
      if (!page.IsTruncated) {
        break;
      }
      from = {
        StartRecordName: page.NextRecordName,
        StartRecordType: page.NextRecordType,
        StartRecordIdentifier: page.NextRecordIdentifier,
      };
    }
    expect(sizes).toEqual([300, 300, 102]);
    expect(
      new Set(seen.map(set => `${set.Type}${set.SetIdentifier}`)).size,
    ).toBe(702);
  });

  it('starts at a name without filtering by it', async () => {
    await upsert(
      {
        Name: 'a.example.com',
        Type: 'A',
        TTL: 60,
        ResourceRecords: [{ Value: '192.0.2.1' }],
      },
      {
        Name: 'c.example.com',
        Type: 'A',
        TTL: 60,
        ResourceRecords: [{ Value: '192.0.2.2' }],
      },
    );
    const { ResourceRecordSets } = await list({
      StartRecordName: 'b.example.com',
      MaxItems: 1,
    });
    expect(ResourceRecordSets?.map(({ Name }) => Name)).toEqual([
      'c.example.com.',
    ]);
  });

  it('lists zones, also by name, and tells one', async () => {
    zones.addZone({ name: 'preview.example.com', id: 'Z0EXAMPLE0002' });
    zones.addZone({ name: 'a.test', id: 'Z0EXAMPLE0003', private: true });
    const all = await client.send(new ListHostedZonesCommand({ MaxItems: 2 }));
    expect(all.HostedZones).toHaveLength(2);
    expect(all).toMatchObject({
      IsTruncated: true,
      NextMarker: 'Z0EXAMPLE0003',
    });
    const rest = await client.send(
      new ListHostedZonesCommand({ Marker: all.NextMarker }),
    );
    expect(rest.HostedZones).toMatchObject([
      { Name: 'a.test.', Config: { PrivateZone: true } },
    ]);
    const byName = await client.send(
      new ListHostedZonesByNameCommand({ DNSName: 'preview.example.com' }),
    );
    expect(byName.HostedZones?.map(({ Id }) => Id)).toEqual([
      '/hostedzone/Z0EXAMPLE0002',
      '/hostedzone/Z0EXAMPLE0003',
    ]);
    expect(
      (await client.send(new GetHostedZoneCommand({ Id: ZONE }))).HostedZone,
    ).toMatchObject({ Name: 'example.com.', ResourceRecordSetCount: 2 });
  });

  it('has a change pending until its servers know', async () => {
    const { ChangeInfo } = await upsert({
      Name: 'a.example.com',
      Type: 'A',
      TTL: 60,
      ResourceRecords: [{ Value: '192.0.2.1' }],
    });
    const status = async () =>
      (await client.send(new GetChangeCommand({ Id: ChangeInfo?.Id })))
        .ChangeInfo?.Status;
    expect(await status()).toBe('PENDING');
    clock.advance(60_000);
    expect(await status()).toBe('INSYNC');
  });

  it('makes a batch whole or not at all, and says what was wrong with it', async () => {
    await expect(
      client.send(
        new ChangeResourceRecordSetsCommand({
          HostedZoneId: ZONE,
          ChangeBatch: {
            Changes: [
              {
                Action: 'CREATE',
                ResourceRecordSet: {
                  Name: 'a.example.com',
                  Type: 'A',
                  TTL: 60,
                  ResourceRecords: [{ Value: '192.0.2.1' }],
                },
              },
              {
                Action: 'DELETE',
                ResourceRecordSet: {
                  Name: 'gone.example.com',
                  Type: 'TXT',
                  TTL: 10,
                  ResourceRecords: [{ Value: '"x"' }],
                },
              },
            ],
          },
        }),
      ),
    ).rejects.toMatchObject({
      name: 'InvalidChangeBatch',
      message: expect.stringContaining(
        "[name='gone.example.com.', type='TXT'] but it was not found",
      ),
    });
    expect(zones.lookup('a.example.com')).toEqual([]);
  });

  it.each([
    [
      'a TXT value without quotation marks',
      { Name: 'a.example.com', Type: 'TXT' as const, value: 'bare' },
      'enclosed in quotation marks',
    ],
    [
      'a name of another zone',
      { Name: 'a.example.org', Type: 'A' as const, value: '192.0.2.1' },
      'is not permitted in zone example.com.',
    ],
  ])('refuses %s', async (_, { value, ...set }, message) => {
    await expect(
      upsert({ ...set, TTL: 60, ResourceRecords: [{ Value: value }] }),
    ).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });

  it('refuses what a policy does not allow, naming who asked for what', async () => {
    server.faults.deny('ListResourceRecordSets');
    await expect(list()).rejects.toMatchObject({
      name: 'AccessDenied',
      $metadata: { httpStatusCode: 403 },
      message: `User: arn:aws:iam::123456789012:user/portal is not authorized to perform: route53:ListResourceRecordSets on resource: arn:aws:route53:::hostedzone/${ZONE} because no identity-based policy allows the route53:ListResourceRecordSets action`,
    });
    server.faults.clear();
    await expect(list()).resolves.toMatchObject({ IsTruncated: false });
  });

  it('throttles, and a client that tries again gets through', async () => {
    server.faults.throttle(1);
    await expect(list()).rejects.toMatchObject({ name: 'Throttling' });
    server.faults.throttle(1);
    const patient = new Route53Client({
      region: 'eu-west-1',
      endpoint: server.url,
      credentials: server.credentials,
    });
    await patient.send(
      new ListResourceRecordSetsCommand({ HostedZoneId: ZONE }),
    );
    patient.destroy();
  });

  it('does not know a zone that was hidden, nor one that never was', async () => {
    server.faults.hideZone(ZONE);
    await expect(list()).rejects.toMatchObject({ name: 'NoSuchHostedZone' });
    await expect(
      client.send(new GetHostedZoneCommand({ Id: 'ZNEVER' })),
    ).rejects.toMatchObject({ name: 'NoSuchHostedZone' });
  });

  it('answers nobody without a signature, nor a key it does not know', async () => {
    const bare = await fetch(`${server.url}/2013-04-01/hostedzone`);
    expect(bare.status).toBe(403);
    expect(await bare.text()).toContain('MissingAuthenticationToken');
    const stranger = new Route53Client({
      region: 'eu-west-1',
      endpoint: server.url,
      credentials: { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' },
      maxAttempts: 1,
    });
    await expect(
      stranger.send(new ListHostedZonesCommand({})),
    ).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
    stranger.destroy();
  });

  describe('with web identity', () => {
    const before = process.env;
    let directory: string;

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'simulator-aws-'));
      const token = join(directory, 'token');
      await writeFile(token, 'a.web.token');
      process.env = {
        ...before,
        AWS_WEB_IDENTITY_TOKEN_FILE: token,
        AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/portal-dns',
        AWS_ROLE_SESSION_NAME: 'portal',
        AWS_ENDPOINT_URL_STS: server.stsUrl,
        AWS_ENDPOINT_URL_ROUTE_53: server.url,
        AWS_REGION: 'eu-west-1',
        AWS_EC2_METADATA_DISABLED: 'true',
      };
    });

    afterEach(async () => {
      process.env = before;
      await rm(directory, { recursive: true });
    });

    it('hands out the credentials of a role, by the chain of the SDK', async () => {
      const ambient = new Route53Client({ maxAttempts: 1 });
      await ambient.send(
        new ListResourceRecordSetsCommand({ HostedZoneId: ZONE }),
      );
      ambient.destroy();
      expect(server.requests).toMatchObject([
        { operation: 'AssumeRoleWithWebIdentity', status: 200 },
        {
          operation: 'ListResourceRecordSets',
          principal: 'arn:aws:sts::123456789012:assumed-role/portal-dns/portal',
        },
      ]);
    });

    it('refuses a role whose trust policy does not allow it', async () => {
      server.faults.denyAssumeRole = true;
      const ambient = new Route53Client({ maxAttempts: 1 });
      await expect(
        ambient.send(new ListHostedZonesCommand({})),
      ).rejects.toMatchObject({ name: 'AccessDenied' });
      ambient.destroy();
    });
  });
});
