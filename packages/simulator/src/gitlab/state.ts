import { createHash } from 'node:crypto';
import { ConflictError, InputError, NotFoundError } from '@backstage/errors';
import type { Clock } from '../clock';
import type { Random } from '../random';
import { mergeBaseOf } from './history';
import type {
  AccessLevel,
  AccessToken,
  Commit,
  Group,
  Hook,
  MergeRequest,
  Pipeline,
  PipelineStatus,
  Project,
  RegistryRepository,
  User,
} from './model';
import { isBranchProtected } from './protection';
import {
  applyActions,
  EMPTY_TREE,
  mergeTrees,
  type FileAction,
  type Tree,
} from './trees';

/** A note leaves the time of its merge request's update alone when that is younger, in milliseconds. */
const NOTE_TOUCH_INTERVAL = 60_000;

/** What changed on a merge request, in the names of GitLab's webhook payload. */
export type MergeRequestChanges = Record<
  string,
  { previous: unknown; current: unknown }
>;

/** Something that happened in GitLab. */
export type GitLabEvent =
  | {
      type: 'mergeRequest';
      action: MergeRequestAction;
      project: Project;
      mergeRequest: MergeRequest;
      user: User;
      /** The head before a push. */
      oldrev?: string;
      changes: MergeRequestChanges;
    }
  | {
      type: 'pipeline';
      project: Project;
      pipeline: Pipeline;
      mergeRequest?: MergeRequest;
    }
  | {
      type: 'push';
      project: Project;
      branch: string;
      sha: string;
      user: User;
    }
  | { type: 'tag'; project: Project; image: string };

/** What a merge would give: the target's files, and the paths that both sides changed. */
interface MergePreview {
  tree: Tree;
  conflicts: string[];
}

/** A preview with the heads and files that it is of. */
interface RememberedPreview {
  targetSha: string;
  sourceSha: string;
  ours: Tree;
  theirs: Tree;
  preview: MergePreview;
}

export type MergeRequestAction =
  | 'open'
  | 'close'
  | 'reopen'
  | 'update'
  | 'approved'
  | 'unapproved'
  | 'merge';

/** What names a merge request: project id or path, and iid. */
export interface MergeRequestReference {
  project: string | number;
  iid: number;
}

/** Where a hook delivers, and what. */
export interface HookOptions {
  url: string;
  /** Sent as `X-Gitlab-Token`. */
  token?: string;
  /** `whsec_…`: sign as Standard Webhooks too. */
  signingSecret?: string;
  /** Default true. */
  mergeRequestsEvents?: boolean;
  /** Default true. */
  pipelineEvents?: boolean;
}

/** Options of {@link GitLabState.openMergeRequest}. */
export interface OpenMergeRequestOptions {
  project: string | number;
  sourceBranch: string;
  title: string;
  /** Login; the account is made when it does not exist. */
  author: string;
  targetBranch?: string;
  description?: string;
  labels?: string[];
  draft?: boolean;
  /** Open from a fork, which is made below the author's namespace when it is missing. */
  fork?: boolean;
  /** Paths that the first commit changes. */
  changedPaths?: string[];
}

/**
 * A GitLab instance in memory. Every operation changes the state at once and tells the listeners,
 * so the REST API never shows a half-made change.
 */
export class GitLabState {
  /** Origin and base path that web links start with; the server sets it when it listens. */
  externalUrl = 'https://gitlab.example.com';
  /** Host of the container registry. */
  registryHost = 'registry.example.com';
  readonly users = new Map<string, User>();
  readonly groups = new Map<number, Group>();
  readonly projects = new Map<number, Project>();
  readonly tokens: AccessToken[] = [];
  /** Hooks that hear of all projects, as an administrator sets them. */
  readonly systemHooks: Hook[] = [];

  private readonly clock: Clock;
  private readonly random: Random;
  private readonly listeners = new Set<(event: GitLabEvent) => void>();
  private readonly lastId = new Map<string, number>();
  private readonly previews = new WeakMap<MergeRequest, RememberedPreview>();

  constructor(options: { clock: Clock; random: Random }) {
    this.clock = options.clock;
    this.random = options.random;
  }

  /** Calls the listener for every event; the answer stops that. */
  subscribe(listener: (event: GitLabEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The account with this login, made when it does not exist. */
  user(username: string): User {
    let user = this.users.get(username);
    if (!user) {
      user = { id: this.nextId('user', 10), username, name: username };
      this.users.set(username, user);
    }
    return user;
  }

  /** Makes a group with all its parents, or finds it. */
  addGroup(fullPath: string): Group {
    const found = this.findGroup(fullPath);
    if (found) {
      return found;
    }
    const segments = fullPath.split('/');
    const path = segments.pop() as string;
    const parent =
      segments.length > 0 ? this.addGroup(segments.join('/')) : undefined;
    const group: Group = {
      id: this.nextId('group', 100),
      name: path,
      path,
      fullPath,
      parentId: parent?.id,
      hooks: [],
    };
    this.groups.set(group.id, group);
    return group;
  }

  /** Makes a project with a default branch, one commit and the given files. */
  addProject(options: {
    /** With its namespace, for example `shop/checkout`. */
    path: string;
    id?: number;
    description?: string;
    files?: Record<string, string>;
    defaultBranch?: string;
    visibility?: Project['visibility'];
    /** A user's project instead of a group's. */
    owner?: string;
    forkedFrom?: Project;
  }): Project {
    if (this.findProject(options.path)) {
      throw new ConflictError(`Project ${options.path} exists already`);
    }
    const segments = options.path.split('/');
    const name = segments.pop() as string;
    if (segments.length === 0) {
      throw new InputError(`Project path ${options.path} has no namespace`);
    }
    const group = options.owner ? undefined : this.addGroup(segments.join('/'));
    const now = this.timestamp();
    const defaultBranch = options.defaultBranch ?? 'main';
    const id = options.id ?? this.nextId('project', 1000);
    const project: Project = {
      id,
      name,
      path: name,
      pathWithNamespace: options.path,
      groupId: group?.id,
      ownerUsername: options.owner,
      forkedFromId: options.forkedFrom?.id,
      description: options.description ?? '',
      visibility: options.visibility ?? 'private',
      defaultBranch,
      archived: false,
      createdAt: now,
      lastActivityAt: now,
      branches: new Map(options.forkedFrom?.branches),
      tags: new Map(options.forkedFrom?.tags),
      commits: new Map(options.forkedFrom?.commits),
      protectedBranches: new Map([
        [
          defaultBranch,
          { id: this.nextId('protectedBranch', 1), push: 40, merge: 40 },
        ],
      ]),
      protectedTags: new Map(),
      mergeRequests: new Map(),
      nextMergeRequestIid: 1,
      pipelines: [],
      registry: [],
      hooks: [],
    };
    this.projects.set(id, project);
    if (!options.forkedFrom) {
      const commit = this.addCommit(project, {
        title: 'Initial commit',
        author: this.user(options.owner ?? 'maintainer1'),
        parents: [],
        tree: new Map(Object.entries(options.files ?? {})),
      });
      project.branches.set(defaultBranch, commit.sha);
    }
    return project;
  }

  /** Deletes a project with all it holds; merge requests from it stay in their targets. */
  deleteProject(reference: string | number): void {
    this.projects.delete(this.project(reference).id);
  }

  /** Adds an access token. */
  addToken(options: {
    value: string;
    name?: string;
    username?: string;
    scopes?: string[];
    expiresAt?: string;
    projectIds?: number[];
  }): AccessToken {
    const token: AccessToken = {
      id: this.nextId('token', 1),
      name: options.name ?? 'portal',
      value: options.value,
      user: this.user(options.username ?? 'portal-bot'),
      scopes: options.scopes ?? ['read_api'],
      expiresAt: options.expiresAt,
      revoked: false,
      createdAt: this.timestamp(),
      projectIds: options.projectIds && new Set(options.projectIds),
    };
    this.tokens.push(token);
    return token;
  }

  /** Adds a webhook to a group (all its projects) or a project. */
  addHook(
    options: {
      group?: string;
      project?: string | number;
    } & HookOptions,
  ): Hook {
    const hook = this.createHook(options);
    if (options.project !== undefined) {
      this.project(options.project).hooks.push(hook);
    } else if (options.group !== undefined) {
      this.addGroup(options.group).hooks.push(hook);
    } else {
      throw new InputError('A hook needs a group or a project');
    }
    return hook;
  }

  /** Adds a hook on all projects; its deliveries are those of project hooks. */
  addSystemHook(options: HookOptions): Hook {
    const hook = this.createHook(options);
    this.systemHooks.push(hook);
    return hook;
  }

  private createHook(options: HookOptions): Hook {
    return {
      id: this.nextId('hook', 1),
      uuid: this.uuid(),
      url: options.url,
      token: options.token,
      signingSecret: options.signingSecret,
      mergeRequestsEvents: options.mergeRequestsEvents ?? true,
      pipelineEvents: options.pipelineEvents ?? true,
      createdAt: this.timestamp(),
    };
  }

  /** Hooks that hear of a project's events: its own, those of its groups and those of all. */
  hooksOf(project: Project): Hook[] {
    const hooks = [...project.hooks, ...this.systemHooks];
    let groupId = project.groupId;
    while (groupId !== undefined) {
      const group = this.groups.get(groupId);
      hooks.push(...(group?.hooks ?? []));
      groupId = group?.parentId;
    }
    return hooks;
  }

  findGroup(reference: string | number): Group | undefined {
    const id = Number(reference);
    return Number.isInteger(id)
      ? this.groups.get(id)
      : [...this.groups.values()].find(
          group =>
            group.fullPath.toLowerCase() === String(reference).toLowerCase(),
        );
  }

  findProject(reference: string | number): Project | undefined {
    const id = Number(reference);
    return Number.isInteger(id)
      ? this.projects.get(id)
      : [...this.projects.values()].find(
          project =>
            project.pathWithNamespace.toLowerCase() ===
            String(reference).toLowerCase(),
        );
  }

  /** The project, or NotFoundError. */
  project(reference: string | number): Project {
    const project = this.findProject(reference);
    if (!project) {
      throw new NotFoundError(`No project ${reference}`);
    }
    return project;
  }

  /** The merge request, or NotFoundError. */
  mergeRequest(reference: MergeRequestReference): MergeRequest {
    const mergeRequest = this.project(reference.project).mergeRequests.get(
      reference.iid,
    );
    if (!mergeRequest) {
      throw new NotFoundError(
        `No merge request !${reference.iid} in ${reference.project}`,
      );
    }
    return mergeRequest;
  }

  /** Projects of a group, of its subgroups too when asked. */
  projectsOf(group: Group, options: { includeSubgroups: boolean }): Project[] {
    return [...this.projects.values()].filter(project => {
      let groupId = project.groupId;
      while (groupId !== undefined) {
        if (groupId === group.id) {
          return true;
        }
        groupId = options.includeSubgroups
          ? this.groups.get(groupId)?.parentId
          : undefined;
      }
      return false;
    });
  }

  /** Opens a merge request, with its branch and one commit. */
  openMergeRequest(options: OpenMergeRequestOptions): MergeRequest {
    const target = this.project(options.project);
    const author = this.user(options.author);
    const source = options.fork ? this.forkOf(target, author) : target;
    const targetBranch = options.targetBranch ?? target.defaultBranch;
    const existing = [...target.mergeRequests.values()].find(
      candidate =>
        candidate.state === 'opened' &&
        candidate.sourceProjectId === source.id &&
        candidate.sourceBranch === options.sourceBranch &&
        candidate.targetBranch === targetBranch,
    );
    if (existing) {
      throw new ConflictError(
        `Another open merge request already exists for this source branch: !${existing.iid}`,
      );
    }
    const targetSha = target.branches.get(targetBranch);
    if (!targetSha) {
      throw new InputError(`No branch ${targetBranch} to merge into`);
    }
    const known = source.branches.get(options.sourceBranch);
    const baseSha =
      (known &&
        mergeBaseOf({
          ours: { commits: target.commits, sha: targetSha },
          theirs: { commits: source.commits, sha: known },
        })) ||
      targetSha;
    const head =
      known ??
      this.addCommit(source, {
        title: options.title,
        author,
        parents: [baseSha],
        changedPaths: options.changedPaths,
        tree: this.filesAt(target, baseSha),
      }).sha;
    source.branches.set(options.sourceBranch, head);
    const now = this.timestamp();
    const mergeRequest: MergeRequest = {
      id: this.nextId('mergeRequest', 50_000),
      iid: target.nextMergeRequestIid++,
      projectId: target.id,
      sourceProjectId: source.id,
      title: options.draft ? `Draft: ${options.title}` : options.title,
      description: options.description ?? '',
      state: 'opened',
      draft: options.draft ?? false,
      author,
      labels: [...(options.labels ?? [])].sort(),
      sourceBranch: options.sourceBranch,
      targetBranch,
      sha: head,
      baseSha,
      createdAt: now,
      updatedAt: now,
      approvals: [],
      systemNotes: [],
    };
    target.mergeRequests.set(mergeRequest.iid, mergeRequest);
    target.lastActivityAt = now;
    this.emitMergeRequest({ mergeRequest, action: 'open', user: author });
    if (!known) {
      this.emit({
        type: 'push',
        project: source,
        branch: options.sourceBranch,
        sha: head,
        user: author,
      });
    }
    return mergeRequest;
  }

  /** Adds a commit to the source branch; with `force` it replaces the branch's history. */
  push(
    options: MergeRequestReference & {
      title?: string;
      force?: boolean;
      changedPaths?: string[];
    },
  ): Commit {
    const mergeRequest = this.mergeRequest(options);
    const source = this.project(mergeRequest.sourceProjectId);
    const previous = mergeRequest.sha;
    const commit = this.addCommit(source, {
      title: options.title ?? `Work on ${mergeRequest.sourceBranch}`,
      author: mergeRequest.author,
      parents: [options.force || !previous ? mergeRequest.baseSha : previous],
      changedPaths: options.changedPaths,
      tree: this.filesAt(source, previous ?? mergeRequest.baseSha),
    });
    source.branches.set(mergeRequest.sourceBranch, commit.sha);
    source.lastActivityAt = this.timestamp();
    if (mergeRequest.state === 'opened' || mergeRequest.state === 'locked') {
      mergeRequest.sha = commit.sha;
      this.touch(mergeRequest);
      this.emitMergeRequest({
        mergeRequest,
        action: 'update',
        user: mergeRequest.author,
        oldrev: previous ?? undefined,
      });
    }
    this.emit({
      type: 'push',
      project: source,
      branch: mergeRequest.sourceBranch,
      sha: commit.sha,
      user: mergeRequest.author,
    });
    return commit;
  }

  /** Adds a commit to a branch that no merge request need know. */
  pushToBranch(options: {
    project: string | number;
    branch: string;
    title?: string;
  }): Commit {
    const project = this.project(options.project);
    const author = this.user('maintainer1');
    const head = project.branches.get(options.branch);
    const commit = this.addCommit(project, {
      title: options.title ?? `Work on ${options.branch}`,
      author,
      parents: head ? [head] : [],
    });
    project.branches.set(options.branch, commit.sha);
    this.emit({
      type: 'push',
      project,
      branch: options.branch,
      sha: commit.sha,
      user: author,
    });
    return commit;
  }

  /**
   * Commits to a branch, which is made from `startBranch` where it is new. Merge requests
   * from it have a new head.
   *
   * @throws FileActionError with GitLab's message where an action does not fit the files.
   */
  commit(options: {
    project: string | number;
    branch: string;
    message: string;
    /** Login; `maintainer1` by default. */
    by?: string;
    /** Branch or commit that a new branch begins at; the default branch by default. */
    startBranch?: string;
    actions: readonly FileAction[];
  }): Commit {
    const project = this.project(options.project);
    const author = this.user(options.by ?? 'maintainer1');
    const parent =
      project.branches.get(options.branch) ??
      this.resolveRevision(project, options.startBranch ?? 'HEAD');
    const { tree, changedPaths } = applyActions(
      this.filesAt(project, parent ?? ''),
      options.actions,
    );
    const commit = this.addCommit(project, {
      title: options.message.split('\n')[0],
      message: options.message,
      author,
      parents: parent ? [parent] : [],
      changedPaths,
      tree,
    });
    this.moveBranch(project, {
      branch: options.branch,
      sha: commit.sha,
      user: author,
    });
    return commit;
  }

  /** Makes a branch at a commit, another branch or a tag. */
  addBranch(options: {
    project: string | number;
    branch: string;
    revision: string;
    by?: string;
  }): void {
    const project = this.project(options.project);
    const sha = this.resolveRevision(project, options.revision);
    if (!sha) {
      throw new InputError(`Invalid reference name: ${options.revision}`);
    }
    this.moveBranch(project, {
      branch: options.branch,
      sha,
      user: this.user(options.by ?? 'maintainer1'),
    });
  }

  /** Tags a commit, and tells nobody: Argo CD polls tags. */
  tag(options: {
    project: string | number;
    name: string;
    /** Default: the head of the default branch. */
    revision?: string;
  }): string {
    const project = this.project(options.project);
    const sha = this.resolveRevision(project, options.revision ?? 'HEAD');
    if (!sha) {
      throw new InputError(`Target ${options.revision} is invalid`);
    }
    if (project.tags.has(options.name)) {
      throw new ConflictError(`Tag ${options.name} already exists`);
    }
    project.tags.set(options.name, sha);
    return sha;
  }

  /** Protects a branch, or those of a pattern, or changes how. */
  protectBranch(options: {
    project: string | number;
    branch: string;
    push: AccessLevel;
    merge: AccessLevel;
  }): void {
    const { push, merge } = options;
    const branches = this.project(options.project).protectedBranches;
    const id =
      branches.get(options.branch)?.id ?? this.nextId('protectedBranch', 1);
    branches.set(options.branch, { id, push, merge });
  }

  /** Protects the tags of a name or pattern. */
  protectTags(options: {
    project: string | number;
    pattern: string;
    create: AccessLevel;
  }): void {
    this.project(options.project).protectedTags.set(options.pattern, {
      create: options.create,
    });
  }

  /** Gives the default branch files as if it had had them from the start, and tells nobody. */
  seedFiles(options: {
    project: string | number;
    files: Record<string, string>;
  }): void {
    const project = this.project(options.project);
    const commit = project.commits.get(
      project.branches.get(project.defaultBranch) ?? '',
    );
    if (!commit) {
      throw new InputError(`${project.pathWithNamespace} has no commit`);
    }
    commit.tree = new Map([...commit.tree, ...Object.entries(options.files)]);
  }

  /** All files of a project at a commit; none where nobody gave it files. */
  filesAt(project: Project, sha: string): Tree {
    return project.commits.get(sha)?.tree ?? EMPTY_TREE;
  }

  /** All files of the default branch. */
  files(project: Project): Tree {
    return this.filesAt(
      project,
      project.branches.get(project.defaultBranch) ?? '',
    );
  }

  /**
   * What a merge would give now: a branch that took its target in no longer conflicts with it.
   * Walks histories only where both sides changed files, and then once for the same heads.
   */
  previewMerge(mergeRequest: MergeRequest): MergePreview {
    const target = this.project(mergeRequest.projectId);
    const source = this.findProject(mergeRequest.sourceProjectId);
    const targetSha = target.branches.get(mergeRequest.targetBranch) ?? '';
    const ours = this.filesAt(target, targetSha);
    const sourceSha = mergeRequest.sha;
    if (!source || !sourceSha) {
      return { tree: ours, conflicts: [] };
    }
    const theirs = this.filesAt(source, sourceSha);
    const opened = this.filesAt(target, mergeRequest.baseSha);
    if (theirs === ours || theirs === opened) {
      return { tree: ours, conflicts: [] };
    }
    if (ours === opened) {
      return { tree: theirs, conflicts: [] };
    }
    const known = this.previews.get(mergeRequest);
    if (
      known?.targetSha === targetSha &&
      known.sourceSha === sourceSha &&
      known.ours === ours &&
      known.theirs === theirs
    ) {
      return known.preview;
    }
    const preview = mergeTrees({
      base: this.filesAt(target, this.mergeBase(mergeRequest)),
      ours,
      theirs,
    });
    this.previews.set(mergeRequest, {
      targetSha,
      sourceSha,
      ours,
      theirs,
      preview,
    });
    return preview;
  }

  /** Merges and, as GitLab does by default, deletes the source branch, unless it is protected. */
  merge(options: MergeRequestReference & { by?: string }): MergeRequest {
    const mergeRequest = this.mergeRequest(options);
    if (mergeRequest.state !== 'opened' && mergeRequest.state !== 'locked') {
      throw new ConflictError(`!${mergeRequest.iid} is ${mergeRequest.state}`);
    }
    const target = this.project(mergeRequest.projectId);
    const user = this.user(options.by ?? 'maintainer1');
    const { tree, conflicts } = this.previewMerge(mergeRequest);
    if (conflicts.length > 0) {
      throw new ConflictError(
        `!${mergeRequest.iid} conflicts in ${conflicts.join(', ')}`,
      );
    }
    // Where no file changes, nobody has anything to deploy or build from the target.
    const changesFiles =
      tree !==
      this.filesAt(
        target,
        target.branches.get(mergeRequest.targetBranch) ?? '',
      );
    const commit = this.addCommit(target, {
      title: `Merge branch '${mergeRequest.sourceBranch}' into '${mergeRequest.targetBranch}'`,
      author: user,
      parents: [
        target.branches.get(mergeRequest.targetBranch) ?? mergeRequest.baseSha,
        ...(mergeRequest.sha ? [mergeRequest.sha] : []),
      ],
      tree,
    });
    this.copyCommits(mergeRequest, target);
    target.branches.set(mergeRequest.targetBranch, commit.sha);
    const previous = mergeRequest.state;
    mergeRequest.state = 'merged';
    mergeRequest.mergeCommitSha = commit.sha;
    mergeRequest.mergedAt = this.timestamp();
    mergeRequest.mergedBy = user;
    this.touch(mergeRequest);
    const source = this.findProject(mergeRequest.sourceProjectId);
    if (source && !isBranchProtected(source, mergeRequest.sourceBranch)) {
      source.branches.delete(mergeRequest.sourceBranch);
    }
    this.moveMergeRequests(target, {
      branch: mergeRequest.targetBranch,
      sha: commit.sha,
      user,
    });
    this.emitMergeRequest({
      mergeRequest,
      action: 'merge',
      user,
      changes: {
        state_id: { previous: stateId(previous), current: stateId('merged') },
      },
    });
    if (changesFiles) {
      this.emit({
        type: 'push',
        project: target,
        branch: mergeRequest.targetBranch,
        sha: commit.sha,
        user,
      });
    }
    return mergeRequest;
  }

  /** Closes without merging. */
  close(options: MergeRequestReference & { by?: string }): MergeRequest {
    const mergeRequest = this.mergeRequest(options);
    if (mergeRequest.state !== 'opened') {
      throw new ConflictError(`!${mergeRequest.iid} is ${mergeRequest.state}`);
    }
    const user = this.user(options.by ?? mergeRequest.author.username);
    mergeRequest.state = 'closed';
    mergeRequest.closedAt = this.timestamp();
    mergeRequest.closedBy = user;
    this.touch(mergeRequest);
    this.emitMergeRequest({
      mergeRequest,
      action: 'close',
      user,
      changes: { state_id: { previous: 1, current: 2 } },
    });
    return mergeRequest;
  }

  /** Opens a closed merge request again. */
  reopen(options: MergeRequestReference & { by?: string }): MergeRequest {
    const mergeRequest = this.mergeRequest(options);
    if (mergeRequest.state !== 'closed') {
      throw new ConflictError(`!${mergeRequest.iid} is ${mergeRequest.state}`);
    }
    const user = this.user(options.by ?? mergeRequest.author.username);
    mergeRequest.state = 'opened';
    mergeRequest.closedAt = undefined;
    mergeRequest.closedBy = undefined;
    this.touch(mergeRequest);
    this.emitMergeRequest({
      mergeRequest,
      action: 'reopen',
      user,
      changes: { state_id: { previous: 2, current: 1 } },
    });
    return mergeRequest;
  }

  /**
   * Puts an open merge request into the state GitLab shows while it merges, or out of it. GitLab
   * sends no webhook for this.
   */
  setLocked(options: MergeRequestReference & { locked: boolean }): void {
    const mergeRequest = this.mergeRequest(options);
    const from = options.locked ? 'opened' : 'locked';
    if (mergeRequest.state !== from) {
      throw new ConflictError(`!${mergeRequest.iid} is ${mergeRequest.state}`);
    }
    mergeRequest.state = options.locked ? 'locked' : 'opened';
    this.touch(mergeRequest);
  }

  /** Records an approval; nobody approves twice. */
  approve(options: MergeRequestReference & { by?: string }): void {
    const mergeRequest = this.mergeRequest(options);
    const user = this.user(options.by ?? 'reviewer1');
    if (mergeRequest.approvals.some(approval => approval.user === user)) {
      throw new ConflictError(
        `!${mergeRequest.iid} is approved by ${user.username}`,
      );
    }
    const createdAt = this.timestamp();
    mergeRequest.approvals.push({ user, createdAt });
    this.note(mergeRequest, {
      user,
      body: 'approved this merge request',
      createdAt,
    });
    this.emitMergeRequest({ mergeRequest, action: 'approved', user });
  }

  /** Takes an approval back. */
  unapprove(options: MergeRequestReference & { by?: string }): void {
    const mergeRequest = this.mergeRequest(options);
    const user = this.user(options.by ?? 'reviewer1');
    const others = mergeRequest.approvals.filter(
      approval => approval.user !== user,
    );
    if (others.length === mergeRequest.approvals.length) {
      throw new ConflictError(
        `!${mergeRequest.iid} is not approved by ${user.username}`,
      );
    }
    mergeRequest.approvals = others;
    this.note(mergeRequest, { user, body: 'unapproved this merge request' });
    this.emitMergeRequest({ mergeRequest, action: 'unapproved', user });
  }

  /** Replaces the labels. */
  setLabels(options: MergeRequestReference & { labels: string[] }): void {
    const mergeRequest = this.mergeRequest(options);
    const previous = mergeRequest.labels;
    mergeRequest.labels = [...options.labels].sort();
    this.touch(mergeRequest);
    this.emitMergeRequest({
      mergeRequest,
      action: 'update',
      user: mergeRequest.author,
      changes: { labels: { previous, current: mergeRequest.labels } },
    });
  }

  /** Marks as draft, or ready. */
  setDraft(options: MergeRequestReference & { draft: boolean }): void {
    const mergeRequest = this.mergeRequest(options);
    const previousTitle = mergeRequest.title;
    const bare = previousTitle.replace(/^Draft: /, '');
    const wasDraft = mergeRequest.draft;
    mergeRequest.draft = options.draft;
    mergeRequest.title = options.draft ? `Draft: ${bare}` : bare;
    this.touch(mergeRequest);
    this.emitMergeRequest({
      mergeRequest,
      action: 'update',
      user: mergeRequest.author,
      changes: {
        title: { previous: previousTitle, current: mergeRequest.title },
        draft: { previous: wasDraft, current: options.draft },
      },
    });
  }

  /** Changes title or target branch. */
  edit(
    options: MergeRequestReference & { title?: string; targetBranch?: string },
  ): void {
    const mergeRequest = this.mergeRequest(options);
    const changes: MergeRequestChanges = {};
    if (options.title !== undefined) {
      changes.title = { previous: mergeRequest.title, current: options.title };
      mergeRequest.title = options.title;
    }
    if (options.targetBranch !== undefined) {
      changes.target_branch = {
        previous: mergeRequest.targetBranch,
        current: options.targetBranch,
      };
      mergeRequest.targetBranch = options.targetBranch;
    }
    this.touch(mergeRequest);
    this.emitMergeRequest({
      mergeRequest,
      action: 'update',
      user: mergeRequest.author,
      changes,
    });
  }

  /** Deletes the source branch: an open merge request keeps its state and loses its `sha`. */
  deleteSourceBranch(options: MergeRequestReference): void {
    const mergeRequest = this.mergeRequest(options);
    this.findProject(mergeRequest.sourceProjectId)?.branches.delete(
      mergeRequest.sourceBranch,
    );
    mergeRequest.sha = null;
    this.touch(mergeRequest);
  }

  /** Deletes a merge request for good. GitLab sends no webhook for this. */
  deleteMergeRequest(options: MergeRequestReference): void {
    const mergeRequest = this.mergeRequest(options);
    this.project(options.project).mergeRequests.delete(mergeRequest.iid);
  }

  /** Starts a pipeline in the state `created`. */
  addPipeline(options: {
    project: Project;
    sha: string;
    ref: string;
    user: User;
    source?: Pipeline['source'];
  }): Pipeline {
    const now = this.timestamp();
    const pipeline: Pipeline = {
      id: this.nextId('pipeline', 9000),
      iid: options.project.pipelines.length + 1,
      projectId: options.project.id,
      sha: options.sha,
      ref: options.ref,
      source: options.source ?? 'push',
      status: 'created',
      createdAt: now,
      updatedAt: now,
      user: options.user,
    };
    options.project.pipelines.push(pipeline);
    this.emitPipeline(options.project, pipeline);
    return pipeline;
  }

  /** Moves a pipeline on. A pipeline never changes `updated_at` of its merge request. */
  setPipelineStatus(pipeline: Pipeline, status: PipelineStatus): void {
    const project = this.findProject(pipeline.projectId);
    if (!project) {
      return;
    }
    const now = this.timestamp();
    pipeline.status = status;
    pipeline.updatedAt = now;
    if (status === 'running') {
      pipeline.startedAt = now;
    }
    if (status === 'success' || status === 'failed' || status === 'canceled') {
      pipeline.finishedAt = now;
    }
    this.emitPipeline(project, pipeline);
  }

  /** Pipelines of a merge request, newest first. */
  pipelinesOf(mergeRequest: MergeRequest): Pipeline[] {
    return (this.findProject(mergeRequest.sourceProjectId)?.pipelines ?? [])
      .filter(
        pipeline =>
          pipeline.ref === mergeRequest.sourceBranch ||
          pipeline.ref === `refs/merge-requests/${mergeRequest.iid}/head`,
      )
      .reverse();
  }

  /** Puts an image tag into a project's registry. */
  pushTag(options: {
    project: string | number;
    tag: string;
    /** Below the project's path; empty for the path itself. */
    repository?: string;
  }): void {
    const project = this.project(options.project);
    const name = options.repository ?? '';
    let repository = project.registry.find(known => known.name === name);
    if (!repository) {
      repository = {
        id: this.nextId('registry', 1),
        name,
        path: [project.pathWithNamespace, name].filter(Boolean).join('/'),
        createdAt: this.timestamp(),
        tags: new Map(),
      } satisfies RegistryRepository;
      project.registry.push(repository);
    }
    repository.tags.set(options.tag, {
      name: options.tag,
      // Not drawn: when CI pushes must not change what is drawn next.
      digest: `sha256:${createHash('sha256')
        .update(`${repository.path}:${options.tag}`)
        .digest('hex')}`,
      createdAt: this.timestamp(),
    });
    this.emit({
      type: 'tag',
      project,
      image: `${this.registryHost}/${repository.path}:${options.tag}`,
    });
  }

  /** Removes an image tag, as a clean-up policy does. */
  deleteTag(options: { project: string | number; tag: string }): void {
    for (const repository of this.project(options.project).registry) {
      repository.tags.delete(options.tag);
    }
  }

  /** Whether this registry serves the image; undefined when the image is of another registry. */
  hasImage(image: string): boolean | undefined {
    if (!image.startsWith(`${this.registryHost}/`)) {
      return undefined;
    }
    const [rest, digest] = image.slice(this.registryHost.length + 1).split('@');
    const colon = rest.lastIndexOf(':');
    const path = colon < 0 ? rest : rest.slice(0, colon);
    const tag = colon < 0 ? 'latest' : rest.slice(colon + 1);
    // Where there is a digest, it decides, and the tag is for people.
    return [...this.projects.values()].some(project =>
      project.registry.some(
        repository =>
          repository.path === path &&
          (digest === undefined
            ? repository.tags.has(tag)
            : [...repository.tags.values()].some(
                known => known.digest === digest,
              )),
      ),
    );
  }

  /**
   * The commit that a revision of a project names: a full SHA, an abbreviation of at least seven
   * characters, a branch, a tag, either with its `refs/…/`, or `HEAD`. Undefined when there is none.
   */
  resolveRevision(project: Project, revision: string): string | undefined {
    if (revision === '' || revision === 'HEAD') {
      return project.branches.get(project.defaultBranch);
    }
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(revision) ?? [];
    if (name !== undefined) {
      return (kind === 'heads' ? project.branches : project.tags).get(name);
    }
    const named = project.branches.get(revision) ?? project.tags.get(revision);
    if (named) {
      return named;
    }
    if (!/^[0-9a-f]{7,40}$/.test(revision)) {
      return undefined;
    }
    return [...project.commits.keys()].find(sha => sha.startsWith(revision));
  }

  private forkOf(target: Project, author: User): Project {
    const path = `${author.username}/${target.path}`;
    return (
      this.findProject(path) ??
      this.addProject({ path, owner: author.username, forkedFrom: target })
    );
  }

  private addCommit(
    project: Project,
    options: {
      title: string;
      author: User;
      parents: string[];
      changedPaths?: string[];
      message?: string;
      /** Default: that of the first parent. */
      tree?: Tree;
    },
  ): Commit {
    const commit: Commit = {
      sha: this.random.hex(40),
      parents: options.parents,
      title: options.title,
      author: options.author,
      createdAt: this.timestamp(),
      changedPaths: options.changedPaths ?? ['src/main.ts'],
      tree: options.tree ?? this.filesAt(project, options.parents[0] ?? ''),
      ...(options.message !== undefined && { message: options.message }),
    };
    project.commits.set(commit.sha, commit);
    return commit;
  }

  /** Gives the target the commits that came from a fork, so that its history is whole. */
  private copyCommits(mergeRequest: MergeRequest, target: Project): void {
    const source = this.findProject(mergeRequest.sourceProjectId);
    if (!source || source === target || !mergeRequest.sha) {
      return;
    }
    const missing = [mergeRequest.sha];
    for (let sha = missing.pop(); sha !== undefined; sha = missing.pop()) {
      const commit = target.commits.has(sha)
        ? undefined
        : source.commits.get(sha);
      if (commit) {
        target.commits.set(sha, commit);
        missing.push(...commit.parents);
      }
    }
  }

  /** The commit that a merge request's branch last had in common with its target. */
  private mergeBase(mergeRequest: MergeRequest): string {
    const target = this.project(mergeRequest.projectId);
    const source = this.project(mergeRequest.sourceProjectId);
    return (
      mergeBaseOf({
        ours: {
          commits: target.commits,
          sha: target.branches.get(mergeRequest.targetBranch) ?? '',
        },
        theirs: { commits: source.commits, sha: mergeRequest.sha ?? '' },
      }) ?? mergeRequest.baseSha
    );
  }

  /** Sets a branch's head, makes it that of the merge requests from it, and tells of the push. */
  private moveBranch(
    project: Project,
    options: { branch: string; sha: string; user: User },
  ): void {
    const { branch, sha, user } = options;
    project.branches.set(branch, sha);
    project.lastActivityAt = this.timestamp();
    this.moveMergeRequests(project, options);
    this.emit({ type: 'push', project, branch, sha, user });
  }

  /** Makes a branch's head that of the merge requests from it. */
  private moveMergeRequests(
    project: Project,
    options: { branch: string; sha: string; user: User },
  ): void {
    const { branch, sha, user } = options;
    for (const target of this.projects.values()) {
      for (const mergeRequest of target.mergeRequests.values()) {
        if (
          mergeRequest.sourceProjectId === project.id &&
          mergeRequest.sourceBranch === branch &&
          (mergeRequest.state === 'opened' || mergeRequest.state === 'locked')
        ) {
          const oldrev = mergeRequest.sha ?? undefined;
          mergeRequest.sha = sha;
          mergeRequest.baseSha = this.mergeBase(mergeRequest);
          this.touch(mergeRequest);
          this.emitMergeRequest({
            mergeRequest,
            action: 'update',
            user,
            oldrev,
          });
        }
      }
    }
  }

  private emitMergeRequest(options: {
    mergeRequest: MergeRequest;
    action: MergeRequestAction;
    user: User;
    oldrev?: string;
    changes?: MergeRequestChanges;
  }): void {
    this.emit({
      type: 'mergeRequest',
      project: this.project(options.mergeRequest.projectId),
      changes: {},
      ...options,
    });
  }

  private emitPipeline(project: Project, pipeline: Pipeline): void {
    const mergeRequest = [...this.projects.values()]
      .flatMap(candidate => [...candidate.mergeRequests.values()])
      .find(
        candidate =>
          candidate.sourceProjectId === project.id &&
          candidate.sourceBranch === pipeline.ref &&
          candidate.state === 'opened',
      );
    this.emit({ type: 'pipeline', project, pipeline, mergeRequest });
  }

  private emit(event: GitLabEvent): void {
    for (const listener of [...this.listeners]) {
      listener(event);
    }
  }

  private touch(mergeRequest: MergeRequest): void {
    mergeRequest.updatedAt = this.timestamp();
  }

  /**
   * Writes a system note. Notes touch what they are written below, but not more
   * often than once a minute.
   */
  private note(
    mergeRequest: MergeRequest,
    options: { user: User; body: string; createdAt?: string },
  ): void {
    const { createdAt = this.timestamp() } = options;
    mergeRequest.systemNotes.push({
      id: this.nextId('note', 700_000),
      body: options.body,
      author: options.user,
      createdAt,
    });
    const age = Date.parse(createdAt) - Date.parse(mergeRequest.updatedAt);
    if (age > NOTE_TOUCH_INTERVAL) {
      this.touch(mergeRequest);
    }
  }

  private timestamp(): string {
    return this.clock.now().toISOString();
  }

  private nextId(kind: string, first: number): number {
    const id = (this.lastId.get(kind) ?? first - 1) + 1;
    this.lastId.set(kind, id);
    return id;
  }

  private uuid(): string {
    const hex = this.random.hex(32);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      hex.slice(12, 16),
      hex.slice(16, 20),
      hex.slice(20),
    ].join('-');
  }
}

/** GitLab's number for a state, as `state_id` of the webhook payload. */
export function stateId(state: MergeRequest['state']): number {
  return { opened: 1, closed: 2, merged: 3, locked: 4 }[state];
}
