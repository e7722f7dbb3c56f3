import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answer, answerNotFound, answerWithError } from './answers';
import { readBody } from './body';
import type { Cluster } from './cluster';
import { answerDiscovery } from './discoveryHandler';
import { ApiStatusError, forbidden, unauthorized } from './errors';
import type { FaultState } from './faults';
import type { ObjectHandlers } from './objectHandlers';
import { RbacAuthorizer, refusalOf, type UserInfo } from './rbac';
import { representationFor } from './representation';
import type { RequestCounter } from './requestCounter';
import { parseRequestInfo, type RequestInfo } from './requestInfo';
import { answerReview, isReview } from './reviews';
import { selectedName } from './selectors';

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

/** Takes a request through authentication, authorization, faults and handling. */
export class ApiServer {
  readonly #cluster: Cluster;
  readonly #users: Map<string, UserInfo>;
  readonly #faults: FaultState;
  readonly #requests: RequestCounter;
  readonly #objects: ObjectHandlers;
  readonly #authorizer: RbacAuthorizer;

  constructor(options: {
    cluster: Cluster;
    tokens: KubernetesToken[];
    faults: FaultState;
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
      answerDiscovery({
        resources: this.#cluster.resources.all(),
        request,
        response,
        path: url.pathname,
      });
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
    if (!user || this.#faults.rejectedTokens.has(token)) {
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
}
