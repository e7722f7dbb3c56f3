import { LoggerService } from '@backstage/backend-plugin-api';
import { EntityChecks } from '@previews/backstage-plugin-previews-common';
import {
  Answered,
  checkSetUp,
  EntitySetUp,
  goneEntities,
  requestKey,
  requestsFollowing,
  requestsOf,
  setUpsOf,
  supersede,
  WantedObjects,
  webhookSeen,
} from '../audit';
import { ObjectAnswer, ObjectRequest, TierName, World } from '../model';
import { PassResult } from '../reconcile';
import { sleep } from '../sources/sleep';
import { LeaseLostError, LeaseTerm, PreviewStore } from '../store';
import { ChangeListener } from './ChangeListener';
import { WebhookLog } from './WebhookLog';
import { Sources } from './world';

/** When and for whom readiness checks run. */
export interface ChecksSchedule {
  everyMilliseconds: number;
  /** Hosts of GitLab that may send webhooks to the portal. */
  webhookHosts: ReadonlySet<string>;
}

/** A set-up that changes is checked again at once, but not more often than this. */
const AGAIN_MILLISECONDS = 10_000;

/** What could not be read is read again after this. */
const RETRY_MILLISECONDS = 60_000;

/** Calls of one round that are made without a rest, and those a second after them. */
const CALLS_AT_ONCE = 200;
const CALLS_PER_SECOND = 20;

const READ_AT_A_TIME = 4;

/** Objects that name objects that name objects. */
const MAXIMUM_HOPS = 3;

interface ChecksKeeperOptions {
  store: PreviewStore;
  term: LeaseTerm;
  sources: Sources;
  schedule: ChecksSchedule;
  /** Names of tiers; without, only those that say so by label are checked. */
  tiers?: readonly TierName[];
  webhooks: WebhookLog;
  listener: ChangeListener;
  logger: LoggerService;
  clock: () => Date;
}

/** What one round takes along, so that no pass is held on to. */
interface Due {
  setUp: EntitySetUp;
  webhookSeen?: boolean;
}

/**
 * Runs the readiness checks for one term: in rounds beside the passes, one entity
 * after the other. Whole objects are read when it is an entity's turn, and let go of
 * when it is over.
 */
export class ChecksKeeper {
  static async create(options: ChecksKeeperOptions): Promise<ChecksKeeper> {
    return new ChecksKeeper(options, await options.store.checkedEntities());
  }

  readonly #options: ChecksKeeperOptions;
  readonly #stored: Set<string>;
  readonly #checked = new Map<
    string,
    { fingerprint: string; at: number; isWhole: boolean }
  >();
  readonly #goneSince = new Map<string, number>();
  #round?: Promise<void>;

  private constructor(options: ChecksKeeperOptions, stored: readonly string[]) {
    this.#options = options;
    this.#stored = new Set(stored);
  }

  /**
   * Takes up what a full pass saw: begins a round where something is due and none is
   * under way. Returns at once.
   */
  consider(
    result: PassResult,
    options: { world: World; now: Date; signal: AbortSignal },
  ): void {
    if (this.#round || options.signal.aborted) {
      return;
    }
    const { world, now, signal } = options;
    const due = setUpsOf(result, { tiers: this.#options.tiers ?? [] })
      .map(setUp => this.#withWebhooks(setUp, world, now))
      .filter(one => this.#isDue(one, now));
    const gone = this.#goneFrom(result, world, now);
    if (due.length === 0 && gone.length === 0) {
      return;
    }
    this.#round = this.#run({ due, gone, signal })
      .catch(error => {
        if (!(error instanceof LeaseLostError) && !signal.aborted) {
          this.#options.logger.error('A round of checks failed', error);
        }
      })
      .finally(() => {
        this.#round = undefined;
      });
  }

  /** Resolves when no round is under way. */
  async idle(): Promise<void> {
    await this.#round;
  }

  #withWebhooks(setUp: EntitySetUp, world: World, now: Date): Due {
    const { schedule, webhooks } = this.#options;
    const { project: claimed } = setUp;
    const project = world.gitlab
      .find(({ host }) => host === claimed?.host)
      ?.projects.get(claimed?.id ?? 0);
    const seen =
      project &&
      webhookSeen({
        host: claimed!.host,
        project,
        memory: webhooks.memory,
        hosts: schedule.webhookHosts,
        now: now.toISOString(),
      });
    return { setUp, ...(seen !== undefined && { webhookSeen: seen }) };
  }

  #isDue(due: Due, now: Date): boolean {
    const { everyMilliseconds } = this.#options.schedule;
    const checked = this.#checked.get(due.setUp.entityRef);
    if (!checked) {
      return true;
    }
    const age = now.getTime() - checked.at;
    const wait = checked.isWhole
      ? everyMilliseconds
      : Math.min(everyMilliseconds, RETRY_MILLISECONDS);
    const isChanged = checked.fingerprint !== fingerprintOf(due);
    return (
      age >= wait ||
      (isChanged && age >= Math.min(everyMilliseconds, AGAIN_MILLISECONDS))
    );
  }

  /** Gone for a while: after a start not everything is known at once. */
  #goneFrom({ links }: PassResult, world: World, now: Date): string[] {
    const gone = new Set(goneEntities({ checked: this.#stored, links, world }));
    for (const ref of this.#goneSince.keys()) {
      if (!gone.has(ref)) {
        this.#goneSince.delete(ref);
      }
    }
    const { everyMilliseconds } = this.#options.schedule;
    const patience = Math.min(everyMilliseconds, RETRY_MILLISECONDS);
    return [...gone].filter(ref => {
      const since = this.#goneSince.get(ref) ?? now.getTime();
      this.#goneSince.set(ref, since);
      return now.getTime() - since >= patience;
    });
  }

  async #run(options: {
    due: readonly Due[];
    gone: readonly string[];
    signal: AbortSignal;
  }): Promise<void> {
    const { due, gone, signal } = options;
    const { store, term, listener, webhooks } = this.#options;
    await webhooks.write();
    if (gone.length > 0) {
      await store.applyChecks(term, { put: [], removed: gone });
      gone.forEach(ref => {
        this.#stored.delete(ref);
        this.#checked.delete(ref);
        this.#goneSince.delete(ref);
      });
      listener.previewsChanged(gone);
    }
    let calls = 0;
    for (const one of due) {
      const made = await this.#check(one, signal);
      if (signal.aborted) {
        return;
      }
      calls += made;
      if (calls > CALLS_AT_ONCE) {
        await sleep((made * 1000) / CALLS_PER_SECOND, signal);
      }
    }
  }

  /** Returns how many calls it made. */
  async #check(due: Due, signal: AbortSignal): Promise<number> {
    const { store, term, listener, clock } = this.#options;
    const { setUp } = due;
    const { entityRef } = setUp;
    const answers = await this.#readAll(setUp, signal);
    const { repositories, unread } = await this.#repositoriesOf(setUp);
    if (signal.aborted) {
      return 0;
    }
    const now = clock();
    const after = checkSetUp({
      setUp,
      answers,
      repositories,
      ...(due.webhookSeen !== undefined && { webhookSeen: due.webhookSeen }),
      incomplete: [...this.#failedSources(answers), ...unread],
      now: now.toISOString(),
    });
    const before = await store.checksOf(entityRef);
    const checks = supersede(before, after);
    if (checks !== before) {
      await store.applyChecks(term, {
        put: [{ entityRef, checks }],
        removed: [],
      });
      this.#stored.add(entityRef);
    }
    this.#checked.set(entityRef, {
      fingerprint: fingerprintOf(due),
      at: now.getTime(),
      isWhole: after.incomplete.length === 0,
    });
    if (essenceOf(checks) !== essenceOf(before)) {
      listener.previewsChanged([entityRef]);
    }
    return answers.length;
  }

  async #readAll(setUp: EntitySetUp, signal: AbortSignal): Promise<Answered[]> {
    const answers = new Map<string, Answered>();
    let wanted: WantedObjects[] = requestsOf(setUp);
    for (let hop = 0; hop <= MAXIMUM_HOPS && wanted.length > 0; hop += 1) {
      const unasked = new Map<string, WantedObjects>();
      for (const one of wanted) {
        const key = requestKey(one.request);
        if (!answers.has(key) && !unasked.has(key)) {
          unasked.set(key, one);
        }
      }
      const read = await this.#readSome([...unasked.values()], signal);
      read.forEach(one => answers.set(requestKey(one.request), one));
      wanted = requestsFollowing(
        read.flatMap(({ answer, ...one }) =>
          answer.state === 'read' ? [{ ...one, objects: answer.objects }] : [],
        ),
      );
    }
    return [...answers.values()];
  }

  async #readSome(
    wanted: readonly WantedObjects[],
    signal: AbortSignal,
  ): Promise<Answered[]> {
    const answered: Answered[] = [];
    for (
      let start = 0;
      start < wanted.length && !signal.aborted;
      start += READ_AT_A_TIME
    ) {
      const some = wanted.slice(start, start + READ_AT_A_TIME);
      answered.push(
        ...(await Promise.all(
          some.map(async one => ({
            ...one,
            answer: await this.#read(one.request, signal),
          })),
        )),
      );
    }
    return answered;
  }

  async #read(
    request: ObjectRequest,
    signal: AbortSignal,
  ): Promise<ObjectAnswer> {
    const source = this.#options.sources.clusters.find(
      ({ cluster }) => cluster === request.cluster,
    );
    return (
      (await source?.readWhole?.(request, { signal })) ?? { state: 'unknown' }
    );
  }

  #failedSources(answers: readonly Answered[]): string[] {
    const failed = new Set(
      answers
        .filter(({ answer }) => answer.state === 'failed')
        .map(({ request }) => request.cluster),
    );
    return this.#options.sources.clusters
      .filter(({ cluster }) => failed.has(cluster))
      .map(({ id }) => id);
  }

  async #repositoriesOf(setUp: EntitySetUp) {
    const unread = new Set<string>();
    const repositories = await Promise.all(
      setUp.repositories.map(async ({ host, path, role }) => {
        const source = this.#options.sources.gitlab.find(
          one => one.host === host,
        );
        const protection = await source?.readProtection?.({ path }, { role });
        if (source?.readProtection && !protection) {
          unread.add(source.id);
        }
        return { path, role, ...protection };
      }),
    );
    return { repositories, unread };
  }
}

function fingerprintOf({ setUp, webhookSeen: seen }: Due): string {
  return `${setUp.fingerprint} ${seen}`;
}

/** What a reader would see change. */
function essenceOf(checks: EntityChecks | undefined): string {
  return JSON.stringify(
    checks && [checks.results, checks.counts, checks.incomplete],
  );
}
