import { LoggerService } from '@backstage/backend-plugin-api';
import {
  CommitDistance,
  TierState,
} from '@previews/backstage-plugin-previews-common';
import {
  ApplicationFact,
  RepositoryAnswer,
  RepositoryQuestion,
  SetUpKind,
  setUpKinds,
  TierName,
  World,
} from '../model';
import {
  comparisonOf,
  DecisionSettings,
  Deployment,
  deploymentsOf,
  distanceOf,
  distanceQuestion,
  draftTier,
  handChangesOf,
  HostQuestion,
  mergeDrift,
  outOfSync,
  PassResult,
  releasedCommit,
  releaseQuestion,
  SeenChanges,
  TierDraft,
  TierFinder,
  withRelease,
} from '../reconcile';
import { setUpKindDefinitions } from '../sources/objects';
import { ClusterSource, ObjectsChange } from '../sources/types';
import { LeaseLostError, LeaseTerm, PreviewStore } from '../store';
import { ChangeListener } from './ChangeListener';
import { Sources } from './world';

/** What was not answered, and what may have drifted further, is looked at again after this. */
const RETRY_MILLISECONDS = 60_000;

/** Of the resources that drifted, so many are read. */
const MAXIMUM_READ = 20;

/** Readings of one Application that are kept for all entities that have it. */
const MAXIMUM_SEEN = 50;

export interface TiersKeeperOptions {
  store: PreviewStore;
  term: LeaseTerm;
  sources: Sources;
  settings: DecisionSettings;
  /** Names of tiers, in the order in which a release passes them. */
  names: readonly TierName[];
  retentionMilliseconds: number;
  listener: ChangeListener;
  logger: LoggerService;
  clock: () => Date;
}

/** What a pass found of one entity. */
interface EntityTiers {
  entityRef: string;
  drafts: TierDraft[];
  /** Tiers whose Application cannot be seen now: as they were. */
  kept: TierState[];
  /** ISO: the latest merge that was seen in the entity's project. */
  mergedAt?: string;
  webUrls: ReadonlyMap<string, string>;
}

/** What is remembered of an Application between rounds. */
interface Remembered {
  fact?: ApplicationFact;
  deployments?: readonly Deployment[];
  driftReadAt: number;
  seen: SeenChanges[];
}

/**
 * Keeps the long-lived environments of all entities for one term: beside the passes, one entity
 * after the other, where something of it changed. What one of them is by the cluster is known by
 * the pass; only the commits behind it, and what was changed by hand, are asked for.
 */
export class TiersKeeper {
  static async create(options: TiersKeeperOptions): Promise<TiersKeeper> {
    const stored = await options.store.allTiers();
    return new TiersKeeper(
      options,
      new Map(stored.map(({ entityRef, tiers }) => [entityRef, tiers])),
    );
  }

  readonly #options: TiersKeeperOptions;
  readonly #stored: Map<string, TierState[]>;
  readonly #entities = new Map<string, EntityTiers>();
  readonly #done = new Map<
    string,
    { basis: string; at: number; open: boolean }
  >();
  readonly #remembered = new Map<string, Remembered>();
  /** Entities by the Application of a tier, as `cluster/namespace/name`. */
  readonly #owners = new Map<string, Set<string>>();
  readonly #mergedAt = new Map<string, string>();
  #round: Promise<void> = Promise.resolve();
  /** Rounds that were begun and are not over. */
  #rounds = 0;
  readonly #catching = new Set<Promise<void>>();

  private constructor(
    options: TiersKeeperOptions,
    stored: Map<string, TierState[]>,
  ) {
    this.#options = options;
    this.#stored = stored;
  }

  /**
   * Hears of Applications at once: what self-heal puts back is to be seen only for seconds.
   * Returns the unsubscription.
   */
  listen(signal: AbortSignal): () => void {
    const stops = this.#options.sources.clusters.map(source =>
      source.onChange(change => {
        if (change?.kind === 'applications') {
          this.#catch(source, change, signal);
        }
      }),
    );
    return () => stops.forEach(stop => stop());
  }

  /** Takes up what a full pass saw. Returns at once. */
  consider(
    result: PassResult,
    options: { world: World; now: Date; signal: AbortSignal },
  ): void {
    const { world, now, signal } = options;
    // A round reads what the pass before it found, as it stands.
    if (
      this.#rounds > 0 ||
      signal.aborted ||
      world.catalog.state === 'pending'
    ) {
      return;
    }
    this.#take(result, world);
    const due = [...this.#entities.values()].filter(one =>
      this.#isDue(one, now),
    );
    this.#enqueue(due, signal);
  }

  /** Resolves when no round is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#catching);
    await this.#round;
  }

  #enqueue(due: readonly EntityTiers[], signal: AbortSignal) {
    if (due.length === 0) {
      return;
    }
    this.#rounds += 1;
    this.#round = this.#round
      .then(async () => {
        for (const { entityRef } of due) {
          const one = this.#entities.get(entityRef);
          if (signal.aborted) {
            return;
          }
          if (one) {
            await this.#update(one, signal);
          }
        }
      })
      .catch(error => {
        if (!(error instanceof LeaseLostError) && !signal.aborted) {
          this.#options.logger.error('Tiers could not be kept', error);
        }
      })
      .finally(() => {
        this.#rounds -= 1;
      });
  }

  #take(result: PassResult, world: World) {
    const { settings, names } = this.#options;
    const { index } = result.basis;
    const finder = new TierFinder(result.basis, names);
    const webUrls = new Map(
      world.gitlab.map(({ host, webUrl }) => [host, webUrl]),
    );
    this.#entities.clear();
    this.#owners.clear();
    const seen = new Set<string>();
    for (const link of result.links) {
      const { entityRef } = link.entity;
      seen.add(entityRef);
      const { project } = link;
      const drafts = project
        ? finder
            .tiersOf(link)
            .map(found => draftTier({ found, project, index, settings }))
        : [];
      const mayCome =
        !project && link.problems.length === 0 && Boolean(link.entity.project);
      const kept = (this.#stored.get(entityRef) ?? []).filter(
        tier =>
          !drafts.some(({ state }) => keyOf(state) === keyOf(tier)) &&
          (mayCome || isUnseen(world, tier)),
      );
      if (drafts.length > 0 || kept.length > 0 || this.#stored.has(entityRef)) {
        const mergedAt = project && this.#latestMerge(world, project);
        this.#entities.set(entityRef, {
          entityRef,
          drafts,
          kept,
          ...(mergedAt !== undefined && { mergedAt }),
          webUrls,
        });
        for (const { state } of drafts) {
          const owners = this.#owners.get(keyOf(state)) ?? new Set();
          this.#owners.set(keyOf(state), owners.add(entityRef));
        }
      }
    }
    for (const entityRef of this.#stored.keys()) {
      if (world.catalog.state === 'ready' && !seen.has(entityRef)) {
        this.#entities.set(entityRef, {
          entityRef,
          drafts: [],
          kept: [],
          webUrls,
        });
      }
    }
    for (const key of this.#remembered.keys()) {
      if (!this.#owners.has(key)) {
        this.#remembered.delete(key);
      }
    }
  }

  /** MRs that ended are let go of by the reading, so the latest is remembered. */
  #latestMerge(
    world: World,
    { host, id }: { host: string; id: number },
  ): string | undefined {
    const key = `${host}/${id}`;
    const requests = world.gitlab
      .find(one => one.host === host)
      ?.projects.get(id)?.mergeRequests;
    let latest = this.#mergedAt.get(key);
    for (const { fact } of requests?.values() ?? []) {
      if (fact.mergedAt !== undefined && fact.mergedAt > (latest ?? '')) {
        latest = fact.mergedAt;
      }
    }
    if (latest !== undefined) {
      this.#mergedAt.set(key, latest);
    }
    return latest;
  }

  #isDue(one: EntityTiers, now: Date): boolean {
    const done = this.#done.get(one.entityRef);
    if (!done || done.basis !== this.#basisOf(one, now)) {
      return true;
    }
    const isDrifted = one.drafts.some(({ state }) => state.sync !== 'Synced');
    return (
      (done.open || isDrifted || one.drafts.length > 0) &&
      now.getTime() - done.at >= RETRY_MILLISECONDS
    );
  }

  #basisOf({ drafts, kept, mergedAt }: EntityTiers, now: Date): string {
    return JSON.stringify([
      drafts.map(draft => [
        draft.state,
        draft.found.fact.deployed?.at,
        outOfSync(draft.found.fact),
      ]),
      kept.map(keyOf),
      mergedAt,
      this.#staleOf(drafts, now),
    ]);
  }

  #staleOf(drafts: readonly TierDraft[], now: Date): string[] {
    const { clusters, gitlab } = this.#options.sources;
    const names = new Set(
      drafts.flatMap(({ found, destination }) => [
        found.cluster,
        ...(destination !== undefined ? [destination] : []),
      ]),
    );
    const hosts = new Set(drafts.flatMap(hostsOf));
    return [
      ...clusters.filter(({ cluster }) => names.has(cluster)),
      ...gitlab.filter(({ host }) => hosts.has(host)),
    ]
      .filter(source => source.state(now).status !== 'fresh')
      .map(({ id }) => id);
  }

  /** Reads what is by hand while it is there to be read. */
  #catch(source: ClusterSource, change: ObjectsChange, signal: AbortSignal) {
    const keys = change.keys.filter(key =>
      this.#owners.has(`${source.cluster}/${key}`),
    );
    if (keys.length === 0 || signal.aborted) {
      return;
    }
    const { objects } = source.readObjects('applications', keys);
    for (const name of keys) {
      const fact = objects.get(name) as ApplicationFact | undefined;
      const key = `${source.cluster}/${name}`;
      const due = [...(this.#owners.get(key) ?? [])].flatMap(
        ref => this.#entities.get(ref) ?? [],
      );
      const drafts = due.flatMap(one =>
        one.drafts.filter(({ state }) => keyOf(state) === key),
      );
      if (!fact || drafts.length === 0 || drafts[0].found.fact === fact) {
        continue;
      }
      for (const draft of drafts) {
        draft.found = { ...draft.found, fact };
        draft.state = {
          ...draft.state,
          sync: fact.sync.status,
          health: fact.health.status,
        };
      }
      if (fact.sync.status !== 'OutOfSync') {
        this.#enqueue(due, signal);
        continue;
      }
      // Not behind the rounds: the trace may be gone by then.
      const catching = this.#readDrift(drafts[0], signal)
        .then(() => this.#enqueue(due, signal))
        .catch(error => {
          this.#options.logger.warn(
            `What is out of sync in ${key} could not be read; the next look will`,
            error,
          );
        })
        .finally(() => this.#catching.delete(catching));
      this.#catching.add(catching);
    }
  }

  #memoryOf(key: string): Remembered {
    const known = this.#remembered.get(key) ?? { driftReadAt: 0, seen: [] };
    this.#remembered.set(key, known);
    return known;
  }

  async #readDrift(draft: TierDraft, signal: AbortSignal): Promise<void> {
    const { found, destination } = draft;
    const memory = this.#memoryOf(keyOf(draft.state));
    memory.driftReadAt = this.#options.clock().getTime();
    const source = this.#options.sources.clusters.find(
      ({ cluster }) => cluster === destination,
    );
    if (!source?.readWhole) {
      return;
    }
    const { operation } = found.fact;
    const since =
      operation?.phase === 'Succeeded' ? operation.finishedAt : undefined;
    await Promise.all(
      outOfSync(found.fact)
        .filter(({ group, kind }) => isReadable(group, kind))
        .slice(0, MAXIMUM_READ)
        .map(async resource => {
          const answer = await source.readWhole!(
            {
              cluster: source.cluster,
              kind: resource.kind as SetUpKind,
              ...(resource.namespace !== undefined && {
                namespace: resource.namespace,
              }),
              name: resource.name,
            },
            { signal },
          );
          const changes =
            answer.state === 'read'
              ? answer.objects.flatMap(object =>
                  handChangesOf(object, since === undefined ? {} : { since }),
                )
              : [];
          if (changes.length > 0) {
            memory.seen.push({ resource, changes });
          }
        }),
    );
  }

  async #update(one: EntityTiers, signal: AbortSignal): Promise<void> {
    const { store, term, listener, clock } = this.#options;
    const basis = this.#basisOf(one, clock());
    const drafts: TierDraft[] = [];
    for (const draft of one.drafts) {
      drafts.push(await this.#withCluster(draft, signal));
    }
    const before = this.#stored.get(one.entityRef) ?? [];
    const tiers: TierState[] = [];
    let open = false;
    for (const draft of drafts) {
      const told = await this.#withGitLab(draft, { one, drafts, before });
      open ||= told.isOpen;
      tiers.push(told.state);
    }
    const now = clock();
    const stale = this.#staleOf(one.drafts, now);
    const after = [
      ...tiers.map(tier => ({
        ...tier,
        stale: [...new Set([...tier.stale, ...stale])].sort(),
      })),
      ...one.kept.map(tier => ({ ...tier, stale: this.#sourcesOf(tier) })),
    ];
    if (signal.aborted) {
      return;
    }
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      await store.applyTiers(term, [
        { entityRef: one.entityRef, tiers: after },
      ]);
      if (after.length > 0) {
        this.#stored.set(one.entityRef, after);
      } else {
        this.#stored.delete(one.entityRef);
      }
      listener.previewsChanged([one.entityRef]);
    }
    this.#done.set(one.entityRef, { basis, at: now.getTime(), open });
  }

  #sourcesOf({ application }: TierState): string[] {
    return this.#options.sources.clusters
      .filter(({ cluster }) => cluster === application.cluster)
      .map(({ id }) => id);
  }

  /** Reads the history and the drift where the Application changed. */
  async #withCluster(
    draft: TierDraft,
    signal: AbortSignal,
  ): Promise<TierDraft> {
    const { found } = draft;
    const memory = this.#memoryOf(keyOf(draft.state));
    const isChanged = memory.fact !== found.fact;
    const now = this.#options.clock().getTime();
    if (
      found.fact.sync.status === 'OutOfSync' &&
      (isChanged || now - memory.driftReadAt >= RETRY_MILLISECONDS) &&
      now - memory.driftReadAt >= 1_000
    ) {
      await this.#readDrift(draft, signal);
    }
    if (isChanged || !memory.deployments) {
      const source = this.#options.sources.clusters.find(
        ({ cluster }) => cluster === found.cluster,
      );
      const { namespace, name } = draft.state.application;
      const answer = await source?.readWhole?.(
        { cluster: found.cluster, kind: 'Application', namespace, name },
        { signal },
      );
      if (answer?.state === 'read' && answer.objects.length > 0) {
        memory.deployments = deploymentsOf(answer.objects[0]);
        memory.fact = found.fact;
      }
    }
    return memory.deployments ? withRelease(draft, memory.deployments) : draft;
  }

  async #withGitLab(
    draft: TierDraft,
    options: {
      one: EntityTiers;
      drafts: readonly TierDraft[];
      before: readonly TierState[];
    },
  ): Promise<{ state: TierState; isOpen: boolean }> {
    const { one, drafts } = options;
    const before = options.before.find(
      tier => keyOf(tier) === keyOf(draft.state),
    );
    const failed = new Set<string>();
    let isOpen = false;
    const ask = async <K extends RepositoryQuestion['kind']>(
      question: HostQuestion<Extract<RepositoryQuestion, { kind: K }>>,
    ): Promise<RepositoryAnswer<K>> => {
      const source = this.#options.sources.gitlab.find(
        ({ host }) => host === question.host,
      );
      const answer: RepositoryAnswer<K> = (await source?.readRepository?.<K>(
        question.question,
      )) ?? {
        state: 'unknown',
      };
      if (answer.state === 'failed' && source) {
        failed.add(source.id);
      }
      isOpen ||= answer.state === 'failed' || answer.state === 'waiting';
      return answer;
    };

    const pin = await this.#pinOf(draft, { ask, before });
    const state: TierState = { ...draft.state };
    delete state.pin;
    if (pin) {
      state.pin = pin;
    }
    const release = await this.#releaseOf(draft, {
      ask,
      pinPath: pin?.path,
      before,
      webUrls: one.webUrls,
    });
    if (release) {
      state.release = release;
    }
    const distance = await this.#distanceOf(draft, {
      ask,
      drafts,
      before,
      one,
    });
    if (distance) {
      state.distance = distance;
    }
    const previousTag = pin?.line === 'newTag' && previousTagOf(state, before);
    if (previousTag) {
      state.previousRevision = previousTag;
    }
    const memory = this.#memoryOf(keyOf(draft.state));
    const now = this.#options.clock();
    const forgetBefore = new Date(
      now.getTime() - this.#options.retentionMilliseconds,
    ).toISOString();
    // What was stored and forgotten must not come back.
    memory.seen = memory.seen
      .filter(({ changes }) => changes.some(({ at }) => at >= forgetBefore))
      .slice(-MAXIMUM_SEEN);
    state.drift = mergeDrift({
      before: before?.drift ?? [],
      fact: draft.found.fact,
      // Another entity may have the same tier.
      seen: memory.seen,
      now: now.toISOString(),
      forgetBefore,
    });
    return { state: { ...state, stale: [...failed] }, isOpen };
  }

  async #pinOf(
    draft: TierDraft,
    options: { ask: Ask; before: TierState | undefined },
  ): Promise<TierState['pin']> {
    const { pin } = draft.state;
    if (!pin) {
      return undefined;
    }
    for (const path of draft.pinPaths) {
      const answer = await options.ask<'file'>({
        host: pin.host,
        question: {
          kind: 'file',
          project: pin.repository,
          path,
          ...(pin.branch !== undefined && { ref: pin.branch }),
        },
      });
      if (answer.state === 'read' && answer.fact.exists) {
        return { ...pin, path };
      }
      if (isNoAnswer(answer)) {
        const known = options.before?.pin;
        return known?.repository === pin.repository && known.line === pin.line
          ? known
          : withoutGuess(pin);
      }
    }
    return withoutGuess(pin);
  }

  async #releaseOf(
    draft: TierDraft,
    options: {
      ask: Ask;
      pinPath: string | undefined;
      before: TierState | undefined;
      webUrls: ReadonlyMap<string, string>;
    },
  ): Promise<TierState['release']> {
    const { ask, pinPath, before, webUrls } = options;
    const { release } = draft.state;
    const asked = releaseQuestion(
      draft,
      pinPath === undefined ? {} : { pinPath },
    );
    if (!release || !asked) {
      return release ?? (draft.state.revision ? before?.release : undefined);
    }
    const { host, question } = asked;
    const answer = await ask<'commit' | 'lastChange'>({ host, question });
    if (answer.state === 'read') {
      return {
        ...release,
        commit: releasedCommit(answer.fact, {
          project: question.project,
          webUrl: webUrls.get(host),
        }),
      };
    }
    const isSame =
      before?.release?.deployedAt === release.deployedAt &&
      before?.targetRevision === draft.state.targetRevision;
    const known =
      isNoAnswer(answer) && isSame ? before?.release?.commit : undefined;
    return { ...release, ...(known && { commit: known }) };
  }

  async #distanceOf(
    draft: TierDraft,
    options: {
      ask: Ask;
      drafts: readonly TierDraft[];
      before: TierState | undefined;
      one: EntityTiers;
    },
  ): Promise<CommitDistance | undefined> {
    const { ask, drafts, before, one } = options;
    const comparison = comparisonOf(draft, drafts);
    if (!comparison) {
      return undefined;
    }
    const { from } = comparison;
    let name: string;
    let to: string;
    if (comparison.with === 'tier') {
      name = comparison.name;
      to = comparison.to.commit;
    } else {
      const since = latestOf([one.mergedAt, draft.state.release?.deployedAt]);
      const head = await ask<'head'>({
        host: from.host,
        question: {
          kind: 'head',
          project: from.path,
          ...(comparison.branch !== undefined && { branch: comparison.branch }),
          ...(since !== undefined && { since }),
        },
      });
      if (head.state !== 'read') {
        return isNoAnswer(head) ? before?.distance : undefined;
      }
      name = head.fact.branch;
      to = head.fact.sha;
    }
    const asked = distanceQuestion(from, to);
    const answer = asked
      ? await ask<'distance'>(asked)
      : ({ state: 'read', fact: { behind: 0 } } as const);
    if (answer.state !== 'read') {
      return isNoAnswer(answer) ? before?.distance : undefined;
    }
    return distanceOf({
      name,
      from,
      to,
      fact: answer.fact,
      webUrl: one.webUrls.get(from.host),
    });
  }
}

type Ask = <K extends RepositoryQuestion['kind']>(
  question: HostQuestion<Extract<RepositoryQuestion, { kind: K }>>,
) => Promise<RepositoryAnswer<K>>;

function isNoAnswer({ state }: { state: string }): boolean {
  return state === 'failed' || state === 'waiting';
}

/** A tag without the file that it stands in is no line that a release changes. */
function withoutGuess(
  pin: NonNullable<TierState['pin']>,
): TierState['pin'] | undefined {
  return pin.line === 'newTag' ? undefined : pin;
}

function keyOf({ application }: Pick<TierState, 'application'>): string {
  const { cluster, namespace, name } = application;
  return `${cluster}/${namespace}/${name}`;
}

function hostsOf({ repository, points, state }: TierDraft): string[] {
  return [
    ...(repository ? [repository.host] : []),
    ...points.map(({ host }) => host),
    ...(state.pin ? [state.pin.host] : []),
  ];
}

/** Whether the Application of a tier may be there though it is not seen. */
function isUnseen(world: World, { application }: TierState): boolean {
  const cluster = world.clusters.find(
    one => one.cluster === application.cluster,
  );
  return cluster !== undefined && cluster.kinds.applications.state !== 'ready';
}

function isReadable(group: string, kind: string): boolean {
  const known = setUpKinds.find(one => one === kind);
  return known !== undefined && setUpKindDefinitions[known].group === group;
}

function latestOf(times: readonly (string | undefined)[]): string | undefined {
  return times
    .filter((time): time is string => time !== undefined)
    .sort((left, right) => Date.parse(left) - Date.parse(right))
    .pop();
}

function tagOf(image: string | undefined): string | undefined {
  return image?.split('@')[0];
}

/** What an overlay named before: Argo CD's history tells of commits only. */
function previousTagOf(
  state: TierState,
  before: TierState | undefined,
): string | undefined {
  const [now, then] = [tagOf(state.image), tagOf(before?.image)];
  return then !== undefined && now !== undefined && then !== now
    ? then
    : before?.previousRevision;
}
