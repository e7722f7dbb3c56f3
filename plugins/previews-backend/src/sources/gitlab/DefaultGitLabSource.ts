import { LoggerService } from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import {
  SourceError,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { GitLabReading } from '../../model';
import { Listeners } from '../Listeners';
import { Loop } from '../Loop';
import { GitLabSource, ProjectReference } from '../types';
import { GitLabClient } from './GitLabClient';
import { GitLabMemory, hasEnded, LocalKey, localKeyOf } from './GitLabMemory';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';
import { gitLabState } from './gitLabState';
import { HostGate } from './HostGate';
import { GitLabSourceOptions } from './options';
import { arePipelinesDue } from './pipelines';
import { readProject } from './readProject';
import {
  isPossibleReference,
  referenceKeyOf,
  referenceNameOf,
} from './references';
import { RegistryLookup, WantedTag } from './RegistryLookup';
import { checkToken } from './TokenCheck';

const MINUTE = 60 * 1000;

/** Calls to one host at the same time. */
const MAXIMUM_CALLS = 4;

/** How long it is believed which project a reference means. */
const RESOLUTION_KEPT = 10 * MINUTE;

const TOKEN_CHECK_EVERY = 15 * MINUTE;

/** A followed MR that ended, or was not found, is asked for again this often. */
const ENDED_RECHECK = 10 * MINUTE;

/** An MR that ended stays this long though nobody has followed it yet. */
const ENDED_KEPT = 2 * MINUTE;

/** Pipelines that could not be read are tried again after this. */
const PIPELINES_RETRY = 5 * MINUTE;

/** All that is thrown away when reading begins afresh. */
interface Session {
  signal: AbortSignal;
  client: GitLabClient;
  registry: RegistryLookup;
  memory: GitLabMemory;
  /** By the key of the reference. */
  resolved: Map<string, { id: number; at: number }>;
  /** Followed MRs that were asked for, with or without success. */
  asked: Set<string>;
  /** When a followed MR that was never known was not found. */
  absentAt: Map<string, number>;
  pipelinesFailed: Map<string, { headSha?: string; at: number }>;
  /** Counts the MRs that were read alone, and at which count each was last. */
  readAlone: { count: number; at: Map<string, number> };
  tokenCheckedAt?: number;
  tokenNotes: string[];
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
  readonly #listeners = new Listeners();
  readonly #loop: Loop;
  readonly #gate = HostGate.create({ maximum: MAXIMUM_CALLS });

  #references = new Map<string, ProjectReference>();
  #followed = new Map<string, LocalKey>();
  #wantedTags = new Map<string, WantedTag>();
  #session: Session;

  private constructor(options: GitLabSourceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
    this.host = options.config.host;
    this.id = `gitlab:${this.host}`;
    this.#logger = options.logger.child({ source: this.id });
    this.#loop = Loop.create({
      read: ({ whole }) => this.#read({ whole }),
      delay: () => this.#delay(),
    });
    this.#session = this.#newSession(new AbortController().signal);
  }

  static create(options: GitLabSourceOptions): DefaultGitLabSource {
    return new DefaultGitLabSource(options);
  }

  start({ signal }: { signal: AbortSignal }): void {
    this.#session = this.#newSession(signal);
    this.#listeners.notify();
    this.#loop.start(signal);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async refresh(): Promise<void> {
    await this.#loop.runNow();
  }

  reading(): GitLabReading {
    return this.#session.memory.reading();
  }

  state(now: Date): SourceState {
    const { memory, resolved, idleAt, tokenError, tokenNotes } = this.#session;
    const { projects, unreadable } = memory.reading();
    return gitLabState({
      host: this.host,
      projects: [...projects.values()],
      unreadable,
      waiting: [...this.#allReferences().keys()].filter(
        key => !resolved.has(key) && !memory.unreadable(key),
      ).length,
      idleAt,
      tokenError,
      notes: tokenNotes,
      staleAfterMilliseconds:
        this.#options.schedule.gitlabStaleAfterMilliseconds,
      now,
    });
  }

  trackProjects(references: readonly ProjectReference[]): void {
    const before = this.#references;
    this.#references = new Map(
      references.map(reference => [referenceKeyOf(reference), reference]),
    );
    this.#forgetUntracked();
    if ([...this.#references.keys()].some(key => !before.has(key))) {
      this.#loop.wake();
    }
  }

  followMergeRequests(keys: readonly LocalKey[]): void {
    this.#followed = new Map(keys.map(key => [localKeyOf(key), { ...key }]));
    this.#forgetUntracked();
    const { memory, asked } = this.#session;
    const endedBefore = this.#clock().getTime() - ENDED_KEPT;
    memory.keepMergeRequests(
      (key, reading) =>
        !hasEnded(reading) ||
        this.#followed.has(localKeyOf(key)) ||
        Date.parse(reading.readAt) > endedBefore,
    );
    if (
      keys.some(key => !memory.mergeRequest(key) && !asked.has(localKeyOf(key)))
    ) {
      this.#loop.wake();
    }
  }

  lookForTags(tags: readonly WantedTag[]): void {
    this.#wantedTags = new Map(tags.map(tag => [localKeyOf(tag), { ...tag }]));
    const isNew = (wanted: WantedTag) => {
      const reading = this.#session.memory.mergeRequest(wanted);
      return reading !== undefined && reading.tag?.tag !== wanted.tag;
    };
    if (tags.some(isNew)) {
      this.#loop.wake();
    }
  }

  async refreshMergeRequest(key: LocalKey): Promise<void> {
    const session = this.#session;
    if (session.signal.aborted || !session.memory.project(key.projectId)) {
      return;
    }
    this.#gate.noteAnswer();
    try {
      const fact = await session.client.mergeRequest(key);
      const now = this.#clock();
      session.memory.putMergeRequest(fact, { readAt: now.toISOString(), now });
      session.readAlone.count += 1;
      session.readAlone.at.set(localKeyOf(key), session.readAlone.count);
    } catch (error) {
      // What it means is found out by the next whole reading.
      this.#logger.debug('Cannot read a merge request', {
        reason: toGitLabRequestError(error).reason,
        mergeRequest: localKeyOf(key),
      });
      return;
    }
    await this.#readPipelines(session, key);
    await this.#readTag(session, key, { again: true });
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
    return {
      signal,
      client,
      registry: RegistryLookup.create({ client, clock: this.#clock }),
      memory: GitLabMemory.create({
        host: this.host,
        webUrl: this.#options.config.webUrl,
      }),
      resolved: new Map(),
      asked: new Set(),
      absentAt: new Map(),
      pipelinesFailed: new Map(),
      readAlone: { count: 0, at: new Map() },
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
      if (whole) {
        await this.#checkToken(session);
      }
      const ids = await this.#resolveReferences(session, { whole });
      await Promise.all(
        ids
          .filter(id => whole || this.#isAnythingNew(session, id))
          .map(id => this.#readProject(session, id)),
      );
      await Promise.all(
        session.memory.mergeRequestKeys().map(async key => {
          if (this.#arePipelinesDue(session, key, { whole })) {
            await this.#readPipelines(session, key);
          }
          await this.#readTag(session, key, { again: whole });
        }),
      );
      if (whole && ids.length === 0 && !session.tokenError) {
        session.idleAt = this.#clock().toISOString();
      }
    } catch (error) {
      this.#logger.error('Reading GitLab ended unexpectedly', toError(error));
    }
    this.#changed(session);
  }

  async #checkToken(session: Session): Promise<void> {
    const now = this.#clock();
    if (
      session.tokenCheckedAt !== undefined &&
      !session.tokenError &&
      now.getTime() - session.tokenCheckedAt < TOKEN_CHECK_EVERY
    ) {
      return;
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
  }

  /** Ids of the projects to read; those that were not found are left out. */
  async #resolveReferences(
    session: Session,
    options: { whole: boolean },
  ): Promise<number[]> {
    const ids = await Promise.all(
      [...this.#allReferences()].map(([key, reference]) =>
        options.whole || !session.memory.unreadable(key)
          ? this.#resolve(session, reference)
          : undefined,
      ),
    );
    return [...new Set(ids.filter(id => id !== undefined))];
  }

  async #resolve(
    session: Session,
    reference: ProjectReference,
  ): Promise<number | undefined> {
    const key = referenceKeyOf(reference);
    const now = this.#clock();
    const known = session.resolved.get(key);
    if (known && now.getTime() - known.at < RESOLUTION_KEPT) {
      return known.id;
    }
    try {
      if (!isPossibleReference(reference)) {
        throw new GitLabRequestError({
          reason: 'NotFound',
          message: 'This is no path of a project.',
          status: 404,
        });
      }
      const fact = await session.client.project(reference);
      session.resolved.set(key, { id: fact.id, at: now.getTime() });
      session.memory.dropUnreadable(key);
      session.memory.putProject(fact);
      return fact.id;
    } catch (error) {
      if (known) {
        // Whether it can still be read, its list tells.
        return known.id;
      }
      session.memory.putUnreadable(key, {
        reference: referenceNameOf(reference),
        failure: toGitLabRequestError(error),
        now,
      });
      return undefined;
    }
  }

  async #readProject(session: Session, projectId: number): Promise<void> {
    const { client, memory } = session;
    const project = memory.project(projectId);
    if (!project) {
      return;
    }
    const startedAt = this.#clock().toISOString();
    const countBefore = session.readAlone.count;
    let failure: GitLabRequestError | undefined;
    try {
      const result = await readProject({
        client,
        projectId,
        known: project.mergeRequests,
        alsoAsk: this.#mergeRequestsToAskFor(session, projectId),
        clock: this.#clock,
      });
      for (const { fact, readAt } of result.answered) {
        // One that was read alone in the meantime is newer than the list.
        const readAloneAt = session.readAlone.at.get(localKeyOf(fact.key)) ?? 0;
        if (readAloneAt <= countBefore) {
          memory.putMergeRequest(fact, { readAt, now: this.#clock() });
        }
      }
      const now = this.#clock();
      const at = now.toISOString();
      for (const iid of result.deleted) {
        if (!memory.mergeRequest({ projectId, iid })) {
          session.absentAt.set(localKeyOf({ projectId, iid }), now.getTime());
        }
        memory.changeMergeRequest({ projectId, iid }, reading => ({
          ...reading,
          readAt: at,
          deletedAt: reading.deletedAt ?? at,
        }));
      }
      failure = result.failure;
    } catch (error) {
      failure = toGitLabRequestError(error);
    }
    if (session.signal.aborted) {
      return;
    }
    if (!failure) {
      memory.putComplete(projectId, startedAt);
    } else if (memory.putFailure(projectId, failure, this.#clock())) {
      this.#logger.warn(
        `Cannot read the merge requests of ${project.fact.path}: ${failure.message}`,
        { reason: failure.reason },
      );
    }
    this.#changed(session);
  }

  /**
   * Followed MRs that are not known, and now and then those that ended. Notes
   * that they are asked for.
   */
  #mergeRequestsToAskFor(session: Session, projectId: number): number[] {
    const now = this.#clock().getTime();
    const due = [...this.#followed.values()].filter(key => {
      if (key.projectId !== projectId) {
        return false;
      }
      const reading = session.memory.mergeRequest(key);
      if (!reading) {
        const absentAt = session.absentAt.get(localKeyOf(key));
        return absentAt === undefined || now - absentAt >= ENDED_RECHECK;
      }
      return (
        hasEnded(reading) &&
        !reading.deletedAt &&
        now - Date.parse(reading.readAt) >= ENDED_RECHECK
      );
    });
    due.forEach(key => session.asked.add(localKeyOf(key)));
    return due.map(({ iid }) => iid);
  }

  #isAnythingNew(session: Session, projectId: number): boolean {
    const project = session.memory.project(projectId);
    if (!project) {
      return false;
    }
    return (
      (!project.completeAt && !project.error) ||
      [...this.#followed.values()].some(
        key =>
          key.projectId === projectId &&
          !session.memory.mergeRequest(key) &&
          !session.asked.has(localKeyOf(key)),
      )
    );
  }

  #arePipelinesDue(
    session: Session,
    key: LocalKey,
    options: { whole: boolean },
  ): boolean {
    const reading = session.memory.mergeRequest(key);
    if (!reading) {
      return false;
    }
    const now = this.#clock();
    const isKnown = reading.pipelines?.forHead === reading.fact.headSha;
    const failed = session.pipelinesFailed.get(localKeyOf(key));
    if (
      (isKnown && !options.whole) ||
      (failed?.headSha === reading.fact.headSha &&
        now.getTime() - (failed?.at ?? 0) < PIPELINES_RETRY)
    ) {
      return false;
    }
    return arePipelinesDue(reading, {
      now,
      headSeenAt: session.memory.headSeenAt(key) ?? now,
    });
  }

  async #readPipelines(session: Session, key: LocalKey): Promise<void> {
    const forHead = session.memory.mergeRequest(key)?.fact.headSha;
    try {
      const items = await session.client.pipelines(key);
      const readAt = this.#clock().toISOString();
      session.pipelinesFailed.delete(localKeyOf(key));
      session.memory.changeMergeRequest(key, reading =>
        // The head may have moved on while GitLab answered.
        reading.fact.headSha === forHead
          ? {
              ...reading,
              pipelines: { items, ...(forHead && { forHead }), readAt },
            }
          : reading,
      );
    } catch (error) {
      session.pipelinesFailed.set(localKeyOf(key), {
        headSha: forHead,
        at: this.#clock().getTime(),
      });
      this.#logger.debug('Cannot read pipelines', {
        reason: toGitLabRequestError(error).reason,
        mergeRequest: localKeyOf(key),
      });
    }
  }

  async #readTag(
    session: Session,
    key: LocalKey,
    options: { again: boolean },
  ): Promise<void> {
    const wanted = this.#wantedTags.get(localKeyOf(key));
    const reading = session.memory.mergeRequest(key);
    if (!wanted || !reading) {
      return;
    }
    const isKnown = reading.tag?.tag === wanted.tag;
    if (isKnown && (reading.tag?.state === 'found' || !options.again)) {
      return;
    }
    const tag = await session.registry.find(wanted);
    session.memory.changeMergeRequest(key, current =>
      current.fact.headSha === reading.fact.headSha
        ? { ...current, tag }
        : current,
    );
  }

  /** The tracked projects, and those of followed MRs. */
  #allReferences(): Map<string, ProjectReference> {
    const references = new Map(this.#references);
    for (const { projectId } of this.#followed.values()) {
      const reference = { id: projectId };
      references.set(referenceKeyOf(reference), reference);
    }
    return references;
  }

  #forgetUntracked(): void {
    const { resolved, memory } = this.#session;
    const references = this.#allReferences();
    for (const key of [...resolved.keys()]) {
      if (!references.has(key)) {
        resolved.delete(key);
      }
    }
    const ids = new Set([...resolved.values()].map(({ id }) => id));
    memory.keepUnreadable(key => references.has(key));
    memory.keepProjects(projectId => ids.has(projectId));
  }

  #changed(session: Session): void {
    if (session === this.#session && !session.signal.aborted) {
      this.#listeners.notify();
    }
  }
}
