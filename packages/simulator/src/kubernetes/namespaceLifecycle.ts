import type { Clock } from '../clock';
import { qualifiedName } from './errors';
import { referenceTo, type GarbageCollectorWrites } from './garbageCollector';
import type { KubernetesObject } from './object';
import type { ResourceRegistry } from './resources';
import type { ObjectStore, StoredChange } from './store';

/** What keeps a namespace until its contents are gone; it is in its spec. */
export const NAMESPACE_FINALIZER = 'kubernetes';

const DELAY_MILLISECONDS = 50;

class NamespaceLifecycle {
  readonly #store: ObjectStore;
  readonly #resources: ResourceRegistry;
  readonly #clock: Clock;
  readonly #writes: GarbageCollectorWrites;
  readonly #scheduled = new Set<string>();

  constructor(options: {
    store: ObjectStore;
    resources: ResourceRegistry;
    clock: Clock;
    writes: GarbageCollectorWrites;
  }) {
    this.#store = options.store;
    this.#resources = options.resources;
    this.#clock = options.clock;
    this.#writes = options.writes;
  }

  observe({ type, object }: StoredChange): void {
    if (object.kind === 'Namespace' && type !== 'DELETED') {
      this.#schedule(object.metadata.name);
    } else if (object.metadata.namespace) {
      this.#schedule(object.metadata.namespace);
    }
  }

  #schedule(name: string): void {
    if (this.#isTerminating(name) && !this.#scheduled.has(name)) {
      this.#scheduled.add(name);
      this.#clock.after(DELAY_MILLISECONDS, () => {
        this.#scheduled.delete(name);
        if (this.#isTerminating(name)) {
          this.#empty(name);
        }
      });
    }
  }

  #isTerminating(name: string): boolean {
    return Boolean(
      this.#store.get('Namespace', '', name)?.metadata.deletionTimestamp,
    );
  }

  #empty(name: string): void {
    for (const object of this.#contents(name)) {
      if (!object.metadata.deletionTimestamp) {
        this.#writes.delete(referenceTo(object), {
          propagationPolicy: 'Background',
        });
      }
    }
    const left = this.#contents(name);
    this.#writes.patch({ kind: 'Namespace', name }, draft => {
      if (left.length === 0) {
        draft.spec = {
          ...draft.spec,
          finalizers: draft.spec?.finalizers?.filter(
            (finalizer: string) => finalizer !== NAMESPACE_FINALIZER,
          ),
        };
      }
      draft.status = {
        ...draft.status,
        conditions: mergeConditions({
          previous: draft.status?.conditions ?? [],
          next: this.#conditions(left),
          now: this.#clock.now(),
        }),
      };
    });
  }

  #contents(name: string): KubernetesObject[] {
    return this.#resources
      .all()
      .filter(resource => resource.namespaced)
      .flatMap(resource => this.#store.list(resource.kind, name));
  }

  #conditions(left: KubernetesObject[]): Condition[] {
    const resources = count(
      left.map(object => {
        const resource = this.#resources.byKind(object.kind)!;
        // The real message keeps the dot of an empty group: "pods.".
        return resource.group ? qualifiedName(resource) : `${resource.plural}.`;
      }),
    ).map(([name, number]) => `${name} has ${number} resource instances`);
    const finalizers = count(
      left.flatMap(object => object.metadata.finalizers ?? []),
    ).map(([name, number]) => `${name} in ${number} resource instances`);

    return [
      {
        type: 'NamespaceDeletionDiscoveryFailure',
        status: 'False',
        reason: 'ResourcesDiscovered',
        message: 'All resources successfully discovered',
      },
      {
        type: 'NamespaceDeletionGroupVersionParsingFailure',
        status: 'False',
        reason: 'ParsedGroupVersions',
        message: 'All legacy kube types successfully parsed',
      },
      {
        type: 'NamespaceDeletionContentFailure',
        status: 'False',
        reason: 'ContentDeleted',
        message:
          'All content successfully deleted, may be waiting on finalization',
      },
      resources.length > 0
        ? {
            type: 'NamespaceContentRemaining',
            status: 'True',
            reason: 'SomeResourcesRemain',
            message: `Some resources are remaining: ${resources.join(', ')}`,
          }
        : {
            type: 'NamespaceContentRemaining',
            status: 'False',
            reason: 'ContentRemoved',
            message: 'All content successfully removed',
          },
      finalizers.length > 0
        ? {
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            reason: 'SomeFinalizersRemain',
            message: `Some content in the namespace has finalizers remaining: ${finalizers.join(
              ', ',
            )}`,
          }
        : {
            type: 'NamespaceFinalizersRemaining',
            status: 'False',
            reason: 'ContentHasNoFinalizers',
            message: 'All content-preserving finalizers finished',
          },
    ];
  }
}

interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime?: string;
}

function mergeConditions(options: {
  previous: Condition[];
  next: Condition[];
  now: Date;
}): Condition[] {
  const { previous, next, now } = options;
  return next.map(condition => {
    const before = previous.find(({ type }) => type === condition.type);
    const isSame =
      before?.status === condition.status &&
      before?.reason === condition.reason &&
      before?.message === condition.message;
    return {
      lastTransitionTime: isSame
        ? before.lastTransitionTime
        : `${now.toISOString().slice(0, 19)}Z`,
      ...condition,
    };
  });
}

function count(names: string[]): Array<[string, number]> {
  const counts = new Map<string, number>();
  names.forEach(name => counts.set(name, (counts.get(name) ?? 0) + 1));
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Empties namespaces that are being deleted and says in their conditions what
 * is left, in the words of the real controller.
 */
export function runNamespaceLifecycle(options: {
  store: ObjectStore;
  resources: ResourceRegistry;
  clock: Clock;
  writes: GarbageCollectorWrites;
}): void {
  const controller = new NamespaceLifecycle(options);
  options.store.onChange(change => controller.observe(change));
}
