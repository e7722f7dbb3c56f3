import type { Clock } from '../clock';
import type { KubernetesObject, ObjectReference } from './object';
import type { ObjectStore, StoredChange } from './store';

/** What to do with the dependents of a deleted object. */
export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** Keeps an object until the dependents that block it are gone. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
/** Keeps an object until its dependents no longer refer to it. */
export const ORPHAN_FINALIZER = 'orphan';

/** The writes that the garbage collector makes, by the rules of the cluster. */
export interface GarbageCollectorWrites {
  patch(
    reference: ObjectReference,
    change: (draft: KubernetesObject) => void,
  ): unknown;
  delete(
    reference: ObjectReference,
    options: { propagationPolicy: PropagationPolicy },
  ): unknown;
}

/** The real one lags its watches by about this much. */
const DELAY_MILLISECONDS = 20;

class GarbageCollector {
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #writes: GarbageCollectorWrites;
  readonly #dirty = new Set<string>();
  #scheduled = false;

  constructor(options: {
    store: ObjectStore;
    clock: Clock;
    writes: GarbageCollectorWrites;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#writes = options.writes;
  }

  observe({ type, object }: StoredChange): void {
    const { uid, ownerReferences = [], deletionTimestamp } = object.metadata;
    if (type === 'DELETED') {
      this.#store
        .dependentsOf(uid)
        .forEach(dependent => this.#mark(dependent.metadata.uid));
    } else if (deletionTimestamp && isHeldByCollector(object)) {
      this.#mark(uid);
    }
    if (type === 'ADDED' && ownerReferences.length > 0) {
      this.#mark(uid);
    }
    // An owner in foreground deletion waits for this one to go or be released.
    for (const owner of ownerReferences) {
      if (this.#store.byUid(owner.uid)?.metadata.deletionTimestamp) {
        this.#mark(owner.uid);
      }
    }
  }

  #mark(uid: string): void {
    this.#dirty.add(uid);
    if (!this.#scheduled) {
      this.#scheduled = true;
      this.#clock.after(DELAY_MILLISECONDS, () => this.#sweep());
    }
  }

  #sweep(): void {
    this.#scheduled = false;
    const marked = [...this.#dirty];
    this.#dirty.clear();
    for (const uid of marked) {
      const object = this.#store.byUid(uid);
      if (!object) {
        continue;
      }
      if (object.metadata.deletionTimestamp) {
        this.#releaseOwner(object);
      } else {
        this.#collectDependent(object);
      }
    }
  }

  #releaseOwner(owner: KubernetesObject): void {
    const { uid, finalizers = [] } = owner.metadata;
    const dependents = this.#store.dependentsOf(uid);
    if (finalizers.includes(ORPHAN_FINALIZER)) {
      dependents.forEach(dependent => this.#dropOwners(dependent, [uid]));
      this.#removeFinalizer(owner, ORPHAN_FINALIZER);
    } else if (finalizers.includes(FOREGROUND_FINALIZER)) {
      for (const dependent of dependents) {
        if (!dependent.metadata.deletionTimestamp) {
          this.#collectDependent(dependent);
        }
      }
      const isBlocked = this.#store
        .dependentsOf(uid)
        .some(dependent =>
          dependent.metadata.ownerReferences?.some(
            reference => reference.uid === uid && reference.blockOwnerDeletion,
          ),
        );
      if (!isBlocked) {
        this.#removeFinalizer(owner, FOREGROUND_FINALIZER);
      }
    }
  }

  #collectDependent(dependent: KubernetesObject): void {
    const references = dependent.metadata.ownerReferences ?? [];
    const owners = references.map(({ uid }) => {
      const owner = this.#store.byUid(uid);
      const isReachable =
        owner &&
        (!owner.metadata.namespace ||
          owner.metadata.namespace === dependent.metadata.namespace);
      return { uid, owner: isReachable ? owner : undefined };
    });
    const goesWithOwner = ({ owner }: (typeof owners)[number]) =>
      owner !== undefined && isWaitingForDependents(owner);
    const gone = owners.filter(entry => !entry.owner);
    const leaving = owners.filter(goesWithOwner);
    const hasSolidOwner = owners.length > gone.length + leaving.length;

    if (gone.length + leaving.length === 0) {
      return;
    }
    if (hasSolidOwner) {
      this.#dropOwners(
        dependent,
        [...gone, ...leaving].map(({ uid }) => uid),
      );
      return;
    }
    const cascadesOn =
      leaving.length > 0 &&
      this.#store.dependentsOf(dependent.metadata.uid).length > 0;
    this.#writes.delete(referenceTo(dependent), {
      propagationPolicy: cascadesOn ? 'Foreground' : 'Background',
    });
  }

  #dropOwners(dependent: KubernetesObject, uids: string[]): void {
    this.#writes.patch(referenceTo(dependent), draft => {
      const kept = draft.metadata.ownerReferences?.filter(
        reference => !uids.includes(reference.uid),
      );
      draft.metadata.ownerReferences = kept?.length ? kept : undefined;
    });
  }

  #removeFinalizer(object: KubernetesObject, finalizer: string): void {
    this.#writes.patch(referenceTo(object), draft => {
      draft.metadata.finalizers = draft.metadata.finalizers?.filter(
        entry => entry !== finalizer,
      );
    });
  }
}

function isWaitingForDependents(object: KubernetesObject): boolean {
  return Boolean(
    object.metadata.deletionTimestamp &&
      object.metadata.finalizers?.includes(FOREGROUND_FINALIZER),
  );
}

function isHeldByCollector(object: KubernetesObject): boolean {
  return (object.metadata.finalizers ?? []).some(
    finalizer =>
      finalizer === FOREGROUND_FINALIZER || finalizer === ORPHAN_FINALIZER,
  );
}

/** Names an object. */
export function referenceTo(object: KubernetesObject): ObjectReference {
  const { namespace, name } = object.metadata;
  return { kind: object.kind, namespace, name };
}

/**
 * Deletes what has lost its owners, and carries out foreground and orphan
 * deletion. Works after the fact, like the controller it stands for.
 */
export function runGarbageCollector(options: {
  store: ObjectStore;
  clock: Clock;
  writes: GarbageCollectorWrites;
}): void {
  const controller = new GarbageCollector(options);
  options.store.onChange(change => controller.observe(change));
}
