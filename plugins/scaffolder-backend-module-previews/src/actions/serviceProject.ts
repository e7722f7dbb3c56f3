import { stringifyError } from '@backstage/errors';
import {
  type GitLabConnection,
  type GitLabProject,
  plainText,
  projectOfEntity,
  readProject,
} from '../gitlab';

/** The service's own project; undefined where the entity leads to none that can be read. */
export async function serviceProject(options: {
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
