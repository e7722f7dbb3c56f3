import {
  Commits,
  ContainerRegistry,
  Groups,
  MergeRequestApprovals,
  MergeRequestNotes,
  MergeRequests,
  PersonalAccessTokens,
  Projects,
  ProtectedBranches,
  ProtectedTags,
  Repositories,
  RepositoryFiles,
} from '@gitbeaker/rest';
import { GitLabHostConfig } from '../../config';
import {
  CommitFact,
  MergeRequestFact,
  PipelineFact,
  ProjectFact,
  TokenFact,
} from '../../model';
import {
  Approval,
  ApprovalNote,
  parseApprovalNote,
  parseApprovals,
  parseChangedPaths,
  parseCommit,
  parseCommitMergeRequests,
  parseMergeRequest,
  parseParents,
  parsePipeline,
  parseProject,
  parseRegistryRepository,
  parseRegistryTag,
  RegistryRepository,
} from '../objects';
import { asObject, textsOf, timeOf, wholeTextOf } from '../objects/values';
import { ProjectReference } from '../types';
import { GitLabRequestError } from './GitLabRequestError';
import { HostGate } from './HostGate';
import { notUnderstood, PER_PAGE, readPages, toPage } from './pages';
import { createRequester } from './requester';

/** A list that goes on after this is not believed. */
const MAXIMUM_PAGES = 500;

/** Most pages of changed files; GitLab itself tells of no more in most places. */
const MAXIMUM_DIFF_PAGES = 10;

/** Most pages of tags that are searched for near ones. */
const MAXIMUM_TAG_PAGES = 5;

/** Most pages of notes that are searched for the time of an approval. */
const MAXIMUM_NOTE_PAGES = 3;

/** Most pages of rules for branches or tags. */
const MAXIMUM_PROTECTION_PAGES = 3;

function referenceOf(reference: ProjectReference): number | string {
  return 'id' in reference ? reference.id : reference.path;
}

/** A list of MRs that was read to its end. */
export interface MergeRequestList {
  /** Each MR once; those that cannot be understood are left out. */
  facts: MergeRequestFact[];
  /** Pages of the list. */
  pages: number;
}

/** The projects of a group that was read to its end. */
export interface ProjectList {
  facts: ProjectFact[];
  pages: number;
  /** How many there are by GitLab's own count, where it tells. */
  total?: number;
}

/** Whose MRs are listed: those of a project, or of a group and all groups below it. */
export type ListScope =
  | { projectId: number }
  | { group: string; maximumPages: number };

/** The calls that are made to one GitLab instance, each parsed at once. */
export class GitLabClient {
  readonly #host: string;
  readonly #commits: Commits<false>;
  readonly #files: RepositoryFiles<false>;
  readonly #repositories: Repositories<false>;
  readonly #approvals: MergeRequestApprovals<false>;
  readonly #groups: Groups<false>;
  readonly #mergeRequests: MergeRequests<false>;
  readonly #notes: MergeRequestNotes<false>;
  readonly #projects: Projects<false>;
  readonly #protectedBranches: ProtectedBranches<false>;
  readonly #protectedTags: ProtectedTags<false>;
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
    this.#commits = new Commits<false>(resource);
    this.#files = new RepositoryFiles<false>(resource);
    this.#repositories = new Repositories<false>(resource);
    this.#approvals = new MergeRequestApprovals<false>(resource);
    this.#groups = new Groups<false>(resource);
    this.#mergeRequests = new MergeRequests<false>(resource);
    this.#notes = new MergeRequestNotes<false>(resource);
    this.#projects = new Projects<false>(resource);
    this.#protectedBranches = new ProtectedBranches<false>(resource);
    this.#protectedTags = new ProtectedTags<false>(resource);
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
    const answer: unknown = await this.#projects.show(referenceOf(reference));
    const project = parseProject(answer);
    if (!project) {
      throw notUnderstood('project');
    }
    return project;
  }

  async commit(project: string, ref: string): Promise<CommitFact> {
    const commit = parseCommit(await this.#commits.show(project, ref));
    if (!commit) {
      throw notUnderstood('commit');
    }
    return commit;
  }

  /** The first MR that GitLab names for a commit; undefined where there is none. */
  async mergeRequestOfCommit(
    project: string,
    sha: string,
  ): Promise<CommitFact['mergeRequest']> {
    return parseCommitMergeRequests(
      await this.#commits.allMergeRequests(project, sha),
    );
  }

  /** The last commit that changed a path, up to a time; undefined where none did. */
  async lastChange(question: {
    project: string;
    path: string;
    ref?: string;
    until?: string;
  }): Promise<CommitFact | undefined> {
    const { project, path, ref, until } = question;
    const answer: unknown = await this.#commits.all(project, {
      path,
      ...(ref !== undefined && { refName: ref }),
      ...(until !== undefined && { until }),
      perPage: 1,
      page: 1,
      showExpanded: true,
    } as never);
    const [item] = toPage(answer, 1).items;
    return item === undefined ? undefined : parseCommit(item);
  }

  /** Commits of one that are not in another; GitLab may have stopped counting. */
  async compare(
    project: string,
    range: { from: string; to: string },
  ): Promise<{ commits: number; isCut: boolean }> {
    const answer = asObject(
      await this.#repositories.compare(project, range.from, range.to),
    );
    if (!Array.isArray(answer?.commits)) {
      throw notUnderstood('comparison');
    }
    return {
      commits: answer.commits.length,
      isCut: answer.compare_timeout === true,
    };
  }

  async hasFile(
    project: string,
    file: { path: string; ref: string },
  ): Promise<boolean> {
    try {
      await this.#files.show(project, file.path, file.ref);
      return true;
    } catch (error) {
      if (error instanceof GitLabRequestError && error.status === 404) {
        return false;
      }
      throw error;
    }
  }

  /** Undefined for a repository that is empty. */
  async defaultBranch(
    reference: ProjectReference,
  ): Promise<string | undefined> {
    const project = asObject(await this.#projects.show(referenceOf(reference)));
    if (!project) {
      throw notUnderstood('project');
    }
    return wholeTextOf(project.default_branch);
  }

  /** Rules for branches as GitLab answers them. */
  async protectedBranches(reference: ProjectReference): Promise<unknown[]> {
    const { items } = await readPages(
      page =>
        this.#protectedBranches.all(referenceOf(reference), {
          perPage: PER_PAGE,
          page,
          showExpanded: true,
        } as never),
      { maximumPages: MAXIMUM_PROTECTION_PAGES },
    );
    return items;
  }

  /** Rules for tags as GitLab answers them. */
  async protectedTags(reference: ProjectReference): Promise<unknown[]> {
    const { items } = await readPages(
      page =>
        this.#protectedTags.all(referenceOf(reference), {
          perPage: PER_PAGE,
          page,
          showExpanded: true,
        } as never),
      { maximumPages: MAXIMUM_PROTECTION_PAGES },
    );
    return items;
  }

  /**
   * Projects of a group and of all groups below it that have MRs; not those that
   * are only shared with it, or archived, since the group's list of MRs has none
   * of theirs.
   */
  async groupProjects(scope: {
    group: string;
    maximumPages: number;
  }): Promise<ProjectList> {
    const { items, pages, total } = await readPages(
      page => this.#groupProjectsPage(scope.group, { perPage: PER_PAGE, page }),
      { maximumPages: scope.maximumPages },
    );
    const facts = new Map<number, ProjectFact>();
    for (const item of items) {
      const fact = parseProject(item);
      if (fact) {
        facts.set(fact.id, fact);
      }
    }
    return {
      facts: [...facts.values()],
      pages,
      ...(total !== undefined && { total }),
    };
  }

  /** How many projects {@link groupProjects} would list, where GitLab tells. */
  async countGroupProjects(group: string): Promise<number | undefined> {
    const answer = await this.#groupProjectsPage(group, {
      perPage: 1,
      page: 1,
    });
    return toPage(answer, 1).total;
  }

  #groupProjectsPage(
    group: string,
    paging: { perPage: number; page: number },
  ): Promise<unknown> {
    return this.#groups.allProjects(group, {
      includeSubgroups: true,
      withShared: false,
      withMergeRequestsEnabled: true,
      archived: false,
      orderBy: 'id',
      sort: 'asc',
      ...paging,
      showExpanded: true,
    } as never);
  }

  /** All open MRs. */
  async openMergeRequests(scope: ListScope): Promise<MergeRequestList> {
    return this.#listMergeRequests(scope, {
      state: 'opened',
      orderBy: 'created_at',
      sort: 'asc',
    });
  }

  /**
   * MRs of any state that were updated at a time or after it, the newest first:
   * one that is updated while the pages are read moves to a page that was read,
   * and is in the list of the next reading.
   */
  async mergeRequestsUpdatedAfter(
    scope: ListScope,
    time: Date,
  ): Promise<MergeRequestList> {
    return this.#listMergeRequests(scope, {
      state: 'all',
      updatedAfter: time.toISOString(),
      orderBy: 'updated_at',
      sort: 'desc',
    });
  }

  /** Those of these MRs of a project that its list has, of any state. */
  async mergeRequestsOf(
    projectId: number,
    iids: readonly number[],
  ): Promise<MergeRequestFact[]> {
    const found: MergeRequestFact[] = [];
    for (let start = 0; start < iids.length; start += PER_PAGE) {
      const some = iids.slice(start, start + PER_PAGE);
      const { facts } = await this.#listMergeRequests(
        { projectId },
        { state: 'all', iids: some },
      );
      found.push(...facts.filter(({ key }) => some.includes(key.iid)));
    }
    return found;
  }

  async #listMergeRequests(
    scope: ListScope,
    filter: Record<string, string | readonly number[]>,
  ): Promise<MergeRequestList> {
    const place =
      'group' in scope
        ? { groupId: scope.group, scope: 'all' }
        : { projectId: scope.projectId };
    const { items, pages } = await readPages(
      page =>
        this.#mergeRequests.all({
          ...place,
          ...filter,
          perPage: PER_PAGE,
          page,
          showExpanded: true,
          // gitbeaker's types do not know all values of GitLab's.
        } as never),
      {
        maximumPages: 'group' in scope ? scope.maximumPages : MAXIMUM_PAGES,
      },
    );
    const facts = new Map<string, MergeRequestFact>();
    for (const item of items) {
      const fact = parseMergeRequest(item, { host: this.#host });
      if (
        fact &&
        (!('projectId' in scope) || fact.key.projectId === scope.projectId)
      ) {
        facts.set(`${fact.key.projectId}:${fact.key.iid}`, fact);
      }
    }
    return { facts: [...facts.values()], pages };
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

  /**
   * Paths of the files that an MR changes, old and new ones; undefined when there
   * are too many to know them all.
   */
  async changedFiles(key: {
    projectId: number;
    iid: number;
  }): Promise<Set<string> | undefined> {
    const { items, isCut } = await readPages(
      page =>
        this.#mergeRequests.allDiffs(key.projectId, key.iid, {
          perPage: PER_PAGE,
          page,
          showExpanded: true,
        } as never),
      { maximumPages: MAXIMUM_DIFF_PAGES, beyond: 'cut' },
    );
    return isCut || items.length >= MAXIMUM_DIFF_PAGES * PER_PAGE
      ? undefined
      : new Set(items.flatMap(parseChangedPaths));
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

  /** The commits that one was made from. */
  async parents(projectId: number, sha: string): Promise<string[]> {
    const parents = parseParents(await this.#commits.show(projectId, sha));
    if (!parents) {
      throw notUnderstood('commit');
    }
    return parents;
  }

  /** The approvals that stand. */
  async approvals(key: {
    projectId: number;
    iid: number;
  }): Promise<Approval[]> {
    const answer: unknown = await this.#approvals.showConfiguration(
      key.projectId,
      { mergerequestIId: key.iid },
    );
    const approvals = parseApprovals(answer);
    if (!approvals) {
      throw notUnderstood('approvals');
    }
    return approvals;
  }

  /** What the newest notes of an MR tell of approvals, the newest first. */
  async approvalNotes(key: {
    projectId: number;
    iid: number;
  }): Promise<ApprovalNote[]> {
    const { items } = await readPages(
      page =>
        this.#notes.all(key.projectId, key.iid, {
          sort: 'desc',
          orderBy: 'created_at',
          perPage: PER_PAGE,
          page,
          showExpanded: true,
        } as never),
      { maximumPages: MAXIMUM_NOTE_PAGES, beyond: 'cut' },
    );
    return items
      .flatMap(item => parseApprovalNote(item) ?? [])
      .sort((left, right) => Date.parse(right.at) - Date.parse(left.at));
  }

  async registryRepositories(projectId: number): Promise<RegistryRepository[]> {
    const { items } = await readPages(
      page =>
        this.#registry.allRepositories({
          projectId,
          perPage: PER_PAGE,
          page,
          showExpanded: true,
        } as Parameters<ContainerRegistry['allRepositories']>[0]),
      { maximumPages: MAXIMUM_PAGES },
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
    const { items } = await readPages(
      page =>
        this.#registry.allTags(options.projectId, options.repositoryId, {
          perPage: PER_PAGE,
          page,
          showExpanded: true,
        } as never),
      { maximumPages: MAXIMUM_TAG_PAGES, beyond: 'cut' },
    );
    return items.flatMap(item => parseRegistryTag(item)?.name ?? []);
  }
}
