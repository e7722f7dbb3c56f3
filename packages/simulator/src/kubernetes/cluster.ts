import type { Clock } from '../clock';
import type { Random } from '../random';
import { applyDefaults } from './defaults';
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  noSuchResource,
  notFound,
} from './errors';
import {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  runGarbageCollector,
  type PropagationPolicy,
} from './garbageCollector';
import { sameJson, wireCopy } from './json';
import { trackManagedFields } from './managedFields';
import {
  NAMESPACE_FINALIZER,
  runNamespaceLifecycle,
} from './namespaceLifecycle';
import type {
  ClusterEvent,
  KubernetesObject,
  KubernetesObjectInput,
  ObjectMetadata,
  ObjectReference,
} from './object';
import {
  apiVersionOf,
  defaultResources,
  ResourceRegistry,
  type ResourceDefinition,
} from './resources';
import { parseLabelSelector } from './selectors';
import { ObjectStore } from './store';
import { validateLabels, validateName } from './validation';

/**
 * Which part of an object a write may change. Through the API the main
 * resource leaves `status` alone where the kind has that subresource, and the
 * subresource leaves all else alone. In process both are written at once.
 */
export type WriteScope = 'everything' | 'main' | 'status';

/**
 * How a write is made.
 *
 * @public
 */
export interface WriteOptions {
  /** Recorded in `metadata.managedFields`; without it those stay as they are. */
  fieldManager?: string;
  /** How the manager writes; `Apply` is server-side apply. */
  operation?: 'Apply' | 'Update';
  /** With `Apply`: the applied configuration, all of which the manager owns. */
  applied?: Record<string, any>;
  /** Checks and answers, but stores nothing. */
  dryRun?: boolean;
  /** Defaults to everything. */
  scope?: WriteScope;
}

/**
 * How a deletion is made.
 *
 * @public
 */
export interface DeleteOptions {
  /** Defaults to `Background`. */
  propagationPolicy?: PropagationPolicy;
  /** Only pods wait; they do for 30 seconds unless told otherwise. */
  gracePeriodSeconds?: number;
  /** Refused with 409 unless the object is the one that is meant. */
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun?: boolean;
}

/** Containers that obey their signal are gone about this soon. */
const POD_STOP_MILLISECONDS = 1_000;
const DEFAULT_POD_GRACE_SECONDS = 30;
const FIRST_RESOURCE_VERSION = 1_000;
const SYSTEM_NAMESPACES = [
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
];

/**
 * A Kubernetes cluster without its controllers: the rules of the API server,
 * the garbage collector, namespace deletion, and as much of a kubelet as it
 * takes for a deleted pod to go. Controllers use it in process, everyone else
 * through {@link startKubernetesServer}.
 *
 * Objects handed out are copies, except in events, where they are frozen. All
 * refusals are {@link ApiStatusError}s in the words of Kubernetes.
 *
 * @public
 */
export class Cluster {
  readonly name: string;
  readonly clock: Clock;
  /** The kinds served. Change them through the methods of the cluster. */
  readonly resources: ResourceRegistry;
  /** Raw state, for the API server that serves this cluster. */
  readonly store: ObjectStore;
  readonly #random: Random;
  readonly #podLogs = new Map<string, string>();

  constructor(options: { name: string; clock: Clock; random: Random }) {
    this.name = options.name;
    this.clock = options.clock;
    this.#random = options.random;
    this.resources = new ResourceRegistry(defaultResources());
    this.store = new ObjectStore({
      initialResourceVersion: FIRST_RESOURCE_VERSION,
    });
    const controllers = {
      store: this.store,
      clock: this.clock,
      writes: this.#lenientWrites(),
    };
    runGarbageCollector(controllers);
    runNamespaceLifecycle({ ...controllers, resources: this.resources });
    for (const name of SYSTEM_NAMESPACES) {
      this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  }

  /**
   * Stores a new object.
   *
   * @throws ApiStatusError 404 for an unknown kind or namespace, 403 in a
   * namespace that is being deleted, 409 when the name is taken, 422 when invalid
   */
  create(
    input: KubernetesObjectInput,
    options: WriteOptions = {},
  ): KubernetesObject {
    const resource = this.#resourceOfInput(input);
    const copy = wireCopy(input);
    const metadata = this.#metadataOfNew(resource, copy.metadata ?? {});
    const object: KubernetesObject = {
      ...copy,
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata,
    };
    this.#checkNamespace(resource, metadata);
    validateName(resource, metadata.name);
    validateLabels(resource, metadata);
    if (
      this.store.get(resource.kind, metadata.namespace ?? '', metadata.name)
    ) {
      throw alreadyExists(resource, metadata.name);
    }
    if (options.scope === 'main' && resource.subresources.includes('status')) {
      delete object.status;
    }
    applyDefaults(object);
    if (resource.kind === 'Namespace') {
      metadata.labels = {
        'kubernetes.io/metadata.name': metadata.name,
        ...metadata.labels,
      };
      object.spec = { ...object.spec, finalizers: [NAMESPACE_FINALIZER] };
    }
    trackManagedFields({
      resource,
      next: object,
      options,
      now: this.#timestamp(),
    });
    return wireCopy(options.dryRun ? object : this.store.put(object));
  }

  /** One object, or undefined when there is none. */
  get(reference: ObjectReference): KubernetesObject | undefined {
    const found = this.#find(reference);
    return found && wireCopy(found);
  }

  /** Objects of a kind, ordered by namespace and name. */
  list(options: {
    kind: string;
    namespace?: string;
    /** As `kubectl -l` takes it, or labels that must all be equal. */
    labelSelector?: string | Record<string, string>;
  }): KubernetesObject[] {
    const { kind, namespace, labelSelector } = options;
    const isSelected =
      typeof labelSelector === 'object'
        ? (object: KubernetesObject) =>
            Object.entries(labelSelector).every(
              ([key, value]) => object.metadata.labels?.[key] === value,
            )
        : parseLabelSelector(labelSelector);
    return this.store.list(kind, namespace).filter(isSelected).map(wireCopy);
  }

  /**
   * Replaces an object. With a `resourceVersion` the write is refused unless it
   * is the stored one's. `generation` counts changes of all but metadata and
   * status; where a kind has no status subresource, such as Application, also
   * those of status.
   *
   * @throws ApiStatusError 404, 409, 422
   */
  update(
    object: KubernetesObjectInput,
    options: WriteOptions = {},
  ): KubernetesObject {
    const resource = this.#resourceOfInput(object);
    const name = object.metadata.name ?? '';
    const current = this.#find({
      kind: object.kind,
      namespace: object.metadata.namespace,
      name,
    });
    if (!current) {
      throw notFound(resource, name);
    }
    const { resourceVersion, uid } = object.metadata;
    if (uid && uid !== current.metadata.uid) {
      throw conflict(
        resource,
        name,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
      );
    }
    if (
      resourceVersion &&
      resourceVersion !== current.metadata.resourceVersion
    ) {
      throw conflict(resource, name);
    }
    return this.#write({ resource, current, next: wireCopy(object), options });
  }

  /**
   * Changes an object in place: the function mutates a draft, which is then
   * stored. Changing nothing keeps the resource version and tells nobody.
   *
   * @throws ApiStatusError 404, 422
   */
  patch(
    reference: ObjectReference,
    change: (draft: KubernetesObject) => void,
    options: WriteOptions = {},
  ): KubernetesObject {
    const resource = this.#resourceOfKind(reference.kind);
    const current = this.#find(reference);
    if (!current) {
      throw notFound(resource, reference.name);
    }
    const draft = wireCopy(current);
    change(draft);
    return this.#write({ resource, current, next: wireCopy(draft), options });
  }

  /**
   * Deletes an object, or marks it as being deleted while finalizers, a pod's
   * grace period or a namespace's contents hold it.
   *
   * @returns the object as it was last stored
   * @throws ApiStatusError 404, 409
   */
  delete(
    reference: ObjectReference,
    options: DeleteOptions = {},
  ): KubernetesObject {
    const resource = this.#resourceOfKind(reference.kind);
    const current = this.#find(reference);
    if (!current) {
      throw notFound(resource, reference.name);
    }
    checkPreconditions(resource, current, options.preconditions);
    if (options.dryRun) {
      return wireCopy(current);
    }
    const next = wireCopy(current);
    next.metadata.finalizers = finalizersForDeletion(
      current,
      options.propagationPolicy,
    );
    const grace = gracePeriodOf(current, options.gracePeriodSeconds);
    if (!next.metadata.deletionTimestamp) {
      next.metadata.deletionTimestamp = this.#timestamp(grace * 1000);
      next.metadata.deletionGracePeriodSeconds = grace;
      if (next.metadata.generation !== undefined) {
        next.metadata.generation += 1;
      }
      if (resource.kind === 'Namespace') {
        next.status = { ...next.status, phase: 'Terminating' };
      }
      if (grace > 0) {
        this.#stopPodLater(reference, next.metadata.uid, grace);
      }
    } else if (grace < (next.metadata.deletionGracePeriodSeconds ?? 0)) {
      next.metadata.deletionGracePeriodSeconds = grace;
    }
    return wireCopy(this.#store(current, next));
  }

  /**
   * Calls back for every change from now on, in order, synchronously.
   *
   * @returns a function that ends the subscription
   */
  subscribe(listener: (event: ClusterEvent) => void): () => void {
    return this.store.onChange(({ type, object }) =>
      listener({ type, object }),
    );
  }

  /** Serves one more kind, as installing its definition does. */
  addResource(definition: ResourceDefinition): void {
    this.resources.add(definition);
  }

  /**
   * No longer serves a kind, as uninstalling its definition does: its objects
   * go at once, finalizers or not, and its watches end.
   */
  removeResource(kind: string): void {
    this.#resourceOfKind(kind);
    this.store.drop(kind);
    this.resources.remove(kind);
  }

  /** Adds a line to what a pod's containers have printed. */
  writePodLog(
    reference: { namespace: string; name: string },
    line: string,
  ): void {
    const pod = this.#find({ kind: 'Pod', ...reference });
    if (!pod) {
      throw notFound(this.#resourceOfKind('Pod'), reference.name);
    }
    const { uid } = pod.metadata;
    this.#podLogs.set(uid, `${this.#podLogs.get(uid) ?? ''}${line}\n`);
  }

  /** What a pod's containers have printed; empty when nothing. */
  readPodLog(uid: string): string {
    return this.#podLogs.get(uid) ?? '';
  }

  #find({ kind, namespace, name }: ObjectReference) {
    return this.store.get(kind, namespace ?? '', name);
  }

  #resourceOfKind(kind: string): ResourceDefinition {
    const resource = this.resources.byKind(kind);
    if (!resource) {
      throw noSuchResource();
    }
    return resource;
  }

  #resourceOfInput(input: KubernetesObjectInput): ResourceDefinition {
    const resource = this.resources.ofObject(input);
    if (!resource) {
      throw noSuchResource();
    }
    return resource;
  }

  #metadataOfNew(
    resource: ResourceDefinition,
    input: Partial<ObjectMetadata>,
  ): ObjectMetadata {
    if (input.resourceVersion) {
      throw badRequest(
        'resourceVersion should not be set on objects to be created',
      );
    }
    const name =
      input.name ||
      (input.generateName && `${input.generateName}${this.#suffix()}`);
    if (!name) {
      throw invalid({
        resource,
        name: '',
        path: 'metadata.name',
        cause: 'Required value: name or generateName is required',
        reason: 'FieldValueRequired',
      });
    }
    const {
      deletionTimestamp: _deletionTimestamp,
      deletionGracePeriodSeconds: _deletionGracePeriodSeconds,
      namespace,
      managedFields: _managedFields,
      ...kept
    } = input;
    return {
      ...kept,
      name,
      ...(resource.namespaced ? { namespace: namespace ?? 'default' } : {}),
      uid: this.#uid(),
      resourceVersion: '',
      ...(resource.hasGeneration ? { generation: 1 } : {}),
      creationTimestamp: this.#timestamp(),
    };
  }

  #checkNamespace(
    resource: ResourceDefinition,
    metadata: ObjectMetadata,
  ): void {
    if (!resource.namespaced) {
      return;
    }
    const name = metadata.namespace!;
    const namespace = this.store.get('Namespace', '', name);
    if (!namespace) {
      throw notFound(this.#resourceOfKind('Namespace'), name);
    }
    if (namespace.metadata.deletionTimestamp) {
      throw forbidden({
        resource,
        name: metadata.name,
        cause: `unable to create new content in namespace ${name} because it is being terminated`,
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${name} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      });
    }
  }

  #write(write: {
    resource: ResourceDefinition;
    current: KubernetesObject;
    next: KubernetesObjectInput;
    options: WriteOptions;
  }): KubernetesObject {
    const { resource, current, options } = write;
    const next = withinScope(write);
    applyDefaults(next);
    checkNewFinalizers(resource, current, next);
    validateLabels(resource, next.metadata);
    if (
      resource.hasGeneration &&
      !sameJson(desired(resource, current), desired(resource, next))
    ) {
      next.metadata.generation = (current.metadata.generation ?? 0) + 1;
    }
    trackManagedFields({
      resource,
      previous: current,
      next,
      options,
      now: this.#timestamp(),
    });
    if (options.dryRun || sameJson(current, next)) {
      return wireCopy(next);
    }
    return wireCopy(this.#store(current, next));
  }

  /** Stores a version, or removes the object when nothing holds it any more. */
  #store(current: KubernetesObject, next: KubernetesObject): KubernetesObject {
    if (next.metadata.finalizers?.length === 0) {
      delete next.metadata.finalizers;
    }
    if (isReadyToGo(next)) {
      this.#podLogs.delete(next.metadata.uid);
      return this.store.remove(next);
    }
    return sameJson(current, next) ? current : this.store.put(next);
  }

  #stopPodLater(
    reference: ObjectReference,
    uid: string,
    graceSeconds: number,
  ): void {
    this.clock.after(
      Math.min(graceSeconds * 1000, POD_STOP_MILLISECONDS),
      () => {
        const pod = this.#find(reference);
        if (pod?.metadata.uid === uid) {
          this.delete(reference, { gracePeriodSeconds: 0 });
        }
      },
    );
  }

  /** Controllers act on what they saw; that it is gone by now is no error. */
  #lenientWrites() {
    return {
      patch: (
        reference: ObjectReference,
        change: (draft: KubernetesObject) => void,
      ) => this.#find(reference) && this.patch(reference, change),
      delete: (
        reference: ObjectReference,
        options: { propagationPolicy: PropagationPolicy },
      ) => this.#find(reference) && this.delete(reference, options),
    };
  }

  #timestamp(offsetMilliseconds = 0): string {
    const time = new Date(this.clock.now().getTime() + offsetMilliseconds);
    return `${time.toISOString().slice(0, 19)}Z`;
  }

  #uid(): string {
    const random = this.#random;
    const variant = random.pick(['8', '9', 'a', 'b']);
    return [
      random.hex(8),
      random.hex(4),
      `4${random.hex(3)}`,
      `${variant}${random.hex(3)}`,
      random.hex(12),
    ].join('-');
  }

  /** Generated names avoid vowels, as the real ones do, so as to spell no word. */
  #suffix(): string {
    const alphabet = [...'bcdfghjklmnpqrstvwxz2456789'];
    return Array.from({ length: 5 }, () => this.#random.pick(alphabet)).join(
      '',
    );
  }
}

/** The next version, with what this kind of write may not change put back. */
function withinScope(write: {
  resource: ResourceDefinition;
  current: KubernetesObject;
  next: KubernetesObjectInput;
  options: WriteOptions;
}): KubernetesObject {
  const { resource, current, next, options } = write;
  const { scope = 'everything' } = options;
  const kept: ObjectMetadata =
    scope === 'status'
      ? { ...wireCopy(current.metadata) }
      : {
          ...next.metadata,
          name: current.metadata.name,
          uid: current.metadata.uid,
          resourceVersion: current.metadata.resourceVersion,
          creationTimestamp: current.metadata.creationTimestamp,
        };
  for (const field of [
    'namespace',
    'generateName',
    'generation',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const) {
    delete kept[field];
    if (current.metadata[field] !== undefined) {
      Object.assign(kept, { [field]: current.metadata[field] });
    }
  }
  const base = scope === 'status' ? wireCopy(current) : next;
  const result: KubernetesObject = {
    ...base,
    apiVersion: current.apiVersion,
    kind: current.kind,
    metadata: kept,
  };
  const statusFrom =
    scope === 'main' && resource.subresources.includes('status')
      ? wireCopy(current.status)
      : next.status;
  delete result.status;
  if (statusFrom !== undefined) {
    result.status = statusFrom;
  }
  return result;
}

/** What `metadata.generation` counts the changes of. */
function desired(resource: ResourceDefinition, object: KubernetesObject) {
  const { metadata: _metadata, status, ...rest } = object;
  return resource.subresources.includes('status') ? rest : { ...rest, status };
}

function checkNewFinalizers(
  resource: ResourceDefinition,
  current: KubernetesObject,
  next: KubernetesObject,
): void {
  if (!current.metadata.deletionTimestamp) {
    return;
  }
  const before = current.metadata.finalizers ?? [];
  const added = (next.metadata.finalizers ?? []).filter(
    finalizer => !before.includes(finalizer),
  );
  if (added.length > 0) {
    throw invalid({
      resource,
      name: next.metadata.name,
      path: 'metadata.finalizers',
      cause: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added
        .map(finalizer => `"${finalizer}"`)
        .join(', ')}}`,
      reason: 'FieldValueForbidden',
    });
  }
}

function checkPreconditions(
  resource: ResourceDefinition,
  object: KubernetesObject,
  preconditions: DeleteOptions['preconditions'],
): void {
  const { name, uid, resourceVersion } = object.metadata;
  if (preconditions?.uid && preconditions.uid !== uid) {
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${preconditions.uid}, UID in object meta: ${uid}`,
    );
  }
  if (
    preconditions?.resourceVersion &&
    preconditions.resourceVersion !== resourceVersion
  ) {
    throw conflict(
      resource,
      name,
      `Precondition failed: ResourceVersion in precondition: ${preconditions.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
    );
  }
}

function finalizersForDeletion(
  object: KubernetesObject,
  policy: PropagationPolicy | undefined,
): string[] {
  const finalizers = object.metadata.finalizers ?? [];
  if (!policy) {
    return finalizers;
  }
  const others = finalizers.filter(
    finalizer =>
      finalizer !== FOREGROUND_FINALIZER && finalizer !== ORPHAN_FINALIZER,
  );
  switch (policy) {
    case 'Foreground':
      return [...others, FOREGROUND_FINALIZER];
    case 'Orphan':
      return [...others, ORPHAN_FINALIZER];
    default:
      return others;
  }
}

function gracePeriodOf(
  object: KubernetesObject,
  asked: number | undefined,
): number {
  // A pod that no node runs has nothing to wait for.
  if (object.kind !== 'Pod' || !object.spec?.nodeName) {
    return 0;
  }
  return (
    asked ??
    object.spec.terminationGracePeriodSeconds ??
    DEFAULT_POD_GRACE_SECONDS
  );
}

function isReadyToGo({ kind, metadata, spec }: KubernetesObject): boolean {
  const holdsNamespace = kind === 'Namespace' && spec?.finalizers?.length > 0;
  return (
    metadata.deletionTimestamp !== undefined &&
    !metadata.finalizers?.length &&
    !metadata.deletionGracePeriodSeconds &&
    !holdsNamespace
  );
}
