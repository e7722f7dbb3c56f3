import {
  RepositoryAnswer,
  RepositoryFacts,
  RepositoryQuestion,
} from '../../model';
import { GitLabClient } from './GitLabClient';
import { GitLabRequestError, toGitLabRequestError } from './GitLabRequestError';

const MINUTE = 60_000;

/** What may change is asked for again after this, where nothing tells of a change. */
const STANDS = 15 * MINUTE;

/** More answers than this are not remembered. */
const MAXIMUM_ANSWERS = 10_000;

/** GitLab counts no further in a comparison. */
const MAXIMUM_COMMITS = 1_000;

/** So many questions are put without a rest, and then one a second. */
const AT_ONCE = 60;
const EVERY = 1_000;

/** What is asked for again by its age alone has to wait longer. */
const AGAIN_AT_ONCE = 1;
const AGAIN_EVERY = MINUTE;

interface Known {
  at: number;
  answer: RepositoryAnswer<RepositoryQuestion['kind']>;
}

/** Lets so many through at once, and then one each interval. */
class Turns {
  #left: number;
  #at = 0;

  constructor(
    private readonly limits: { atOnce: number; everyMilliseconds: number },
  ) {
    this.#left = limits.atOnce;
  }

  take(now: number): boolean {
    const { atOnce, everyMilliseconds } = this.limits;
    const earned = Math.floor((now - this.#at) / everyMilliseconds);
    if (earned > 0) {
      this.#left = Math.min(atOnce, this.#left + earned);
      this.#at = now;
    }
    if (this.#left === 0) {
      return false;
    }
    this.#left -= 1;
    return true;
  }
}

/**
 * Answers what tiers are described by: commits, distances, ends of branches. Commits do not change,
 * so their answers stand for as long as they are remembered; what GitLab does not have is asked for
 * again after a while.
 */
export class TierReader {
  readonly #client: GitLabClient;
  readonly #clock: () => Date;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<Known['answer']>>();
  readonly #turns = new Turns({ atOnce: AT_ONCE, everyMilliseconds: EVERY });
  readonly #turnsAgain = new Turns({
    atOnce: AGAIN_AT_ONCE,
    everyMilliseconds: AGAIN_EVERY,
  });

  private constructor(options: { client: GitLabClient; clock: () => Date }) {
    this.#client = options.client;
    this.#clock = options.clock;
  }

  static create(options: {
    client: GitLabClient;
    clock: () => Date;
  }): TierReader {
    return new TierReader(options);
  }

  /** Never rejects. */
  async read<K extends RepositoryQuestion['kind']>(
    question: Extract<RepositoryQuestion, { kind: K }>,
  ): Promise<RepositoryAnswer<K>> {
    const { since, ...rest } = question as RepositoryQuestion & {
      since?: string;
    };
    const key = JSON.stringify(rest);
    const known = this.#known.get(key);
    const now = this.#clock().getTime();
    if (known && stands(rest.kind, { known, now, since })) {
      return known.answer as RepositoryAnswer<K>;
    }
    const asking = this.#asking.get(key);
    if (asking) {
      return asking as Promise<RepositoryAnswer<K>>;
    }
    const isNews =
      !known || (since !== undefined && known.at < Date.parse(since));
    if (!(isNews ? this.#turns : this.#turnsAgain).take(now)) {
      return (known?.answer ?? { state: 'waiting' }) as RepositoryAnswer<K>;
    }
    const answer = this.#answer(question)
      .then(found => {
        this.#remember(key, { at: now, answer: found });
        return found;
      })
      .catch((error: unknown): Known['answer'] => {
        const { status } = toGitLabRequestError(error);
        if (status !== 403 && status !== 404) {
          return { state: 'failed' };
        }
        const unknown = { state: 'unknown' } as const;
        this.#remember(key, { at: now, answer: unknown });
        return unknown;
      })
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, answer);
    return answer as Promise<RepositoryAnswer<K>>;
  }

  #remember(key: string, known: Known) {
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size > MAXIMUM_ANSWERS) {
      this.#known.delete(this.#known.keys().next().value!);
    }
  }

  async #answer(question: RepositoryQuestion): Promise<Known['answer']> {
    const { project } = question;
    switch (question.kind) {
      case 'commit':
        return this.#withMergeRequest(
          project,
          await this.#client.commit(project, question.sha),
        );
      case 'lastChange':
        return this.#withMergeRequest(
          project,
          await this.#client.lastChange(question),
        );
      case 'distance': {
        const { commits, isCut } = await this.#client.compare(
          project,
          question,
        );
        return read({
          behind: commits,
          ...((isCut || commits >= MAXIMUM_COMMITS) && { atLeast: true }),
        });
      }
      case 'head': {
        const branch = question.branch ?? (await this.#defaultBranch(project));
        const { sha } = await this.#client.commit(project, branch);
        return read({ branch, sha });
      }
      default: {
        const ref = question.ref ?? (await this.#defaultBranch(project));
        const { path } = question;
        return read({
          exists: await this.#client.hasFile(project, { path, ref }),
        });
      }
    }
  }

  async #withMergeRequest(
    project: string,
    commit: RepositoryFacts['commit'] | undefined,
  ): Promise<Known['answer']> {
    if (!commit) {
      return { state: 'unknown' };
    }
    try {
      const mergeRequest = await this.#client.mergeRequestOfCommit(
        project,
        commit.sha,
      );
      return read({ ...commit, ...(mergeRequest && { mergeRequest }) });
    } catch (error) {
      const { status } = toGitLabRequestError(error);
      if (status === 403 || status === 404) {
        return read(commit);
      }
      throw error;
    }
  }

  async #defaultBranch(project: string): Promise<string> {
    const branch = await this.#client.defaultBranch({ path: project });
    if (branch === undefined) {
      throw new GitLabRequestError({
        reason: 'NotFound',
        message: 'The repository is empty.',
        status: 404,
      });
    }
    return branch;
  }
}

function read<F extends RepositoryFacts[RepositoryQuestion['kind']]>(fact: F) {
  return { state: 'read', fact } as { state: 'read'; fact: F };
}

function stands(
  kind: RepositoryQuestion['kind'],
  options: { known: Known; now: number; since: string | undefined },
): boolean {
  const { known, now, since } = options;
  if (since !== undefined && known.at < Date.parse(since)) {
    return false;
  }
  const isForGood =
    known.answer.state === 'read' &&
    (kind === 'commit' || kind === 'lastChange' || kind === 'distance');
  return isForGood || now - known.at < STANDS;
}
