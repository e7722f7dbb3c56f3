import type { Clock } from '../clock';
import type { Random } from '../random';
import { AwsError } from './errors';
import { compareNames, isWithin, normalizeName } from './names';

/** A resource record set. */
export interface RecordSet {
  /** Normalized, see {@link normalizeName}. */
  name: string;
  type: string;
  setIdentifier?: string;
  /** Seconds; an alias has none. */
  ttl?: number;
  /** Values as a zone file has them: TXT in quotation marks. */
  values?: string[];
  multiValueAnswer?: boolean;
  alias?: {
    hostedZoneId: string;
    dnsName: string;
    evaluateTargetHealth: boolean;
  };
}

/** A hosted zone. */
export interface HostedZone {
  /** Without `/hostedzone/`. */
  id: string;
  name: string;
  private: boolean;
}

/** One entry of a change batch. */
export interface RecordChange {
  action: 'CREATE' | 'DELETE' | 'UPSERT';
  recordSet: RecordSet;
}

/** What became of a change batch. */
export interface ChangeInfo {
  /** Without `/change/`. */
  id: string;
  status: 'PENDING' | 'INSYNC';
  submittedAt: Date;
}

interface ZoneState extends HostedZone {
  /** By name, then by type and identifier. */
  records: Map<string, Map<string, RecordSet>>;
}

const ID_LENGTH = 14;
/** Route 53 tells all its name servers within about a minute; this is at speed 1. */
const SYNC_MILLISECONDS = 4000;

function keyOf({ type, setIdentifier }: RecordSet): string {
  return `${type} ${setIdentifier ?? ''}`;
}

function put(zone: ZoneState, recordSet: RecordSet): void {
  const ofName = zone.records.get(recordSet.name) ?? new Map();
  zone.records.set(recordSet.name, ofName.set(keyOf(recordSet), recordSet));
}

function remove(zone: ZoneState, recordSet: RecordSet): void {
  const ofName = zone.records.get(recordSet.name);
  ofName?.delete(keyOf(recordSet));
  if (ofName?.size === 0) {
    zone.records.delete(recordSet.name);
  }
}

function compareRecordSets(one: RecordSet, other: RecordSet): number {
  return (
    compareNames(one.name, other.name) ||
    compareText(one.type, other.type) ||
    compareText(one.setIdentifier ?? '', other.setIdentifier ?? '')
  );
}

function compareText(one: string, other: string): number {
  if (one === other) {
    return 0;
  }
  return one < other ? -1 : 1;
}

function invalidBatch(message: string): AwsError {
  return new AwsError({ status: 400, code: 'InvalidChangeBatch', message });
}

function describe({ name, type, setIdentifier }: RecordSet): string {
  return `[name='${name}', type='${type}'${
    setIdentifier === undefined ? '' : `, set-identifier='${setIdentifier}'`
  }]`;
}

/** The hosted zones of an account with their records, shared by all that write to DNS. */
export class DnsZones {
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly zones = new Map<string, ZoneState>();
  private readonly changes = new Map<string, ChangeInfo>();

  constructor(options: { clock: Clock; random: Random }) {
    this.clock = options.clock;
    this.random = options.random;
  }

  /** Adds a zone with the records that every zone has. */
  addZone(options: {
    name: string;
    id?: string;
    private?: boolean;
  }): HostedZone {
    const name = normalizeName(options.name);
    const zone: ZoneState = {
      id: options.id ?? `Z${this.random.hex(ID_LENGTH - 1).toUpperCase()}`,
      name,
      private: options.private ?? false,
      records: new Map(),
    };
    this.zones.set(zone.id, zone);
    const own: RecordSet[] = [
      {
        name,
        type: 'NS',
        ttl: 172_800,
        values: ['ns-1.example.net.', 'ns-2.example.net.'],
      },
      {
        name,
        type: 'SOA',
        ttl: 900,
        values: [
          'ns-1.example.net. hostmaster.example.net. 1 7200 900 1209600 86400',
        ],
      },
    ];
    own.forEach(recordSet => put(zone, recordSet));
    return zone;
  }

  removeZone(id: string): void {
    this.zones.delete(id);
  }

  /** All zones, ordered by name as Route 53 orders names. */
  list(): HostedZone[] {
    return [...this.zones.values()].sort(
      (one, other) =>
        compareNames(one.name, other.name) || compareText(one.id, other.id),
    );
  }

  /** @throws AwsError NoSuchHostedZone */
  zone(id: string): HostedZone {
    return this.state(id);
  }

  /** The public zone that a name belongs to: the longest one. */
  zoneFor(name: string): HostedZone | undefined {
    const normalized = normalizeName(name);
    return [...this.zones.values()]
      .filter(zone => !zone.private && isWithin(normalized, zone.name))
      .sort((one, other) => other.name.length - one.name.length)[0];
  }

  /**
   * The record sets of a zone in the order of Route 53.
   *
   * @throws AwsError NoSuchHostedZone
   */
  records(id: string): RecordSet[] {
    return [...this.state(id).records.values()]
      .flatMap(ofName => [...ofName.values()])
      .sort(compareRecordSets);
  }

  /** Record sets of a name, whatever their type, in its public zone. */
  lookup(name: string): RecordSet[] {
    const zone = this.zoneFor(name);
    const found =
      zone && this.state(zone.id).records.get(normalizeName(name))?.values();
    return [...(found ?? [])];
  }

  /**
   * Makes all changes of a batch, or none of them.
   *
   * @throws AwsError NoSuchHostedZone, or InvalidChangeBatch with the words of Route 53
   */
  change(id: string, changes: RecordChange[]): ChangeInfo {
    const zone = this.state(id);
    // What the batch leaves of each record set that it touches; undefined is deleted.
    const outcome = new Map<string, [RecordSet, RecordSet | undefined]>();
    for (const { action, recordSet: given } of changes) {
      const recordSet = { ...given, name: normalizeName(given.name) };
      this.check(zone, recordSet);
      const key = `${recordSet.name} ${keyOf(recordSet)}`;
      const touched = outcome.get(key);
      const existing = touched
        ? touched[1]
        : zone.records.get(recordSet.name)?.get(keyOf(recordSet));
      this.checkAction(action, recordSet, existing);
      outcome.set(key, [
        recordSet,
        action === 'DELETE' ? undefined : recordSet,
      ]);
    }
    for (const [touched, left] of outcome.values()) {
      if (left) {
        put(zone, left);
      } else {
        remove(zone, touched);
      }
    }
    return this.submit();
  }

  private checkAction(
    action: RecordChange['action'],
    recordSet: RecordSet,
    existing: RecordSet | undefined,
  ): void {
    if (action === 'CREATE' && existing) {
      throw invalidBatch(
        `Tried to create resource record set ${describe(
          recordSet,
        )} but it already exists`,
      );
    }
    if (action !== 'DELETE') {
      return;
    }
    if (!existing) {
      throw invalidBatch(
        `Tried to delete resource record set ${describe(
          recordSet,
        )} but it was not found`,
      );
    }
    if (
      existing.ttl !== recordSet.ttl ||
      existing.values?.join() !== recordSet.values?.join()
    ) {
      throw invalidBatch(
        `Tried to delete resource record set ${describe(
          recordSet,
        )} but the values provided do not match the current values`,
      );
    }
  }

  /** @throws AwsError NoSuchChange */
  changeInfo(id: string): ChangeInfo {
    const change = this.changes.get(id);
    if (!change) {
      throw new AwsError({
        status: 404,
        code: 'NoSuchChange',
        message: `Could not find resource with ID: ${id}`,
      });
    }
    return change;
  }

  private submit(): ChangeInfo {
    const change: ChangeInfo = {
      id: `C${this.random.hex(ID_LENGTH - 1).toUpperCase()}`,
      status: 'PENDING',
      submittedAt: this.clock.now(),
    };
    this.changes.set(change.id, change);
    this.clock.after(SYNC_MILLISECONDS, () => {
      change.status = 'INSYNC';
    });
    return { ...change };
  }

  private check(zone: ZoneState, recordSet: RecordSet): void {
    if (!isWithin(recordSet.name, zone.name)) {
      throw invalidBatch(
        `RRSet with DNS name ${recordSet.name} is not permitted in zone ${zone.name}`,
      );
    }
    const bare = recordSet.values?.find(value => !/^".*"$/s.test(value));
    if (recordSet.type === 'TXT' && bare !== undefined) {
      throw invalidBatch(
        `Invalid Resource Record: 'FATAL problem: InvalidCharacterString (Value should be enclosed in quotation marks) encountered with '${bare}''`,
      );
    }
  }

  private state(id: string): ZoneState {
    const zone = this.zones.get(id);
    if (!zone) {
      throw new AwsError({
        status: 404,
        code: 'NoSuchHostedZone',
        message: `No hosted zone found with ID: ${id}`,
      });
    }
    return zone;
  }
}
