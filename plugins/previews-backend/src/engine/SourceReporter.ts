import { LoggerService } from '@backstage/backend-plugin-api';
import { SourceState } from '@previews/backstage-plugin-previews-common';
import { EntityLink } from '../reconcile';
import { EntityClaim, LeaseTerm, PreviewStore } from '../store';
import { SourceJournal } from './SourceJournal';
import { Sources } from './world';

/** How often the time of reading is written while nothing else changes. */
const CONFIRM_MILLISECONDS = 5_000;

/**
 * Writes what the sources and the entities' annotations say of themselves, and how
 * far the writer is, for one term: changes at once, the mere passing of time only now
 * and then.
 */
export class SourceReporter {
  readonly #store: PreviewStore;
  readonly #term: LeaseTerm;
  readonly #sources: Sources;
  readonly #unreadable: readonly SourceState[];
  readonly #journal: SourceJournal;
  #states?: string;
  #claims?: string;
  #confirmedAt = 0;
  #reconciledAt = 0;

  constructor(options: {
    store: PreviewStore;
    term: LeaseTerm;
    sources: Sources;
    /** Sources that are configured in a way that cannot be read, shown as they are. */
    unreadable: readonly SourceState[];
    logger: LoggerService;
  }) {
    this.#store = options.store;
    this.#term = options.term;
    this.#sources = options.sources;
    this.#unreadable = options.unreadable;
    this.#journal = new SourceJournal(options);
  }

  /**
   * @param links - Undefined while too little was read to follow annotations:
   *   then those of the last term stand.
   * @throws LeaseLostError
   */
  async report(
    links: readonly EntityLink[] | undefined,
    now: Date,
  ): Promise<void> {
    await this.#reportStates(now);
    if (links) {
      await this.#reportClaims(links);
    }
  }

  /**
   * Everything was decided at the time and is written.
   * @throws LeaseLostError
   */
  async reconciled(now: Date): Promise<void> {
    if (isTimeToConfirm(this.#reconciledAt, now)) {
      await this.#store.applyReconciled(this.#term, now.toISOString());
      this.#reconciledAt = now.getTime();
    }
  }

  async #reportStates(now: Date): Promise<void> {
    const { gitlab, clusters, dns = [], extensions } = this.#sources;
    const states = [
      ...[...gitlab, ...clusters, ...dns].map(source => source.state(now)),
      ...(extensions?.sources ?? []).map(source => source.state(now)),
      ...(extensions?.failures(now) ?? []),
      ...this.#unreadable,
    ];
    this.#journal.note(states);
    const timeless = JSON.stringify(
      states.map(state => ({ ...state, lastCompleteAt: undefined })),
    );
    const isDue = isTimeToConfirm(this.#confirmedAt, now);
    if (timeless !== this.#states || isDue) {
      const readAt = now.toISOString();
      await this.#store.applySources(this.#term, states, { readAt });
      this.#states = timeless;
      this.#confirmedAt = now.getTime();
    }
  }

  async #reportClaims(links: readonly EntityLink[]): Promise<void> {
    const { clusters } = this.#sources;
    const claims = links.map(link => claimOf(link, clusters));
    const text = JSON.stringify(claims);
    if (text !== this.#claims) {
      await this.#store.applyClaims(this.#term, claims);
      this.#claims = text;
    }
  }
}

/** Also where the clock was set back: a time in the future would seem fresh for as long. */
function isTimeToConfirm(confirmedAt: number, now: Date): boolean {
  return Math.abs(now.getTime() - confirmedAt) >= CONFIRM_MILLISECONDS;
}

/** What an entity's annotations lead to, as it is stored. */
export function claimOf(
  { entity, project, applicationSets, problems }: EntityLink,
  clusters: Sources['clusters'],
): EntityClaim {
  const named = new Set(
    applicationSets.map(reference => reference.split(':')[0]),
  );
  const behind =
    named.size > 0
      ? clusters.filter(({ cluster }) => named.has(cluster))
      : clusters;
  const isNamed =
    entity.project !== undefined || entity.applicationSets.length > 0;
  const isFound = project !== undefined || applicationSets.length > 0;
  return {
    entityRef: entity.entityRef,
    ...(project && { project }),
    applicationSets,
    ...(isNamed && !isFound && problems.length === 0 && { unread: true }),
    sources: [
      ...(entity.project ? [`gitlab:${entity.project.host}`] : []),
      ...behind.map(({ id }) => id),
    ],
    problems,
  };
}
