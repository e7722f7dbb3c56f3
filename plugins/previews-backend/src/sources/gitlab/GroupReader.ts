import { LoggerService } from '@backstage/backend-plugin-api';
import { MergeRequestFact } from '../../model';
import { ProjectReference } from '../types';
import { GitLabClient, ProjectList } from './GitLabClient';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';
import { chooseGroups, GroupOf, pathKeyOf } from './groups';
import { ListProgress } from './ListProgress';
import { ListTooLongError } from './pages';
import { ProjectDirectory } from './ProjectDirectory';
import { ProjectReader, ReadingStart } from './ProjectReader';
import { referenceKeyOf } from './references';
import { UnreadUpdates } from './UnreadUpdates';

const MINUTE = 60 * 1000;

/** Fewer projects of a group are read one by one. */
const MINIMUM_PROJECTS = 4;

/** A group that cannot be read, or is not worth it, is tried again after this. */
const REFUSED_KEPT = 15 * MINUTE;

/** How often it is checked that the group still lists as many projects. */
const LISTING_CHECK_EVERY = 5 * MINUTE;

/**
 * Pages that a list of a group may have for each project that is wanted of it:
 * between two complete readings the projects alone would cost more than this.
 */
const PAGES_PER_PROJECT = 10;

const MAXIMUM_PAGES = 500;

/** Pages of both lists up to which a group is read completely in every other poll. */
const CHEAP_PAGES = 2;

/** A tracked project with the path that it is known by. */
interface Member {
  reference: ProjectReference;
  path: string;
}

interface Group {
  progress: ListProgress;
  /** Ids of the projects that the lists of the group stand for. */
  covered: Set<number>;
  /** Keys of the references that were wanted when it was last read completely. */
  considered: Set<string>;
  /** How many projects it listed by GitLab's own count, and when that was so. */
  total?: number;
  totalAt: number;
}

/** What reading the groups cost. */
export interface GroupRound {
  /** Lists of MRs that were read, or tried. */
  lists: number;
  /** Calls beyond the lists that only some rounds make. */
  checks: number;
}

/** What a reader of groups works with. */
export interface GroupReaderOptions {
  client: GitLabClient;
  directory: ProjectDirectory;
  projects: ProjectReader;
  unread: UnreadUpdates;
  clock: () => Date;
  logger: LoggerService;
}

/**
 * Reads projects that share a group by the lists of the group. A project counts
 * as read by them only if the same token sees it in the group's list of projects;
 * all others are left to be read alone, which tells why they are missing.
 */
export class GroupReader {
  readonly #client: GitLabClient;
  readonly #directory: ProjectDirectory;
  readonly #projects: ProjectReader;
  readonly #unread: UnreadUpdates;
  readonly #clock: () => Date;
  readonly #logger: LoggerService;
  readonly #groups = new Map<string, Group>();
  readonly #refusedUntil = new Map<string, number>();
  /** Keys of the groups that were tried in this round. */
  readonly #tried = new Set<string>();
  /** Projects that this round has an answer for, good or bad. */
  readonly #answered = new Set<number>();
  /** Keys of references that this round has an answer for, good or bad. */
  readonly #answeredReferences = new Set<string>();

  private constructor(options: GroupReaderOptions) {
    this.#client = options.client;
    this.#directory = options.directory;
    this.#projects = options.projects;
    this.#unread = options.unread;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  static create(options: GroupReaderOptions): GroupReader {
    return new GroupReader(options);
  }

  /** A round begins, in which every group is read once at most. */
  begin(): void {
    this.#tried.clear();
    this.#answered.clear();
    this.#answeredReferences.clear();
  }

  /** Whether this round found out about a project what there is to find out. */
  isAnswered(projectId: number): boolean {
    return this.#answered.has(projectId);
  }

  /** Whether the lists of a group stand for that of a project. */
  isCovered(projectId: number): boolean {
    return [...this.#groups.values()].some(({ covered }) =>
      covered.has(projectId),
    );
  }

  /** Whether nobody has to ask which project a reference means. */
  isResolved(referenceKey: string): boolean {
    const id = this.#directory.idOf(referenceKey);
    return (
      this.#answeredReferences.has(referenceKey) ||
      (id !== undefined && this.isCovered(id))
    );
  }

  /**
   * Reads the groups that the references lead to and that this round has not
   * tried. Not `whole`: only where there is enough that is new. Never rejects.
   */
  async read(
    references: readonly ProjectReference[],
    options: { whole: boolean; mayCheck: boolean },
  ): Promise<GroupRound> {
    const round: GroupRound = { lists: 0, checks: 0 };
    for (;;) {
      const { groups, unplaced } = this.#choose(references);
      const due = [...groups].filter(
        ([key, group]) =>
          !this.#tried.has(key) &&
          (options.whole || this.#isMuchNew(key, group)),
      );
      if (due.length === 0) {
        [...this.#groups.keys()]
          .filter(key => !groups.has(key))
          .forEach(key => this.#groups.delete(key));
        return round;
      }
      await Promise.all(
        due.map(([key, group]) => {
          this.#tried.add(key);
          return this.#readGroup(key, group, { ...options, unplaced, round });
        }),
      );
    }
  }

  #choose(references: readonly ProjectReference[]): {
    groups: Map<string, GroupOf<Member>>;
    /** Projects of which nobody knows yet where they are. */
    unplaced: ProjectReference[];
  } {
    const members: Member[] = [];
    const unplaced: ProjectReference[] = [];
    for (const reference of references) {
      const path = this.#directory.pathOf(reference);
      if (path !== undefined) {
        members.push({ reference, path });
      } else {
        unplaced.push(reference);
      }
    }
    const now = this.#clock().getTime();
    const groups = chooseGroups(members, {
      minimum: MINIMUM_PROJECTS,
      isRefused: key => (this.#refusedUntil.get(key) ?? 0) > now,
    });
    return { groups, unplaced };
  }

  /** Few new projects cost less alone than all lists of the group. */
  #isMuchNew(key: string, { members }: GroupOf<Member>): boolean {
    const group = this.#groups.get(key);
    const isNew = ({ reference }: Member) => {
      const referenceKey = referenceKeyOf(reference);
      const id = this.#directory.idOf(referenceKey);
      return (
        !group?.considered.has(referenceKey) &&
        (id === undefined || !group?.covered.has(id))
      );
    };
    return members.filter(isNew).length >= MINIMUM_PROJECTS;
  }

  async #readGroup(
    key: string,
    chosen: GroupOf<Member>,
    options: {
      mayCheck: boolean;
      unplaced: readonly ProjectReference[];
      round: GroupRound;
    },
  ): Promise<void> {
    const { round, unplaced } = options;
    const group: Group = this.#groups.get(key) ?? {
      progress: ListProgress.create({ completePagesAtMost: CHEAP_PAGES }),
      covered: new Set(),
      considered: new Set(),
      totalAt: 0,
    };
    const start = this.#projects.begin();
    round.lists += 1;
    try {
      const isComplete =
        group.progress.isCompleteDue(start.at) ||
        this.#isMuchNew(key, chosen) ||
        (options.mayCheck &&
          !(await this.#hasSameTotal(chosen.path, group, round)));
      if (!isComplete) {
        await this.#readUpdates(chosen, group, start);
      } else if (
        !(await this.#readCompletely(chosen, group, { start, unplaced }))
      ) {
        this.#refuse(key, 'The token sees too few of its projects');
        return;
      }
      this.#groups.set(key, group);
    } catch (error) {
      const failure = toGitLabRequestError(error);
      if (
        failure instanceof ListTooLongError ||
        failure.reason === 'Forbidden' ||
        failure.reason === 'NotFound'
      ) {
        this.#refuse(key, failure.message);
        return;
      }
      this.#groups.set(key, group);
      this.#noteFailure(chosen, group, failure);
    }
  }

  async #hasSameTotal(
    path: string,
    group: Group,
    round: GroupRound,
  ): Promise<boolean> {
    const now = this.#clock().getTime();
    if (
      group.total === undefined ||
      now - group.totalAt < LISTING_CHECK_EVERY
    ) {
      return true;
    }
    round.checks += 1;
    const total = await this.#client.countGroupProjects(path);
    group.totalAt = now;
    return total === undefined || total === group.total;
  }

  async #readUpdates(
    { path, members }: GroupOf<Member>,
    group: Group,
    start: ReadingStart,
  ): Promise<void> {
    const updated = await this.#client.mergeRequestsUpdatedAfter(
      { group: path, maximumPages: maximumPagesOf(members.length) },
      group.progress.updatedAfter(),
    );
    const { facts, isWhole } = await this.#projects.sift(updated.facts);
    const ids = members
      .map(({ reference }) => this.#directory.idOf(referenceKeyOf(reference)))
      .filter(id => id !== undefined && group.covered.has(id)) as number[];
    // One that was let go of and came back has to be read completely first.
    const [known, returned] = partition(ids, id => this.#projects.isRead(id));
    returned.forEach(id => group.covered.delete(id));
    if (isWhole) {
      group.progress.noteUpdates({
        startedAt: start.at,
        facts: updated.facts,
      });
    }
    await this.#put(group, { ids: known, facts, start, list: 'updates' });
  }

  /** Returns whether the group has enough projects that the token sees. */
  async #readCompletely(
    { path, members }: GroupOf<Member>,
    group: Group,
    options: { start: ReadingStart; unplaced: readonly ProjectReference[] },
  ): Promise<boolean> {
    const { start, unplaced } = options;
    const scope = {
      group: path,
      maximumPages: maximumPagesOf(members.length + unplaced.length),
    };
    const listing = await this.#client.groupProjects(scope);
    const wanted = members.map(({ reference }) => reference);
    const found = this.#findIn(listing, [...wanted, ...unplaced]);
    if (found.size < MINIMUM_PROJECTS) {
      return false;
    }
    const laggards = new Set(
      this.#unread.laggardsOf(
        [...found].filter(id => !group.covered.has(id)),
        { comparedTo: group.progress.unreadSince() },
      ),
    );
    const ids = new Set([...found].filter(id => !laggards.has(id)));
    const { facts, pages } = await this.#client.openMergeRequests(scope);
    group.progress.noteComplete({
      startedAt: start.at,
      pages: listing.pages + pages,
      facts,
    });
    if (facts.length > 0) {
      group.progress.confirm();
    }
    for (const id of ids) {
      const since = group.covered.has(id) ? undefined : this.#unread.of(id);
      if (since) {
        group.progress.reachBackTo(since);
      }
    }
    group.covered = ids;
    group.considered = new Set(
      wanted.concat(unplaced.filter(isIn(found))).map(referenceKeyOf),
    );
    group.total = listing.total;
    group.totalAt = start.at.getTime();
    await this.#put(group, { ids: [...ids], facts, start, list: 'group' });
    // Only of those that were listed, and answered for, is it known that the lists
    // of updates before had what there was of theirs.
    this.#unread.note(group.covered, group.progress.unreadSince());
    return true;
  }

  /** Ids of the wanted projects that a listing has. */
  #findIn(
    listing: ProjectList,
    references: readonly ProjectReference[],
  ): Set<number> {
    const byId = new Map(listing.facts.map(fact => [fact.id, fact]));
    const byPath = new Map(
      listing.facts.map(fact => [pathKeyOf(fact.path), fact]),
    );
    const ids = new Set<number>();
    for (const reference of references) {
      const known = this.#directory.idOf(referenceKeyOf(reference));
      const fact =
        'id' in reference
          ? byId.get(reference.id)
          : // A renamed project is found by its old path still.
            byPath.get(pathKeyOf(reference.path)) ?? byId.get(known ?? 0);
      if (fact) {
        this.#directory.noteFound(reference, fact);
        ids.add(fact.id);
      }
    }
    return ids;
  }

  async #put(
    group: Group,
    listed: {
      ids: readonly number[];
      facts: readonly MergeRequestFact[];
      start: ReadingStart;
      list: 'group' | 'updates';
    },
  ): Promise<void> {
    const { ids, facts, start, list } = listed;
    const ofProject = new Map<number, MergeRequestFact[]>(
      ids.map(id => [id, []]),
    );
    facts.forEach(fact => ofProject.get(fact.key.projectId)?.push(fact));
    await Promise.all(
      [...ofProject].map(async ([projectId, own]) => {
        this.#answered.add(projectId);
        this.#projects.forgetProgress(projectId);
        const isAnswered = await this.#projects.putListed({
          projectId,
          facts: own,
          start,
          list,
        });
        if (!isAnswered) {
          // Alone, until the group is read completely again.
          group.covered.delete(projectId);
        }
      }),
    );
  }

  /** Its projects are read alone, or by groups below it, for a while. */
  #refuse(key: string, why: string): void {
    this.#refusedUntil.set(key, this.#clock().getTime() + REFUSED_KEPT);
    this.#groups.delete(key);
    this.#logger.debug(`The lists of the group ${key} are not used: ${why}`);
  }

  /** What the group stands for has failed, and calling for each project would not help. */
  #noteFailure(
    { members }: GroupOf<Member>,
    group: Group,
    failure: GitLabRequestError,
  ): void {
    group.progress.noteFailure();
    for (const { reference } of members) {
      const key = referenceKeyOf(reference);
      const id = this.#directory.idOf(key);
      const isCovered = id !== undefined && group.covered.has(id);
      if (group.considered.has(key) && !isCovered) {
        continue;
      }
      this.#answeredReferences.add(key);
      if (id === undefined) {
        this.#directory.noteFailure(reference, failure);
      } else {
        this.#answered.add(id);
        this.#projects.noteFailure(id, failure);
      }
    }
  }
}

function maximumPagesOf(projects: number): number {
  return Math.min(MAXIMUM_PAGES, projects * PAGES_PER_PROJECT);
}

function isIn(ids: ReadonlySet<number>) {
  return (reference: ProjectReference): boolean =>
    'id' in reference && ids.has(reference.id);
}

function partition<T>(
  items: readonly T[],
  isFirst: (item: T) => boolean,
): [T[], T[]] {
  return [items.filter(isFirst), items.filter(item => !isFirst(item))];
}
