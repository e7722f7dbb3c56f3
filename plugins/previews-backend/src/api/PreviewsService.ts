import { BackstageCredentials } from '@backstage/backend-plugin-api';
import {
  EntitySummaryResponse,
  FindingResponse,
  HealthResponse,
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
} from '@previews/backstage-plugin-previews-common';
import { MergeRequestKey } from '../model';

/** On whose behalf something is asked. */
export interface CallerOptions {
  credentials: BackstageCredentials;
}

/** An answer, and what it is recognised by. */
export interface Versioned<T> {
  body: T;
  /** Changes whenever the body does; read times alone do not change it. */
  version: string;
  /** ISO: when the facts were last read. */
  readAt?: string;
}

/**
 * What the previews API answers, as the router sees it.
 *
 * Every method throws `NotAllowedError` for a caller who may see no preview at
 * all, and `NotFoundError` for what does not exist or is hidden from the caller:
 * the two cannot be told apart.
 */
export interface PreviewsService {
  list(
    request: ListPreviewsRequest,
    options: CallerOptions,
  ): Promise<Versioned<ListPreviewsResponse>>;
  get(id: string, options: CallerOptions): Promise<Versioned<PreviewResponse>>;
  timeline(
    id: string,
    request: { limit?: number; cursor?: string },
    options: CallerOptions,
  ): Promise<Versioned<TimelineResponse>>;
  /**
   * Has the preview read again soon.
   * @throws TooManyRequestsError when it was asked for too often.
   */
  refresh(id: string, options: CallerOptions): Promise<RefreshResponse>;
  summary(
    entityRef: string,
    options: CallerOptions,
  ): Promise<Versioned<EntitySummaryResponse>>;
  /** @throws InputError for a range that ends before it begins. */
  stats(
    request: StatsRequest,
    options: CallerOptions,
  ): Promise<Versioned<StatsResponse>>;
  /**
   * All findings for those who may read audits, else those that concern a preview
   * which the caller may see.
   */
  findings(
    request: ListFindingsRequest,
    options: CallerOptions,
  ): Promise<Versioned<ListFindingsResponse>>;
  finding(
    id: string,
    options: CallerOptions,
  ): Promise<Versioned<FindingResponse>>;
  sources(options: CallerOptions): Promise<Versioned<SourcesResponse>>;
  health(options: CallerOptions): Promise<HealthResponse>;
}

/** Whoever reads a preview again: the engine here, or another replica's. */
export interface RefreshPort {
  /** Resolves when the wish is passed on, not when it is fulfilled. */
  requestRefresh(key: MergeRequestKey): Promise<void>;
}
