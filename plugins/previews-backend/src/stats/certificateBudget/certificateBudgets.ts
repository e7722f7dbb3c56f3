import {
  CertificateBudget,
  CertificateBudgets,
  CertificateBudgetState,
  DomainBudget,
  NameSetBudget,
} from '@previews/backstage-plugin-previews-common';
import {
  BudgetMemory,
  IssuanceRecord,
  IssuedRecord,
  ObservationGap,
  RefusedRecord,
} from '../../model';
import { PermitBucket } from './PermitBucket';
import { registeredDomainOf } from './registeredDomain';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Buckets depend on what came before the week that they are filled in. */
export const ISSUANCES_KEPT_MILLISECONDS = 28 * DAY;

const MOST_DOMAINS = 50;
const MOST_NAME_SETS = 20;

/** This part or less left is little. */
const LOW_PART = 0.2;
/** Running out within this is soon: time enough to set a wildcard up. */
const SOON_MILLISECONDS = 3 * DAY;
/** From this part of the limit in a week on, a wildcard is advised. */
const WILDCARD_PART = 0.75;
/** A gap that is shorter can hide no more than a certificate or two. */
const LONG_GAP_MILLISECONDS = HOUR;

/** The limits of ACME servers. */
export interface AcmeLimits {
  /** New certificates of a registered domain in 7 days. */
  perDomain: number;
  /** Certificates of one exact set of names in 7 days. */
  perNameSet: number;
  /** Other limits of registered domains, which an authority has granted. */
  domains: ReadonlyMap<string, number>;
  /** Hosts of ACME directories whose limits nobody reaches, such as those for tests. */
  unlimitedServers: ReadonlySet<string>;
}

/** Those that Let's Encrypt documents. */
export const letsEncryptLimits: AcmeLimits = {
  perDomain: 50,
  perNameSet: 5,
  domains: new Map(),
  unlimitedServers: new Set(['acme-staging-v02.api.letsencrypt.org']),
};

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

function isOf(
  { previewId }: IssuanceRecord,
  visible: ReadonlySet<string>,
): boolean {
  return previewId !== undefined && visible.has(previewId);
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

/** All that is known of one registered domain with one server. */
class DomainAccount {
  readonly records: IssuanceRecord[] = [];
  readonly #domain: string;
  readonly #server: string | undefined;
  readonly #fresh: IssuedRecord[] = [];

  constructor(options: { domain: string; server: string | undefined }) {
    this.#domain = options.domain;
    this.#server = options.server;
  }

  add(record: IssuanceRecord, isRenewal: boolean): void {
    this.records.push(record);
    if (record.kind === 'issued' && !isRenewal) {
      this.#fresh.push(record);
    }
  }

  budget(options: {
    limits: AcmeLimits;
    visible?: ReadonlySet<string>;
    now: number;
  }): DomainBudget {
    const { limits, now } = options;
    const refused = this.records.filter(
      (record): record is RefusedRecord =>
        record.kind === 'refused' && record.limit === 'domain',
    );
    const counted = budgetOf({
      issued: this.#fresh,
      refused,
      size: limits.domains.get(this.#domain) ?? limits.perDomain,
      // What somebody has written down is newer than what a refusal said.
      isSizeGiven: limits.domains.has(this.#domain),
      now,
    });
    const lastWeek = this.#fresh.filter(
      ({ at }) => Date.parse(at) > now - WEEK,
    );
    const weeklyPace = paceOf(lastWeek, now);
    const runsOutAt = runsOutOf(counted, { weeklyPace, now });
    const isSoon =
      runsOutAt !== undefined && runsOutAt <= now + SOON_MILLISECONDS;
    const state: CertificateBudgetState =
      counted.state === 'ok' && isSoon ? 'low' : counted.state;
    const wildcard = wildcardFor(lastWeek);
    const isTimely =
      state !== 'ok' || weeklyPace >= WILDCARD_PART * counted.limit;
    return {
      ...counted,
      state,
      domain: this.#domain,
      ...(this.#server !== undefined && { server: this.#server }),
      issuedLastWeek: lastWeek.length,
      weeklyPace,
      ...(runsOutAt !== undefined && {
        runsOutAt: new Date(Math.ceil(runsOutAt / HOUR) * HOUR).toISOString(),
      }),
      ...(isTimely && wildcard !== undefined && { advisedWildcard: wildcard }),
      nameSets: this.#nameSets(options),
    };
  }

  #nameSets(options: {
    limits: AcmeLimits;
    visible?: ReadonlySet<string>;
    now: number;
  }): NameSetBudget[] {
    const { limits, visible, now } = options;
    const sets = new Map<string, IssuanceRecord[]>();
    for (const record of this.records) {
      const key = record.names.join(' ');
      sets.set(key, [...(sets.get(key) ?? []), record]);
    }
    return [...sets.values()]
      .filter(records => !visible || records.some(one => isOf(one, visible)))
      .map(records => ({
        names: records[0].names,
        ...budgetOf({
          issued: records.filter(
            (record): record is IssuedRecord => record.kind === 'issued',
          ),
          refused: records.filter(
            (record): record is RefusedRecord =>
              record.kind === 'refused' && record.limit === 'names',
          ),
          size: limits.perNameSet,
          isSizeGiven: false,
          now,
        }),
      }))
      .filter(({ used }) => used > 0)
      .sort((a, b) => a.left - b.left || (a.names < b.names ? -1 : 1))
      .slice(0, MOST_NAME_SETS);
  }
}

/** Runs what happened through a bucket; both lists in order. */
function budgetOf(options: {
  issued: readonly IssuedRecord[];
  refused: readonly RefusedRecord[];
  size: number;
  isSizeGiven: boolean;
  now: number;
}): CertificateBudget {
  const { issued, refused, now, isSizeGiven } = options;
  const said = refused.findLast(({ size }) => size !== undefined)?.size;
  const events = [...issued, ...refused].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
  const bucket = new PermitBucket({
    size: isSizeGiven ? options.size : said ?? options.size,
    from: events.length > 0 ? Date.parse(events[0].at) : now,
  });
  for (const event of events) {
    const at = Date.parse(event.at);
    if (event.kind === 'issued') {
      bucket.take(at);
    } else {
      bucket.correct(at, {
        ...(event.retryAt !== undefined && {
          freeAt: Date.parse(event.retryAt),
        }),
      });
    }
  }
  // A part of a millisecond must not cost a whole certificate.
  const left = Math.floor(bucket.levelAt(now) + 1e-6);
  const refusedUntil = refusedUntilOf({ issued, refused, now });
  const isSpent = left === 0 || refusedUntil !== undefined;
  const shown = isSpent ? 0 : left;
  const nextAt =
    refusedUntil ??
    (left < bucket.size ? bucket.fullToAt(left + 1, now) : undefined);
  const fullAt = bucket.fullToAt(bucket.size, now);
  return {
    state: stateOf({ isSpent, left, size: bucket.size }),
    limit: bucket.size,
    used: bucket.size - shown,
    left: shown,
    refillSeconds: Math.round(bucket.refillMilliseconds / 1000),
    ...(nextAt !== undefined && { nextRefillAt: toSecond(nextAt) }),
    ...(fullAt !== undefined && { fullAt: toSecond(fullAt) }),
    ...(refusedUntil !== undefined && { refusedUntil: toSecond(refusedUntil) }),
  };
}

function stateOf(options: {
  isSpent: boolean;
  left: number;
  size: number;
}): CertificateBudgetState {
  if (options.isSpent) {
    return 'spent';
  }
  return options.left <= options.size * LOW_PART ? 'low' : 'ok';
}

/** The word of the authority stands until its time, or until it issues one all the same. */
function refusedUntilOf(options: {
  issued: readonly IssuedRecord[];
  refused: readonly RefusedRecord[];
  now: number;
}): number | undefined {
  const { issued, refused, now } = options;
  const issuedAt = Math.max(...issued.map(({ at }) => Date.parse(at)));
  const until = Math.max(
    ...refused
      .filter(({ at }) => !(Date.parse(at) < issuedAt))
      .map(({ retryAt }) => Date.parse(retryAt ?? '') || 0),
  );
  return until > now ? until : undefined;
}

/**
 * Certificates in 7 days at the pace since the first of the last 7 days, a day at
 * least: a service that began yesterday has no week to be judged by.
 */
function paceOf(lastWeek: readonly IssuedRecord[], now: number): number {
  if (lastWeek.length === 0) {
    return 0;
  }
  const span = Math.max(DAY, now - Date.parse(lastWeek[0].at));
  // A handful is no pace.
  const isFew = lastWeek.length < 5;
  return Math.round((lastWeek.length * WEEK) / (isFew ? WEEK : span));
}

/** Undefined where as much comes back as is used. */
function runsOutOf(
  budget: CertificateBudget,
  options: { weeklyPace: number; now: number },
): number | undefined {
  const net = options.weeklyPace - budget.limit;
  return budget.state === 'spent' || net <= 0
    ? undefined
    : options.now + (budget.left / net) * WEEK;
}

/** The wildcard that covers the most of what was issued, of names with a label of their own. */
function wildcardFor(issued: readonly IssuedRecord[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { names } of issued) {
    for (const name of names) {
      const parent = name.slice(name.indexOf('.') + 1);
      const isBelowDomain = registeredDomainOf(name) !== name;
      if (!name.startsWith('*.') && isBelowDomain) {
        counts.set(parent, (counts.get(parent) ?? 0) + 1);
      }
    }
  }
  const [most] = [...counts].sort(
    ([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1),
  );
  // One certificate is no reason to share it.
  return most && most[1] > 1 ? `*.${most[0]}` : undefined;
}

function toSecond(time: number): string {
  return new Date(Math.ceil(time / 1000) * 1000).toISOString();
}
