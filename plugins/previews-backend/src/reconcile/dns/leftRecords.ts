import {
  DnsOwnership,
  DnsRecordFact,
  DnsRecordType,
  DnsZoneReading,
  OwnershipAffixes,
} from '../../model';

/** A record that is there though nothing of the preview is. */
export interface LeftRecord {
  type: DnsRecordType;
  name: string;
  /** The external-dns that says it is its own; without one, none takes it away. */
  owner?: string;
}

const ADDRESS_TYPES: readonly DnsRecordType[] = ['A', 'AAAA', 'CNAME'];

const TYPE_TEMPLATE = '%{record_type}';

type Zone = Pick<DnsZoneReading, 'records' | 'affixes'>;

function recordsAt({ records }: Zone, name: string): readonly DnsRecordFact[] {
  return records.get(name) ?? [];
}

function addressesAt(zone: Zone, name: string): readonly DnsRecordFact[] {
  return recordsAt(zone, name).filter(({ type }) =>
    ADDRESS_TYPES.includes(type),
  );
}

function ownershipAt(zone: Zone, name: string): DnsOwnership | undefined {
  return recordsAt(zone, name).find(({ ownership }) => ownership)?.ownership;
}

/**
 * Name of the TXT record that tells the owner of a host's record. Without a type
 * it is the form of before external-dns 0.12, which 0.18 no longer writes.
 */
export function ownershipName(
  host: string,
  options: { type?: DnsRecordType; affixes: OwnershipAffixes },
): string {
  const { affixes } = options;
  const type = options.type?.toLowerCase() ?? '';
  const [label, ...rest] = host.split('.');
  const isInAffix = [affixes.prefix, affixes.suffix].some(affix =>
    affix.includes(TYPE_TEMPLATE),
  );
  const filled = (affix: string) => affix.replace(TYPE_TEMPLATE, type);
  const typed = type === '' || isInAffix ? label : `${type}-${label}`;
  return [
    `${filled(affixes.prefix)}${typed}${filled(affixes.suffix)}`,
    ...rest,
  ].join('.');
}

/** Types come first: an alias to a load balancer is an A record of a CNAME endpoint. */
function typedNames(zone: Zone, host: string): string[] {
  return ADDRESS_TYPES.map(type =>
    ownershipName(host, { type, affixes: zone.affixes }),
  );
}

function hasTypedOwnership(zone: Zone, host: string): boolean {
  return typedNames(zone, host).some(name => ownershipAt(zone, name));
}

/**
 * The host whose record a name that begins with a type may tell the owner of:
 * `a-shop` may be a host, and that of the TXT record of the host `shop`.
 */
function hostBehind(name: string): string | undefined {
  return /^(?:a|aaaa|cname)-(.+)$/.exec(name)?.[1];
}

/** Who owns the records of a host, as far as its TXT records are its own. */
function ownerOf(zone: Zone, host: string): DnsOwnership | undefined {
  for (const name of typedNames(zone, host)) {
    // A record of its own there may be what the TXT record is about.
    const isOwn =
      addressesAt(zone, name).length === 0 || hasTypedOwnership(zone, name);
    const ownership = isOwn ? ownershipAt(zone, name) : undefined;
    if (ownership) {
      return ownership;
    }
  }
  const name = ownershipName(host, { affixes: zone.affixes });
  return isOfHostBehind(zone, name) ? undefined : ownershipAt(zone, name);
}

/** Whether a TXT record tells the owner of a record that another host still has. */
function isOfHostBehind(zone: Zone, name: string): boolean {
  const behind = hostBehind(name);
  return behind !== undefined && addressesAt(zone, behind).length > 0;
}

/**
 * Records of a host, and TXT records about them. What lies on a name that is in
 * use is left out, so that the TXT record of one host is not taken for the record
 * of another one that is called alike.
 */
export function leftRecords(
  zone: Zone,
  host: string,
  options: { isUsed: (name: string) => boolean; isCertified: boolean },
): LeftRecord[] {
  const { isUsed, isCertified } = options;
  const owner = ownerOf(zone, host)?.owner;
  const addresses = addressesAt(zone, host).map(
    ({ type }): LeftRecord => ({
      type,
      name: host,
      ...(owner !== undefined && { owner }),
    }),
  );
  const names = new Set([
    ...typedNames(zone, host),
    ownershipName(host, { affixes: zone.affixes }),
  ]);
  const ownerships = [...names].flatMap((name): LeftRecord[] => {
    const ownership = ownershipAt(zone, name);
    const behind = hostBehind(name);
    const isAnothers =
      (name !== host && (addressesAt(zone, name).length > 0 || isUsed(name))) ||
      (behind !== host &&
        (isOfHostBehind(zone, name) ||
          (behind !== undefined && isUsed(behind))));
    return ownership && !isAnothers
      ? [{ type: 'TXT', name, owner: ownership.owner }]
      : [];
  });
  const challenge = `_acme-challenge.${host}`;
  const challenges = isCertified
    ? []
    : recordsAt(zone, challenge)
        .filter(({ type }) => type === 'TXT')
        .map(({ type }) => ({ type, name: challenge }));
  return [...addresses, ...ownerships, ...challenges];
}
