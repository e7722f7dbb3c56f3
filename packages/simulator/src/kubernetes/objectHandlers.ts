import type { IncomingMessage, ServerResponse } from 'node:http';
import { mediaTypeOf, readBody } from './body';
import type { ChunkedLists } from './chunks';
import type { Cluster, DeleteOptions, WriteOptions } from './cluster';
import {
  ApiStatusError,
  badRequest,
  expired,
  methodNotAllowed,
  notFound,
  unsupportedMediaType,
} from './errors';
import type { KubernetesObject } from './object';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
} from './patches';
import { Presenter, type Representation } from './representation';
import { isTrue, type RequestInfo } from './requestInfo';
import { apiVersionOf, type ResourceDefinition } from './resources';
import { parseFieldSelector, parseLabelSelector } from './selectors';
import { applyConfiguration } from './serverSideApply';
import type { Watches } from './watches';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

/** One request for a kind that is served. */
export interface ObjectRequest {
  info: RequestInfo;
  resource: ResourceDefinition;
  query: URLSearchParams;
  representation: Representation;
  request: IncomingMessage;
  response: ServerResponse;
}

/** An answer: JSON, or text for logs; undefined when it was already streamed. */
export type Answer = { code: number; body: unknown } | undefined;

/** Answers requests about objects, by the verbs of the API. */
export class ObjectHandlers {
  readonly #cluster: Cluster;
  readonly #lists: ChunkedLists;
  readonly #watches: Watches;

  constructor(options: {
    cluster: Cluster;
    lists: ChunkedLists;
    watches: Watches;
  }) {
    this.#cluster = options.cluster;
    this.#lists = options.lists;
    this.#watches = options.watches;
  }

  async handle(call: ObjectRequest): Promise<Answer> {
    const { info } = call;
    if (info.subresource) {
      return this.#handleSubresource(call, info.subresource);
    }
    switch (info.verb) {
      case 'get':
        return this.#answer(call, this.#read(call));
      case 'list':
        return this.#list(call);
      case 'watch':
        return this.#watch(call);
      case 'create':
        return this.#create(call);
      case 'update':
        return this.#update(call);
      case 'patch':
        return this.#patch(call);
      case 'delete':
        return this.#delete(call);
      case 'deletecollection':
        return this.#deleteCollection(call);
      default:
        throw methodNotAllowed();
    }
  }

  async #handleSubresource(
    call: ObjectRequest,
    subresource: string,
  ): Promise<Answer> {
    const { verb } = call.info;
    switch (subresource) {
      case 'log':
        return this.#log(call);
      case 'scale':
        return this.#scale(call);
      case 'finalize':
        return this.#finalize(call);
      default:
    }
    switch (verb) {
      case 'get':
        return this.#answer(call, this.#read(call));
      case 'update':
        return this.#update(call);
      case 'patch':
        return this.#patch(call);
      default:
        throw methodNotAllowed();
    }
  }

  #read({ info, resource }: ObjectRequest): KubernetesObject {
    const object = this.#cluster.store.get(
      resource.kind,
      info.namespace ?? '',
      info.name!,
    );
    if (!object) {
      throw notFound(resource, info.name!);
    }
    return object;
  }

  #presenter({
    info,
    resource,
    representation,
    query,
  }: ObjectRequest): Presenter {
    return new Presenter({
      resource,
      version: info.version,
      representation,
      now: () => this.#cluster.clock.now(),
      includeObject: query.get('includeObject') ?? undefined,
    });
  }

  #answer(call: ObjectRequest, object: KubernetesObject, code = 200): Answer {
    return { code, body: this.#presenter(call).one(object) };
  }

  #selection({ info, resource, query }: ObjectRequest) {
    const labels = query.get('labelSelector') || undefined;
    const fields = query.get('fieldSelector') || undefined;
    const hasLabels = parseLabelSelector(labels);
    const hasFields = parseFieldSelector(fields, resource.kind);
    return {
      isFiltered: Boolean(labels || fields),
      isSelected: (object: KubernetesObject) =>
        hasLabels(object) &&
        hasFields(object) &&
        (!info.name || object.metadata.name === info.name),
    };
  }

  #list(call: ObjectRequest): Answer {
    const { info, resource, query } = call;
    const { store } = this.#cluster;
    const { isFiltered, isSelected } = this.#selection(call);
    this.#checkListVersion(query);
    const chunk = this.#lists.read({
      scope: `${resource.kind} ${info.namespace ?? ''}`,
      limit: Number(query.get('limit') ?? 0),
      continueToken: query.get('continue') || undefined,
      resourceVersion: store.resourceVersion,
      current: () => store.list(resource.kind, info.namespace),
      isSelected: isFiltered ? isSelected : undefined,
    });
    return {
      code: 200,
      body: this.#presenter(call).list(chunk.items, {
        resourceVersion: String(chunk.resourceVersion),
        continue: chunk.continueToken,
        remainingItemCount: chunk.remainingItemCount,
      }),
    };
  }

  #checkListVersion(query: URLSearchParams): void {
    const version = parseVersion(query.get('resourceVersion'));
    const current = this.#cluster.store.resourceVersion;
    if (query.get('continue')) {
      if (version) {
        throw badRequest(
          'specifying resource version is not allowed when using continue',
        );
      }
      return;
    }
    if (version === undefined) {
      return;
    }
    if (version > current) {
      throw new ApiStatusError({
        code: 504,
        reason: 'Timeout',
        message: `Timeout: Too large resource version: ${version}, current: ${current}`,
        details: {
          causes: [
            {
              reason: 'ResourceVersionTooLarge',
              message: 'Too large resource version',
            },
          ],
          retryAfterSeconds: 1,
        },
      });
    }
    // Only the present is kept, so of the past no exact list can be made.
    if (query.get('resourceVersionMatch') === 'Exact' && version < current) {
      throw expired(`The resourceVersion for the provided list is too old.`);
    }
  }

  #watch(call: ObjectRequest): Answer {
    const { info, resource, query, response } = call;
    const version = parseVersion(query.get('resourceVersion'));
    const sendsInitial = query.get('sendInitialEvents');
    const wantsInitial = sendsInitial !== null && isTrue(sendsInitial);
    if (wantsInitial && query.get('resourceVersionMatch') !== 'NotOlderThan') {
      throw new ApiStatusError({
        code: 422,
        reason: 'Invalid',
        message:
          'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
        details: { group: 'meta.k8s.io', kind: 'ListOptions' },
      });
    }
    const timeout = query.get('timeoutSeconds');
    const resumes = version !== undefined && version !== 0 && !wantsInitial;
    this.#watches.serve(
      {
        kind: resource.kind,
        namespace: info.namespace,
        isSelected: this.#selection(call).isSelected,
        presenter: this.#presenter(call),
        since: resumes ? version : undefined,
        onlyNew: !resumes && sendsInitial !== null && !wantsInitial,
        marksInitialEvents: wantsInitial,
        allowsBookmarks: isTrue(query.get('allowWatchBookmarks')),
        timeoutSeconds: timeout ? Number(timeout) : undefined,
      },
      response,
    );
    return undefined;
  }

  async #create(call: ObjectRequest): Promise<Answer> {
    const { info, resource, request, query } = call;
    if (info.name || (resource.namespaced && !info.namespace)) {
      throw methodNotAllowed();
    }
    const body = objectIn(await readBody(request), call);
    const created = this.#cluster.create(body, {
      ...writeOptions(call),
      dryRun: isDryRun(query),
    });
    return this.#answer(call, created, 201);
  }

  async #update(call: ObjectRequest): Promise<Answer> {
    const { info, request, query } = call;
    if (!info.name) {
      throw methodNotAllowed();
    }
    const body = objectIn(await readBody(request), call);
    const updated = this.#cluster.update(body, {
      ...writeOptions(call),
      dryRun: isDryRun(query),
    });
    return this.#answer(call, updated);
  }

  async #patch(call: ObjectRequest): Promise<Answer> {
    const { info, resource, request, query } = call;
    if (!info.name) {
      throw methodNotAllowed();
    }
    const type = mediaTypeOf(request);
    const accepted = [
      JSON_PATCH,
      MERGE_PATCH,
      // Custom resources have no merge keys, so no strategic merge patch.
      ...(resource.custom ? [] : [STRATEGIC_PATCH]),
      APPLY_PATCH,
    ];
    if (!accepted.includes(type)) {
      throw unsupportedMediaType(accepted);
    }
    const patch = await readBody(request, accepted);
    if (type === APPLY_PATCH) {
      return this.#apply(call, patch);
    }
    const current = this.#read(call);
    const patched =
      type === JSON_PATCH
        ? applyJsonPatch(current, patch)
        : (type === MERGE_PATCH ? applyMergePatch : applyStrategicMergePatch)(
            current,
            patch,
          );
    const updated = this.#cluster.update(objectIn(patched, call, current), {
      ...writeOptions(call),
      dryRun: isDryRun(query),
    });
    return this.#answer(call, updated);
  }

  #apply(call: ObjectRequest, body: any): Answer {
    const { info, resource, query } = call;
    const fieldManager = query.get('fieldManager');
    if (!fieldManager) {
      throw badRequest(
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      );
    }
    const configuration = objectIn(body, call);
    const options: WriteOptions = {
      ...writeOptions(call),
      operation: 'Apply',
      applied: configuration,
      dryRun: isDryRun(query),
    };
    const current = this.#cluster.store.get(
      resource.kind,
      info.namespace ?? '',
      info.name!,
    );
    if (!current) {
      return this.#answer(
        call,
        this.#cluster.create(configuration, options),
        201,
      );
    }
    const merged = applyConfiguration({
      resource,
      current,
      configuration,
      fieldManager,
      force: isTrue(query.get('force')),
    });
    return this.#answer(call, this.#cluster.update(merged, options));
  }

  async #delete(call: ObjectRequest): Promise<Answer> {
    const { info, resource, request, query } = call;
    const options = deleteOptions(await readBody(request), query);
    const reference = {
      kind: resource.kind,
      namespace: info.namespace,
      name: info.name!,
    };
    const last = this.#cluster.delete(reference, options);
    // What is still there is answered; what is gone is only confirmed.
    if (this.#cluster.store.byUid(last.metadata.uid)) {
      return this.#answer(call, last);
    }
    return {
      code: 200,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: {
          name: last.metadata.name,
          group: resource.group || undefined,
          kind: resource.plural,
          uid: last.metadata.uid,
        },
      },
    };
  }

  async #deleteCollection(call: ObjectRequest): Promise<Answer> {
    const { info, resource, request, query } = call;
    const options = deleteOptions(await readBody(request), query);
    const { isSelected } = this.#selection(call);
    if (resource.kind === 'Namespace') {
      throw methodNotAllowed();
    }
    const deleted = this.#cluster.store
      .list(resource.kind, info.namespace)
      .filter(isSelected)
      .map(({ kind, metadata: { namespace, name } }) =>
        this.#cluster.delete({ kind, namespace, name }, options),
      );
    return {
      code: 200,
      body: this.#presenter(call).list(deleted, {
        resourceVersion: String(this.#cluster.store.resourceVersion),
      }),
    };
  }

  #log(call: ObjectRequest): Answer {
    if (call.info.verb !== 'get') {
      throw methodNotAllowed();
    }
    const text = this.#cluster.readPodLog(this.#read(call).metadata.uid);
    const tail = call.query.get('tailLines');
    if (tail === null) {
      return { code: 200, body: text };
    }
    const lines = text.split(/(?<=\n)/).filter(line => line !== '');
    return {
      code: 200,
      body: lines.slice(Math.max(lines.length - Number(tail), 0)).join(''),
    };
  }

  async #scale(call: ObjectRequest): Promise<Answer> {
    const { info, resource, request } = call;
    let object = this.#read(call);
    if (info.verb !== 'get') {
      const body =
        info.verb === 'patch'
          ? await this.#patchedScale(call, object)
          : await readBody(request);
      const replicas = body?.spec?.replicas ?? 0;
      object = this.#cluster.patch(
        { kind: resource.kind, namespace: info.namespace, name: info.name! },
        draft => {
          draft.spec = { ...draft.spec, replicas };
        },
        writeOptions(call),
      );
    }
    return { code: 200, body: scaleOf(object) };
  }

  async #patchedScale(call: ObjectRequest, object: KubernetesObject) {
    const type = mediaTypeOf(call.request);
    const patch = await readBody(call.request, [
      JSON_PATCH,
      MERGE_PATCH,
      STRATEGIC_PATCH,
    ]);
    return type === JSON_PATCH
      ? applyJsonPatch(scaleOf(object), patch)
      : applyMergePatch(scaleOf(object), patch);
  }

  async #finalize(call: ObjectRequest): Promise<Answer> {
    const { info, resource, request } = call;
    if (info.verb !== 'update') {
      throw methodNotAllowed();
    }
    const body = objectIn(await readBody(request), call);
    const updated = this.#cluster.patch(
      { kind: resource.kind, name: info.name! },
      draft => {
        draft.spec = {
          ...draft.spec,
          finalizers: body.spec?.finalizers ?? [],
        };
      },
    );
    return this.#answer(call, updated);
  }
}

function scaleOf(object: KubernetesObject) {
  const { name, namespace, uid, resourceVersion, creationTimestamp } =
    object.metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: object.spec?.replicas ?? 0 },
    status: {
      replicas: object.status?.replicas ?? 0,
      selector: Object.entries(object.spec?.selector?.matchLabels ?? {})
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
    },
  };
}

function writeOptions({ info, query, request }: ObjectRequest): WriteOptions {
  const agent = (request.headers['user-agent'] ?? 'unknown').split('/')[0];
  return {
    fieldManager: query.get('fieldManager') || agent,
    scope: info.subresource === 'status' ? 'status' : 'main',
  };
}

function isDryRun(query: URLSearchParams): boolean {
  const value = query.get('dryRun');
  if (value !== null && value !== 'All') {
    throw badRequest(
      `invalid request: dryRun: Unsupported value: "${value}": supported values: "All"`,
    );
  }
  return value === 'All';
}

function parseVersion(text: string | null): number | undefined {
  if (text === null || text === '') {
    return undefined;
  }
  if (!/^\d+$/.test(text)) {
    throw badRequest(`invalid resource version "${text}"`);
  }
  return Number(text);
}

function deleteOptions(body: any, query: URLSearchParams): DeleteOptions {
  const grace = body?.gracePeriodSeconds ?? query.get('gracePeriodSeconds');
  const isDry = isDryRun(query) || Boolean(body?.dryRun?.includes?.('All'));
  return {
    propagationPolicy:
      body?.propagationPolicy ?? query.get('propagationPolicy') ?? undefined,
    gracePeriodSeconds:
      grace === null || grace === undefined ? undefined : Number(grace),
    preconditions: body?.preconditions,
    dryRun: isDry,
  };
}

/**
 * The object in a body, checked against the path it was sent to.
 *
 * @throws ApiStatusError 400 when they contradict each other
 */
function objectIn(
  body: any,
  { info, resource }: ObjectRequest,
  current?: KubernetesObject,
): KubernetesObject {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('the body of the request must be an object');
  }
  const apiVersion = apiVersionOf(resource, info.version);
  const givenVersion =
    current && body.apiVersion === current.apiVersion
      ? apiVersion
      : body.apiVersion;
  if (givenVersion !== undefined && givenVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (body.kind !== undefined && body.kind !== resource.kind) {
    throw badRequest(
      `${resource.kind} in version "${info.version}" cannot be handled as a ${resource.kind}: the kind in the data is ${body.kind}`,
    );
  }
  const metadata = { ...body.metadata };
  if (info.name) {
    metadata.name ||= info.name;
    if (metadata.name !== info.name) {
      throw badRequest(
        `the name of the object (${metadata.name}) does not match the name on the URL (${info.name})`,
      );
    }
  }
  if (info.namespace) {
    metadata.namespace ||= info.namespace;
    if (metadata.namespace !== info.namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
  }
  return { ...body, apiVersion, kind: resource.kind, metadata };
}
