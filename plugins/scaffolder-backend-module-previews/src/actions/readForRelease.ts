import type { LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import {
  connectGitLab,
  type GitLabConnection,
  type GitLabProject,
  parseRepositoryUrl,
  plainText,
  projectOfEntity,
  readProject,
} from '../gitlab';
import { ReleaseNotKnown } from '../promote';

/** Where GitLab has what a release is made of. */
export interface ReleaseProjects {
  connection: GitLabConnection;
  gitops: GitLabProject;
  /** The service's own; undefined where it is not known. */
  project?: GitLabProject;
}

/** Asks GitLab about a release; what cannot be read holds up none, and is said to be unknown. */
export async function readForRelease<T>(options: {
  integrations: ScmIntegrationRegistry;
  input: { gitopsRepository: string; entity?: unknown; token?: string };
  logger: Pick<LoggerService, 'warn'>;
  read: (projects: ReleaseProjects) => Promise<T>;
}): Promise<T | ReleaseNotKnown> {
  const { integrations, input, logger, read } = options;
  try {
    const { host, path } = parseRepositoryUrl(input.gitopsRepository);
    const connection = connectGitLab({
      integrations,
      host,
      token: input.token,
    });
    return await read({
      connection,
      gitops: await readProject({ connection, idOrPath: path }),
      project: await serviceProject({
        entity: input.entity,
        connection,
        warn: message => logger.warn(message),
      }),
    });
  } catch (error) {
    logger.warn(stringifyError(error));
    return new ReleaseNotKnown(
      error instanceof Error ? error.message : 'GitLab was not read',
    );
  }
}

async function serviceProject(options: {
  /** As `catalog:fetch` puts it out. */
  entity: unknown;
  connection: GitLabConnection;
  warn: (message: string) => void;
}): Promise<GitLabProject | undefined> {
  const { entity, connection, warn } = options;
  if (entity === undefined || entity === null) {
    return undefined;
  }
  try {
    const { project } = projectOfEntity({
      entity,
      baseUrl: connection.baseUrl,
    });
    if (project.host !== undefined && project.host !== connection.host) {
      warn(`The Component is at ${plainText(project.host)}`);
      return undefined;
    }
    return await readProject({ connection, idOrPath: project.idOrPath });
  } catch (error) {
    warn(stringifyError(error));
    return undefined;
  }
}
