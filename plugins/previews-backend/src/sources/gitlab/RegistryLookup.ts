import { TagReading } from '../../model';
import { RegistryRepository } from '../objects';
import { GitLabClient } from './GitLabClient';
import { toGitLabRequestError } from './GitLabRequestError';

/** How long the repositories of a project are remembered, in milliseconds. */
const REPOSITORIES_KEPT = 10 * 60 * 1000;

/** How often the list of tags is read again once it had something near. */
const NEAR_KEPT = 5 * 60 * 1000;

/**
 * A list with nothing near is read again after this, in milliseconds, then after
 * twice as long each time: the pipeline may be about to push.
 */
const NONE_NEAR_KEPT = 2000;

const MAXIMUM_NEAR = 5;

/** As the registry allows tags; anything else must not get into a path. */
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** A tag that is looked for. */
export interface WantedTag {
  projectId: number;
  iid: number;
  tag: string;
  headSha: string;
}

/** Tags of the same commit that differ from the wanted one. */
export function nearTags(tags: readonly string[], wanted: WantedTag): string[] {
  const prefix = wanted.headSha.slice(0, 7);
  return tags
    .filter(tag => tag !== wanted.tag && tag.includes(prefix))
    .slice(0, MAXIMUM_NEAR);
}

/** Looks tags up in the registry of their project. */
export class RegistryLookup {
  readonly #client: GitLabClient;
  readonly #clock: () => Date;
  readonly #repositories = new Map<
    number,
    { at: number; items: RegistryRepository[] }
  >();
  readonly #near = new Map<
    string,
    { at: number; keptFor: number; headSha: string; tags: string[] }
  >();

  private constructor(options: { client: GitLabClient; clock: () => Date }) {
    this.#client = options.client;
    this.#clock = options.clock;
  }

  static create(options: {
    client: GitLabClient;
    clock: () => Date;
  }): RegistryLookup {
    return new RegistryLookup(options);
  }

  /** Never rejects: what cannot be read is `unreadable`. */
  async find(wanted: WantedTag): Promise<TagReading> {
    const { projectId, tag } = wanted;
    const readAt = this.#clock().toISOString();
    if (!TAG.test(tag)) {
      return { state: 'missing', tag, near: [], readAt };
    }
    try {
      const repositories = await this.#repositoriesOf(projectId);
      const answers = await Promise.allSettled(
        repositories.map(({ id }) =>
          this.#client.hasRegistryTag({ projectId, repositoryId: id, tag }),
        ),
      );
      if (
        answers.some(
          answer => answer.status === 'fulfilled' && answer.value === true,
        )
      ) {
        this.#near.delete(`${projectId}:${wanted.iid}`);
        return { state: 'found', tag, readAt };
      }
      // Missing only when every repository said so.
      const failed = answers.find(answer => answer.status === 'rejected');
      if (failed) {
        throw failed.reason;
      }
      const near = await this.#nearOf(wanted, repositories);
      return { state: 'missing', tag, near, readAt };
    } catch (error) {
      const { status } = toGitLabRequestError(error);
      return {
        state: 'unreadable',
        tag,
        ...(status !== undefined && { status }),
        readAt,
      };
    }
  }

  async #repositoriesOf(projectId: number): Promise<RegistryRepository[]> {
    const now = this.#clock().getTime();
    const known = this.#repositories.get(projectId);
    // None yet: the first push makes the first one.
    if (known && known.items.length > 0 && now - known.at < REPOSITORIES_KEPT) {
      return known.items;
    }
    const items = await this.#client.registryRepositories(projectId);
    this.#repositories.set(projectId, { at: now, items });
    return items;
  }

  async #nearOf(
    wanted: WantedTag,
    repositories: RegistryRepository[],
  ): Promise<string[]> {
    const now = this.#clock().getTime();
    const key = `${wanted.projectId}:${wanted.iid}`;
    const known = this.#near.get(key);
    const isOfHead = known?.headSha === wanted.headSha;
    if (isOfHead && now - known.at < known.keptFor) {
      return nearTags(known.tags, wanted);
    }
    const lists = await Promise.all(
      repositories.map(({ id }) =>
        this.#client.registryTags({
          projectId: wanted.projectId,
          repositoryId: id,
        }),
      ),
    );
    // Only what could be near is kept: a registry may hold thousands.
    const tags = lists
      .flat()
      .filter(name => name.includes(wanted.headSha.slice(0, 7)));
    const keptFor =
      tags.length > 0
        ? NEAR_KEPT
        : Math.min(NEAR_KEPT, isOfHead ? 2 * known.keptFor : NONE_NEAR_KEPT);
    this.#near.set(key, { at: now, keptFor, headSha: wanted.headSha, tags });
    return nearTags(tags, wanted);
  }
}
