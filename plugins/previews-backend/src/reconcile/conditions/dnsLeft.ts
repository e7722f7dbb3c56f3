import { DnsZoneReading } from '../../model';
import { LeftRecord, ObservedHost } from '../dns';
import { zoneUnknown } from '../readability';
import { hasElapsed } from '../time';
import { Verdict, verdict } from '../verdict';
import { PolicyContext } from './context';

const TYPE = 'CleanedUp';

/** Most records of a kind that are named. */
const MAXIMUM_NAMED = 20;

/**
 * Whether DNS still has records of the preview, once nothing else of it is there.
 * A record counts as left only in a reading that began after the time that
 * external-dns has to take it away, and none counts as gone in a reading that
 * began before the rest was.
 *
 * @returns undefined where no zone has anything, or none is read.
 */
export function dnsLeft(context: PolicyContext): Verdict | undefined {
  const { observed, now, settings, onlyDnsSince = now } = context;
  const unread = (zone: DnsZoneReading) => zoneUnknown(TYPE, zone, { now });
  const read = observed.dns.filter(({ zone }) => !unread(zone));
  const left = read.filter(
    ({ zone, records }) =>
      records.length > 0 &&
      hasElapsed(onlyDnsSince, zone.completeAt!, settings.dnsGraceSeconds),
  );
  if (left.length > 0) {
    return verdict(TYPE, 'False', 'DnsRecordLeft', paramsOf(left));
  }
  const unknown = observed.dns.flatMap(({ zone }) => unread(zone) ?? [])[0];
  if (unknown) {
    return unknown;
  }
  const awaited = read.filter(
    ({ zone, records }) =>
      records.length > 0 || !hasElapsed(onlyDnsSince, zone.completeAt!, 0),
  );
  return awaited.length > 0
    ? verdict(TYPE, 'False', 'DnsRecordsLeaving', {
        hosts: [...new Set(awaited.map(({ host }) => host))].sort(),
      })
    : undefined;
}

function paramsOf(left: readonly ObservedHost[]) {
  const records = left.flatMap(host => host.records);
  return {
    unowned: listOf(
      records.filter(({ owner }) => owner === undefined).map(nameOf),
    ),
    owned: listOf(
      records
        .filter(({ owner }) => owner !== undefined)
        // As external-dns writes it, which is the same in every language.
        .map(
          record => `${nameOf(record)} (external-dns/owner=${record.owner})`,
        ),
    ),
  };
}

function nameOf({ type, name }: LeftRecord): string {
  return `${type} ${name}`;
}

function listOf(texts: readonly string[]): string[] | undefined {
  return texts.length > 0
    ? [...new Set(texts)].slice(0, MAXIMUM_NAMED)
    : undefined;
}
