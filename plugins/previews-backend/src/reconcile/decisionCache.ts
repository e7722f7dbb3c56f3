import { kindNames, StoredPreview } from '../model';
import { Decision } from './decide';
import { Observed } from './gather';
import { attachmentOf } from './routes/listeners';
import { isEqual } from './sameness';
import { DecisionSettings } from './settings';
import { hasElapsed } from './time';
import { SaidByEntities } from './ttl';
import { WorldIndex } from './worldIndex';

interface Remembered {
  inputs: readonly unknown[];
  /** What was decided. */
  stored: StoredPreview;
  lookAgainAt?: string;
}

/**
 * Decisions of the passes before, so that a preview is decided again only when
 * something it is decided from has changed: its facts, the freshness of what they
 * were read from, or the time it asked to be looked at again.
 *
 * A shortcut and nothing more: without it every outcome is the same.
 */
export class DecisionCache {
  readonly #remembered = new Map<string, Remembered>();
  #freshness = '';

  /** Begins a pass. */
  begin(options: {
    index: WorldIndex;
    settings: DecisionSettings;
    now: string;
  }): void {
    this.#freshness = freshnessOf(options);
  }

  /**
   * The decision of before, where it still stands: it then changes nothing.
   *
   * @param previous - what is stored; a decision that was not stored is no basis.
   */
  find(
    id: string,
    inputs: readonly unknown[],
    previous: StoredPreview | undefined,
    now: string,
  ): Decision | undefined {
    const known = this.#remembered.get(id);
    if (!known || known.stored !== previous) {
      return undefined;
    }
    const { lookAgainAt } = known;
    const isDue = lookAgainAt !== undefined && hasElapsed(lookAgainAt, now, 0);
    return isDue || !areSame(known.inputs, inputs)
      ? undefined
      : {
          change: { stored: previous, before: previous, transitions: [] },
          unchanged: true,
          ...(lookAgainAt && { lookAgainAt }),
        };
  }

  remember(
    id: string,
    inputs: readonly unknown[],
    previous: StoredPreview | undefined,
    decision: Decision,
  ): void {
    if (!dependsOnlyOnItself(decision)) {
      this.#remembered.delete(id);
      return;
    }
    const { change, unchanged, lookAgainAt } = decision;
    this.#remembered.set(id, {
      inputs,
      // What is not written stays as it is stored, read times included.
      stored: unchanged && previous ? previous : change.stored,
      ...(lookAgainAt !== undefined && { lookAgainAt }),
    });
  }

  /** Forgets all but these. */
  keepOnly(ids: ReadonlyMap<string, unknown>): void {
    for (const id of this.#remembered.keys()) {
      if (!ids.has(id)) {
        this.#remembered.delete(id);
      }
    }
  }

  /** Everything that a preview is decided from, flat. */
  inputsOf(
    observed: Observed,
    others: {
      entityRefs: readonly string[];
      timesToLive: SaidByEntities;
      usual: Partial<Record<string, number>> | undefined;
      /** What conditions of modules are decided from. */
      further: readonly unknown[];
    },
  ): readonly unknown[] {
    const { project, mergeRequest, deletedAt } = observed;
    const { uses, applications, namespaces } = observed;
    const inputs: unknown[] = [
      this.#freshness,
      others.entityRefs.join(),
      others.timesToLive?.join(),
      others.usual,
      // Hosts are remembered where DNS is read; records matter to previews alone that
      // are decided anew every time.
      (observed.index.world.dns ?? []).length > 0,
      ...others.further,
      project?.fact,
      project?.state,
      project?.status,
      mergeRequest?.fact,
      mergeRequest?.pipelines?.items,
      mergeRequest?.pipelines?.forHead,
      mergeRequest?.approvals?.fact,
      deletedAt,
      observed.unlistedPath,
      mergeRequest?.tag && { ...mergeRequest.tag, readAt: undefined },
    ];
    for (const host of observed.probeHosts) {
      inputs.push(host, observed.index.probeOf(host));
    }
    for (const { set } of uses) {
      inputs.push(set);
    }
    for (const { fact, set, destination, workloads } of applications) {
      inputs.push(fact, set, destination?.cluster);
      for (const workload of workloads) {
        inputs.push(workload.fact, ...workload.replicaSets, ...workload.pods);
      }
    }
    for (const namespace of namespaces) {
      const { cluster, httpRoutes } = namespace;
      inputs.push(
        cluster.cluster,
        namespace.name,
        namespace.own,
        namespace.fact,
        ...namespace.certificates,
        ...httpRoutes,
        ...namespace.ingresses,
        ...namespace.workloads,
        ...namespace.challenges,
      );
      for (const { parentRefs } of httpRoutes) {
        for (const parent of parentRefs) {
          const attachment = attachmentOf(cluster, parent);
          inputs.push(attachment?.listenerSet, attachment?.gateway);
        }
      }
    }
    for (const { fact, own, chain, rivals } of observed.tls.certificates) {
      const { request, order, challenges, events, issuer } = chain;
      inputs.push(fact, own, request, order, issuer, rivals.join());
      inputs.push(...challenges, ...events);
    }
    // It grew; a copy takes no more room than its items, for as long as it is kept.
    return inputs.slice();
  }
}

/**
 * What other previews' Applications and namespaces may change, such as whether a
 * name is free, is decided anew every time.
 */
function dependsOnlyOnItself({ change }: Decision): boolean {
  const { phase, conditions, applications } = change.stored.preview;
  const generated = conditions.find(
    ({ type }) => type === 'ApplicationGenerated',
  );
  return (
    generated?.status === 'True' ||
    (phase === 'NotSelected' && applications.length === 0)
  );
}

/** Facts are compared by identity first: a source keeps the object while nothing changed. */
function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return (
    a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
  );
}

/** Which readings can be concluded from: the same text while nothing of that changes. */
function freshnessOf(options: {
  index: WorldIndex;
  settings: DecisionSettings;
  now: string;
}): string {
  const { index, settings, now } = options;
  const parts: string[] = [];
  for (const { cluster, kinds } of index.world.clusters) {
    for (const kind of kindNames) {
      const { state, completeAt, error } = kinds[kind];
      const isStale =
        completeAt === undefined ||
        hasElapsed(completeAt, now, settings.clusterStaleAfterSeconds);
      parts.push(`${cluster} ${kind} ${state} ${isStale} ${error?.since}`);
    }
  }
  for (const { host, projects } of index.world.gitlab) {
    for (const { fact, state, completeAt } of projects.values()) {
      const isStale =
        completeAt === undefined ||
        hasElapsed(completeAt, now, settings.gitlabStaleAfterSeconds);
      if (isStale || state !== 'ready') {
        // A project's own state is part of its previews' inputs; of staleness
        // only that it is so, since it lasts.
        parts.push(`${host} ${fact.id} ${state} ${isStale}`);
      }
    }
  }
  return parts.join('\n');
}
