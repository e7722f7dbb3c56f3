import { SourceError } from '@previews/backstage-plugin-previews-common';

/** Types of records that say something of a preview or of the zone itself. */
export const dnsRecordTypes = [
  'A',
  'AAAA',
  'CNAME',
  'TXT',
  'NS',
  'SOA',
] as const;

export type DnsRecordType = (typeof dnsRecordTypes)[number];

/** Whose a record is, as a TXT record of external-dns says it. */
export interface DnsOwnership {
  /** `--txt-owner-id` of the external-dns that made it. */
  owner: string;
  /** What it was made for, such as `httproute/preview-mr-7/shop`. */
  resource?: string;
}

/** A record set of a zone, without its values: nobody needs them. */
export interface DnsRecordFact {
  /** Lower case, unescaped, without the dot at the end. */
  name: string;
  type: DnsRecordType;
  /** Of a TXT record of external-dns. */
  ownership?: DnsOwnership;
}

/** How external-dns makes the names of its TXT records, beyond their type. */
export interface OwnershipAffixes {
  /** `--txt-prefix`; `%{record_type}` stands for the type. Empty when there is none. */
  prefix: string;
  /** `--txt-suffix`, likewise. */
  suffix: string;
}

/**
 * What is known of one zone of DNS. Of its records only those are kept that can
 * belong to a preview: addresses, challenges of ACME and the TXT records of
 * external-dns; never wildcards, nor what lies on the zone's own name.
 */
export interface DnsZoneReading {
  /** `dns:<hosted zone>`. */
  sourceId: string;
  /**
   * `pending`: never read completely. `failing`: the newest try failed; the
   * records are those of the last complete reading.
   */
  state: 'pending' | 'ready' | 'failing';
  /** ISO: begin of the last complete reading, since a record may be read at once. */
  completeAt?: string;
  error?: SourceError;
  /** After this long without a complete reading nothing is concluded. */
  staleAfterSeconds: number;
  /** Domain of the zone; undefined until it was read. */
  domain?: string;
  affixes: OwnershipAffixes;
  /** By name. */
  records: ReadonlyMap<string, readonly DnsRecordFact[]>;
}
