import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { readBody } from './body';
import { ChunkedLists } from './chunks';
import type { Cluster } from './cluster';
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroups,
  apiResources,
  coreVersions,
} from './discovery';
import { ApiStatusError, forbidden, unauthorized } from './errors';
import { ClusterFaults } from './faults';
import { Listener } from './listener';
import type { KubernetesObjectInput } from './object';
import { ObjectHandlers } from './objectHandlers';
import { openApiDocument, openApiIndex, openApiV2 } from './openapi';
import {
  BOOTSTRAP_POLICY,
  RbacAuthorizer,
  refusalOf,
  type UserInfo,
} from './rbac';
import { representationFor } from './representation';
import { parseRequestInfo, type RequestInfo } from './requestInfo';
import { RequestCounter } from './requestCounter';
import { answerReview, isReview } from './reviews';
import { createSelfSignedCertificate } from './selfSignedCertificate';
import { selectedName } from './selectors';
import { Watches } from './watches';

/**
 * A bearer token and whom it stands for. `system:authenticated` is added to
 * the groups.
 *
 * @public
 */
export interface KubernetesToken {
  token: string;
  user: string;
  /** With `system:masters` the user may do everything. */
  groups?: string[];
}

/**
 * A running API server.
 *
 * @public
 */
export interface KubernetesServer {
  /** Such as `http://127.0.0.1:7082`. */
  url: string;
  /**
   * The same port by HTTPS. `kubectl` needs it: over plain HTTP it keeps its
   * token to itself.
   */
  secureUrl: string;
  /** The certificate, in PEM, that vouches for {@link KubernetesServer.secureUrl}. */
  certificateAuthority: string;
  faults: ClusterFaults;
  requests: RequestCounter;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}

const VERSION = {
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.0',
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '2025-12-17T00:00:00Z',
  goVersion: 'go1.25.5',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/**
 * Serves a cluster over HTTP, as an API server does: discovery, objects,
 * watches, RBAC. Requests without a token are those of `system:anonymous`.
 *
 * @param options - `port` 0 takes a free one. `rbac` are objects of
 * `rbac.authorization.k8s.io`, stored in the cluster; without any, only members
 * of `system:masters` see more than discovery.
 * @public
 */
export async function startKubernetesServer(options: {
  cluster: Cluster;
  port?: number;
  host?: string;
  tokens: KubernetesToken[];
  rbac?: KubernetesObjectInput[];
}): Promise<KubernetesServer> {
  const { cluster, port = 0, host = '127.0.0.1', tokens, rbac = [] } = options;
  storePolicy(cluster, [...BOOTSTRAP_POLICY, ...rbac]);

  const lists = new ChunkedLists();
  const requests = new RequestCounter();
  const faults: ClusterFaults = new ClusterFaults({
    cutWatches: kind => watches.cut(kind),
    forgetChanges: () => cluster.store.forgetChanges(),
    expireContinueTokens: () => lists.expire(),
    setListening: listening => listener.setListening(listening),
  });
  const watches = new Watches({ cluster, faults });
  const stopObserving = cluster.resources.onRemove(kind => watches.cut(kind));
  const api = new ApiServer({
    cluster,
    tokens,
    faults,
    requests,
    objects: new ObjectHandlers({ cluster, lists, watches }),
  });
  const certificate = createSelfSignedCertificate({
    hosts: ['localhost', host],
    now: new Date(),
  });
  const listener = await Listener.open({
    port,
    host,
    certificate,
    onRequest: (request, response) => {
      void api.serve(request, response);
    },
  });

  return {
    url: `http://${listener.authority}`,
    secureUrl: `https://${listener.authority}`,
    certificateAuthority: certificate.certificate,
    faults,
    requests,
    async close() {
      stopObserving();
      watches.cut();
      await listener.setListening(false);
    },
  };
}

function storePolicy(cluster: Cluster, policy: KubernetesObjectInput[]): void {
  for (const object of policy) {
    const { kind, metadata } = object;
    const { name = '', namespace } = metadata;
    // The same cluster may be served anew; what it has by then is kept.
    if (!cluster.get({ kind, namespace, name })) {
      cluster.create(object);
    }
  }
}

/** Takes a request through authentication, authorization, faults and handling. */
class ApiServer {
  readonly #cluster: Cluster;
  readonly #users: Map<string, UserInfo>;
  readonly #faults: ClusterFaults;
  readonly #requests: RequestCounter;
  readonly #objects: ObjectHandlers;
  readonly #authorizer: RbacAuthorizer;

  constructor(options: {
    cluster: Cluster;
    tokens: KubernetesToken[];
    faults: ClusterFaults;
    requests: RequestCounter;
    objects: ObjectHandlers;
  }) {
    this.#cluster = options.cluster;
    this.#faults = options.faults;
    this.#requests = options.requests;
    this.#objects = options.objects;
    this.#authorizer = new RbacAuthorizer(options.cluster);
    this.#users = new Map(
      options.tokens.map(({ token, user, groups = [] }) => [
        token,
        { name: user, groups: [...groups, 'system:authenticated'] },
      ]),
    );
  }

  async serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    try {
      if (this.#faults.delayMilliseconds > 0) {
        await wait(this.#faults.delayMilliseconds);
      }
      await this.#route(request, response);
    } catch (error) {
      const failure =
        error instanceof ApiStatusError
          ? error
          : new ApiStatusError({
              code: 500,
              reason: 'InternalError',
              message: `Internal error occurred: ${
                error instanceof Error ? error.message : error
              }`,
              details: { causes: [{ message: String(error) }] },
            });
      answerWithError(response, failure);
    }
  }

  async #route(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://cluster.local');
    const user = this.#authenticate(request);
    const info = parseRequestInfo(method, url);
    if (!info) {
      this.#authorizePath(user, method, url.pathname);
      this.#discover(request, response, url);
      return;
    }
    this.#requests.add(
      info.verb,
      info.subresource ? `${info.plural}/${info.subresource}` : info.plural,
    );
    this.#authorizeResource(user, info, url);
    if (isReview(info) && info.verb === 'create') {
      const body = await readBody(request);
      answer(
        response,
        201,
        answerReview({
          plural: info.plural,
          body,
          user,
          authorizer: this.#authorizer,
        }),
      );
      return;
    }
    await this.#handle({ request, response, url, info, user });
  }

  async #handle(call: {
    request: IncomingMessage;
    response: ServerResponse;
    url: URL;
    info: RequestInfo;
    user: UserInfo;
  }): Promise<void> {
    const { request, response, url, info, user } = call;
    const resource = this.#cluster.resources.byPath(info);
    const isKnown =
      resource &&
      (resource.namespaced || !info.namespace) &&
      (!resource.namespaced || info.namespace || !info.name) &&
      (!info.subresource || resource.subresources.includes(info.subresource));
    if (!isKnown) {
      answerNotFound(response);
      return;
    }
    if (this.#faults.isForbidden(resource.kind, info.verb)) {
      throw forbidden({
        resource,
        name: info.name,
        cause: refusalOf(user, { ...info, resource: info.plural }),
      });
    }
    const failure = this.#faults.takeFailure(resource.kind);
    if (failure) {
      throw failure;
    }
    const representation = representationFor(request.headers.accept);
    if (!representation) {
      throw new ApiStatusError({
        code: 406,
        reason: 'NotAcceptable',
        message:
          'only the following media types are accepted: application/json',
        details: {},
      });
    }
    const result = await this.#objects.handle({
      info,
      resource,
      query: url.searchParams,
      representation,
      request,
      response,
    });
    if (result) {
      answer(response, result.code, result.body);
    }
  }

  #authenticate(request: IncomingMessage): UserInfo {
    const header = request.headers.authorization;
    if (!header) {
      return { name: 'system:anonymous', groups: ['system:unauthenticated'] };
    }
    const token = /^Bearer\s+(.+)$/i.exec(header)?.[1].trim() ?? '';
    const user = this.#users.get(token);
    if (!user || this.#faults.isRejected(token)) {
      throw unauthorized();
    }
    return user;
  }

  #authorizePath(user: UserInfo, method: string, path: string): void {
    const verb =
      method === 'GET' || method === 'HEAD' ? 'get' : method.toLowerCase();
    const canonical = path.length > 1 ? path.replace(/\/$/, '') : path;
    if (!this.#authorizer.allowsPath(user, { verb, path: canonical })) {
      throw new ApiStatusError({
        code: 403,
        reason: 'Forbidden',
        message: `forbidden: User "${user.name}" cannot ${verb} path "${path}"`,
        details: {},
      });
    }
  }

  #authorizeResource(user: UserInfo, info: RequestInfo, url: URL): void {
    const isOneNamespace =
      info.group === '' && info.plural === 'namespaces' && info.name;
    const attributes = {
      verb: info.verb,
      group: info.group,
      resource: info.plural,
      subresource: info.subresource,
      // A namespace counts as within itself, so that a Role in it can cover it.
      namespace: isOneNamespace ? info.name : info.namespace,
      name:
        info.name ??
        selectedName(url.searchParams.get('fieldSelector') ?? undefined),
    };
    if (!this.#authorizer.allowsResource(user, attributes)) {
      throw forbidden({
        resource: { group: info.group, plural: info.plural, kind: info.plural },
        name: attributes.name,
        cause: refusalOf(user, attributes),
      });
    }
  }

  #discover(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): void {
    const path = url.pathname.replace(/\/$/, '') || '/';
    const resources = this.#cluster.resources.all();
    const [root, group, version] = path.split('/').slice(1);

    if ((path === '/api' || path === '/apis') && wantsAggregate(request)) {
      answer(
        response,
        200,
        aggregatedDiscovery(resources, root as 'api' | 'apis'),
        'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      );
      return;
    }
    if (['/healthz', '/livez', '/readyz'].includes(path)) {
      answer(response, 200, 'ok');
      return;
    }
    if (path === '/openapi/v2') {
      response.writeHead(200, {
        'Content-Type':
          'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
      });
      response.end(openApiV2());
      return;
    }
    const found = (() => {
      switch (root) {
        case 'version':
          return VERSION;
        case 'openapi':
          return path === '/openapi/v3'
            ? openApiIndex(resources)
            : openApiDocument(resources, path.slice('/openapi/v3/'.length));
        case 'api':
          return group
            ? apiResources(resources, { group: '', version: group })
            : coreVersions();
        case 'apis':
          if (!group) {
            return apiGroups(resources);
          }
          return version
            ? apiResources(resources, { group, version })
            : apiGroup(resources, group);
        default:
          return undefined;
      }
    })();
    if (found) {
      answer(response, 200, found);
    } else {
      answerNotFound(response);
    }
  }
}

function wantsAggregate(request: IncomingMessage): boolean {
  return (request.headers.accept ?? '').split(',').some(entry => {
    const parameters = entry.split(';').map(part => part.trim());
    return (
      parameters.includes('as=APIGroupDiscoveryList') &&
      parameters.includes('v=v2')
    );
  });
}

function answer(
  response: ServerResponse,
  code: number,
  body: unknown,
  contentType = typeof body === 'string' ? 'text/plain' : 'application/json',
): void {
  response.writeHead(code, {
    'Content-Type': contentType,
    'Cache-Control': 'no-cache, private',
    Vary: 'Accept',
  });
  response.end(typeof body === 'string' ? body : `${JSON.stringify(body)}\n`);
}

function answerNotFound(response: ServerResponse): void {
  response.writeHead(404, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end('404 page not found\n');
}

function answerWithError(
  response: ServerResponse,
  error: ApiStatusError,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const retryAfter = error.details?.retryAfterSeconds;
  if (retryAfter !== undefined) {
    response.setHeader('Retry-After', String(retryAfter));
  }
  answer(response, error.code, error.toStatus());
}
