import { expired } from './errors';
import { deepFreeze } from './json';
import type { ClusterEvent, KubernetesObject } from './object';

/** A change with what a watcher needs to tell entering and leaving a selection. */
export interface StoredChange extends ClusterEvent {
  resourceVersion: number;
  /** The state before, absent when added. */
  previous?: KubernetesObject;
}

interface KindTable {
  byNamespace: Map<string, Map<string, KubernetesObject>>;
  /** The latest changes, oldest first: what a watch can be resumed from. */
  changes: StoredChange[];
  /** Changes up to and including this version are no longer remembered. */
  forgottenUpTo: number;
}

/** How many changes of a kind can be replayed to a watch that resumes. */
const WINDOW = 2_000;

/**
 * Keeps the objects of a cluster, one frozen value per version, numbers every
 * write from one counter and remembers the latest changes of each kind.
 *
 * It applies no rules: those are of {@link Cluster}.
 */
export class ObjectStore {
  readonly #tables = new Map<string, KindTable>();
  readonly #byUid = new Map<string, KubernetesObject>();
  readonly #dependents = new Map<string, Set<string>>();
  readonly #listeners = new Set<(change: StoredChange) => void>();
  readonly #undelivered: StoredChange[] = [];
  #delivering = false;
  #forgottenUpTo = 0;
  #resourceVersion: number;

  constructor(options: { initialResourceVersion: number }) {
    this.#resourceVersion = options.initialResourceVersion;
  }

  /** The version of the latest write of any kind. */
  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  get(
    kind: string,
    namespace: string,
    name: string,
  ): KubernetesObject | undefined {
    return this.#tables.get(kind)?.byNamespace.get(namespace)?.get(name);
  }

  byUid(uid: string): KubernetesObject | undefined {
    return this.#byUid.get(uid);
  }

  /** Objects that name this uid among their owners. */
  dependentsOf(uid: string): KubernetesObject[] {
    return [...(this.#dependents.get(uid) ?? [])]
      .map(dependent => this.#byUid.get(dependent))
      .filter(object => object !== undefined);
  }

  /** Objects of a kind, in the order of their keys in etcd. */
  list(kind: string, namespace?: string): KubernetesObject[] {
    const namespaces = this.#tables.get(kind)?.byNamespace;
    if (!namespaces) {
      return [];
    }
    const wanted =
      namespace === undefined ? [...namespaces.keys()] : [namespace];
    // Keys are compared as "namespace/name", so the slash takes part.
    return inOrder(wanted, key => `${key}/`).flatMap(key => {
      const table = namespaces.get(key);
      return table
        ? inOrder([...table.keys()]).map(name => table.get(name)!)
        : [];
    });
  }

  /** Adds or replaces; the object is given its resource version and frozen. */
  put(object: KubernetesObject): KubernetesObject {
    const { kind, metadata } = object;
    const namespace = metadata.namespace ?? '';
    const previous = this.get(kind, namespace, metadata.name);
    this.#resourceVersion += 1;
    metadata.resourceVersion = String(this.#resourceVersion);
    const stored = deepFreeze(object);

    const { byNamespace } = this.#tableOf(kind);
    if (!byNamespace.has(namespace)) {
      byNamespace.set(namespace, new Map());
    }
    byNamespace.get(namespace)!.set(metadata.name, stored);
    if (previous) {
      this.#unindex(previous);
    }
    this.#index(stored);
    this.#record({
      type: previous ? 'MODIFIED' : 'ADDED',
      object: stored,
      previous,
      resourceVersion: this.#resourceVersion,
    });
    return stored;
  }

  /** Removes; the given last state is what watchers are told. */
  remove(last: KubernetesObject): KubernetesObject {
    const { kind, metadata } = last;
    const namespace = metadata.namespace ?? '';
    const table = this.#tableOf(kind).byNamespace.get(namespace);
    const previous = table?.get(metadata.name);
    if (!table || !previous) {
      return last;
    }
    table.delete(metadata.name);
    if (table.size === 0) {
      this.#tableOf(kind).byNamespace.delete(namespace);
    }
    this.#unindex(previous);
    this.#resourceVersion += 1;
    const object = deepFreeze({
      ...last,
      metadata: { ...metadata, resourceVersion: String(this.#resourceVersion) },
    });
    this.#record({
      type: 'DELETED',
      object,
      previous,
      resourceVersion: this.#resourceVersion,
    });
    return object;
  }

  /** Forgets a kind with its objects; watchers hear of each of them first. */
  drop(kind: string): void {
    this.list(kind).forEach(object => this.remove(object));
    this.#tables.delete(kind);
  }

  /**
   * The changes of a kind after a version.
   *
   * @throws ApiStatusError 410 when some of them are forgotten
   */
  changesSince(kind: string, resourceVersion: number): StoredChange[] {
    const { changes, forgottenUpTo } = this.#tableOf(kind);
    if (resourceVersion < forgottenUpTo) {
      throw expired(
        `too old resource version: ${resourceVersion} (${forgottenUpTo + 1})`,
      );
    }
    return changes.filter(change => change.resourceVersion > resourceVersion);
  }

  /** Forgets all past changes, as a compaction or a restart does. */
  forgetChanges(): void {
    // A gap in the numbers makes even a client that saw the very last write
    // too old: what a restarted server answers when its window begins anew.
    this.#resourceVersion += 1;
    this.#forgottenUpTo = this.#resourceVersion;
    for (const table of this.#tables.values()) {
      table.changes = [];
      table.forgottenUpTo = this.#forgottenUpTo;
    }
  }

  /** Hears every change in order, also those made by other listeners. */
  onChange(listener: (change: StoredChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tableOf(kind: string): KindTable {
    let table = this.#tables.get(kind);
    if (!table) {
      table = {
        byNamespace: new Map(),
        changes: [],
        forgottenUpTo: this.#forgottenUpTo,
      };
      this.#tables.set(kind, table);
    }
    return table;
  }

  #record(change: StoredChange): void {
    const table = this.#tableOf(change.object.kind);
    table.changes.push(change);
    // Trimmed in batches: shifting one by one costs a copy per write.
    if (table.changes.length > 2 * WINDOW) {
      const dropped = table.changes.splice(0, table.changes.length - WINDOW);
      table.forgottenUpTo = dropped[dropped.length - 1].resourceVersion;
    }
    this.#undelivered.push(change);
    this.#deliver();
  }

  /**
   * A listener may write. Its change waits until all have heard the current
   * one, so that everyone sees the same order.
   */
  #deliver(): void {
    if (this.#delivering) {
      return;
    }
    this.#delivering = true;
    const failures: unknown[] = [];
    for (
      let change = this.#undelivered.shift();
      change;
      change = this.#undelivered.shift()
    ) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(change);
        } catch (error) {
          failures.push(error);
        }
      }
    }
    this.#delivering = false;
    if (failures.length > 0) {
      throw failures.length === 1 ? failures[0] : new AggregateError(failures);
    }
  }

  #index(object: KubernetesObject): void {
    this.#byUid.set(object.metadata.uid, object);
    for (const owner of object.metadata.ownerReferences ?? []) {
      if (!this.#dependents.has(owner.uid)) {
        this.#dependents.set(owner.uid, new Set());
      }
      this.#dependents.get(owner.uid)!.add(object.metadata.uid);
    }
  }

  #unindex(object: KubernetesObject): void {
    this.#byUid.delete(object.metadata.uid);
    for (const owner of object.metadata.ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(object.metadata.uid);
      if (dependents?.size === 0) {
        this.#dependents.delete(owner.uid);
      }
    }
  }
}

/** The part of an object's key in etcd that orders a list. */
export function storageKey(object: KubernetesObject): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

function inOrder(
  names: string[],
  key: (name: string) => string = name => name,
): string[] {
  return names.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}
