import { LoggerService } from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import {
  SourceError,
  SourceNote,
  sourceNote,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import {
  GitLabReading,
  ProjectReading,
  RepositoryAnswer,
  RepositoryProtection,
  RepositoryQuestion,
} from '../../model';
import { Listeners } from '../Listeners';
import { Loop } from '../Loop';
import {
  GitLabSource,
  ProjectReference,
  ProjectsChange,
  Recall,
} from '../types';
import { ApprovalsReader } from './ApprovalsReader';
import { BuildReader } from './BuildReader';
import { ChangedFilesReader } from './ChangedFilesReader';
import { GitLabClient } from './GitLabClient';
import { GitLabDemand } from './GitLabDemand';
import { GitLabMemory, hasEnded, LocalKey, localKeyOf } from './GitLabMemory';
import { toGitLabRequestError } from './GitLabRequestError';
import { gitLabState } from './gitLabState';
import { GroupReader, GroupRound } from './GroupReader';
import { HostGate } from './HostGate';
import { InFlight } from './InFlight';
import { inTurns } from './inTurns';
import { GitLabSourceOptions } from './options';
import { ProjectDirectory } from './ProjectDirectory';
import { PastReader } from './PastReader';
import { ProjectReader } from './ProjectReader';
import { ProtectionReader } from './ProtectionReader';
import { WantedTag } from './RegistryLookup';
import { TierReader } from './TierReader';
import { checkToken } from './TokenCheck';
import { UnreadUpdates } from './UnreadUpdates';

const MINUTE = 60 * 1000;

/** Calls to one host at the same time. */
const MAXIMUM_CALLS = 4;

const TOKEN_CHECK_EVERY = 60 * MINUTE;

/** An MR that ended stays this long though nobody has followed it yet. */
const ENDED_KEPT = 2 * MINUTE;

/** References that are resolved before it is seen whether they share a group; then ever more. */
const FIRST_RESOLVED = 8;

/** How long changed files, pipelines and tags may at least keep the next lists waiting, in milliseconds. */
const DETAILS_AT_LEAST = 5_000;

/** All that is thrown away when reading begins afresh. */
interface Session {
  signal: AbortSignal;
  client: GitLabClient;
  memory: GitLabMemory;
  directory: ProjectDirectory;
  unread: UnreadUpdates;
  projects: ProjectReader;
  groups: GroupReader;
  builds: BuildReader;
  files: ChangedFilesReader;
  past: PastReader;
  approvals: ApprovalsReader;
  protections: ProtectionReader;
  tiers: TierReader;
  tokenCheckedAt?: number;
  tokenNotes: SourceNote[];
  tokenError?: SourceError;
  /** ISO: end of the last whole reading that had no project to read. */
  idleAt?: string;
}

/**
 * Reads the MRs of tracked projects from one GitLab instance. A reading that
 * fails anywhere takes nothing away: only an answer about an MR itself, or a
 * list that was read to its end, changes what is known.
 */
export class DefaultGitLabSource implements GitLabSource {
  readonly id: string;
  readonly host: string;
  readonly #options: GitLabSourceOptions;
  readonly #logger: LoggerService;
  readonly #clock: () => Date;
  readonly #listeners = new Listeners<ProjectsChange>();
  readonly #loop: Loop;
  readonly #gate: HostGate;

  readonly #demand = new GitLabDemand();
  readonly #refreshes = new InFlight();
  /** MRs that somebody approved, or not any more, by a hint. */
  readonly #approvalsHinted = new Set<string>();
  #resumed: { unreadSince?: string; recall?: Recall } = {};
  #session: Session;

  private constructor(options: GitLabSourceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
    this.host = options.config.host;
    this.id = `gitlab:${this.host}`;
    this.#logger = options.logger.child({ source: this.id });
    this.#gate = HostGate.create({
      maximum: MAXIMUM_CALLS,
      onCall: outcome => options.onCall?.({ source: this.id, outcome }),
    });
    this.#loop = Loop.create({
      read: ({ whole }) => this.#read({ whole }),
      delay: () => this.#delay(),
    });
    this.#session = this.#newSession(new AbortController().signal);
  }

  static create(options: GitLabSourceOptions): DefaultGitLabSource {
    return new DefaultGitLabSource(options);
  }

  resume(from: { unreadSince?: string; recall: Recall }): void {
    this.#resumed = from;
  }

  unreadSince(): string | undefined {
    const { directory, unread } = this.#session;
    return unread.ofAll(this.#projectIds(this.#session), {
      isAnyUnknown: [...this.#demand.references().keys()].some(
        key => directory.idOf(key) === undefined,
      ),
    });
  }

  start({ signal }: { signal: AbortSignal }): void {
    this.#session = this.#newSession(signal);
    this.#listeners.notify();
    this.#loop.start(signal);
  }

  onChange(listener: (change?: ProjectsChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  async refresh(): Promise<void> {
    await this.#loop.runNow();
  }

  reading(): GitLabReading {
    return this.#session.memory.reading();
  }

  readProject(projectId: number): ProjectReading | undefined {
    return this.#session.memory.readProject(projectId);
  }

  state(now: Date): SourceState {
    const { memory, directory, idleAt, tokenError, tokenNotes } = this.#session;
    const { projects, unreadable } = memory.reading();
    return gitLabState({
      host: this.host,
      projects: [...projects.values()],
      unreadable,
      waiting: [...this.#demand.references().keys()].filter(
        key => directory.idOf(key) === undefined && !memory.unreadable(key),
      ).length,
      idleAt,
      tokenError,
      notes: [...tokenNotes, ...this.#approvalNotes()],
      staleAfterMilliseconds:
        this.#options.schedule.gitlabStaleAfterMilliseconds,
      now,
    });
  }

  trackProjects(references: readonly ProjectReference[]): void {
    const isAnyNew = this.#demand.setReferences(references);
    this.#forgetUntracked();
    if (isAnyNew) {
      this.#loop.wake();
    }
  }

  followMergeRequests(keys: readonly LocalKey[]): void {
    this.#demand.setFollowed(keys);
    this.#forgetUntracked();
    const { memory, projects } = this.#session;
    const endedBefore = this.#clock().getTime() - ENDED_KEPT;
    memory.keepMergeRequests(
      (key, reading) =>
        !hasEnded(reading) ||
        this.#demand.isFollowed(key) ||
        Date.parse(reading.readAt) > endedBefore,
    );
    memory.keepMissing(key => this.#demand.isFollowed(key));
    if (projects.isAnyUnasked(keys)) {
      this.#loop.wake();
    }
  }

  lookForPast(keys: readonly LocalKey[]): void {
    this.#demand.setPast(keys);
    const { memory, past } = this.#session;
    const wanted = new Set(keys.map(localKeyOf));
    memory.keepPast(key => wanted.has(localKeyOf(key)));
    if (past.isAnyDue) {
      this.#loop.wake();
    }
  }

  lookForTags(tags: readonly WantedTag[]): void {
    this.#demand.setTags(tags);
    const isNew = (wanted: WantedTag) => {
      const reading = this.#session.memory.mergeRequest(wanted);
      return reading !== undefined && reading.tag?.tag !== wanted.tag;
    };
    if (tags.some(isNew)) {
      this.#loop.wake();
    }
  }

  lookForPaths(
    paths: readonly { projectId: number; paths: readonly string[] }[],
  ): void {
    this.#demand.setPaths(paths);
    if (paths.length > 0 && this.#session.files.isAnyDue) {
      this.#loop.wake();
    }
  }

  /** Hooks of a busy pipeline name the same MR many times a second. */
  async refreshMergeRequest(
    key: LocalKey & { approvals?: boolean },
  ): Promise<void> {
    if (key.approvals) {
      this.#approvalsHinted.add(localKeyOf(key));
    }
    await this.#refreshes.run(localKeyOf(key), () => this.#refreshNow(key));
  }

  async readProtection(
    project: ProjectReference,
    options: { role: 'gitops' | 'service' },
  ): Promise<RepositoryProtection | undefined> {
    const { signal, protections } = this.#session;
    return signal.aborted ? undefined : protections.read(project, options);
  }

  async readRepository<K extends RepositoryQuestion['kind']>(
    question: Extract<RepositoryQuestion, { kind: K }>,
  ): Promise<RepositoryAnswer<K>> {
    const { signal, tiers } = this.#session;
    return signal.aborted ? { state: 'failed' } : tiers.read<K>(question);
  }

  async #refreshNow(key: LocalKey): Promise<void> {
    const session = this.#session;
    const areApprovalsHinted = this.#approvalsHinted.delete(localKeyOf(key));
    if (session.signal.aborted || !session.memory.project(key.projectId)) {
      return;
    }
    this.#gate.noteAnswer();
    try {
      await session.projects.readMergeRequest(key);
    } catch (error) {
      // What it means is found out by the next whole reading.
      this.#logger.debug('Cannot read a merge request', {
        reason: toGitLabRequestError(error).reason,
        mergeRequest: localKeyOf(key),
      });
      return;
    }
    if (areApprovalsHinted) {
      await session.approvals.read(key);
    } else {
      await session.approvals.readIfDue(key);
    }
    await session.files.read(key);
    await session.builds.readPipelines(key);
    await session.builds.readTag(key, { again: true, force: true });
    this.#changed(session);
  }

  #newSession(signal: AbortSignal): Session {
    const client = GitLabClient.create({
      config: this.#options.config,
      gate: this.#gate,
      signal,
      timeoutMilliseconds: this.#options.timeoutMilliseconds ?? 20_000,
      clock: this.#clock,
    });
    const memory = GitLabMemory.create({
      host: this.host,
      webUrl: this.#options.config.webUrl,
    });
    const { unreadSince, recall } = this.#resumed;
    const unread = UnreadUpdates.create({ since: unreadSince });
    const parts = {
      signal,
      client,
      memory,
      demand: this.#demand,
      unread,
      recall,
      clock: this.#clock,
      logger: this.#logger,
    };
    const directory = ProjectDirectory.create(parts);
    const projects = ProjectReader.create(parts);
    return {
      signal,
      client,
      memory,
      directory,
      unread,
      projects,
      groups: GroupReader.create({ ...parts, directory, projects }),
      builds: BuildReader.create(parts),
      files: ChangedFilesReader.create(parts),
      past: PastReader.create(parts),
      approvals: ApprovalsReader.create(parts),
      protections: ProtectionReader.create(parts),
      tiers: TierReader.create(parts),
      tokenNotes: [],
    };
  }

  /** With a tenth of jitter, so that hosts do not fall into step. */
  #delay(): number {
    const { gitlabPollMilliseconds } = this.#options.schedule;
    const jittered = gitlabPollMilliseconds * (0.9 + Math.random() * 0.2);
    const now = this.#clock();
    const paused = this.#gate.pausedUntil(now);
    return Math.max(jittered, paused ? paused.getTime() - now.getTime() : 0);
  }

  async #read({ whole }: { whole: boolean }): Promise<void> {
    const session = this.#session;
    this.#gate.noteAnswer();
    try {
      const checks = whole && (await this.#checkToken(session)) ? 1 : 0;
      const round = await this.#readGroups(session, {
        whole,
        mayCheck: checks === 0,
      });
      const ids = this.#projectIds(session);
      const alone = ids.filter(id => !session.groups.isAnswered(id));
      await inTurns(alone, id => this.#readAlone(session, id, { whole }), {
        atATime: MAXIMUM_CALLS,
      });
      const end = performance.now() + this.#timeForDetails();
      const isOver = () => session.signal.aborted || performance.now() > end;
      await session.files.readDue({ isOver });
      await session.builds.readDue({
        whole,
        // What has settled costs no more than the lists, nor comes on top of checks.
        settledAtMost: whole
          ? Math.max(0, round.lists + alone.length - round.checks - checks)
          : 0,
        isOver,
      });
      await session.approvals.readDue({ isOver });
      await session.past.readDue({ isOver });
      if (whole && ids.length === 0 && !session.tokenError) {
        session.idleAt = this.#clock().toISOString();
      }
    } catch (error) {
      this.#logger.error('Reading GitLab ended unexpectedly', toError(error));
    }
    this.#changed(session, { isOfSource: whole });
  }

  #approvalNotes(): SourceNote[] {
    const projects = this.#session.approvals.refusedProjects.length;
    return projects === 0
      ? []
      : [
          sourceNote({
            source: { kind: 'gitlab', name: this.host },
            reason: 'ApprovalsRefused',
            params: { projects },
          }),
        ];
  }

  #timeForDetails(): number {
    return Math.max(
      DETAILS_AT_LEAST,
      this.#options.schedule.gitlabPollMilliseconds / 2,
    );
  }

  /**
   * Reads what is read by groups, and finds out which projects the references
   * mean. A few are asked for at first: where they share a group, its list tells
   * about the others.
   */
  async #readGroups(
    session: Session,
    options: { whole: boolean; mayCheck: boolean },
  ): Promise<GroupRound> {
    const { groups, directory, memory } = session;
    const references = this.#demand.references();
    const asked = new Set<string>();
    const isDue = (key: string) =>
      !asked.has(key) &&
      !directory.isBelieved(key) &&
      !groups.isResolved(key) &&
      (options.whole || !memory.unreadable(key));
    const all: GroupRound = { lists: 0, checks: 0 };
    groups.begin();
    for (let count = FIRST_RESOLVED; ; count *= 2) {
      const round = await groups.read([...references.values()], options);
      all.lists += round.lists;
      all.checks += round.checks;
      this.#changed(session);
      const due = [...references].filter(([key]) => isDue(key)).slice(0, count);
      if (due.length === 0) {
        return all;
      }
      due.forEach(([key]) => asked.add(key));
      await inTurns(due, ([, reference]) => directory.resolve(reference), {
        atATime: MAXIMUM_CALLS,
      });
    }
  }

  #projectIds({ directory }: Session): number[] {
    const ids = [...this.#demand.references().keys()]
      .map(key => directory.idOf(key))
      .filter(id => id !== undefined);
    return [...new Set(ids)];
  }

  async #readAlone(
    session: Session,
    projectId: number,
    options: { whole: boolean },
  ): Promise<void> {
    const { groups, memory, projects } = session;
    const project = memory.project(projectId);
    if (!project) {
      return;
    }
    const isNew =
      !project.completeAt && !project.error && !groups.isCovered(projectId);
    if (options.whole || isNew) {
      await projects.readProject(projectId);
    } else if (projects.isAnyUnasked(this.#demand.followedOf(projectId))) {
      await projects.askForFollowed(projectId);
    } else {
      return;
    }
    this.#changed(session);
  }

  /** Returns whether the token was asked. */
  async #checkToken(session: Session): Promise<boolean> {
    const now = this.#clock();
    if (
      session.tokenCheckedAt !== undefined &&
      !session.tokenError &&
      now.getTime() - session.tokenCheckedAt < TOKEN_CHECK_EVERY
    ) {
      return false;
    }
    const { notes, error } = await checkToken({
      config: this.#options.config,
      client: session.client,
      now,
    });
    session.tokenCheckedAt = now.getTime();
    session.tokenNotes = notes;
    session.tokenError = error && {
      ...error,
      since:
        session.tokenError?.reason === error.reason
          ? session.tokenError.since
          : now.toISOString(),
    };
    return true;
  }

  #forgetUntracked(): void {
    this.#session.directory.keep(this.#demand.references());
  }

  /**
   * Tells of what is known otherwise since it was told last. What the source says of
   * itself, such as of its token, is no project's.
   */
  #changed(session: Session, options?: { isOfSource: boolean }): void {
    if (session === this.#session && !session.signal.aborted) {
      const projectIds = session.memory.takeChanged();
      this.#listeners.notify(
        projectIds && !options?.isOfSource ? { projectIds } : undefined,
      );
    }
  }
}
