import { z } from 'zod/v3';
import {
  type GitLabConnection,
  gitLabError,
  type GitLabProject,
  orNone,
  plainText,
  readProject,
} from '../gitlab';
import type { ReleasePin } from './promoteLine';
import { ReleaseNotKnown } from './readRelease';

/** What is named of those that there are, where the one that was asked for is not. */
const MAXIMUM_NAMED = 3;
const COMMIT = /^[0-9a-f]{7,40}$/;

const namedSchema = z.array(z.object({ name: z.string() }));
const commitSchema = z.object({ id: z.string() });
const repositoriesSchema = z.array(
  z.object({ id: z.number().int().positive(), location: z.string() }),
);
const imageTagSchema = z.object({ digest: z.string().nullish() });

/** Why a release cannot be: what it names is not there, or moves. */
export class ReleaseRefused {
  constructor(readonly why: string) {}
}

/** Undefined where GitLab has what the release names. */
export type ReleaseVerdict = ReleaseRefused | ReleaseNotKnown | undefined;

interface Release {
  service: string;
  previous: string;
  value: string;
  pin: ReleasePin;
  gitops: GitLabProject;
  /** The service's own project; undefined where it is not known. */
  project?: GitLabProject;
}

/**
 * Tells whether GitLab has what a release is pinned to: a tag or commit of the repository that Argo CD
 * reads, or a tag of an image in the service's own registry. That something is not there is only said
 * of a list that was read.
 */
export class ReleaseChecker {
  readonly #connection: GitLabConnection;

  constructor(connection: GitLabConnection) {
    this.#connection = connection;
  }

  async check(release: Release): Promise<ReleaseVerdict> {
    const { pin } = release;
    return pin.line === 'newTag'
      ? this.#checkImage({ ...release, image: pin.image })
      : this.#checkRevision({ ...release, pin });
  }

  async #checkRevision(
    release: Release & { pin: ReleasePin & { line: 'targetRevision' } },
  ): Promise<ReleaseVerdict> {
    const { service, previous, pin, gitops } = release;
    if (pin.isChart) {
      return new ReleaseNotKnown(
        'it is the version of a chart, and registries of charts are not read',
      );
    }
    const value = release.value.replace(/^refs\/tags\//, '');
    const prefix = `${service}-v`;
    if (
      previous.startsWith(prefix) &&
      !value.startsWith(prefix) &&
      !COMMIT.test(value)
    ) {
      return new ReleaseRefused(
        `"${value}" is no tag of ${service}: its tags begin with "${prefix}", as ${previous} does`,
      );
    }
    const path = pathOf(pin.repositoryUrl, {
      baseUrl: this.#connection.baseUrl,
      gitops,
    });
    if (path === undefined) {
      return new ReleaseNotKnown(
        `${plainText(pin.repositoryUrl)} is no repository of ${
          this.#connection.host
        }`,
      );
    }
    const repository =
      path === gitops.path
        ? gitops
        : await readProject({ connection: this.#connection, idOrPath: path });
    return this.#checkIn(repository, { value, prefix });
  }

  async #checkIn(
    repository: GitLabProject,
    { value, prefix }: { value: string; prefix: string },
  ): Promise<ReleaseVerdict> {
    const { Tags, Commits, Branches } = this.#connection.api;
    const { id, path } = repository;
    const ask = <T>(what: string, call: () => Promise<T>) =>
      this.#call(`read ${what} of ${path}`, call);
    if (await ask(`tag ${value}`, () => orNone(Tags.show(id, value)))) {
      return undefined;
    }
    if (COMMIT.test(value)) {
      const commit = commitSchema.safeParse(
        await ask(`commit ${value}`, () => orNone(Commits.show(id, value))),
      );
      if (commit.data?.id.startsWith(value)) {
        return undefined;
      }
    }
    // A list that answers is the proof that tags can be seen at all.
    const tags = namedSchema.parse(
      await ask('the tags', () => Tags.all(id, { perPage: 100, maxPages: 1 })),
    );
    if (await ask(`branch ${value}`, () => orNone(Branches.show(id, value)))) {
      return new ReleaseRefused(
        `"${value}" is a branch of ${path}, which moves: a release is pinned to a tag`,
      );
    }
    const own = tags.filter(({ name }) => name.startsWith(prefix));
    return new ReleaseRefused(
      `${path} has no ${
        COMMIT.test(value) ? 'tag and no commit' : 'tag'
      } ${value}${named(
        (own.length > 0 ? own : tags).map(({ name }) => name),
      )}. Make the tag first, or fill in one that is there`,
    );
  }

  async #checkImage(
    release: Release & { image: string },
  ): Promise<ReleaseVerdict> {
    const { image, project } = release;
    if (!project) {
      return new ReleaseNotKnown(
        'the Component was not named, or leads to no project whose registry can be read',
      );
    }
    const registry = project.image;
    if (
      !registry ||
      !(image === registry || image.startsWith(`${registry}/`))
    ) {
      return new ReleaseNotKnown(
        `${plainText(image)} is not of the registry of ${project.path}`,
      );
    }
    const { ContainerRegistry } = this.#connection.api;
    const [tag, digest] = release.value.split('@');
    const repository = repositoriesSchema
      .parse(
        await this.#call(`read the registry of ${project.path}`, () =>
          ContainerRegistry.allRepositories({
            projectId: project.id,
            perPage: 100,
          }),
        ),
      )
      .find(({ location }) => location === image);
    if (!repository) {
      return new ReleaseRefused(
        `The registry of ${project.path} has no image ${image}`,
      );
    }
    const found = await this.#call(`read tag ${tag} of ${image}`, () =>
      orNone(ContainerRegistry.showTag(project.id, repository.id, tag)),
    );
    if (!found) {
      return new ReleaseRefused(
        `The registry of ${project.path} has no ${image}:${tag}. Build it first, or fill in a tag that is there`,
      );
    }
    const stored = imageTagSchema.safeParse(found).data?.digest;
    // One of several platforms has a digest of its own, so it is no mistake for certain.
    return digest && stored && digest !== stored
      ? new ReleaseNotKnown(
          `the registry has ${tag} as ${stored}, and may have ${digest} besides`,
        )
      : undefined;
  }

  async #call<T>(doing: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw gitLabError(error, { connection: this.#connection, doing });
    }
  }
}

function named(names: string[]): string {
  return names.length === 0
    ? ', and none at all'
    : `; there is ${names.slice(0, MAXIMUM_NAMED).map(plainText).join(', ')}${
        names.length > MAXIMUM_NAMED ? ' and more' : ''
      }`;
}

/**
 * Path of the project that Argo CD clones from an address; undefined for another host. The GitOps repository
 * may have an address for the cluster alone.
 */
function pathOf(
  repositoryUrl: string,
  options: { baseUrl: string; gitops: GitLabProject },
): string | undefined {
  const url = repositoryUrl.replace(/\/+$/, '').replace(/\.git$/, '');
  const { baseUrl, gitops } = options;
  if (url.endsWith(`/${gitops.path}`) || url.endsWith(`:${gitops.path}`)) {
    return gitops.path;
  }
  const { hostname } = new URL(baseUrl);
  const prefixes = [
    `${baseUrl}/`,
    `git@${hostname}:`,
    `ssh://git@${hostname}/`,
  ];
  const prefix = prefixes.find(start => url.startsWith(start));
  const path = prefix && url.slice(prefix.length);
  return path && /^[\w.-]+(\/[\w.-]+)+$/.test(path) ? path : undefined;
}
