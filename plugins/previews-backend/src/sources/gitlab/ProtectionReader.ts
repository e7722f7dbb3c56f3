import { RepositoryProtection } from '../../model';
import { ProjectReference } from '../types';
import { GitLabClient } from './GitLabClient';
import { toGitLabRequestError } from './GitLabRequestError';
import { isPossibleReference, referenceKeyOf } from './references';

const MINUTE = 60_000;

/** An answer stands this long. */
const STANDS = 60 * MINUTE;

/** So many repositories are asked for at once, and then one a minute. */
const AT_ONCE = 20;

/**
 * Reads who may change repositories, seldom: with many of them an answer stands for
 * as long as it takes to ask for all the others, one a minute.
 */
export class ProtectionReader {
  readonly #client: GitLabClient;
  readonly #clock: () => Date;
  readonly #known = new Map<
    string,
    { at: number; protection: RepositoryProtection }
  >();
  #turns = AT_ONCE;
  #turnsAt = 0;

  private constructor(options: { client: GitLabClient; clock: () => Date }) {
    this.#client = options.client;
    this.#clock = options.clock;
  }

  static create(options: {
    client: GitLabClient;
    clock: () => Date;
  }): ProtectionReader {
    return new ProtectionReader(options);
  }

  /**
   * What is known now, read before where it is due and its turn. Never rejects.
   *
   * @returns undefined while it is not known.
   */
  async read(
    reference: ProjectReference,
    options: { role: 'gitops' | 'service' },
  ): Promise<RepositoryProtection | undefined> {
    const key = `${options.role} ${referenceKeyOf(reference)}`;
    const known = this.#known.get(key);
    const at = this.#clock().getTime();
    const isFresh = known !== undefined && at - known.at < STANDS;
    if (isFresh || !isPossibleReference(reference) || !this.#takeTurn(at)) {
      return known?.protection;
    }
    try {
      const protection = await this.#ask(reference, options.role);
      this.#known.set(key, { at, protection });
      return protection;
    } catch {
      // Whatever it is, the readings of merge requests tell of it.
      return known?.protection;
    }
  }

  async #ask(
    reference: ProjectReference,
    role: 'gitops' | 'service',
  ): Promise<RepositoryProtection> {
    if (role === 'service') {
      const protectedTags = await orNothing(
        this.#client.protectedTags(reference),
      );
      return { ...(protectedTags && { protectedTags }) };
    }
    const defaultBranch = await orNothing(
      this.#client.defaultBranch(reference),
    );
    if (defaultBranch === undefined) {
      return {};
    }
    const protectedBranches = await orNothing(
      this.#client.protectedBranches(reference),
    );
    return { defaultBranch, ...(protectedBranches && { protectedBranches }) };
  }

  #takeTurn(now: number): boolean {
    const minutes = Math.floor((now - this.#turnsAt) / MINUTE);
    if (minutes > 0) {
      this.#turns = Math.min(AT_ONCE, this.#turns + minutes);
      this.#turnsAt = now;
    }
    if (this.#turns === 0) {
      return false;
    }
    this.#turns -= 1;
    return true;
  }
}

/** What the token may not see is no failure: it is left out. */
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const { status } = toGitLabRequestError(error);
    if (status === 403 || status === 404) {
      return undefined;
    }
    throw error;
  }
}
