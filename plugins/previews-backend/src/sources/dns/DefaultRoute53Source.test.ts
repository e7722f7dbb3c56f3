import { mockServices } from '@backstage/backend-test-utils';
import { SourceErrorReason } from '@previews/backstage-plugin-previews-common';
import { ServerResponse } from 'node:http';
import { CallOutcome } from '../calls';
import {
  eventually,
  Script,
  ScriptedServer,
  sendText,
} from '../testing/ScriptedServer';
import { DefaultRoute53Source } from './DefaultRoute53Source';

const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/';
const ACCOUNT = '123456789012';

interface Record53 {
  name: string;
  type: string;
  identifier?: string;
}

const SOA: Record53 = { name: 'example.com.', type: 'SOA' };

function sendXml(response: ServerResponse, xml: string, status = 200) {
  sendText(response, `<?xml version="1.0"?>\n${xml}`, {
    status,
    headers: { 'content-type': 'text/xml' },
  });
}

function refuse(code: string, status: number): Script {
  return (_, response) =>
    sendXml(
      response,
      `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>User: arn:aws:sts::${ACCOUNT}:assumed-role/portal/x is not authorized to perform: route53:ListResourceRecordSets</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
      status,
    );
}

/** A hosted zone in pages of the size that is asked of it. */
class Zone {
  records: Record53[] = [SOA];
  pageSize = 300;
  /** Instead of an answer to the page of that number and all others of its kind. */
  broken?: { page?: number; script: Script };

  readonly answer: Script = (request, response) => {
    const { query, path } = request;
    const from = this.records.findIndex(
      ({ name, type, identifier }) =>
        name === query.get('name') &&
        type === query.get('type') &&
        (identifier ?? null) === query.get('identifier'),
    );
    const start = Math.max(from, 0);
    const page = start / this.pageSize;
    if (
      this.broken &&
      (this.broken.page === undefined || this.broken.page === page)
    ) {
      this.broken.script(request, response);
    } else if (path !== '/2013-04-01/hostedzone/Z0EXAMPLE/rrset') {
      refuse('NoSuchHostedZone', 404)(request, response);
    } else {
      sendXml(response, this.#list(start));
    }
  };

  #list(start: number): string {
    const next = this.records.at(start + this.pageSize);
    const isTruncated = start + this.pageSize < this.records.length;
    const element = (name: string, text: string | undefined) =>
      text === undefined ? '' : `<${name}>${text}</${name}>`;
    const sets = this.records
      .slice(start, start + this.pageSize)
      .map(
        ({ name, type, identifier }) =>
          `<ResourceRecordSet><Name>${name}</Name><Type>${type}</Type>${element(
            'SetIdentifier',
            identifier,
          )}<TTL>60</TTL><ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>`,
      );
    return `<ListResourceRecordSetsResponse xmlns="${NAMESPACE}"><ResourceRecordSets>${sets.join(
      '',
    )}</ResourceRecordSets><IsTruncated>${isTruncated}</IsTruncated>${
      isTruncated
        ? element('NextRecordName', next?.name) +
          element('NextRecordType', next?.type) +
          element('NextRecordIdentifier', next?.identifier)
        : ''
    }<MaxItems>300</MaxItems></ListResourceRecordSetsResponse>`;
  }
}

describe('DefaultRoute53Source', () => {
  const environment = process.env;
  let zone: Zone;
  let server: ScriptedServer;
  let stop: AbortController;
  let now: Date;
  let logged: string[];
  let outcomes: CallOutcome[];

  beforeEach(async () => {
    process.env = {
      ...environment,
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'an-example',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    };
    delete process.env.AWS_REGION;
    delete process.env.AWS_DEFAULT_REGION;
    zone = new Zone();
    server = await ScriptedServer.listen(zone.answer);
    stop = new AbortController();
    now = new Date('2026-03-01T12:00:00.000Z');
    logged = [];
    outcomes = [];
  });

  afterEach(async () => {
    stop.abort();
    await server.close();
    process.env = environment;
  });

  function start(
    options: {
      poll?: number;
      hostedZone?: string;
      region?: string;
      callTimeout?: number;
      backOffStart?: number;
      soonest?: number;
    } = {},
  ) {
    const { poll = 60_000, hostedZone = 'Z0EXAMPLE' } = options;
    const region = 'region' in options ? options.region : 'eu-west-1';
    const logger = mockServices.logger.mock({
      child: () => logger,
      warn: (message: string, meta: unknown) => {
        logged.push(`${message} ${JSON.stringify(meta)}`);
      },
    });
    const source = DefaultRoute53Source.create({
      config: {
        hostedZone,
        ...(region !== undefined && { region }),
        endpoint: server.url,
        affixes: { prefix: 'x-', suffix: '' },
      },
      schedule: {
        dnsPollMilliseconds: poll,
        dnsStaleAfterMilliseconds: 900_000,
      },
      logger,
      clock: () => now,
      onCall: ({ outcome }) => outcomes.push(outcome),
      delays: {
        backOffStart: options.backOffStart ?? 10,
        soonest: options.soonest ?? 60_000,
        betweenPages: 1,
        callTimeout: options.callTimeout ?? 5_000,
      },
    });
    source.start({ signal: stop.signal });
    return source;
  }

  type Source = ReturnType<typeof start>;

  const fresh = (source: Source) =>
    eventually(() => expect(source.state(now).status).toBe('fresh'));
  const failing = (source: Source) =>
    eventually(() => expect(source.state(now).errors).toHaveLength(1));

  it('is pending before it has read, and knows nothing', () => {
    const source = start();
    expect(source.state(now)).toEqual({
      id: 'dns:Z0EXAMPLE',
      kind: 'dns',
      name: 'Z0EXAMPLE',
      status: 'pending',
      errors: [],
      notes: [],
    });
    expect(source.reading()).toMatchObject({ state: 'pending' });
    expect(source.reading().completeAt).toBeUndefined();
  });

  it('keeps addresses and challenges, and neither wildcards nor the zone’s own records', async () => {
    zone.records = [
      SOA,
      { name: 'example.com.', type: 'A' },
      { name: 'example.com.', type: 'NS' },
      { name: 'other.example.com.', type: 'NS' },
      { name: '\\052.example.com.', type: 'A' },
      { name: 'spf.example.com.', type: 'TXT' },
      { name: 'mail.example.com.', type: 'MX' },
      { name: 'MR-7.example.com.', type: 'AAAA' },
      { name: '_acme-challenge.mr-7.example.com.', type: 'TXT' },
    ];
    const source = start();
    await fresh(source);
    expect(source.reading()).toEqual({
      sourceId: 'dns:Z0EXAMPLE',
      state: 'ready',
      completeAt: now.toISOString(),
      staleAfterSeconds: 900,
      domain: 'example.com',
      affixes: { prefix: 'x-', suffix: '' },
      records: new Map([
        ['mr-7.example.com', [{ name: 'mr-7.example.com', type: 'AAAA' }]],
        [
          '_acme-challenge.mr-7.example.com',
          [{ name: '_acme-challenge.mr-7.example.com', type: 'TXT' }],
        ],
      ]),
    });
    expect(source.state(now).name).toBe('example.com');
  });

  it('follows pages by name, type and identifier', async () => {
    zone.pageSize = 2;
    zone.records = [
      SOA,
      ...[1, 2, 3, 4].map(number => ({
        name: '_acme-challenge.mr-7.example.com.',
        type: 'TXT',
        identifier: `key ${number}`,
      })),
      { name: 'mr-9.example.com.', type: 'A' },
    ];
    const source = start();
    await fresh(source);
    expect([...source.reading().records.keys()]).toEqual([
      '_acme-challenge.mr-7.example.com',
      'mr-9.example.com',
    ]);
    expect(server.requests).toHaveLength(3);
    expect(outcomes).toEqual(['ok', 'ok', 'ok']);
  });

  it('lists, signed, and calls nothing else', async () => {
    await fresh(start());
    expect(
      server.requests.map(({ method, path }) => `${method} ${path}`),
    ).toEqual(['GET /2013-04-01/hostedzone/Z0EXAMPLE/rrset']);
    expect(server.requests[0].headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\//,
    );
  });

  it('keeps the last whole reading when a page in the middle fails', async () => {
    zone.pageSize = 1;
    zone.records = [
      SOA,
      { name: 'a.example.com.', type: 'A' },
      { name: 'b.example.com.', type: 'A' },
    ];
    const source = start({ poll: 20 });
    await fresh(source);
    const before = source.reading();
    zone.broken = { page: 1, script: refuse('Throttling', 400) };
    zone.records = [SOA, { name: 'c.example.com.', type: 'A' }];
    now = new Date('2026-03-01T12:01:00.000Z');
    await failing(source);
    expect(source.reading()).toMatchObject({
      state: 'failing',
      completeAt: before.completeAt,
      records: before.records,
      error: { reason: 'RateLimited', since: now.toISOString() },
    });
    expect(source.state(new Date('2026-03-01T12:20:00Z')).status).toBe('stale');
    zone.broken = undefined;
    await fresh(source);
    expect([...source.reading().records.keys()]).toEqual(['c.example.com']);
  });

  it.each<[string, Script]>([
    ['is empty', (_, response) => sendText(response, '', { status: 200 })],
    ['is cut', (_, response) => response.socket?.destroy()],
    ['is denied', refuse('AccessDenied', 403)],
  ])('concludes nothing from a list whose last page %s', async (_, script) => {
    zone.pageSize = 1;
    zone.records = [SOA, { name: 'a.example.com.', type: 'A' }];
    zone.broken = { page: 1, script };
    const source = start({ backOffStart: 60_000 });
    await failing(source);
    expect(source.reading()).toMatchObject({ state: 'pending' });
    expect(source.reading().completeAt).toBeUndefined();
  });

  it.each<[string, Script, SourceErrorReason, CallOutcome[]?]>([
    ['a denial', refuse('AccessDenied', 403), 'Forbidden'],
    ['throttling', refuse('Throttling', 400), 'RateLimited'],
    [
      'a request before it',
      refuse('PriorRequestNotComplete', 400),
      'RateLimited',
    ],
    ['credentials that expired', refuse('ExpiredToken', 403), 'TokenExpired'],
    [
      'credentials that are unknown',
      refuse('InvalidClientTokenId', 403),
      'TokenInvalid',
    ],
    [
      'a signature that is wrong',
      refuse('SignatureDoesNotMatch', 403),
      'TokenInvalid',
    ],
    ['an unknown zone', refuse('NoSuchHostedZone', 404), 'NotFound'],
    [
      'an error of the server',
      refuse('ServiceUnavailable', 503),
      'ServerError',
    ],
    ['an unknown error', refuse('Whatever', 418), 'UnexpectedAnswer'],
    [
      'a proxy',
      (_, response) => sendText(response, '<html>Sign in', { status: 200 }),
      'UnexpectedAnswer',
    ],
    [
      'an empty answer',
      (_, response) => sendText(response, '', { status: 200 }),
      'UnexpectedAnswer',
      ['ok'],
    ],
    [
      'a list without a SOA record',
      (_, response) =>
        sendXml(
          response,
          `<ListResourceRecordSetsResponse xmlns="${NAMESPACE}"><ResourceRecordSets/><IsTruncated>false</IsTruncated><MaxItems>300</MaxItems></ListResourceRecordSetsResponse>`,
        ),
      'UnexpectedAnswer',
      ['ok'],
    ],
    [
      'a list that never ends',
      (_, response) =>
        sendXml(
          response,
          `<ListResourceRecordSetsResponse xmlns="${NAMESPACE}"><ResourceRecordSets/><IsTruncated>true</IsTruncated><NextRecordName>a.</NextRecordName><NextRecordType>A</NextRecordType><MaxItems>300</MaxItems></ListResourceRecordSetsResponse>`,
        ),
      'UnexpectedAnswer',
      ['ok', 'ok'],
    ],
    [
      'a cut connection',
      (_, response) => response.socket?.destroy(),
      'Unreachable',
    ],
  ])(
    'tells %s as what it is, and nothing that AWS said',
    async (_, script, reason, calls = [reason]) => {
      zone.broken = { script };
      const source = start({ backOffStart: 60_000 });
      await failing(source);
      const state = source.state(now);
      expect(state).toMatchObject({
        status: 'failing',
        errors: [{ reason, since: now.toISOString() }],
      });
      expect(source.reading()).toMatchObject({ state: 'pending' });
      expect(outcomes).toEqual(calls);
      expect(JSON.stringify([state, logged])).not.toMatch(
        /arn:|123456789012|assumed-role|AKIA|Sign in/,
      );
      expect(logged).toHaveLength(1);
    },
  );

  it('tells an answer that does not come', async () => {
    zone.broken = { script: () => {} };
    const source = start({ callTimeout: 30, backOffStart: 60_000 });
    await failing(source);
    expect(source.state(now).errors[0].reason).toBe('TimedOut');
  });

  it('tells a place that cannot be reached', async () => {
    await server.close();
    const source = start({ backOffStart: 60_000 });
    await failing(source);
    expect(source.state(now).errors[0].reason).toBe('Unreachable');
    server = await ScriptedServer.listen(zone.answer);
  });

  it.each([
    ['region', { region: undefined }, 'The AWS SDK finds no region.'],
    ['credentials', {}, 'The AWS SDK finds no credentials.'],
  ])('says that there are no %s', async (what, options, message) => {
    if (what === 'credentials') {
      delete process.env.AWS_ACCESS_KEY_ID;
      delete process.env.AWS_SECRET_ACCESS_KEY;
    }
    const source = start({ ...options, backOffStart: 60_000 });
    await failing(source);
    expect(source.state(now).errors).toMatchObject([
      { reason: 'NotConfigured', message },
    ]);
    expect(server.requests).toEqual([]);
  });

  it('says that the file of the web identity cannot be read', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    process.env.AWS_ROLE_ARN = `arn:aws:iam::${ACCOUNT}:role/portal`;
    process.env.AWS_WEB_IDENTITY_TOKEN_FILE = '/no/such/file';
    const source = start({ backOffStart: 60_000 });
    await failing(source);
    expect(source.state(now).errors).toMatchObject([
      {
        reason: 'NotConfigured',
        message:
          'A file that the AWS credentials come from cannot be read. (ENOENT)',
      },
    ]);
  });

  it('tries again ever later while it fails, tells it once, and heals by itself', async () => {
    zone.broken = { script: refuse('Throttling', 400) };
    const source = start({ backOffStart: 4 });
    const heard = jest.fn();
    source.onChange(heard);
    await eventually(() => expect(outcomes.length).toBeGreaterThan(3));
    expect(logged).toHaveLength(1);
    expect(heard).toHaveBeenCalledTimes(1);
    source.readSoon();
    zone.broken = undefined;
    await fresh(source);
    expect(source.state(now).errors).toEqual([]);
  });

  it('reads again when it is due', async () => {
    await fresh(start({ poll: 10 }));
    await eventually(() => expect(outcomes.length).toBeGreaterThan(3));
  });

  it('brings the next reading forward when something waits for it, but not at once', async () => {
    const eager = start({ soonest: 0 });
    await fresh(eager);
    eager.readSoon();
    await eventually(() => expect(outcomes).toHaveLength(2));
    const patient = start({ soonest: 60_000 });
    await fresh(patient);
    const before = outcomes.length;
    patient.readSoon();
    await eager.refresh();
    expect(outcomes).toHaveLength(before + 1);
  });

  it('begins afresh for the next writer, and reads no more once it is stopped', async () => {
    zone.records = [SOA, { name: 'a.example.com.', type: 'A' }];
    const source = start();
    await fresh(source);
    stop.abort();
    await source.refresh();
    expect(outcomes).toHaveLength(1);
    stop = new AbortController();
    source.start({ signal: stop.signal });
    expect(source.reading()).toMatchObject({ state: 'pending' });
    expect(source.reading().records.size).toBe(0);
    await fresh(source);
    expect(source.reading().records.size).toBe(1);
  });
});
