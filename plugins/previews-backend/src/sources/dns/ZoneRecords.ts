import { DnsRecordFact } from '../../model';
import { parseDnsRecord } from '../objects';

/** Name under which ACME looks for the answer to a DNS challenge of a host. */
const CHALLENGE_PREFIX = '_acme-challenge.';

/** Collects what a zone has, of the record sets as they are listed. */
export class ZoneRecords {
  #domain?: string;
  readonly #byName = new Map<string, DnsRecordFact[]>();

  /** Name of the zone: that of its SOA record, which every zone has. */
  get domain(): string | undefined {
    return this.#domain;
  }

  add(set: unknown): void {
    const record = parseDnsRecord(set);
    if (record?.type === 'SOA') {
      this.#domain = record.name;
    } else if (record && isOfHost(record)) {
      const known = this.#byName.get(record.name) ?? [];
      // Sets that differ in their identifier alone are one record here.
      const same = known.find(({ type }) => type === record.type);
      this.#byName.set(
        record.name,
        same?.ownership || (same && !record.ownership)
          ? known
          : [...known.filter(other => other !== same), record],
      );
    }
  }

  /** By name; nothing of the zone's own name. */
  byName(): ReadonlyMap<string, readonly DnsRecordFact[]> {
    if (this.#domain !== undefined) {
      this.#byName.delete(this.#domain);
    }
    return this.#byName;
  }
}

function isOfHost({ name, type, ownership }: DnsRecordFact): boolean {
  if (name.startsWith('*')) {
    return false;
  }
  return type === 'TXT'
    ? ownership !== undefined || name.startsWith(CHALLENGE_PREFIX)
    : type !== 'NS';
}
