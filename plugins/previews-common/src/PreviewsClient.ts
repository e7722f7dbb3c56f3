import { parseEntityRef } from '@backstage/catalog-model';
import { ForwardedError, InputError, ResponseError } from '@backstage/errors';
import { AnswerCache } from './AnswerCache';
import {
  EntitySummaryResponse,
  FindingResponse,
  ListFindingsRequest,
  ListFindingsResponse,
  ListPreviewsRequest,
  ListPreviewsResponse,
  PreviewResponse,
  RefreshResponse,
  SourcesResponse,
  StatsRequest,
  StatsResponse,
  TimelineResponse,
} from './types';

/**
 * Options of any call.
 *
 * @public
 */
export interface PreviewsRequestOptions {
  /** Ends the call with an `AbortError`. */
  signal?: AbortSignal;
  /** Backstage token, for callers whose `fetchApi` does not add one. */
  token?: string;
}

/** @public */
export interface TimelineRequest {
  cursor?: string;
  /** 1 to 200. */
  limit?: number;
}

/**
 * The previews API, version 1.
 *
 * Every method rejects with a `ResponseError` when the backend answers with an
 * error: 401 without credentials, 403 when not permitted, 404 for what does not
 * exist or is hidden, 400 for a bad request; and with what `fetch` rejects with
 * when it does not answer.
 *
 * @public
 */
export interface PreviewsApi {
  /** A page of the previews that the caller may see. */
  listPreviews(
    request?: ListPreviewsRequest,
    options?: PreviewsRequestOptions,
  ): Promise<ListPreviewsResponse>;
  /** One preview, also after it is gone. */
  getPreview(
    id: string,
    options?: PreviewsRequestOptions,
  ): Promise<PreviewResponse>;
  /** Transitions of a preview, newest first. */
  getTimeline(
    id: string,
    request?: TimelineRequest,
    options?: PreviewsRequestOptions,
  ): Promise<TimelineResponse>;
  /**
   * Asks for the facts to be read again. Answers before they are; 429 when
   * asked too often.
   */
  refresh(
    id: string,
    options?: PreviewsRequestOptions,
  ): Promise<RefreshResponse>;
  /** Counts and latest previews of an entity, such as `component:default/shop`. */
  getEntitySummary(
    entityRef: string,
    options?: PreviewsRequestOptions,
  ): Promise<EntitySummaryResponse>;
  /** How long environments take and how many there are, of the previews that the caller may see. */
  getStats(
    request?: StatsRequest,
    options?: PreviewsRequestOptions,
  ): Promise<StatsResponse>;
  /**
   * Where the merge requests and what is deployed for them differ: everything for
   * those who may read audits, else what concerns previews that the caller may see.
   */
  listFindings(
    request?: ListFindingsRequest,
    options?: PreviewsRequestOptions,
  ): Promise<ListFindingsResponse>;
  /** One finding, also after it is over. */
  getFinding(
    id: string,
    options?: PreviewsRequestOptions,
  ): Promise<FindingResponse>;
  /** Freshness and errors of every source. */
  getSources(options?: PreviewsRequestOptions): Promise<SourcesResponse>;
}

/** Header with the time of the last reading, also on an unchanged answer. */
const READ_AT_HEADER = 'Previews-Read-At';

/** A tab, a drawer and a card ask for a handful of URLs each. */
const CACHED_ANSWERS = 50;

function pathSegment(value: string): string {
  // `..` survives encoding and would lead to another route.
  if (value === '' || value === '.' || value === '..') {
    throw new InputError(`"${value}" names nothing of the previews API`);
  }
  return encodeURIComponent(value);
}

function toQuery(
  params: Record<string, string | number | boolean | string[] | undefined>,
): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== '') {
        query.append(key, String(item));
      }
    }
  }
  const text = query.toString();
  return text && `?${text}`;
}

/**
 * Client of the previews API for frontends and backends.
 *
 * It keeps the last answers with their `ETag`: an answer that has not changed
 * costs no body, and its items keep their identity.
 *
 * @public
 */
export class PreviewsClient implements PreviewsApi {
  readonly #discoveryApi: { getBaseUrl(pluginId: string): Promise<string> };
  readonly #fetchApi: { fetch: typeof fetch };
  readonly #answers = new AnswerCache({ capacity: CACHED_ANSWERS });

  constructor(options: {
    discoveryApi: { getBaseUrl(pluginId: string): Promise<string> };
    fetchApi: { fetch: typeof fetch };
  }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
  }

  async listPreviews(
    request: ListPreviewsRequest = {},
    options?: PreviewsRequestOptions,
  ): Promise<ListPreviewsResponse> {
    const query = toQuery({
      entityRef: request.entityRef,
      phase: request.phase,
      project: request.project,
      author: request.author,
      cluster: request.cluster,
      q: request.q,
      draft: request.draft,
      sort: request.sort,
      limit: request.limit,
      cursor: request.cursor,
    });
    return this.#getReading(`/v1/previews${query}`, options);
  }

  async getPreview(
    id: string,
    options?: PreviewsRequestOptions,
  ): Promise<PreviewResponse> {
    return this.#getReading(`/v1/previews/${pathSegment(id)}`, options);
  }

  async getTimeline(
    id: string,
    request: TimelineRequest = {},
    options?: PreviewsRequestOptions,
  ): Promise<TimelineResponse> {
    const query = toQuery({ cursor: request.cursor, limit: request.limit });
    const { body } = await this.#get<TimelineResponse>(
      `/v1/previews/${pathSegment(id)}/timeline${query}`,
      options,
    );
    return body;
  }

  async refresh(
    id: string,
    options?: PreviewsRequestOptions,
  ): Promise<RefreshResponse> {
    const response = await this.#fetch(
      `/v1/previews/${pathSegment(id)}/refresh`,
      { method: 'POST' },
      options,
    );
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return { accepted: true };
  }

  async getEntitySummary(
    entityRef: string,
    options?: PreviewsRequestOptions,
  ): Promise<EntitySummaryResponse> {
    const { kind, namespace, name } = parseEntityRef(entityRef);
    const path = [kind, namespace, name].map(pathSegment).join('/');
    return this.#getReading(`/v1/entities/${path}/summary`, options);
  }

  async getStats(
    request: StatsRequest = {},
    options?: PreviewsRequestOptions,
  ): Promise<StatsResponse> {
    const query = toQuery({
      entityRef: request.entityRef,
      from: request.from,
      to: request.to,
    });
    const { body } = await this.#get<StatsResponse>(
      `/v1/stats${query}`,
      options,
    );
    return body;
  }

  async listFindings(
    request: ListFindingsRequest = {},
    options?: PreviewsRequestOptions,
  ): Promise<ListFindingsResponse> {
    const query = toQuery({
      entityRef: request.entityRef,
      previewId: request.previewId,
      type: request.type,
      state: request.state,
      limit: request.limit,
      cursor: request.cursor,
    });
    const { body } = await this.#get<ListFindingsResponse>(
      `/v1/findings${query}`,
      options,
    );
    return body;
  }

  async getFinding(
    id: string,
    options?: PreviewsRequestOptions,
  ): Promise<FindingResponse> {
    const { body } = await this.#get<FindingResponse>(
      `/v1/findings/${pathSegment(id)}`,
      options,
    );
    return body;
  }

  async getSources(options?: PreviewsRequestOptions): Promise<SourcesResponse> {
    const { body } = await this.#get<SourcesResponse>('/v1/sources', options);
    return body;
  }

  /** An unchanged answer may still have been read again since. */
  async #getReading<T extends { readAt?: string }>(
    path: string,
    options?: PreviewsRequestOptions,
  ): Promise<T> {
    const { body, readAt } = await this.#get<T>(path, options);
    return readAt === undefined || readAt === body.readAt
      ? body
      : { ...body, readAt };
  }

  async #get<T>(
    path: string,
    options?: PreviewsRequestOptions,
  ): Promise<{ body: T; readAt?: string }> {
    const kept = this.#answers.get(path);
    const response = await this.#fetch(
      path,
      { headers: kept && { 'If-None-Match': kept.etag } },
      options,
    );
    const readAt = response.headers.get(READ_AT_HEADER) ?? undefined;
    if (response.status === 304 && kept) {
      return { body: kept.body as T, readAt };
    }
    if (!response.ok) {
      this.#answers.delete(path);
      throw await ResponseError.fromResponse(response);
    }
    let body: T;
    try {
      body = await response.json();
    } catch (error) {
      if (options?.signal?.aborted) {
        throw error;
      }
      throw new ForwardedError(
        'The previews API answered with something that is no JSON',
        error,
      );
    }
    const etag = response.headers.get('ETag');
    if (etag) {
      this.#answers.set(path, { etag, body });
    } else {
      this.#answers.delete(path);
    }
    return { body, readAt };
  }

  async #fetch(
    path: string,
    init: { method?: string; headers?: Record<string, string> },
    options: PreviewsRequestOptions = {},
  ): Promise<Response> {
    const baseUrl = await this.#discoveryApi.getBaseUrl('previews');
    return this.#fetchApi.fetch(`${baseUrl}${path}`, {
      method: init.method ?? 'GET',
      headers: {
        ...init.headers,
        ...(options.token && { Authorization: `Bearer ${options.token}` }),
      },
      ...(options.signal && { signal: options.signal }),
    });
  }
}
