import {
  createRequesterFn,
  FormattedResponse,
  RequesterType,
  ResourceOptions,
} from '@gitbeaker/requester-utils';
import { pauseOf, problemOf } from './answers';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';
import { HostGate } from './HostGate';

/** Largest body that is read, in bytes. */
const MAXIMUM_BODY = 32 * 1024 * 1024;

const MAXIMUM_REDIRECTS = 3;

/** What every call to a host needs. */
export interface RequesterOptions {
  /** Base of the REST API, without a trailing slash. */
  apiUrl: string;
  gate: HostGate;
  /** Aborted when reading has to stop. */
  signal: AbortSignal;
  timeoutMilliseconds: number;
  clock: () => Date;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAXIMUM_BODY) {
      throw new GitLabRequestError({
        reason: 'UnexpectedAnswer',
        message: 'GitLab answered with more than 32 MiB.',
        status: response.status,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The parsed body; undefined for anything that is not JSON. */
async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response);
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Follows redirects, which GitLab answers for a renamed project, only below the
 * API itself: the token must reach nothing else.
 */
async function fetchBelow(
  url: URL,
  options: {
    apiUrl: string;
    headers: Record<string, string>;
    signal: AbortSignal;
  },
): Promise<Response> {
  let current = url;
  for (let hops = 0; hops <= MAXIMUM_REDIRECTS; hops += 1) {
    const response = await fetch(current, {
      headers: options.headers,
      redirect: 'manual',
      signal: options.signal,
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || !location) {
      return response;
    }
    await response.body?.cancel();
    const target = URL.canParse(location, current.href)
      ? new URL(location, current)
      : undefined;
    if (!target?.href.startsWith(`${options.apiUrl}/`)) {
      throw new GitLabRequestError({
        reason: 'UnexpectedAnswer',
        message:
          'GitLab redirects to a place outside its API, which is not followed.',
        status: response.status,
      });
    }
    current = target;
  }
  throw new GitLabRequestError({
    reason: 'UnexpectedAnswer',
    message: 'GitLab redirects in circles.',
  });
}

/** Calls, unless the host is to be left alone, and notes what became of it. */
async function call(
  endpoint: string,
  request: { searchParams?: string; headers: Record<string, string> },
  options: RequesterOptions,
): Promise<FormattedResponse> {
  const paused = options.gate.pausedUntil(options.clock());
  if (paused) {
    throw new GitLabRequestError({
      reason: 'RateLimited',
      message: 'GitLab asked to be left alone for a while.',
      retryAt: paused.toISOString(),
    });
  }
  if (options.gate.isSilent) {
    throw new GitLabRequestError({
      reason: 'Unreachable',
      message: 'GitLab cannot be reached.',
    });
  }
  try {
    const answer = await send(endpoint, request, options);
    options.gate.noteOutcome('ok');
    return answer;
  } catch (error) {
    if (!options.signal.aborted) {
      options.gate.noteOutcome(toGitLabRequestError(error).reason);
    }
    throw error;
  }
}

async function send(
  endpoint: string,
  request: { searchParams?: string; headers: Record<string, string> },
  options: RequesterOptions,
): Promise<FormattedResponse> {
  const url = new URL(`${options.apiUrl}/${endpoint}`);
  url.search = request.searchParams ?? '';
  const timeout = AbortSignal.timeout(options.timeoutMilliseconds);
  const signal = AbortSignal.any([options.signal, timeout]);
  let response: Response;
  let body: unknown;
  try {
    response = await fetchBelow(url, {
      apiUrl: options.apiUrl,
      headers: request.headers,
      signal,
    });
    body = await readJson(response);
  } catch (error) {
    if (error instanceof GitLabRequestError) {
      throw error;
    }
    if (!options.signal.aborted) {
      options.gate.noteSilence();
    }
    throw timeout.aborted && !options.signal.aborted
      ? new GitLabRequestError({
          reason: 'TimedOut',
          message: `GitLab did not answer within ${
            options.timeoutMilliseconds / 1000
          } seconds.`,
          cause: error,
        })
      : new GitLabRequestError({
          reason: 'Unreachable',
          message: 'GitLab cannot be reached.',
          cause: error,
        });
  }
  options.gate.noteAnswer();
  const { status, headers } = response;
  const pause = pauseOf({ status, headers, now: options.clock() });
  if (pause) {
    options.gate.pauseUntil(pause);
  }
  if (!response.ok) {
    throw new GitLabRequestError({
      ...problemOf({ status, body }),
      status,
      retryAt: pause?.toISOString(),
    });
  }
  if (typeof body !== 'object' || body === null) {
    throw new GitLabRequestError({
      reason: 'UnexpectedAnswer',
      message: 'GitLab answered with something that is not JSON.',
      status,
    });
  }
  return {
    status,
    headers: Object.fromEntries(headers.entries()),
    body: body as FormattedResponse['body'],
  };
}

/** Resources such as notes keep the beginning of their path apart from the rest. */
function pathOf(endpoint: string, prefixUrl: string | undefined): string {
  const prefix = prefixUrl?.split('/api/v4/').pop();
  return prefix ? `${prefix}/${endpoint}` : endpoint;
}

/**
 * Requester for gitbeaker. Its own one repeats a 429 ten times within a quarter
 * of a second, ignores `Retry-After` and cannot be aborted; this one calls once.
 */
export function createRequester(
  options: RequesterOptions,
): (resource: ResourceOptions) => RequesterType {
  return createRequesterFn(
    async (_, request) => request,
    async (endpoint, request) => {
      if (request?.method !== 'GET') {
        throw new GitLabRequestError({
          reason: 'UnexpectedAnswer',
          message: 'GitLab is only read.',
        });
      }
      return options.gate.run(() =>
        call(
          pathOf(endpoint, request.prefixUrl as string | undefined),
          {
            searchParams: request.searchParams as string | undefined,
            headers: request.headers as Record<string, string>,
          },
          options,
        ),
      );
    },
  );
}
