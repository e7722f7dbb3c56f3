import { NotFoundError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';
import { promoteLine } from '../promote';
import { branchName } from './branchName';
import { WorkspaceFolder } from './workspace';

/** Id of the action. */
export const PROMOTE_ACTION = 'previews:release:promote';

const examples = [
  {
    description: 'Pin the Application of prod to the next tag',
    example: stringify({
      steps: [
        {
          id: 'promote',
          action: PROMOTE_ACTION,
          name: 'Change the revision',
          input: {
            service: 'shop',
            path: 'argocd/shop/application-prod.yaml',
            line: 'targetRevision',
            value: 'shop-v1.5.0',
          },
        },
      ],
    }),
  },
  {
    description: 'Pin the overlay of prod to the next image',
    example: stringify({
      steps: [
        {
          id: 'promote',
          action: PROMOTE_ACTION,
          name: 'Change the image',
          input: {
            service: 'shop',
            path: 'services/shop/kustomize/overlays/prod/kustomization.yaml',
            line: 'newTag',
            value: `prod-v1.5.0@sha256:${'4f'.repeat(32)}`,
          },
        },
      ],
    }),
  },
];

/**
 * The action `previews:release:promote`: changes one line of a file of the GitOps repository, and
 * refuses to change more. The file alone is written to a folder of its own.
 */
export function createPromoteAction() {
  return createTemplateAction({
    id: PROMOTE_ACTION,
    description: 'Changes the one line that makes a release',
    examples,
    supportsDryRun: true,
    schema: {
      input: {
        service: z => z.string().min(1).describe('Name of the service'),
        path: z =>
          z
            .string()
            .min(1)
            .describe('Path of the file in the GitOps repository'),
        line: z =>
          z
            .enum(['targetRevision', 'newTag'])
            .describe(
              'targetRevision of an Application, or newTag of an overlay',
            ),
        value: z =>
          z
            .string()
            .min(1)
            .describe('The tag, commit or version that the line shall say'),
        application: z =>
          z
            .string()
            .optional()
            .describe('Name of the Application, where the file has several'),
        of: z =>
          z
            .string()
            .optional()
            .describe(
              'repoURL of the source, or name of the image, where there are several',
            ),
        repositoryPath: z =>
          z
            .string()
            .optional()
            .describe(
              'Folder that the repository was fetched to; gitops-repository by default',
            ),
        outputPath: z =>
          z
            .string()
            .optional()
            .describe('Folder for the changed file; gitops by default'),
      },
      output: {
        changed: z =>
          z.boolean().describe('Whether the line said something else'),
        previous: z => z.string().describe('What the line said before'),
        branchName: z =>
          z.string().describe('Branch that is named after the content'),
        title: z => z.string().describe('Title of the merge request'),
      },
    },
    async handler(context) {
      const { workspacePath, logger } = context;
      const {
        service,
        path,
        line,
        value,
        application,
        of,
        repositoryPath = 'gitops-repository',
        outputPath = 'gitops',
      } = context.input;
      const text = await WorkspaceFolder.of({
        workspacePath,
        path: repositoryPath,
      }).read(path);
      if (text === undefined) {
        throw new NotFoundError(`The GitOps repository has no ${path}`);
      }
      const promotion = promoteLine({
        file: { path, text },
        line,
        value,
        application,
        of,
      });
      const files = [{ path, content: promotion.text }];
      if (promotion.changed) {
        await WorkspaceFolder.of({ workspacePath, path: outputPath }).write(
          files,
        );
      }
      logger.info(
        promotion.changed
          ? `${path}: ${line} from ${promotion.previous} to ${value}`
          : `${path} says ${value} already`,
      );
      context.output('changed', promotion.changed);
      context.output('previous', promotion.previous);
      context.output(
        'branchName',
        branchName({ purpose: 'promote', service, files }),
      );
      context.output(
        'title',
        `Promote ${service} to ${value.replace(/@sha256:.*/, '')}`,
      );
    },
  });
}
