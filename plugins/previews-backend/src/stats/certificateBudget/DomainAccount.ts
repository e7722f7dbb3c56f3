import {
  CertificateBudgetState,
  DomainBudget,
  NameSetBudget,
} from '@previews/backstage-plugin-previews-common';
import { IssuanceRecord, IssuedRecord, RefusedRecord } from '../../model';
import { budgetOf } from './budgetOf';
import { paceOf, runsOutOf, wildcardFor } from './forecast';
import { AcmeLimits } from './limits';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const MOST_NAME_SETS = 20;

/** Running out within this is soon: time enough to set a wildcard up. */
const SOON_MILLISECONDS = 3 * DAY;
/** From this part of the limit in a week on, a wildcard is advised. */
const WILDCARD_PART = 0.75;

/** Whether the certificate is a preview's that may be told of. */
export function isOf(
  { previewId }: IssuanceRecord,
  visible: ReadonlySet<string>,
): boolean {
  return previewId !== undefined && visible.has(previewId);
}

/** All that is known of one registered domain with one server. */
export class DomainAccount {
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
    const { limits, visible, now } = options;
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
    // The names of other services are told no more than their previews.
    const wildcard = wildcardFor(
      visible ? lastWeek.filter(record => isOf(record, visible)) : lastWeek,
    );
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
    return (
      [...sets.values()]
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
        // One certificate is what every set has.
        .filter(({ used }) => used > 1)
        .sort((a, b) => a.left - b.left || (a.names < b.names ? -1 : 1))
        .slice(0, MOST_NAME_SETS)
    );
  }
}
