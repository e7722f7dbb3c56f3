import { DnsZoneReading } from '../../model';
import { HostsInUse } from './HostsInUse';
import { LeftRecord, leftRecords } from './leftRecords';

/** What a zone has of a host that is the preview's alone. */
export interface ObservedHost {
  host: string;
  zone: DnsZoneReading;
  /** Empty also where the zone was never read. */
  records: readonly LeftRecord[];
}

/**
 * Looks for records of hosts in the zones that they lie in. A host that somebody
 * else uses, and one that lies in no zone that is read, is left out.
 */
export function observeDns(options: {
  zones: readonly DnsZoneReading[];
  hosts: readonly string[];
  inUse: HostsInUse;
  /** Key string of the preview. */
  id: string;
}): ObservedHost[] {
  const { zones, hosts, inUse, id } = options;
  if (zones.length === 0) {
    return [];
  }
  const isUsed = (name: string) => inUse.isUsed(name, { exceptBy: id });
  return hosts
    .filter(host => !isUsed(host))
    .flatMap(host =>
      zonesOf(host, zones).map(zone => ({
        host,
        zone,
        records: leftRecords(zone, host, {
          isUsed,
          isCertified: inUse.isCertified(host),
        }),
      })),
    );
}

/**
 * The zones that answer for a host: those of the longest domain that it lies
 * below, and those whose domain is not known yet, since it may be that one.
 */
export function zonesOf(
  host: string,
  zones: readonly DnsZoneReading[],
): DnsZoneReading[] {
  const lengthOf = ({ domain }: DnsZoneReading) =>
    domain !== undefined && host.endsWith(`.${domain}`) ? domain.length : 0;
  const longest = Math.max(0, ...zones.map(lengthOf));
  return zones.filter(
    zone =>
      zone.domain === undefined || (longest > 0 && lengthOf(zone) === longest),
  );
}
