import type { IncomingMessage, ServerResponse } from 'node:http';
import { isError } from '@backstage/errors';
import type { Clock } from '../clock';
import { readFields, sendJson } from '../http/body';
import { listen } from '../http/listen';
import { GitLabFaults, gitlabAnswers, type FaultyAnswer } from './faults';
import { pageNumber, paginate } from './pagination';
import { sendPage } from './pages';
import {
  authenticate,
  GitLabAnswer,
  requireScope,
  type GitLabRequest,
} from './request';
import type { Route } from './route';
import { routes } from './routes';
import type { GitLabState } from './state';

/** One request that reached the server, for tests that count calls. */
export interface RecordedRequest {
  method: string;
  /** Path and query after `/api/v4`. */
  path: string;
  status: number;
  at: Date;
}

/** A running GitLab. */
export interface GitLabServer {
  /** Origin and base path, without a trailing slash; the API is at `${url}/api/v4`. */
  readonly url: string;
  readonly faults: GitLabFaults;
  /** Latest requests, oldest first, at most 10,000. */
  readonly requests: RecordedRequest[];
  /** Drops all connections; the state stays. */
  restart(): void;
  close(): Promise<void>;
}

/** Options of {@link startGitlabServer}. */
export interface GitLabServerOptions {
  state: GitLabState;
  clock: Clock;
  /** 0 or absent picks a free port. */
  port?: number;
  host?: string;
  /** For a GitLab below a path, for example `/gitlab`. */
  basePath?: string;
}

const REQUEST_LIMIT = 10_000;

const compiled = routes.map(route => ({
  route,
  names: [...route.path.matchAll(/:(\w+)/g)].map(match => match[1]),
  pattern: new RegExp(`^${route.path.replace(/:\w+/g, '([^/]+)')}/?$`),
}));

function findRoute(
  method: string,
  path: string,
): { route: Route; parameters: Record<string, string> } {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const matching = compiled.filter(candidate => candidate.pattern.test(path));
  const found = matching.find(candidate => candidate.route.method === wanted);
  if (!found) {
    throw new GitLabAnswer(
      matching.length > 0
        ? { status: 405, body: { error: '405 Not Allowed' } }
        : { status: 404, body: { error: '404 Not Found' } },
    );
  }
  const values = (found.pattern.exec(path) as RegExpExecArray).slice(1);
  return {
    route: found.route,
    parameters: Object.fromEntries(
      found.names.map((name, index) => [
        name,
        decodeURIComponent(values[index]),
      ]),
    ),
  };
}

function tokenValue(
  request: IncomingMessage,
  query: URLSearchParams,
): string | undefined {
  const header = request.headers['private-token'];
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '');
  return (
    (Array.isArray(header) ? header[0] : header) ??
    bearer?.[1] ??
    query.get('private_token') ??
    undefined
  );
}

function sendAnswer(response: ServerResponse, answer: FaultyAnswer): void {
  if (typeof answer.body === 'string') {
    response.writeHead(answer.status, {
      'content-type': 'text/plain',
      ...answer.headers,
    });
    response.end(answer.body);
  } else {
    sendJson(response, answer.status, answer.body, answer.headers);
  }
}

/** Starts the REST API v4 over a state. */
export async function startGitlabServer(
  options: GitLabServerOptions,
): Promise<GitLabServer> {
  const { state, clock } = options;
  const basePath = options.basePath ?? '';
  const faults = new GitLabFaults();
  const requests: RecordedRequest[] = [];

  const handleApi = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ) => {
    const path = url.pathname.slice('/api/v4'.length);
    const method = request.method ?? 'GET';
    const faulty = faults.match(
      `${path}${url.search}`,
      pageNumber(url.searchParams),
    );
    if (faulty) {
      sendAnswer(response, faulty);
      return;
    }
    const { route, parameters } = findRoute(method, path);
    const now = clock.now();
    const token = authenticate(
      state,
      tokenValue(request, url.searchParams),
      now,
    );
    requireScope(token, route.scopes);
    const gitlabRequest: GitLabRequest = {
      state,
      faults,
      now,
      method,
      parameters,
      query: url.searchParams,
      fields: method === 'GET' ? {} : await readFields(request),
      token,
    };
    const result = route.handle(gitlabRequest);
    if (result.kind === 'text') {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(result.body);
      return;
    }
    if (result.kind === 'file') {
      const body = await result.body;
      response.writeHead(200, {
        'content-type': result.type,
        'content-disposition': `attachment; filename="${result.name}"`,
      });
      response.end(body);
      return;
    }
    if (result.kind === 'json') {
      sendJson(response, result.status ?? 200, result.body);
      return;
    }
    const page = paginate({
      items: faults.emptyLists ? [] : result.items,
      query: url.searchParams,
      url: `${state.externalUrl}${url.pathname}`,
    });
    sendJson(
      response,
      200,
      page.items.map(item => result.render(item as never)),
      page.headers,
    );
  };

  const listener = await listen({
    port: options.port,
    host: options.host,
    handle: async (request, response) => {
      if (faults.refuse) {
        request.socket.destroy();
        return;
      }
      if (faults.delay > 0) {
        await new Promise<void>(resolve => {
          setTimeout(resolve, faults.delay).unref();
        });
      }
      const raw = request.url ?? '/';
      if (!raw.startsWith(basePath)) {
        sendAnswer(response, { status: 404, body: '404 Page Not Found\n' });
        return;
      }
      const url = new URL(
        raw.slice(basePath.length) || '/',
        'http://localhost',
      );
      if (!url.pathname.startsWith('/api/v4/')) {
        sendPage(state, decodeURIComponent(url.pathname), response);
        return;
      }
      response.setHeader('x-request-id', `${requests.length + 1}`);
      response.setHeader('x-gitlab-meta', '{"version":"1"}');
      response.setHeader(
        'cache-control',
        'max-age=0, private, must-revalidate',
      );
      try {
        await handleApi(request, response, url);
      } catch (error) {
        sendAnswer(response, answerFor(error));
      }
      requests.push({
        method: request.method ?? 'GET',
        path: `${url.pathname.slice('/api/v4'.length)}${url.search}`,
        status: response.statusCode,
        at: clock.now(),
      });
      if (requests.length > REQUEST_LIMIT) {
        requests.shift();
      }
    },
  });
  const serverUrl = `${listener.url}${basePath}`;
  state.externalUrl = serverUrl;

  return {
    url: serverUrl,
    faults,
    requests,
    restart: () => listener.dropConnections(),
    close: () => listener.close(),
  };
}

function answerFor(error: unknown): FaultyAnswer {
  if (error instanceof GitLabAnswer) {
    return error.answer;
  }
  if (error instanceof URIError || error instanceof SyntaxError) {
    return { status: 400, body: { error: '400 Bad Request' } };
  }
  if (isError(error) && error.name === 'ConflictError') {
    return { status: 409, body: { message: [error.message] } };
  }
  return gitlabAnswers.internalError;
}
