import { NotFoundError } from '@backstage/errors';
import {
  EntitySummaryResponse,
  Finding,
  FindingResponse,
  ListFindingsResponse,
  ListPreviewsRequest,
  ListPreviewsResponse,
  phases,
  Preview,
  PreviewResponse,
  PreviewsApi,
  PreviewSort,
  RefreshResponse,
  SourcesResponse,
  SourceState,
  StatsResponse,
  TimelineRequest,
  TimelineResponse,
} from '@previews/backstage-plugin-previews-common';
import {
  countPhases,
  createPreviews,
  createSources,
  createSummary,
  createTimeline,
  fixtureNow,
} from './fixtures';

const compare: Record<string, (left: Preview, right: Preview) => number> = {
  attention: (left, right) =>
    phases.indexOf(left.phase) - phases.indexOf(right.phase) ||
    right.activityAt.localeCompare(left.activityAt),
  activity: (left, right) => left.activityAt.localeCompare(right.activityAt),
  created: (left, right) => left.createdAt.localeCompare(right.createdAt),
  iid: (left, right) => left.mergeRequest.iid - right.mergeRequest.iid,
};

function sorted(previews: Preview[], sort: PreviewSort): Preview[] {
  const descending = sort.startsWith('-');
  const by = compare[descending ? sort.slice(1) : sort];
  return [...previews].sort((left, right) =>
    descending ? by(right, left) : by(left, right),
  );
}

/** Answers as the backend does, from previews in memory, for tests and the dev app. */
export class FixturePreviewsApi implements PreviewsApi {
  previews: Preview[];
  sources: SourceState[];
  /** Shown with every preview that they concern, and listed. */
  findings: Finding[] = [];
  summary: Partial<EntitySummaryResponse> = {};
  /** Parts of the statistics; without any there are none. */
  statistics: Partial<StatsResponse> = {};
  channel: string | undefined;
  /** Rejects every call while set. */
  failure: Error | undefined;
  /** Rejects `refresh` while set. */
  refreshFailure: Error | undefined;
  readonly now: number;
  readonly requests: ListPreviewsRequest[] = [];
  readonly refreshed: string[] = [];

  constructor(options: { previews?: Preview[]; now?: number } = {}) {
    this.now = options.now ?? fixtureNow;
    this.previews = options.previews ?? createPreviews(this.now);
    this.sources = createSources(this.now);
  }

  async listPreviews(
    request: ListPreviewsRequest = {},
  ): Promise<ListPreviewsResponse> {
    this.#answer();
    this.requests.push(request);
    const { q, author, phase, draft, sort = 'attention', limit = 50 } = request;
    const text = q?.toLowerCase();
    const byText = this.previews.filter(
      ({ mergeRequest }) =>
        !text ||
        [
          mergeRequest.title,
          mergeRequest.sourceBranch,
          mergeRequest.author.username,
          `!${mergeRequest.iid}`,
          mergeRequest.headSha ?? '',
        ].some(value => value.toLowerCase().includes(text)),
    );
    const byDraft = byText.filter(
      ({ mergeRequest }) => draft === undefined || mergeRequest.draft === draft,
    );
    const byAuthor = byDraft.filter(
      ({ mergeRequest }) => !author || mergeRequest.author.username === author,
    );
    const matching = byAuthor.filter(item =>
      phase ? phase.includes(item.phase) : item.phase !== 'Gone',
    );
    const start = Number(request.cursor ?? 0);
    const end = start + limit;
    return {
      items: sorted(matching, sort).slice(start, end),
      totalItems: matching.length,
      ...(end < matching.length && { nextCursor: String(end) }),
      phaseCounts: countPhases(byAuthor.filter(item => item.phase !== 'Gone')),
      authors: [
        ...new Set(byDraft.map(item => item.mergeRequest.author.username)),
      ].sort(),
      ...this.#common(),
    };
  }

  async getPreview(id: string): Promise<PreviewResponse> {
    this.#answer();
    return {
      preview: this.#find(id),
      findings: this.findings.filter(({ previewIds }) =>
        previewIds.includes(id),
      ),
      ...this.#common(),
    };
  }

  async getTimeline(
    id: string,
    request: TimelineRequest = {},
  ): Promise<TimelineResponse> {
    this.#answer();
    const all = createTimeline(this.#find(id));
    const start = Number(request.cursor ?? 0);
    const end = start + (request.limit ?? 50);
    return {
      items: all.slice(start, end),
      ...(end < all.length && { nextCursor: String(end) }),
    };
  }

  async refresh(id: string): Promise<RefreshResponse> {
    this.#answer();
    if (this.refreshFailure) {
      throw this.refreshFailure;
    }
    this.refreshed.push(this.#find(id).id);
    return { accepted: true };
  }

  async getEntitySummary(entityRef: string): Promise<EntitySummaryResponse> {
    this.#answer();
    return {
      ...createSummary(this.previews, this.now),
      entityRef,
      alarms: this.findings.filter(({ severity }) => severity === 'critical'),
      ...this.#common(),
      ...this.summary,
    };
  }

  async getStats(): Promise<StatsResponse> {
    this.#answer();
    const none = { count: 0, imprecise: 0, stages: [] };
    return {
      from: new Date(this.now - 90 * 86_400_000).toISOString(),
      to: new Date(this.now).toISOString(),
      overall: {
        spinUp: none,
        teardown: none,
        created: { total: 0, weeks: [] },
      },
      services: [],
      totalServices: 0,
      certificateBudget: { domains: [], atLeast: false },
      ...this.statistics,
    };
  }

  async listFindings(): Promise<ListFindingsResponse> {
    this.#answer();
    return { items: this.findings, totalItems: this.findings.length };
  }

  async getFinding(id: string): Promise<FindingResponse> {
    this.#answer();
    const finding = this.findings.find(item => item.id === id);
    if (!finding) {
      throw new NotFoundError(`No finding ${id}`);
    }
    return { finding };
  }

  async getSources(): Promise<SourcesResponse> {
    this.#answer();
    return { items: this.sources };
  }

  #answer() {
    if (this.failure) {
      throw this.failure;
    }
  }

  #common() {
    return {
      sources: this.sources,
      readAt: new Date(this.now - 8_000).toISOString(),
      ...(this.channel && { signal: { channel: this.channel } }),
    };
  }

  #find(id: string): Preview {
    const preview = this.previews.find(item => item.id === id);
    if (!preview) {
      throw new NotFoundError(`No preview ${id}`);
    }
    return preview;
  }
}
