import { accessDenied, AwsError, type AwsPrincipal } from './errors';
import type { AwsFaults } from './faults';
import { compareNames, normalizeName } from './names';
import { child, childText, parseXml, type XmlContent } from './xml';
import type {
  ChangeInfo,
  DnsZones,
  HostedZone,
  RecordChange,
  RecordSet,
} from './zones';

/** A call as it comes over HTTP. */
export interface Route53Call {
  method: string;
  /** Path below `/2013-04-01`. */
  path: string;
  query: URLSearchParams;
  body: string;
  principal: AwsPrincipal;
}

/** What a call is answered with. */
export interface Route53Answer {
  /** Name of the operation. */
  operation: string;
  root: string;
  content: XmlContent;
  status?: number;
}

const RECORDS_LIMIT = 300;
const ZONES_LIMIT = 100;
const ACTIONS = ['CREATE', 'DELETE', 'UPSERT'];

type Handler = (
  call: Route53Call,
  id: string,
) => Omit<Route53Answer, 'operation'>;

interface Operation {
  name: string;
  method: string;
  path: RegExp;
  handle: Handler;
}

function invalidInput(message: string): AwsError {
  return new AwsError({ status: 400, code: 'InvalidInput', message });
}

function limit(query: URLSearchParams, most: number): number {
  const given = query.get('maxitems');
  const wanted = given === null ? most : Number(given);
  if (!Number.isInteger(wanted) || wanted < 1) {
    throw invalidInput(`Invalid value for maxitems: ${given}`);
  }
  return Math.min(wanted, most);
}

/** The operations of Route 53 that readers and writers of records use, in its REST and XML. */
export class Route53 {
  private readonly zones: DnsZones;
  private readonly faults: AwsFaults;
  private readonly operations: Operation[];

  constructor(options: { zones: DnsZones; faults: AwsFaults }) {
    this.zones = options.zones;
    this.faults = options.faults;
    this.operations = [
      {
        name: 'ListHostedZonesByName',
        method: 'GET',
        path: /^\/hostedzonesbyname$/,
        handle: call => this.listHostedZonesByName(call),
      },
      {
        name: 'ListHostedZones',
        method: 'GET',
        path: /^\/hostedzone$/,
        handle: call => this.listHostedZones(call),
      },
      {
        name: 'GetHostedZone',
        method: 'GET',
        path: /^\/hostedzone\/([^/]+)$/,
        handle: (_, id) => this.getHostedZone(id),
      },
      {
        name: 'ListResourceRecordSets',
        method: 'GET',
        path: /^\/hostedzone\/([^/]+)\/rrset$/,
        handle: (call, id) => this.listRecordSets(call, id),
      },
      {
        name: 'ChangeResourceRecordSets',
        method: 'POST',
        path: /^\/hostedzone\/([^/]+)\/rrset$/,
        handle: (call, id) => this.changeRecordSets(call, id),
      },
      {
        name: 'GetChange',
        method: 'GET',
        path: /^\/change\/([^/]+)$/,
        handle: (_, id) => ({
          root: 'GetChangeResponse',
          content: { ChangeInfo: renderChange(this.zones.changeInfo(id)) },
        }),
      },
    ];
  }

  /** @throws AwsError when the call is refused */
  handle(call: Route53Call): Route53Answer {
    const path = call.path.replace(/\/$/, '');
    const operation = this.operations.find(
      candidate =>
        candidate.method === call.method && candidate.path.test(path),
    );
    if (!operation) {
      throw new AwsError({
        status: 404,
        code: 'UnknownOperationException',
        message: `${call.method} ${call.path} is no operation`,
      });
    }
    const id = decodeURIComponent(operation.path.exec(path)?.[1] ?? '');
    if (this.faults.takesThrottle()) {
      throw new AwsError({
        status: 400,
        code: 'Throttling',
        message: 'Rate exceeded',
      });
    }
    if (this.faults.isDenied(operation.name)) {
      throw accessDenied({
        principal: call.principal,
        action: `route53:${operation.name}`,
        resource: id ? `arn:aws:route53:::hostedzone/${id}` : '*',
      });
    }
    if (this.faults.isHidden(id)) {
      throw new AwsError({
        status: 404,
        code: 'NoSuchHostedZone',
        message: `No hosted zone found with ID: ${id}`,
      });
    }
    return { operation: operation.name, ...operation.handle(call, id) };
  }

  private visibleZones(): HostedZone[] {
    return this.zones.list().filter(zone => !this.faults.isHidden(zone.id));
  }

  private renderZone(zone: HostedZone): XmlContent {
    return {
      Id: `/hostedzone/${zone.id}`,
      Name: zone.name,
      CallerReference: zone.id,
      Config: { PrivateZone: zone.private },
      ResourceRecordSetCount: this.zones.records(zone.id).length,
    };
  }

  private listHostedZones({ query }: Route53Call) {
    const most = limit(query, ZONES_LIMIT);
    const zones = this.visibleZones().sort((one, other) =>
      one.id < other.id ? -1 : 1,
    );
    const marker = query.get('marker');
    const from = marker ? zones.filter(zone => zone.id >= marker) : zones;
    const page = from.slice(0, most);
    return {
      root: 'ListHostedZonesResponse',
      content: {
        HostedZones: {
          HostedZone: page.map(zone => this.renderZone(zone)),
        },
        ...(marker && { Marker: marker }),
        IsTruncated: from.length > page.length,
        NextMarker: from[page.length]?.id,
        MaxItems: most,
      },
    };
  }

  private listHostedZonesByName({ query }: Route53Call) {
    const most = limit(query, ZONES_LIMIT);
    const name = query.get('dnsname');
    const id = query.get('hostedzoneid');
    if (id && !name) {
      throw invalidInput('HostedZoneId requires DNSName');
    }
    const zones = this.visibleZones().filter(zone => {
      const order = name ? compareNames(zone.name, normalizeName(name)) : 1;
      return order > 0 || (order === 0 && zone.id >= (id ?? ''));
    });
    const page = zones.slice(0, most);
    const next = zones[page.length] as HostedZone | undefined;
    return {
      root: 'ListHostedZonesByNameResponse',
      content: {
        HostedZones: {
          HostedZone: page.map(zone => this.renderZone(zone)),
        },
        DNSName: name ?? undefined,
        HostedZoneId: id ?? undefined,
        IsTruncated: next !== undefined,
        NextDNSName: next?.name,
        NextHostedZoneId: next?.id,
        MaxItems: most,
      },
    };
  }

  private getHostedZone(id: string) {
    return {
      root: 'GetHostedZoneResponse',
      content: {
        HostedZone: this.renderZone(this.zones.zone(id)),
        DelegationSet: {
          NameServers: { NameServer: ['ns-1.example.net', 'ns-2.example.net'] },
        },
      },
    };
  }

  private listRecordSets({ query }: Route53Call, id: string) {
    const most = limit(query, RECORDS_LIMIT);
    const name = query.get('name');
    const type = query.get('type');
    const identifier = query.get('identifier');
    if ((type && !name) || (identifier && !type)) {
      throw invalidInput(
        'StartRecordType requires StartRecordName, and StartRecordIdentifier requires both',
      );
    }
    // Where a page begins is a place in the order, not a filter.
    const from = this.zones.records(id).filter(record => {
      const order = name ? compareNames(record.name, normalizeName(name)) : 1;
      if (order !== 0) {
        return order > 0;
      }
      if (!type || record.type !== type) {
        return !type || record.type > type;
      }
      return (record.setIdentifier ?? '') >= (identifier ?? '');
    });
    const page = from.slice(0, most);
    const next = from[page.length] as RecordSet | undefined;
    return {
      root: 'ListResourceRecordSetsResponse',
      content: {
        ResourceRecordSets: { ResourceRecordSet: page.map(renderRecordSet) },
        IsTruncated: next !== undefined,
        NextRecordName: next?.name,
        NextRecordType: next?.type,
        NextRecordIdentifier: next?.setIdentifier,
        MaxItems: most,
      },
    };
  }

  private changeRecordSets({ body }: Route53Call, id: string) {
    return {
      root: 'ChangeResourceRecordSetsResponse',
      content: {
        ChangeInfo: renderChange(this.zones.change(id, readChanges(body))),
      },
    };
  }
}

function renderChange({ id, status, submittedAt }: ChangeInfo): XmlContent {
  return {
    Id: `/change/${id}`,
    Status: status,
    SubmittedAt: submittedAt.toISOString(),
  };
}

function renderRecordSet(record: RecordSet): XmlContent {
  return {
    Name: record.name,
    Type: record.type,
    SetIdentifier: record.setIdentifier,
    MultiValueAnswer: record.multiValueAnswer,
    TTL: record.ttl,
    ResourceRecords: record.values && {
      ResourceRecord: record.values.map(Value => ({ Value })),
    },
    AliasTarget: record.alias && {
      HostedZoneId: record.alias.hostedZoneId,
      DNSName: record.alias.dnsName,
      EvaluateTargetHealth: record.alias.evaluateTargetHealth,
    },
  };
}

function readChanges(body: string): RecordChange[] {
  let root;
  try {
    root = parseXml(body);
  } catch (error) {
    throw invalidInput(`Invalid XML: ${(error as Error).message}`);
  }
  const changes = child(child(root, 'ChangeBatch'), 'Changes')?.children ?? [];
  return changes.map(change => {
    const action = childText(change, 'Action') ?? '';
    const set = child(change, 'ResourceRecordSet');
    const name = childText(set, 'Name');
    const type = childText(set, 'Type');
    if (!ACTIONS.includes(action) || !name || !type) {
      throw invalidInput('A change needs Action, Name and Type');
    }
    const ttl = childText(set, 'TTL');
    const alias = child(set, 'AliasTarget');
    const multiValueAnswer = childText(set, 'MultiValueAnswer');
    return {
      action: action as RecordChange['action'],
      recordSet: {
        name,
        type,
        setIdentifier: childText(set, 'SetIdentifier'),
        multiValueAnswer:
          multiValueAnswer === undefined
            ? undefined
            : multiValueAnswer === 'true',
        ttl: ttl === undefined ? undefined : Number(ttl),
        values: child(set, 'ResourceRecords')?.children.map(
          record => childText(record, 'Value') ?? '',
        ),
        alias: alias && {
          hostedZoneId: childText(alias, 'HostedZoneId') ?? '',
          dnsName: normalizeName(childText(alias, 'DNSName') ?? ''),
          evaluateTargetHealth:
            childText(alias, 'EvaluateTargetHealth') === 'true',
        },
      },
    };
  });
}
