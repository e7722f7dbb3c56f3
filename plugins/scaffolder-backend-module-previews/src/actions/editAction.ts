import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';
import { CATALOG_FILE, editService, PIPELINE_FILE } from '../edit';
import { branchName } from './branchName';
import { WorkspaceFolder } from './workspace';

/** Id of the action. */
export const EDIT_ACTION = 'previews:service:edit';

const DEFAULT_INCLUDE = '.gitlab/previews.gitlab-ci.yml';

const examples = [
  {
    description:
      'Include the rendered jobs, and say which project an entity is',
    example: stringify({
      steps: [
        {
          id: 'repository',
          action: 'fetch:plain',
          input: {
            url: 'https://gitlab.example.com/web/shop/-/tree/main',
            targetPath: 'service-repository',
          },
        },
        {
          id: 'edit',
          action: EDIT_ACTION,
          name: 'Edit the repository of the service',
          input: {
            service: 'shop',
            annotations: {
              'gitlab.com/project-slug': 'web/shop',
              'gitlab.com/project-id': '42',
            },
          },
        },
      ],
    }),
  },
];

/**
 * The action `previews:service:edit`: adds an include to the pipeline of a service and annotations to
 * its entity. The fetched repository is only read; what changes is written beside the rendered files,
 * into a folder without a `.gitignore`, which the publishing action would go by.
 */
export function createEditAction() {
  return createTemplateAction({
    id: EDIT_ACTION,
    description:
      'Adds previews to the pipeline and the entity of a service, and overwrites nothing',
    examples,
    supportsDryRun: true,
    schema: {
      input: {
        service: z => z.string().min(1).describe('Name of the service'),
        // A template's expression that is a number stays one.
        annotations: z =>
          z
            .record(z.union([z.string(), z.number(), z.boolean()]))
            .describe('Annotations that the entity shall have'),
        repositoryPath: z =>
          z
            .string()
            .optional()
            .describe(
              'Folder that the repository was fetched to; service-repository by default',
            ),
        outputPath: z =>
          z
            .string()
            .optional()
            .describe(
              'Folder with the rendered files, which gets the edited ones, too; service by default',
            ),
        include: z =>
          z
            .string()
            .optional()
            .describe(
              `The rendered file that the pipeline includes; ${DEFAULT_INCLUDE} by default`,
            ),
        stage: z =>
          z
            .string()
            .optional()
            .describe('Stage of its jobs, which the pipeline must have'),
        entityName: z =>
          z
            .string()
            .optional()
            .describe('Name of the Component, where the file has several'),
        owner: z =>
          z
            .string()
            .optional()
            .describe(
              'Owner of the Component, where the repository has no file',
            ),
        pipelinePath: z =>
          z
            .string()
            .optional()
            .describe(`Path of the pipeline; ${PIPELINE_FILE} by default`),
        catalogPath: z =>
          z
            .string()
            .optional()
            .describe(`Path of the entity’s file; ${CATALOG_FILE} by default`),
      },
      output: {
        changed: z =>
          z.boolean().describe('Whether the repository lacks any of it'),
        branchName: z =>
          z.string().describe('Branch that is named after the content'),
        files: z =>
          z.array(z.string()).describe('What is new or different, by its path'),
      },
    },
    async handler(context) {
      const { workspacePath, logger } = context;
      const {
        service,
        annotations,
        repositoryPath = 'service-repository',
        outputPath = 'service',
        include = DEFAULT_INCLUDE,
        stage,
        entityName,
        owner,
        pipelinePath = PIPELINE_FILE,
        catalogPath = CATALOG_FILE,
      } = context.input;
      const repository = WorkspaceFolder.of({
        workspacePath,
        path: repositoryPath,
      });
      const output = WorkspaceFolder.of({ workspacePath, path: outputPath });
      const ignoreFiles = await repository.readAll(['**/.gitignore']);
      // What an earlier run of this step wrote is made anew.
      const files = (await output.readAll()).filter(
        ({ path }) => path !== pipelinePath && path !== catalogPath,
      );
      const paths = [
        ...files.map(({ path }) => path),
        pipelinePath,
        catalogPath,
      ];
      const present = new Map<string, string | undefined>();
      for (const path of paths) {
        present.set(path, await repository.read(path));
      }
      const changed = editService({
        read: path => present.get(path),
        ignoreFiles,
        files,
        include,
        stage,
        annotations: Object.fromEntries(
          Object.entries(annotations).map(([key, value]) => [
            key,
            String(value),
          ]),
        ),
        entity: { name: entityName },
        newEntity: owner === undefined ? undefined : { name: service, owner },
        pipelinePath,
        catalogPath,
      });
      await output.write(changed);
      logger.info(
        changed.length > 0
          ? `Changes ${changed.map(({ path }) => path).join(', ')}`
          : 'The repository of the service has all of it already',
      );
      context.output('changed', changed.length > 0);
      context.output(
        'branchName',
        branchName({ purpose: 'onboard', service, files: changed }),
      );
      context.output(
        'files',
        changed.map(({ path }) => path),
      );
    },
  });
}
