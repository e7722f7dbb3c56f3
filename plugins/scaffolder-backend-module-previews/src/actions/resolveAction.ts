import { InputError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';
import {
  connectGitLab,
  type GitLabConnection,
  type GitLabProject,
  parseRepositoryUrl,
  plainText,
  projectOfEntity,
  readProject,
  type ServiceEntity,
} from '../gitlab';

/** Id of the action. */
export const RESOLVE_ACTION = 'previews:service:resolve';

const SERVICE = /^(?!preview)[a-z]([a-z0-9-]*[a-z0-9])?$/;

const examples = [
  {
    description: 'Find out what GitLab knows of a Component',
    example: stringify({
      steps: [
        {
          id: 'entity',
          action: 'catalog:fetch',
          input: { entityRef: 'component:default/shop', optional: true },
        },
        {
          id: 'resolve',
          action: RESOLVE_ACTION,
          name: 'Find out what GitLab knows',
          input: {
            entityRef: 'component:default/shop',
            entity: '${{ steps.entity.output.entity }}',
            gitopsRepository: 'gitlab.example.com?owner=platform&repo=gitops',
            token: '${{ secrets.USER_OAUTH_TOKEN }}',
          },
        },
      ],
    }),
  },
  {
    description: 'The same of a repository',
    example: stringify({
      steps: [
        {
          id: 'resolve',
          action: RESOLVE_ACTION,
          name: 'Find out what GitLab knows',
          input: {
            serviceRepository: 'gitlab.example.com?owner=web&repo=shop',
            gitopsRepository: 'gitlab.example.com?owner=platform&repo=gitops',
          },
        },
      ],
    }),
  },
];

/** The service's own project, and the entity where it was chosen by that. */
async function findService(options: {
  input: { entityRef?: string; entity?: unknown; serviceRepository?: string };
  connection: GitLabConnection;
  branch?: string;
}): Promise<{ entity?: ServiceEntity; project: GitLabProject } | undefined> {
  const { input, connection, branch } = options;
  const { entityRef, entity, serviceRepository } = input;
  const sameHost = (host: string | undefined) => {
    if (host !== undefined && host !== connection.host) {
      throw new InputError(
        `The service is at ${plainText(host)} and the GitOps repository at ${
          connection.host
        }: both have to be in one GitLab`,
      );
    }
  };
  if (serviceRepository !== undefined) {
    const { host, path } = parseRepositoryUrl(serviceRepository);
    sameHost(host);
    return {
      project: await readProject({ connection, idOrPath: path, branch }),
    };
  }
  if (entityRef === undefined && (entity === undefined || entity === null)) {
    return undefined;
  }
  const found = projectOfEntity({
    entity,
    entityRef,
    baseUrl: connection.baseUrl,
  });
  sameHost(found.project.host);
  return {
    entity: found,
    project: await readProject({
      connection,
      idOrPath: found.project.idOrPath,
      branch,
    }),
  };
}

/** A name that all objects of the service can carry; the form can say another. */
function nameOf(options: {
  service?: string;
  entity?: ServiceEntity;
  project: GitLabProject;
}): string {
  const { service, entity, project } = options;
  const name =
    service ||
    entity?.name ||
    project.path.slice(project.path.lastIndexOf('/') + 1);
  if (!SERVICE.test(name) || name.length > 45) {
    throw new InputError(
      `"${plainText(
        name,
      )}" cannot be the name of its objects: fill in a name of at most 45 small letters, digits and dashes that does not begin with "preview"`,
    );
  }
  return name;
}

/**
 * The action `previews:service:resolve`: what the form need not ask, since the catalog and GitLab know
 * it. It only reads, so it does in a dry run what it does else.
 */
export function createResolveAction(options: {
  integrations: ScmIntegrationRegistry;
}) {
  const { integrations } = options;
  return createTemplateAction({
    id: RESOLVE_ACTION,
    description:
      'Reads from GitLab what onboarding needs to know of a service and of the GitOps repository',
    examples,
    supportsDryRun: true,
    schema: {
      input: {
        entityRef: z =>
          z
            .string()
            .optional()
            .describe('Reference of the Component that was chosen'),
        entity: z =>
          z
            .any()
            .describe(
              'The same as catalog:fetch puts it out; null where there is none',
            ),
        serviceRepository: z =>
          z
            .string()
            .optional()
            .describe(
              'Repository of the service instead, as the RepoUrlPicker writes it',
            ),
        gitopsRepository: z =>
          z
            .string()
            .min(1)
            .describe(
              'Repository that Argo CD reads, as the RepoUrlPicker writes it',
            ),
        service: z =>
          z
            .string()
            .optional()
            .describe('Name instead of that of the entity or repository'),
        owner: z =>
          z.string().optional().describe('Owner instead of the entity’s'),
        entityName: z =>
          z
            .string()
            .optional()
            .describe('Component of catalog-info.yaml instead of the entity'),
        serviceBranch: z =>
          z
            .string()
            .optional()
            .describe('Branch of the service instead of the default one'),
        gitopsBranch: z =>
          z
            .string()
            .optional()
            .describe(
              'Branch of the GitOps repository instead of the default one',
            ),
        image: z =>
          z
            .string()
            .optional()
            .describe('Image instead of that of the project’s registry'),
        token: z =>
          z
            .string()
            .optional()
            .describe(
              'OAuth token of the person who asks; else the one of the integration',
            ),
      },
      output: {
        gitlabUrl: z => z.string().describe('Where GitLab is, without /api/v4'),
        gitops: z =>
          z
            .object({
              id: z.number(),
              path: z.string(),
              branch: z.string(),
              repository: z.string(),
              treeUrl: z.string(),
              repositoryUrl: z.string(),
            })
            .describe('The GitOps repository'),
        project: z =>
          z
            .object({
              id: z.number(),
              path: z.string(),
              branch: z.string(),
              repository: z.string(),
              treeUrl: z.string(),
              repositoryUrl: z.string(),
            })
            .optional()
            .describe('The repository of the service, where one was named'),
        service: z => z.string().optional().describe('Name of the service'),
        owner: z => z.string().optional().describe('Its owner, where known'),
        entityName: z =>
          z
            .string()
            .optional()
            .describe('Name of the Component, where one was named'),
        image: z =>
          z
            .string()
            .optional()
            .describe('Image that its pipeline pushes, without a tag'),
      },
    },
    async handler(context) {
      const { input, logger } = context;
      const gitops = parseRepositoryUrl(input.gitopsRepository);
      const connection = connectGitLab({
        integrations,
        host: gitops.host,
        token: input.token,
      });
      logger.info(
        connection.as === 'user'
          ? `Reads ${connection.host} as the person who asks`
          : `Reads ${connection.host} as the portal, since nobody signed in to GitLab`,
      );
      const {
        image: _,
        imageProblem: __,
        ...gitopsProject
      } = await readProject({
        connection,
        idOrPath: gitops.path,
        branch: input.gitopsBranch,
      });
      context.output('gitlabUrl', connection.baseUrl);
      context.output('gitops', gitopsProject);
      const found = await findService({
        input,
        connection,
        branch: input.serviceBranch,
      });
      if (!found) {
        return;
      }
      const { entity } = found;
      const { image, imageProblem, ...project } = found.project;
      if (project.id === gitopsProject.id) {
        throw new InputError(
          `${project.path} would be both the service and the GitOps repository: Argo CD reads a repository of its own`,
        );
      }
      if (!input.image && !image) {
        throw new InputError(imageProblem!);
      }
      const service = nameOf({ ...found, service: input.service });
      logger.info(
        `${service} is project ${project.id}, ${project.path}, at ${project.branch}`,
      );
      context.output('project', project);
      context.output('service', service);
      context.output('owner', input.owner || entity?.owner);
      context.output('entityName', input.entityName || entity?.name);
      context.output('image', input.image || image);
    },
  });
}
