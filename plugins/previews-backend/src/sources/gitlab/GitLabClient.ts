import {
  ContainerRegistry,
  MergeRequests,
  PersonalAccessTokens,
  Projects,
} from '@gitbeaker/rest';
import { GitLabHostConfig } from '../../config';
import { MergeRequestFact, PipelineFact, ProjectFact } from '../../model';
import {
  parseMergeRequest,
  parsePipeline,
  parseProject,
  parseRegistryRepository,
  parseRegistryTag,
  RegistryRepository,
} from '../objects';
import { asObject, textsOf, timeOf } from '../objects/values';
import { ProjectReference } from '../types';
import { GitLabRequestError } from './GitLabRequestError';
import { HostGate } from './HostGate';
import { createRequester } from './requester';

const PER_PAGE = 100;

/** A list that goes on after this is not believed. */
const MAXIMUM_PAGES = 500;

/** Most pages of tags that are searched for near ones. */
const MAXIMUM_TAG_PAGES = 5;

/** What the token says of itself. */
export interface TokenFact {
  scopes: string[];
  /** Date without a time, `2026-01-31`. */
  expiresOn?: string;
  active: boolean;
}

interface Page {
  items: unknown[];
  next?: number;
}

function notUnderstood(what: string): GitLabRequestError {
  return new GitLabRequestError({
    reason: 'UnexpectedAnswer',
    message: `GitLab answered with something that is no ${what}.`,
    status: 200,
  });
}

/** Lists are asked for page by page, so that a page that fails is noticed. */
function toPage(answer: unknown, page: number): Page {
  const data = asObject(answer)?.data;
  if (!Array.isArray(data)) {
    throw notUnderstood('list');
  }
  const next = asObject(asObject(answer)?.paginationInfo)?.next;
  if (typeof next === 'number' && next > page) {
    return { items: data, next };
  }
  // A proxy may have taken the headers away.
  return data.length >= PER_PAGE
    ? { items: data, next: page + 1 }
    : { items: data };
}

async function allPages(
  read: (page: number) => Promise<unknown>,
  maximumPages: number = MAXIMUM_PAGES,
): Promise<unknown[]> {
  const items: unknown[] = [];
  let page: number | undefined = 1;
  for (let count = 0; page !== undefined && count < maximumPages; count += 1) {
    const current: Page = toPage(await read(page), page);
    items.push(...current.items);
    page = current.next;
  }
  return items;
}

/** The calls that are made to one GitLab instance, each parsed at once. */
export class GitLabClient {
  readonly #host: string;
  readonly #mergeRequests: MergeRequests<false>;
  readonly #projects: Projects<false>;
  readonly #registry: ContainerRegistry<false>;
  readonly #tokens: PersonalAccessTokens<false>;

  private constructor(options: {
    config: GitLabHostConfig;
    gate: HostGate;
    signal: AbortSignal;
    timeoutMilliseconds: number;
    clock: () => Date;
  }) {
    const { config } = options;
    const resource = {
      host: config.webUrl,
      ...(config.token && { token: config.token }),
      // Time-outs are per call, and ours.
      queryTimeout: null,
      rateLimits: {},
      requesterFn: createRequester({ ...options, apiUrl: config.apiUrl }),
    };
    this.#host = config.host;
    this.#mergeRequests = new MergeRequests<false>(resource);
    this.#projects = new Projects<false>(resource);
    this.#registry = new ContainerRegistry<false>(resource);
    this.#tokens = new PersonalAccessTokens<false>(resource);
  }

  static create(options: {
    config: GitLabHostConfig;
    gate: HostGate;
    /** Aborts the calls in flight. */
    signal: AbortSignal;
    timeoutMilliseconds: number;
    clock: () => Date;
  }): GitLabClient {
    return new GitLabClient(options);
  }

  async token(): Promise<TokenFact> {
    const json = asObject(await this.#tokens.show());
    if (!json || !Array.isArray(json.scopes)) {
      throw notUnderstood('token');
    }
    const expiresOn = json.expires_at;
    return {
      scopes: textsOf(json.scopes),
      ...(typeof expiresOn === 'string' &&
        timeOf(`${expiresOn}T00:00:00Z`) && { expiresOn }),
      active: json.active !== false && json.revoked !== true,
    };
  }

  async project(reference: ProjectReference): Promise<ProjectFact> {
    const answer: unknown = await this.#projects.show(
      'id' in reference ? reference.id : reference.path,
    );
    const project = parseProject(answer);
    if (!project) {
      throw notUnderstood('project');
    }
    return project;
  }

  /** All open MRs, each once; those that cannot be understood are left out. */
  async openMergeRequests(projectId: number): Promise<MergeRequestFact[]> {
    const items = await allPages(page =>
      this.#mergeRequests.all({
        projectId,
        state: 'opened',
        orderBy: 'created_at',
        sort: 'asc',
        perPage: PER_PAGE,
        page,
        showExpanded: true,
      }),
    );
    const facts = new Map<number, MergeRequestFact>();
    for (const item of items) {
      const fact = parseMergeRequest(item, { host: this.#host });
      if (fact && fact.key.projectId === projectId) {
        facts.set(fact.key.iid, fact);
      }
    }
    return [...facts.values()];
  }

  /** Whether any MR at all is seen, whatever its state. */
  async seesMergeRequests(projectId: number): Promise<boolean> {
    const answer: unknown = await this.#mergeRequests.all({
      projectId,
      // gitbeaker's types do not know this value of GitLab's.
      state: 'all',
      perPage: 1,
      page: 1,
      showExpanded: true,
    } as never);
    return toPage(answer, 1).items.length > 0;
  }

  async mergeRequest(key: {
    projectId: number;
    iid: number;
  }): Promise<MergeRequestFact> {
    const fact = parseMergeRequest(
      await this.#mergeRequests.show(key.projectId, key.iid),
      { host: this.#host },
    );
    if (!fact || fact.key.iid !== key.iid) {
      throw notUnderstood('merge request');
    }
    return fact;
  }

  /** The newest pipelines of an MR, newest first. */
  async pipelines(key: {
    projectId: number;
    iid: number;
  }): Promise<PipelineFact[]> {
    const answer: unknown = await this.#mergeRequests.allPipelines(
      key.projectId,
      key.iid,
      { perPage: 20, page: 1, showExpanded: true } as never,
    );
    return toPage(answer, 1)
      .items.flatMap(item => parsePipeline(item) ?? [])
      .sort((left, right) => right.id - left.id);
  }

  async registryRepositories(projectId: number): Promise<RegistryRepository[]> {
    const items = await allPages(page =>
      this.#registry.allRepositories({
        projectId,
        perPage: PER_PAGE,
        page,
        showExpanded: true,
      } as Parameters<ContainerRegistry['allRepositories']>[0]),
    );
    return items.flatMap(item => parseRegistryRepository(item) ?? []);
  }

  async hasRegistryTag(options: {
    projectId: number;
    repositoryId: number;
    tag: string;
  }): Promise<boolean> {
    const { projectId, repositoryId, tag } = options;
    try {
      const answer: unknown = await this.#registry.showTag(
        projectId,
        repositoryId,
        tag,
      );
      return parseRegistryTag(answer)?.name === tag;
    } catch (error) {
      if (error instanceof GitLabRequestError && error.status === 404) {
        return false;
      }
      throw error;
    }
  }

  /** Names of tags; of a very long list only the first ones. */
  async registryTags(options: {
    projectId: number;
    repositoryId: number;
  }): Promise<string[]> {
    const items = await allPages(
      page =>
        this.#registry.allTags(options.projectId, options.repositoryId, {
          perPage: PER_PAGE,
          page,
          showExpanded: true,
        } as never),
      MAXIMUM_TAG_PAGES,
    );
    return items.flatMap(item => parseRegistryTag(item)?.name ?? []);
  }
}
