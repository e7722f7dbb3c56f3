import { LoggerService } from '@backstage/backend-plugin-api';
import {
  DomainBudget,
  Finding,
} from '@previews/backstage-plugin-previews-common';
import { GeneratedSet, MergeRequestKey, StoredFinding } from '../model';
import {
  awaitedMergeRequests,
  DecisionSettings,
  diffWorld,
  PassResult,
  RenderedNames,
} from '../reconcile';
import { LeaseTerm, PreviewStore } from '../store';

/**
 * Keeps the findings for one term: what is stored, what a full
 * pass makes of it, and which sets are under an alarm.
 */
export class FindingsKeeper {
  static async create(options: {
    store: PreviewStore;
    term: LeaseTerm;
    settings: DecisionSettings;
    logger: LoggerService;
  }): Promise<FindingsKeeper> {
    return new FindingsKeeper(options, await options.store.loadFindings());
  }

  readonly #store: PreviewStore;
  readonly #term: LeaseTerm;
  readonly #settings: DecisionSettings;
  readonly #logger: LoggerService;
  readonly #names = new RenderedNames();
  readonly #open: Map<string, StoredFinding>;
  #sets: ReadonlyMap<string, GeneratedSet>;
  #frozenSets: ReadonlySet<string>;
  #past: readonly MergeRequestKey[] = [];

  private constructor(
    options: {
      store: PreviewStore;
      term: LeaseTerm;
      settings: DecisionSettings;
      logger: LoggerService;
    },
    stored: { findings: StoredFinding[]; sets: GeneratedSet[] },
  ) {
    this.#store = options.store;
    this.#term = options.term;
    this.#settings = options.settings;
    this.#logger = options.logger;
    this.#open = new Map(
      stored.findings.map(finding => [finding.finding.id, finding]),
    );
    this.#sets = new Map(stored.sets.map(set => [set.reference, set]));
    this.#frozenSets = alarmedOf(stored.sets);
  }

  /** Sets under an alarm, as `cluster:namespace/name`: none of their previews becomes an orphan. */
  get frozenSets(): ReadonlySet<string> {
    return this.#frozenSets;
  }

  /** MRs to be read whether a preview of them is left or not: an alarm hangs on them. */
  get awaited(): readonly MergeRequestKey[] {
    return awaitedMergeRequests(this.#sets.values());
  }

  /** MRs that nobody reads, of which GitLab is asked when they began and ended. */
  get past(): readonly MergeRequestKey[] {
    return this.#past;
  }

  /**
   * Takes up what a full pass saw, and writes what that changes.
   *
   * @returns refs of the entities whose previews a finding began, changed or ended for.
   * @throws LeaseLostError
   */
  async keep(
    result: PassResult,
    now: string,
    budgets: readonly DomainBudget[] = [],
  ): Promise<string[]> {
    const { basis, links, decisions } = result;
    const { opened, changed, resolved, sets, past } = diffWorld({
      pass: {
        index: basis.index,
        joined: basis.joins.byMergeRequest,
        unjoined: basis.joins.unjoined,
        links,
        decisions,
      },
      open: this.#open,
      sets: this.#sets,
      names: this.#names,
      budgets,
      settings: this.#settings,
      now,
    });
    const changes = {
      put: [...opened, ...changed],
      resolved,
      sets: [...sets.values()].filter(
        set => this.#sets.get(set.reference) !== set,
      ),
      forgottenSets: [...this.#sets.keys()].filter(
        reference => !sets.has(reference),
      ),
    };
    if (Object.values(changes).some(({ length }) => length > 0)) {
      await this.#store.applyFindings(this.#term, changes);
    }
    this.#sets = sets;
    this.#past = past;
    this.#frozenSets = alarmedOf(sets.values());
    changes.put.forEach(stored => this.#open.set(stored.finding.id, stored));
    resolved.forEach(({ finding }) => this.#open.delete(finding.id));
    opened.forEach(({ finding }) => this.#tell(finding));
    const concerned = new Set(
      [...changes.put, ...resolved].flatMap(
        ({ finding }) => finding.previewIds,
      ),
    );
    return concerned.size === 0 ? [] : entityRefsOf(concerned, result);
  }

  /** An alarm is for those who watch the log too, once. */
  #tell({ severity, id, message }: Finding): void {
    if (severity === 'critical') {
      this.#logger.warn(message, { finding: id });
    }
  }
}

function alarmedOf(sets: Iterable<GeneratedSet>): ReadonlySet<string> {
  return new Set(
    [...sets].flatMap(({ reference, alarm }) => (alarm ? [reference] : [])),
  );
}

function entityRefsOf(
  previewIds: ReadonlySet<string>,
  { decisions }: PassResult,
): string[] {
  const entityRefs = new Set<string>();
  for (const { change } of decisions.values()) {
    const { preview } = change.stored;
    if (previewIds.has(preview.id)) {
      preview.entityRefs.forEach(ref => entityRefs.add(ref));
    }
  }
  return [...entityRefs];
}
