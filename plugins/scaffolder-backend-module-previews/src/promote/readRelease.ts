import { parse } from 'yaml';
import { z } from 'zod/v3';
import {
  type GitLabConnection,
  gitLabError,
  type GitLabProject,
  orNone,
} from '../gitlab';
import type { ReleaseLine } from './promoteLine';

/** Commits whose merge requests are looked up: one call each. */
const MAXIMUM_COMMITS = 100;
const AT_ONCE = 4;
const DIGEST = /@sha256:[0-9a-f]{64}$/;
/** `prod-` of `prod-v1.4.0`: images are tagged by the environment they are for. */
const ENVIRONMENT = /^[a-z]+-(?=v?\d|[0-9a-f]{7,40}$)/;

/** A merge request as GitLab's API answers, as far as notes show it. */
export interface MergedMergeRequest {
  iid: number;
  title: string;
  web_url: string;
  author: { username: string } | null;
}

/** What was merged between two releases. */
export interface ReleaseContent {
  mergeRequests: MergedMergeRequest[];
  /** Path of the project that they are of. */
  project: string;
  from: string;
  to: string;
  /** Only what touches it was looked for, in a repository that others share. */
  path?: string;
  /** The release goes back: these are taken out. */
  isBackwards: boolean;
  /** There were more commits than were looked at. */
  isCut: boolean;
}

/** Why the merge requests in between are not known. */
export class ReleaseNotKnown {
  constructor(readonly why: string) {}
}

interface Range {
  project: GitLabProject;
  from: string;
  to: string;
  /** Only commits that touch it. */
  path?: string;
}

const commitSchema = z.object({ id: z.string() });
const mergeRequestSchema = z.object({
  iid: z.number().int().positive(),
  title: z.string(),
  state: z.string(),
  target_project_id: z.number().optional(),
  author: z.object({ username: z.string() }).nullish(),
});
const valuesSchema = z.object({
  image: z.object({ tag: z.coerce.string().min(1) }),
});

/**
 * Reads what a release brings: the merge requests between the commits that the old and the new value
 * name. Only reads; what cannot be told is said, since notes do not hold up a release.
 */
export class ReleaseReader {
  readonly #connection: GitLabConnection;

  constructor(connection: GitLabConnection) {
    this.#connection = connection;
  }

  async read(release: {
    line: ReleaseLine;
    /** Of the file with the line, in the GitOps repository. */
    path: string;
    service: string;
    previous: string;
    value: string;
    gitops: GitLabProject;
    /** The service's own project; undefined where it is not known. */
    project?: GitLabProject;
  }): Promise<ReleaseContent | ReleaseNotKnown> {
    if (!release.previous) {
      return new ReleaseNotKnown('nothing was released before');
    }
    const ranges = await this.#rangesOf(release);
    const failures: string[] = [];
    for (const range of ranges) {
      const missing = await this.#missingOf(range);
      if (missing.length === 0) {
        return this.#contentOf(range);
      }
      failures.push(`${range.project.path} has no ${missing.join(' and no ')}`);
    }
    return new ReleaseNotKnown(
      failures.join('; ') ||
        'images are built from a repository that was not named',
    );
  }

  /** Where to look, the most telling place first. */
  async #rangesOf(
    release: Parameters<ReleaseReader['read']>[0],
  ): Promise<Range[]> {
    const { line, service, gitops, project } = release;
    const from = release.previous.replace(DIGEST, '');
    const to = release.value.replace(DIGEST, '');
    if (line === 'newTag') {
      return project ? [inService(project, from, to)] : [];
    }
    const own: Range[] = [];
    if (project) {
      const [before, after] = [
        await this.#imageTag(release, from),
        await this.#imageTag(release, to),
      ];
      if (before && after && before !== after) {
        own.push(inService(project, before, after));
      }
    }
    return [...own, { project: gitops, from, to, path: `services/${service}` }];
  }

  /** Tag of the image that the values of an environment named at a revision. */
  async #imageTag(
    release: Parameters<ReleaseReader['read']>[0],
    revision: string,
  ): Promise<string | undefined> {
    const { service, gitops, path } = release;
    const tier = /application-([a-z]+)\.ya?ml$/.exec(path)?.[1] ?? 'prod';
    const file = await this.#call(`read the values of ${gitops.path}`, () =>
      orNone(
        this.#connection.api.RepositoryFiles.show(
          gitops.id,
          `services/${service}/chart/values-${tier}.yaml`,
          revision,
        ),
      ),
    );
    if (!file) {
      return undefined;
    }
    try {
      const text = Buffer.from(file.content, 'base64').toString('utf8');
      return valuesSchema.safeParse(parse(text)).data?.image.tag;
    } catch {
      // No YAML: then it tells no tag.
      return undefined;
    }
  }

  async #missingOf({ project, from, to }: Range): Promise<string[]> {
    const missing: string[] = [];
    for (const revision of [from, to]) {
      const commit = await this.#call(
        `read ${revision} of ${project.path}`,
        () => orNone(this.#connection.api.Commits.show(project.id, revision)),
      );
      if (!commit) {
        missing.push(revision);
      }
    }
    return missing;
  }

  async #contentOf(range: Range): Promise<ReleaseContent> {
    const { project, from, to, path } = range;
    const forwards = await this.#commitsOf(range);
    const backwards =
      forwards.length > 0
        ? []
        : await this.#commitsOf({ ...range, from: to, to: from });
    const isBackwards = backwards.length > 0;
    const commits = isBackwards ? backwards : forwards;
    return {
      mergeRequests: await this.#mergeRequestsOf(
        project,
        commits.slice(0, MAXIMUM_COMMITS),
      ),
      project: project.path,
      from,
      to,
      path,
      isBackwards,
      isCut: commits.length > MAXIMUM_COMMITS,
    };
  }

  /** The newest first, one more than are looked at. */
  async #commitsOf({ project, from, to, path }: Range): Promise<string[]> {
    const commits = await this.#call(
      `list the commits of ${project.path}`,
      () =>
        this.#connection.api.Commits.all(project.id, {
          refName: `${from}..${to}`,
          path,
          perPage: 100,
          maxPages: 2,
        }),
    );
    return z
      .array(commitSchema)
      .parse(commits)
      .map(({ id }) => id)
      .slice(0, MAXIMUM_COMMITS + 1);
  }

  async #mergeRequestsOf(
    project: GitLabProject,
    commits: string[],
  ): Promise<MergedMergeRequest[]> {
    const found = new Map<number, MergedMergeRequest>();
    for (let start = 0; start < commits.length; start += AT_ONCE) {
      const answers = await Promise.all(
        commits
          .slice(start, start + AT_ONCE)
          .map(sha =>
            this.#call(`list the merge requests of ${project.path}`, () =>
              orNone(
                this.#connection.api.Commits.allMergeRequests(project.id, sha),
              ),
            ),
          ),
      );
      for (const item of answers.flatMap(answer => answer ?? [])) {
        const result = mergeRequestSchema.safeParse(item);
        if (!result.success) {
          continue;
        }
        const { iid, title, state, author } = result.data;
        const isOwn =
          result.data.target_project_id === undefined ||
          result.data.target_project_id === project.id;
        if (state === 'merged' && isOwn) {
          found.set(iid, {
            iid,
            title,
            web_url: `${this.#connection.baseUrl}/${
              project.path
            }/-/merge_requests/${iid}`,
            author: author ?? null,
          });
        }
      }
    }
    return [...found.values()];
  }

  async #call<T>(doing: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw gitLabError(error, { connection: this.#connection, doing });
    }
  }
}

function inService(project: GitLabProject, from: string, to: string): Range {
  return {
    project,
    from: from.replace(ENVIRONMENT, ''),
    to: to.replace(ENVIRONMENT, ''),
  };
}
