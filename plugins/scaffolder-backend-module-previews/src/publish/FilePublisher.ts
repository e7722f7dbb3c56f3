import { ConflictError } from '@backstage/errors';
import type { GitLabConnection, GitLabProject } from '../gitlab';
import { gitLabError, orNone, statusOf } from '../gitlab';
import type { RepositoryFile } from '../edit';

/** Branches that were merged and kept get a number; nobody repeats a form this often. */
const MAXIMUM_BRANCHES = 9;
/** Open merge requests that are looked through for older proposals. */
const MAXIMUM_PAGES = 10;

/** What became of files that were to be proposed. */
export interface Publication {
  /**
   * `none`: the target branch has all of it. `found`: a merge request with it was open already.
   * In a dry run `opened` and `reopened` are what would be done.
   */
  outcome: 'none' | 'found' | 'opened' | 'reopened';
  branch: string;
  /** Absent where none is needed, and in a dry run where there would be a new one. */
  mergeRequest?: { iid: number; url: string };
  /** Older proposals for the same purpose that are still open. */
  superseded: { iid: number; url: string }[];
  /** What differs from the target branch. */
  changes: { action: 'create' | 'update'; path: string }[];
}

interface MergeRequest {
  iid: number;
  state: string;
  url: string;
  sourceBranch: string;
  targetBranch: string;
}

/** `previews/onboard-shop-` of `previews/onboard-shop-0a1b2c3d` and its repetitions. */
const BRANCH = /^(.*-)[0-9a-f]{8}(?:-\d)?$/;

/**
 * Proposes files to a project by a merge request, so that it can be repeated: each step looks at what is
 * there first, and one that failed half-way is taken up where it stopped.
 *
 * - The branch is named after the content, so a branch of that name is an earlier attempt at the same.
 * - Branch and commit are made by one call. A branch without merge request is what is left of an
 *   attempt that failed in between, and gets its merge request.
 * - An open merge request is handed back. One that was closed is opened again: who asks
 *   once more has changed their mind, and what was said in it is kept.
 * - After one that was merged and whose branch was kept, what is proposed has been undone since: it gets a
 *   branch of its own, with a number.
 */
export class FilePublisher {
  readonly #connection: GitLabConnection;
  readonly #project: GitLabProject;
  readonly #isDryRun: boolean;

  constructor(options: {
    connection: GitLabConnection;
    /** With the branch that the files are proposed to. */
    project: GitLabProject;
    /** Reads only, and tells what would be done. */
    isDryRun?: boolean;
  }) {
    this.#connection = options.connection;
    this.#project = options.project;
    this.#isDryRun = options.isDryRun ?? false;
  }

  async publish(proposal: {
    files: readonly RepositoryFile[];
    branchName: string;
    title: string;
    description: string;
    /** Names open merge requests of the same purpose in the description of a new one. */
    namesSuperseded: boolean;
  }): Promise<Publication> {
    const { files, branchName, title, description } = proposal;
    const target = this.#project.branch;
    const changes = await this.#changesFrom(target, files);
    if (changes.length === 0) {
      return {
        outcome: 'none',
        branch: branchName,
        superseded: [],
        changes: [],
      };
    }
    const listed = changes.map(({ action, file }) => ({
      action,
      path: file.path,
    }));
    const { branch, exists, mergeRequest } = await this.#findBranch(branchName);
    if (mergeRequest && isOpen(mergeRequest)) {
      return {
        outcome: 'found',
        branch,
        mergeRequest,
        superseded: [],
        changes: listed,
      };
    }
    const superseded = proposal.namesSuperseded
      ? await this.#olderProposals(branch)
      : [];
    const reopened = exists ? mergeRequest : undefined;
    const outcome = reopened ? 'reopened' : 'opened';
    if (this.#isDryRun) {
      return {
        outcome,
        branch,
        mergeRequest: reopened,
        superseded,
        changes: listed,
      };
    }
    await this.#commit({ branch, exists, files, changes, message: title });
    const text = [description, ...notesOf(superseded)].join('\n\n');
    return {
      outcome,
      branch,
      mergeRequest: reopened
        ? await this.#reopen(reopened, { title, description: text })
        : await this.#open({ branch, title, description: text }),
      superseded,
      changes: listed,
    };
  }

  async #call<T>(doing: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw gitLabError(error, {
        connection: this.#connection,
        doing: `${doing} of ${this.#project.path}`,
      });
    }
  }

  /** What has to be written so that a branch has the files. */
  async #changesFrom(
    branch: string,
    files: readonly RepositoryFile[],
  ): Promise<{ action: 'create' | 'update'; file: RepositoryFile }[]> {
    const { api } = this.#connection;
    const changes: { action: 'create' | 'update'; file: RepositoryFile }[] = [];
    // One after the other: a GitLab with limits has them for everybody.
    for (const file of files) {
      const present = await this.#call(`read ${file.path}`, () =>
        orNone(api.RepositoryFiles.show(this.#project.id, file.path, branch)),
      );
      if (!present) {
        changes.push({ action: 'create', file });
      } else if (
        Buffer.from(present.content, 'base64').toString('utf8') !== file.content
      ) {
        changes.push({ action: 'update', file });
      }
    }
    return changes;
  }

  async #findBranch(name: string): Promise<{
    branch: string;
    exists: boolean;
    /** The latest of this branch that was not merged. */
    mergeRequest?: MergeRequest;
  }> {
    const { api } = this.#connection;
    for (let number = 1; number <= MAXIMUM_BRANCHES; number += 1) {
      const branch = number === 1 ? name : `${name}-${number}`;
      const mergeRequests = await this.#mergeRequestsOf(branch);
      const open = mergeRequests.find(isOpen);
      if (open) {
        return { branch, exists: true, mergeRequest: open };
      }
      const exists = await this.#call(`read branch ${branch}`, () =>
        orNone(api.Branches.show(this.#project.id, branch)),
      );
      if (!exists) {
        return { branch, exists: false };
      }
      if (!mergeRequests.some(({ state }) => state === 'merged')) {
        return { branch, exists: true, mergeRequest: mergeRequests[0] };
      }
    }
    throw new ConflictError(
      `${
        this.#project.path
      } has ${MAXIMUM_BRANCHES} branches called ${name} whose merge requests were merged: delete them, and try again`,
    );
  }

  /** Those from within the project; anybody's fork can have a branch of any name. */
  async #mergeRequestsOf(branch: string): Promise<MergeRequest[]> {
    const { api } = this.#connection;
    const answer = await this.#call('list the merge requests', () =>
      api.MergeRequests.all({
        projectId: this.#project.id,
        sourceBranch: branch,
        targetBranch: this.#project.branch,
        orderBy: 'created_at',
        sort: 'desc',
        perPage: 100,
        maxPages: 1,
      }),
    );
    return this.#ownOf(answer);
  }

  #ownOf(answer: readonly Record<string, unknown>[]): MergeRequest[] {
    return answer
      .filter(
        ({ source_project_id: source }) =>
          source === undefined || source === this.#project.id,
      )
      .map(item => ({
        iid: Number(item.iid),
        state: String(item.state),
        url: this.#urlOf(item),
        sourceBranch: String(item.source_branch),
        targetBranch: String(item.target_branch),
      }));
  }

  /** On the GitLab that was asked; what it says of itself may be another name. */
  #urlOf({ iid }: Record<string, unknown>): string {
    const { baseUrl } = this.#connection;
    return `${baseUrl}/${this.#project.path}/-/merge_requests/${Number(iid)}`;
  }

  async #olderProposals(branch: string): Promise<MergeRequest[]> {
    const purpose = BRANCH.exec(branch)?.[1];
    if (purpose === undefined) {
      return [];
    }
    const { api } = this.#connection;
    const open = await this.#call('list the merge requests', () =>
      api.MergeRequests.all({
        projectId: this.#project.id,
        targetBranch: this.#project.branch,
        state: 'opened',
        perPage: 100,
        maxPages: MAXIMUM_PAGES,
      }),
    );
    return this.#ownOf(open).filter(
      ({ sourceBranch }) =>
        sourceBranch !== branch && BRANCH.exec(sourceBranch)?.[1] === purpose,
    );
  }

  async #commit(options: {
    branch: string;
    exists: boolean;
    files: readonly RepositoryFile[];
    changes: { action: 'create' | 'update'; file: RepositoryFile }[];
    message: string;
  }): Promise<void> {
    const { branch, files, message } = options;
    let { exists, changes } = options;
    for (let attempt = 1; ; attempt += 1) {
      if (exists) {
        changes = await this.#changesFrom(branch, files);
        if (changes.length === 0) {
          return;
        }
      }
      const from = exists ? undefined : { startBranch: this.#project.branch };
      const actions = changes.map(({ action, file }) => ({
        action,
        filePath: file.path,
        content: Buffer.from(file.content, 'utf8').toString('base64'),
        encoding: 'base64' as const,
      }));
      try {
        await this.#connection.api.Commits.create(
          this.#project.id,
          branch,
          message,
          actions,
          from,
        );
        return;
      } catch (error) {
        // Somebody asked for the same at the same time: the branch is there now.
        const isTaken = !exists && statusOf(error) === 400 && attempt === 1;
        const found =
          isTaken &&
          (await this.#call(`read branch ${branch}`, () =>
            orNone(
              this.#connection.api.Branches.show(this.#project.id, branch),
            ),
          ));
        if (!found) {
          throw gitLabError(error, {
            connection: this.#connection,
            doing: `commit to branch ${branch} of ${this.#project.path}`,
          });
        }
        exists = true;
      }
    }
  }

  async #open(options: {
    branch: string;
    title: string;
    description: string;
  }): Promise<MergeRequest> {
    const { branch, title, description } = options;
    try {
      const created = await this.#connection.api.MergeRequests.create(
        this.#project.id,
        branch,
        this.#project.branch,
        title,
        { description, removeSourceBranch: true },
      );
      return this.#ownOf([created])[0];
    } catch (error) {
      // Somebody asked for the same at the same time: theirs is as good.
      const open =
        statusOf(error) === 409
          ? (await this.#mergeRequestsOf(branch)).find(isOpen)
          : undefined;
      if (open) {
        return open;
      }
      throw gitLabError(error, {
        connection: this.#connection,
        doing: `open a merge request of branch ${branch} of ${
          this.#project.path
        }`,
      });
    }
  }

  async #reopen(
    mergeRequest: MergeRequest,
    texts: { title: string; description: string },
  ): Promise<MergeRequest> {
    await this.#call(`reopen !${mergeRequest.iid}`, () =>
      this.#connection.api.MergeRequests.edit(
        this.#project.id,
        mergeRequest.iid,
        { stateEvent: 'reopen', ...texts },
      ),
    );
    return mergeRequest;
  }
}

/** GitLab locks a merge request while it merges it. */
function isOpen({ state }: MergeRequest): boolean {
  return state === 'opened' || state === 'locked';
}

function notesOf(superseded: { iid: number }[]): string[] {
  const names = superseded.map(({ iid }) => `!${iid}`).join(', ');
  return superseded.length === 0
    ? []
    : [
        superseded.length === 1
          ? `It proposes an update: ${names} was opened for other answers, and can be closed where this one is wanted.`
          : `It proposes an update: ${names} were opened for other answers, and can be closed where this one is wanted.`,
      ];
}
