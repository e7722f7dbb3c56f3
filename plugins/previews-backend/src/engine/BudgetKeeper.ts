import { LoggerService } from '@backstage/backend-plugin-api';
import { DomainBudget } from '@previews/backstage-plugin-previews-common';
import { BudgetMemory, IssuanceRecord, ObjectMeta } from '../model';
import {
  clustersWithoutCertificates,
  issuancesIn,
  PassResult,
} from '../reconcile';
import {
  AcmeLimits,
  certificateBudgets,
  domainKey,
  ISSUANCES_KEPT_MILLISECONDS,
  registeredDomainOf,
} from '../stats';
import { LeaseTerm, PreviewStore } from '../store';
import { ChangeListener } from './ChangeListener';

const DAY_MILLISECONDS = 86_400_000;
/** Permits come back over hours: with nothing issued, budgets stand for this long. */
const STANDS_MILLISECONDS = 60_000;

interface BudgetKeeperOptions {
  store: PreviewStore;
  term: LeaseTerm;
  limits: AcmeLimits;
  listener: ChangeListener;
  logger: LoggerService;
}

/**
 * Remembers for one term what ACME servers issued and refused, and tells once a day
 * of a domain whose certificates run out.
 */
export class BudgetKeeper {
  static async create(options: BudgetKeeperOptions): Promise<BudgetKeeper> {
    return new BudgetKeeper(options, await options.store.issuances());
  }

  readonly #options: BudgetKeeperOptions;
  readonly #records: Map<string, IssuanceRecord>;
  /** Names and beginnings of validity: a Certificate that is made again may find its Secret. */
  readonly #validities: Set<string>;
  #memory?: BudgetMemory;
  #computed?: { at: number; domains: DomainBudget[] };

  private constructor(
    options: BudgetKeeperOptions,
    stored: { records: IssuanceRecord[]; memory?: BudgetMemory },
  ) {
    this.#options = options;
    this.#records = new Map(stored.records.map(record => [record.id, record]));
    this.#validities = new Set(stored.records.flatMap(validityOf));
    this.#memory = stored.memory;
  }

  /**
   * Takes up what a full pass saw, and writes what that changes.
   *
   * @returns the budgets of all domains.
   * @throws LeaseLostError
   */
  async keep(result: PassResult, now: string): Promise<DomainBudget[]> {
    const { index } = result.basis;
    const records = this.#newRecords(result, now);
    const forgetBefore = new Date(
      Date.parse(now) - ISSUANCES_KEPT_MILLISECONDS,
    ).toISOString();
    const old = [...this.#records.values()].filter(
      ({ at }) => at < forgetBefore,
    );
    const everything = new Map(this.#records);
    records.forEach(record => everything.set(record.id, record));
    old.forEach(({ id }) => everything.delete(id));
    const before = this.#memory;
    const memory: BudgetMemory = {
      since: before?.since ?? now,
      unread: clustersWithoutCertificates(index),
      told: before?.told ?? {},
    };
    const domains =
      (records.length === 0 && old.length === 0 && this.#standing(now)) ||
      certificateBudgets({
        records: [...everything.values()],
        memory,
        gaps: [],
        limits: this.#options.limits,
        now,
      }).domains;
    if (domains !== this.#computed?.domains) {
      this.#computed = { at: Date.parse(now), domains };
    }
    const toTell = domains.filter(
      budget => budget.state !== 'ok' && !wasTold(budget, memory, now),
    );
    memory.told = toldWith(memory, toTell, now);
    const isChanged = JSON.stringify(memory) !== JSON.stringify(before);
    if (records.length > 0 || old.length > 0 || isChanged) {
      // Written before it is told: what cannot be sent is not sent again.
      await this.#options.store.applyIssuances(this.#options.term, {
        records,
        ...(isChanged && { memory }),
        ...(old.length > 0 && { forgetBefore }),
      });
    }
    this.#memory = memory;
    records.forEach(record => {
      this.#records.set(record.id, record);
      validityOf(record).forEach(key => this.#validities.add(key));
    });
    for (const record of old) {
      this.#records.delete(record.id);
      validityOf(record).forEach(key => this.#validities.delete(key));
    }
    toTell.forEach(budget => this.#tell(budget, result));
    return domains;
  }

  #standing(now: string): DomainBudget[] | undefined {
    const computed = this.#computed;
    return computed && Date.parse(now) - computed.at < STANDS_MILLISECONDS
      ? computed.domains
      : undefined;
  }

  #newRecords(result: PassResult, now: string): IssuanceRecord[] {
    let previews: ReadonlyMap<string, string | undefined> | undefined;
    const seen = new Set<string>();
    const earliest = Date.parse(now) - ISSUANCES_KEPT_MILLISECONDS;
    return issuancesIn({
      index: result.basis.index,
      known: this.#records,
      previewOf: (cluster, meta) => {
        previews ??= previewsByNamespace(result);
        return previewIn(previews, cluster, meta);
      },
      now,
    }).filter(record => {
      const isTaken = validityOf(record).some(
        key => this.#validities.has(key) || seen.has(key),
      );
      validityOf(record).forEach(key => seen.add(key));
      return Date.parse(record.at) >= earliest && !isTaken;
    });
  }

  #tell(budget: DomainBudget, { decisions }: PassResult): void {
    const { listener, logger } = this.#options;
    const concerned = new Set(
      [...this.#records.values()].flatMap(({ names, previewId }) =>
        previewId !== undefined &&
        names.some(name => registeredDomainOf(name) === budget.domain)
          ? [previewId]
          : [],
      ),
    );
    const entityRefs = new Set<string>();
    for (const { change } of decisions.values()) {
      const { preview } = change.stored;
      if (concerned.has(preview.id)) {
        preview.entityRefs.forEach(ref => entityRefs.add(ref));
      }
    }
    logger.warn(
      budget.left === 0
        ? `No new certificate of ${budget.limit} is left for ${budget.domain}`
        : `${budget.left} of ${budget.limit} new certificates are left for ${budget.domain}`,
    );
    listener.certificatesRunOut?.(budget, [...entityRefs]);
  }
}

function validityOf(record: IssuanceRecord): string[] {
  return record.kind === 'issued' && record.notBefore !== undefined
    ? [JSON.stringify([record.server ?? '', record.notBefore, record.names])]
    : [];
}

function keyOf({ server, domain }: DomainBudget): string {
  return domainKey(server, domain);
}

function wasTold(
  budget: DomainBudget,
  { told }: BudgetMemory,
  now: string,
): boolean {
  const at = told[keyOf(budget)];
  return (
    at !== undefined && Date.parse(now) - Date.parse(at) < DAY_MILLISECONDS
  );
}

/** Without what is older than a day, which tells nothing any more. */
function toldWith(
  { told }: BudgetMemory,
  budgets: readonly DomainBudget[],
  now: string,
): BudgetMemory['told'] {
  const recent = Object.entries(told).filter(
    ([, at]) => Date.parse(now) - Date.parse(at) < DAY_MILLISECONDS,
  );
  return Object.fromEntries([
    ...recent,
    ...budgets.map(budget => [keyOf(budget), now]),
  ]);
}

/** Previews by `cluster/namespace`; undefined where several share the namespace. */
function previewsByNamespace({
  decisions,
}: PassResult): Map<string, string | undefined> {
  const previews = new Map<string, string | undefined>();
  for (const { change } of decisions.values()) {
    const { memory, preview } = change.stored;
    for (const { cluster, name, beside } of memory.namespaces) {
      if (beside === 'shared') {
        // What is in there may be anybody's.
        continue;
      }
      const key = `${cluster}/${name}`;
      previews.set(key, previews.has(key) ? undefined : preview.id);
    }
  }
  return previews;
}

function previewIn(
  previews: ReadonlyMap<string, string | undefined>,
  cluster: string,
  { namespace }: ObjectMeta,
): string | undefined {
  return previews.get(`${cluster}/${namespace}`);
}
