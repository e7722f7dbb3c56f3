import { InputError } from '@backstage/errors';
import { z } from 'zod/v3';
import type { GitLabConnection } from './connectGitLab';
import { gitLabError } from './gitLabError';
import { plainText } from './plainText';
import { formatRepositoryUrl } from './repositoryUrl';

/** What GitLab says of a project, as far as onboarding wants to know it. */
const projectSchema = z.object({
  id: z.number().int().positive(),
  path_with_namespace: z.string().regex(/^[\w.-]+(\/[\w.-]+)+$/),
  default_branch: z.string().nullish(),
  archived: z.boolean().nullish(),
  container_registry_image_prefix: z.string().nullish(),
  container_registry_access_level: z.string().nullish(),
  container_registry_enabled: z.boolean().nullish(),
});

const BRANCH = /^(?!.*(\.\.|\/\/|\.lock$))[A-Za-z0-9][A-Za-z0-9._/-]*$/;
const IMAGE = /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/;

/** A project that files can be proposed to. */
export interface GitLabProject {
  id: number;
  /** Full path; it may have changed since the entity was annotated. */
  path: string;
  /** The one that was asked for, else the default branch. */
  branch: string;
  /** As the RepoUrlPicker writes it. */
  repository: string;
  /** Where `fetch:plain` fetches it from. */
  treeUrl: string;
  /** What Argo CD clones. */
  repositoryUrl: string;
  /** What its own registry calls images of it; undefined where it has none. */
  image?: string;
  /** Why there is no image. */
  imageProblem?: string;
}

function registryOf(
  project: z.infer<typeof projectSchema>,
): Pick<GitLabProject, 'image' | 'imageProblem'> {
  const path = project.path_with_namespace;
  if (
    project.container_registry_access_level === 'disabled' ||
    (project.container_registry_access_level === undefined &&
      project.container_registry_enabled === false)
  ) {
    return {
      imageProblem: `The container registry of ${path} is switched off: switch it on, or fill in the image`,
    };
  }
  const image = project.container_registry_image_prefix;
  if (!image) {
    return {
      imageProblem: `GitLab names no container registry for ${path}: fill in the image`,
    };
  }
  return IMAGE.test(image)
    ? { image }
    : {
        imageProblem: `GitLab calls images of ${path} "${plainText(
          image,
        )}", which is no image: fill it in`,
      };
}

/**
 * Reads a project.
 *
 * @throws NotFoundError, NotAllowedError and ServiceUnavailableError as GitLab answers
 * @throws InputError for a project that is archived or empty
 */
export async function readProject(options: {
  connection: GitLabConnection;
  idOrPath: number | string;
  /** Instead of the default branch. */
  branch?: string;
}): Promise<GitLabProject> {
  const { connection, idOrPath } = options;
  const { host, baseUrl, api } = connection;
  const doing = `read project ${plainText(idOrPath)}`;
  const answer = await api.Projects.show(idOrPath).catch(error => {
    throw gitLabError(error, { connection, doing });
  });
  const result = projectSchema.safeParse(answer);
  if (!result.success) {
    throw new InputError(
      `${host} answered something else than a project when asked to ${doing}`,
    );
  }
  const project = result.data;
  const path = project.path_with_namespace;
  if (project.archived) {
    throw new InputError(
      `${path} is archived in GitLab, so nothing can be proposed to it: unarchive it first`,
    );
  }
  const branch = options.branch || project.default_branch;
  if (!branch) {
    throw new InputError(
      `${path} has no branch yet: it needs a first commit before anything can be proposed to it`,
    );
  }
  if (!BRANCH.test(branch)) {
    throw new InputError(
      `The branch of ${path} is called "${plainText(
        branch,
      )}", which cannot be written into files safely: choose another one`,
    );
  }
  return {
    id: project.id,
    path,
    branch,
    repository: formatRepositoryUrl({ host, path }),
    treeUrl: `${baseUrl}/${path}/-/tree/${branch}`,
    repositoryUrl: `${baseUrl}/${path}.git`,
    ...registryOf(project),
  };
}
