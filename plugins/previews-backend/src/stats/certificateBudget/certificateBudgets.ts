import { CertificateBudgets } from '@previews/backstage-plugin-previews-common';
import { BudgetMemory, IssuanceRecord, ObservationGap } from '../../model';
import { DomainAccount, isOf } from './DomainAccount';
import { AcmeLimits } from './limits';
import { registeredDomainOf } from './registeredDomain';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Buckets depend on what came before the week that they are filled in. */
export const ISSUANCES_KEPT_MILLISECONDS = 28 * DAY;

const MOST_DOMAINS = 50;

/** A gap that is shorter can hide no more than a certificate or two. */
const LONG_GAP_MILLISECONDS = HOUR;

export interface BudgetOptions {
  /** In any order. */
  records: readonly IssuanceRecord[];
  /** Undefined before the first reading. */
  memory?: BudgetMemory;
  gaps: readonly ObservationGap[];
  limits: AcmeLimits;
  /** Ids of the previews whose domains and names may be told; all where absent. */
  visible?: ReadonlySet<string>;
  now: string;
}

/** What is left of every limit, by what was issued and by what the authorities said themselves. */
export function certificateBudgets(options: BudgetOptions): CertificateBudgets {
  const { memory, limits, visible } = options;
  const now = Date.parse(options.now);
  const accounts = new Map<string, DomainAccount>();
  const records = [...options.records]
    .filter(
      ({ server, at }) =>
        !limits.unlimitedServers.has(server ?? '') &&
        Date.parse(at) <= now &&
        Date.parse(at) > now - ISSUANCES_KEPT_MILLISECONDS,
    )
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const renewals = renewalsOf(records);
  for (const record of records) {
    for (const domain of domainsOf(record)) {
      const key = domainKey(record.server, domain);
      const account =
        accounts.get(key) ??
        new DomainAccount({ domain, server: record.server });
      accounts.set(key, account);
      account.add(record, renewals.has(record.id));
    }
  }
  return {
    domains: [...accounts.values()]
      .filter(
        account =>
          !visible || account.records.some(record => isOf(record, visible)),
      )
      .map(account => account.budget({ limits, visible, now }))
      .sort(
        (a, b) =>
          a.left / a.limit - b.left / b.limit || (a.domain < b.domain ? -1 : 1),
      )
      .slice(0, MOST_DOMAINS),
    atLeast: isIncomplete(options, now),
    ...(memory && { observedSince: memory.since }),
  };
}

/** Tells the domains of servers apart. */
export function domainKey(server: string | undefined, domain: string): string {
  return `${server ?? ''}/${domain}`;
}

function domainsOf(record: IssuanceRecord): Set<string> {
  if (record.kind === 'refused' && record.domain !== undefined) {
    // Whether it named the registered domain or a name below it.
    return new Set([registeredDomainOf(record.domain)]);
  }
  return new Set(record.names.map(registeredDomainOf));
}

function isIncomplete({ memory, gaps }: BudgetOptions, now: number): boolean {
  const isRecentGap = ({ scope, startedAt, endedAt }: ObservationGap) =>
    (scope === '*' || scope.startsWith('cluster:')) &&
    Date.parse(endedAt) > now - WEEK &&
    Date.parse(endedAt) - Date.parse(startedAt) > LONG_GAP_MILLISECONDS;
  return (
    memory === undefined ||
    memory.unread.length > 0 ||
    Date.parse(memory.since) > now - WEEK ||
    gaps.some(isRecentGap)
  );
}

/** Ids of those that are for names that had a certificate before. */
function renewalsOf(records: readonly IssuanceRecord[]): Set<string> {
  const renewals = new Set<string>();
  const before = new Set<string>();
  const namesOfCertificate = new Map<string, string>();
  for (const record of records) {
    if (record.kind === 'issued') {
      const names = JSON.stringify([record.server ?? '', record.names]);
      const [uid, revision] = record.id.split('/');
      const last = namesOfCertificate.get(uid);
      const isLater = Number(revision) > 1 && (last ?? names) === names;
      if (before.has(names) || isLater) {
        renewals.add(record.id);
      }
      before.add(names);
      namesOfCertificate.set(uid, names);
    }
  }
  return renewals;
}
