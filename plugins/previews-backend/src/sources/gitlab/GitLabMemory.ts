import { SourceError } from '@previews/backstage-plugin-previews-common';
import {
  GitLabReading,
  MergeRequestFact,
  MergeRequestReading,
  PastMergeRequest,
  ProjectFact,
  ProjectReading,
  UnreadableProject,
} from '../../model';
import { GitLabRequestError } from './GitLabRequestError';

/** A project and an MR of it, within one host. */
export interface LocalKey {
  projectId: number;
  iid: number;
}

export function localKeyOf(key: LocalKey): string {
  return `${key.projectId}:${key.iid}`;
}

export function hasEnded(reading: MergeRequestReading): boolean {
  return (
    reading.deletedAt !== undefined ||
    reading.fact.state === 'merged' ||
    reading.fact.state === 'closed'
  );
}

type ProjectMemory = Omit<
  ProjectReading,
  'mergeRequests' | 'missing' | 'past'
> & {
  mergeRequests: Map<number, MergeRequestReading>;
  missing: Map<number, string>;
  past: Map<number, PastMergeRequest>;
};

/**
 * What is known of one GitLab host. Failures are noted beside what is known and
 * take nothing away from it.
 */
export class GitLabMemory {
  readonly #host: string;
  readonly #webUrl: string;
  readonly #projects = new Map<number, ProjectMemory>();
  /** By the key of the reference. */
  readonly #unreadable = new Map<string, UnreadableProject>();
  /** Since when the head of an MR is known. */
  readonly #headSeenAt = new Map<string, Date>();
  #snapshot: GitLabReading | undefined;
  readonly #changed = new Set<number>();
  #isMoreChanged = true;

  private constructor(options: { host: string; webUrl: string }) {
    this.#host = options.host;
    this.#webUrl = options.webUrl;
  }

  static create(options: { host: string; webUrl: string }): GitLabMemory {
    return new GitLabMemory(options);
  }

  /** What is known now; later changes do not show in it. */
  reading(): GitLabReading {
    this.#snapshot ??= {
      host: this.#host,
      webUrl: this.#webUrl,
      projects: new Map(
        [...this.#projects].map(([id, project]) => [id, copyOf(project)]),
      ),
      unreadable: [...this.#unreadable.values()],
    };
    return this.#snapshot;
  }

  /** What is known of one project now; later changes do not show in it. */
  readProject(projectId: number): ProjectReading | undefined {
    const project = this.#projects.get(projectId);
    return project && copyOf(project);
  }

  /**
   * Projects that changed since this was asked last; undefined where more than that
   * did, such as which projects there are.
   */
  takeChanged(): readonly number[] | undefined {
    const changed = this.#isMoreChanged ? undefined : [...this.#changed];
    this.#isMoreChanged = false;
    this.#changed.clear();
    return changed;
  }

  project(projectId: number): ProjectReading | undefined {
    return this.#projects.get(projectId);
  }

  mergeRequest(key: LocalKey): MergeRequestReading | undefined {
    return this.#projects.get(key.projectId)?.mergeRequests.get(key.iid);
  }

  mergeRequestKeys(): LocalKey[] {
    return [...this.#projects].flatMap(([projectId, { mergeRequests }]) =>
      [...mergeRequests.keys()].map(iid => ({ projectId, iid })),
    );
  }

  unreadable(referenceKey: string): UnreadableProject | undefined {
    return this.#unreadable.get(referenceKey);
  }

  headSeenAt(key: LocalKey): Date | undefined {
    return this.#headSeenAt.get(localKeyOf(key));
  }

  putProject(found: ProjectFact): void {
    const before = this.#projects.get(found.id);
    const { formerPaths } = before?.fact ?? {};
    const fact = { ...found, ...(formerPaths && { formerPaths }) };
    this.#projects.set(
      fact.id,
      before
        ? { ...before, fact }
        : {
            fact,
            state: 'pending',
            mergeRequests: new Map(),
            missing: new Map(),
            past: new Map(),
          },
    );
    if (before) {
      this.#touch(fact.id);
    } else {
      this.#touchMore();
    }
  }

  /** By which other paths GitLab leads to a project; empty where by none. */
  putFormerPaths(projectId: number, paths: readonly string[]): void {
    const project = this.#projects.get(projectId);
    if (!project) {
      return;
    }
    const { formerPaths = [], ...fact } = project.fact;
    if (formerPaths.join('\n') !== paths.join('\n')) {
      this.#projects.set(projectId, {
        ...project,
        fact: { ...fact, ...(paths.length > 0 && { formerPaths: paths }) },
      });
      this.#touchMore();
    }
  }

  /**
   * Pipelines, tag and changed files belong to a head, and go with it; approvals
   * may outlive a push.
   */
  putMergeRequest(
    fact: MergeRequestFact,
    options: { readAt: string; now: Date },
  ): void {
    const { projectId, iid } = fact.key;
    const project = this.#projects.get(projectId);
    if (!project) {
      return;
    }
    const before = project.mergeRequests.get(iid);
    const isSameHead =
      before !== undefined && before.fact.headSha === fact.headSha;
    if (!isSameHead) {
      this.#headSeenAt.set(localKeyOf(fact.key), options.now);
    }
    project.missing.delete(iid);
    project.mergeRequests.set(iid, {
      fact,
      readAt: options.readAt,
      ...(before?.approvals && { approvals: before.approvals }),
      ...(isSameHead && before.pipelines && { pipelines: before.pipelines }),
      ...(isSameHead && before.tag && { tag: before.tag }),
      ...(isSameHead &&
        before.touchedPaths && { touchedPaths: before.touchedPaths }),
    });
    this.#touch(projectId);
  }

  changeMergeRequest(
    key: LocalKey,
    change: (reading: MergeRequestReading) => MergeRequestReading,
  ): void {
    const reading = this.mergeRequest(key);
    if (reading) {
      this.#projects
        .get(key.projectId)!
        .mergeRequests.set(key.iid, change(reading));
      this.#touch(key.projectId);
    }
  }

  /** An MR does not exist any more, whether it was ever read or not. */
  putDeleted(key: LocalKey, deletedAt: string): void {
    const project = this.#projects.get(key.projectId);
    const reading = project?.mergeRequests.get(key.iid);
    if (reading) {
      project!.mergeRequests.set(key.iid, {
        ...reading,
        readAt: deletedAt,
        deletedAt: reading.deletedAt ?? deletedAt,
      });
    } else if (!project?.missing.has(key.iid)) {
      project?.missing.set(key.iid, deletedAt);
    }
    this.#touch(key.projectId);
  }

  /** Forgets of the deleted ones those that are not kept. */
  keepMissing(isKept: (key: LocalKey) => boolean): void {
    for (const [projectId, { missing }] of this.#projects) {
      for (const iid of [...missing.keys()]) {
        if (!isKept({ projectId, iid })) {
          missing.delete(iid);
          this.#touch(projectId);
        }
      }
    }
  }

  /** What GitLab says of an MR that nobody follows. */
  putPast({ projectId, iid }: LocalKey, past: PastMergeRequest): void {
    this.#projects.get(projectId)?.past.set(iid, past);
    this.#touch(projectId);
  }

  /** Forgets of the past ones those that are not kept. */
  keepPast(isKept: (key: LocalKey) => boolean): void {
    for (const [projectId, { past }] of this.#projects) {
      for (const iid of [...past.keys()]) {
        if (!isKept({ projectId, iid })) {
          past.delete(iid);
          this.#touch(projectId);
        }
      }
    }
  }

  /** The list was read to its end, and all that was missing was answered for. */
  putComplete(projectId: number, completeAt: string): void {
    const project = this.#projects.get(projectId);
    if (project) {
      const { fact, mergeRequests, missing, past } = project;
      this.#projects.set(projectId, {
        fact,
        state: 'ready',
        completeAt,
        mergeRequests,
        missing,
        past,
      });
      this.#touch(projectId);
    }
  }

  /** Returns whether this failure is a new one. */
  putFailure(
    projectId: number,
    failure: GitLabRequestError,
    now: Date,
  ): boolean {
    const project = this.#projects.get(projectId);
    if (!project) {
      return false;
    }
    let state: ProjectReading['state'] = project.completeAt
      ? 'failing'
      : 'pending';
    if (failure.reason === 'Forbidden') {
      state = 'forbidden';
    }
    const { fact, completeAt, mergeRequests, missing, past } = project;
    this.#projects.set(projectId, {
      fact,
      state,
      ...(completeAt && { completeAt }),
      error: sourceErrorOf(failure, {
        subject: fact.path,
        before: project.error,
        now,
      }),
      ...(failure.status !== undefined && { status: failure.status }),
      mergeRequests,
      missing,
      past,
    });
    this.#touch(projectId);
    return project.error?.reason !== failure.reason;
  }

  putUnreadable(
    referenceKey: string,
    options: { reference: string; failure: GitLabRequestError; now: Date },
  ): void {
    const { reference, failure, now } = options;
    this.#unreadable.set(referenceKey, {
      reference,
      error: sourceErrorOf(failure, {
        subject: reference,
        before: this.#unreadable.get(referenceKey)?.error,
        now,
      }),
      ...(failure.status !== undefined && { status: failure.status }),
    });
    this.#touchMore();
  }

  /** The reference can be read after all, or is not wanted any more. */
  dropUnreadable(referenceKey: string): void {
    if (this.#unreadable.delete(referenceKey)) {
      this.#touchMore();
    }
  }

  keepProjects(isKept: (projectId: number) => boolean): void {
    for (const projectId of [...this.#projects.keys()]) {
      if (!isKept(projectId)) {
        this.#projects.delete(projectId);
        this.#touchMore();
      }
    }
  }

  keepUnreadable(isKept: (referenceKey: string) => boolean): void {
    for (const key of [...this.#unreadable.keys()]) {
      if (!isKept(key)) {
        this.#unreadable.delete(key);
        this.#touchMore();
      }
    }
  }

  keepMergeRequests(
    isKept: (key: LocalKey, reading: MergeRequestReading) => boolean,
  ): void {
    for (const [projectId, { mergeRequests }] of this.#projects) {
      for (const [iid, reading] of [...mergeRequests]) {
        if (!isKept({ projectId, iid }, reading)) {
          mergeRequests.delete(iid);
          this.#touch(projectId);
          this.#headSeenAt.delete(localKeyOf({ projectId, iid }));
        }
      }
    }
  }

  #touch(projectId: number): void {
    this.#changed.add(projectId);
    this.#snapshot = undefined;
  }

  #touchMore(): void {
    this.#isMoreChanged = true;
    this.#snapshot = undefined;
  }
}

function copyOf(project: ProjectMemory): ProjectReading {
  return {
    ...project,
    mergeRequests: new Map(project.mergeRequests),
    missing: new Map(project.missing),
    past: new Map(project.past),
  };
}

/** An error as the sources' states show it; it lasts while its reason does. */
function sourceErrorOf(
  failure: GitLabRequestError,
  options: { subject: string; before?: SourceError; now: Date },
): SourceError {
  const { subject, before, now } = options;
  return {
    reason: failure.reason,
    subject,
    message: failure.message,
    since: before?.reason === failure.reason ? before.since : now.toISOString(),
    ...(failure.retryAt && { retryAt: failure.retryAt }),
  };
}
