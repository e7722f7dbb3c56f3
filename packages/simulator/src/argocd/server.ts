import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '../http/body';
import { listen, type Listener } from '../http/listen';
import type { Cluster, KubernetesObject } from '../kubernetes';
import { parseLabelSelector } from '../kubernetes/selectors';
import {
  ArgocdAnswer,
  invalidSession,
  noSession,
  noSuchPath,
  notFound,
  permissionDenied,
} from './answers';
import { ArgocdFaults } from './faults';

/** One request that reached the server, for tests that count calls. */
export interface ArgocdRequest {
  method: string;
  /** Path and query. */
  path: string;
}

/** A running API of Argo CD. */
export interface ArgocdServer {
  /** Origin without a trailing slash; the API is at `${url}/api/v1`. */
  readonly url: string;
  readonly token: string;
  readonly faults: ArgocdFaults;
  /** Latest requests, oldest first, at most 10,000. */
  readonly requests: ArgocdRequest[];
  close(): Promise<void>;
}

/** Options of {@link startArgocdServer}. */
export interface ArgocdServerOptions {
  /** The cluster that Argo CD runs in. */
  cluster: Cluster;
  /** Of an account that may get everything. */
  token: string;
  /** 0 or absent picks a free port. */
  port?: number;
}

const REQUEST_LIMIT = 10_000;

const KINDS: Record<string, 'Application' | 'ApplicationSet'> = {
  applications: 'Application',
  applicationsets: 'ApplicationSet',
};

/** Argo CD leaves these out of what it answers. */
function withoutTypeMeta(object: KubernetesObject): object {
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  return rest;
}

/**
 * Starts the part of Argo CD's REST API that reads Applications and
 * ApplicationSets: lists, single objects, the stream of events and `can-i`.
 * Like the real one, a list leaves out what may not be seen, and a stream sends
 * nothing, not even headers, before its first event, and repeats nothing.
 */
export async function startArgocdServer(
  options: ArgocdServerOptions,
): Promise<ArgocdServer> {
  const { cluster, token } = options;
  const requests: ArgocdRequest[] = [];
  const streams = new Set<ServerResponse>();
  let listener: Listener | undefined;
  let port = options.port ?? 0;

  const cutStreams = () => {
    for (const response of streams) {
      if (response.headersSent) {
        response.end();
      } else {
        response.destroy();
      }
    }
    streams.clear();
  };
  const setListening = async (listening: boolean) => {
    if (listening && !listener) {
      listener = await listen({ port, handle });
      port = listener.port;
    } else if (!listening && listener) {
      const closing = listener;
      listener = undefined;
      streams.clear();
      await closing.close();
    }
  };
  const faults = new ArgocdFaults({ cutStreams, setListening });

  const authenticate = (request: IncomingMessage) => {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '');
    if (!bearer) {
      throw noSession();
    }
    if (bearer[1] !== token || faults.isRejected(bearer[1])) {
      throw invalidSession();
    }
  };

  const sendList = (resource: string, url: URL, response: ServerResponse) => {
    const projects = url.searchParams.getAll('projects');
    const items = faults.isDenied(resource)
      ? []
      : cluster
          .list({
            kind: KINDS[resource],
            labelSelector: url.searchParams.get('selector') ?? undefined,
          })
          .filter(
            ({ spec }) =>
              projects.length === 0 || projects.includes(spec?.project),
          );
    sendJson(response, 200, {
      metadata: { resourceVersion: String(cluster.store.resourceVersion) },
      items: items.length > 0 ? items.map(withoutTypeMeta) : null,
    });
  };

  const sendOne = (
    resource: string,
    name: string,
    url: URL,
    response: ServerResponse,
  ) => {
    const namespace =
      url.searchParams.get('appNamespace') ??
      url.searchParams.get('appsetNamespace') ??
      'argocd';
    const object = cluster.get({ kind: KINDS[resource], namespace, name });
    const isApplication = resource === 'applications';
    // An Application whose project the caller does not name is denied whether
    // or not it is there.
    if (
      faults.isDenied(resource) ||
      (!object && isApplication && !url.searchParams.has('project'))
    ) {
      throw permissionDenied();
    }
    if (!object) {
      throw notFound(resource, name);
    }
    sendJson(response, 200, withoutTypeMeta(object));
  };

  const stream = (url: URL, response: ServerResponse) => {
    const version = url.searchParams.get('resourceVersion') ?? '';
    const oldest = Number(version) || 0;
    const isSelected = parseLabelSelector(
      url.searchParams.get('selector') ?? undefined,
    );
    const send = (type: string, object: KubernetesObject) => {
      if (
        object.kind !== 'Application' ||
        !isSelected(object) ||
        faults.isHanging ||
        faults.isDenied('applications') ||
        Number(object.metadata.resourceVersion) < oldest
      ) {
        return;
      }
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': 'application/json' });
      }
      const result = { type, application: withoutTypeMeta(object) };
      response.write(`${JSON.stringify({ result })}\n`);
    };
    if (version === '') {
      cluster
        .list({ kind: 'Application' })
        .forEach(object => send('ADDED', object));
    }
    const unsubscribe = cluster.subscribe(({ type, object }) =>
      send(type, object),
    );
    streams.add(response);
    response.on('close', () => {
      unsubscribe();
      streams.delete(response);
    });
  };

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    requests.push({
      method: request.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
    });
    if (requests.length > REQUEST_LIMIT) {
      requests.shift();
    }
    try {
      authenticate(request);
      const path = decodeURIComponent(url.pathname);
      const canI = /^\/api\/v1\/account\/can-i\/(\w+)\/(\w+)\/.+$/.exec(path);
      const object =
        /^\/api\/v1\/(applications|applicationsets)\/([^/]+)$/.exec(path);
      const list = /^\/api\/v1\/(applications|applicationsets)$/.exec(path);
      if (request.method !== 'GET') {
        throw permissionDenied();
      } else if (canI) {
        const isAllowed = canI[2] === 'get' && !faults.isDenied(canI[1]);
        sendJson(response, 200, { value: isAllowed ? 'yes' : 'no' });
      } else if (list) {
        sendList(list[1], url, response);
      } else if (object) {
        sendOne(object[1], object[2], url, response);
      } else if (path === '/api/v1/stream/applications') {
        stream(url, response);
      } else {
        throw noSuchPath();
      }
    } catch (error) {
      if (!(error instanceof ArgocdAnswer)) {
        throw error;
      }
      error.send(response);
    }
  }

  await setListening(true);
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    faults,
    requests,
    close: () => setListening(false),
  };
}
