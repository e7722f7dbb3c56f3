import { InputError, NotFoundError } from '@backstage/errors';
import type { ScmIntegrationRegistry } from '@backstage/integration';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';
import {
  promoteLine,
  ReleaseChecker,
  ReleaseRefused,
  type ReleaseVerdict,
} from '../promote';
import { branchName } from './branchName';
import { readForRelease } from './readForRelease';
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
            gitopsRepository: 'gitlab.example.com?owner=platform&repo=gitops',
            token: '${{ secrets.USER_OAUTH_TOKEN }}',
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
            entity: '${{ steps.entity.output.entity }}',
            gitopsRepository: 'gitlab.example.com?owner=platform&repo=gitops',
            token: '${{ secrets.USER_OAUTH_TOKEN }}',
          },
        },
      ],
    }),
  },
];

/**
 * The action `previews:release:promote`: changes one line of a file of the GitOps repository, and
 * refuses to change more, or to what GitLab does not have. The file alone is written to a folder of its own.
 */
export function createPromoteAction(options: {
  integrations: ScmIntegrationRegistry;
}) {
  const { integrations } = options;
  return createTemplateAction({
    id: PROMOTE_ACTION,
    description:
      'Changes the one line that makes a release, to what GitLab has',
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
        entity: z =>
          z
            .any()
            .describe(
              'The Component as catalog:fetch puts it out: its project has the registry that newTag is looked for in',
            ),
        gitopsRepository: z =>
          z
            .string()
            .min(1)
            .describe('GitOps repository, as the RepoUrlPicker writes it'),
        token: z =>
          z
            .string()
            .optional()
            .describe(
              'OAuth token of the person who asks; else the one of the integration',
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
        unverified: z =>
          z
            .string()
            .describe(
              'Why it is not known whether the value exists; empty where it does',
            ),
        branchName: z =>
          z.string().describe('Branch that is named after the content'),
        title: z => z.string().describe('Title of the merge request'),
      },
    },
    async handler(context) {
      const { input, workspacePath, logger } = context;
      const {
        service,
        path,
        line,
        value,
        application,
        of,
        repositoryPath = 'gitops-repository',
        outputPath = 'gitops',
      } = input;
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
      const check = (): Promise<ReleaseVerdict> =>
        readForRelease({
          integrations,
          input,
          logger,
          read: ({ connection, ...projects }) =>
            new ReleaseChecker(connection).check({
              ...promotion,
              ...projects,
              service,
              value,
            }),
        });
      // What stands there already is nobody's release any more.
      const verdict = promotion.changed ? await check() : undefined;
      if (verdict instanceof ReleaseRefused) {
        throw new InputError(verdict.why);
      }
      if (verdict) {
        logger.warn(
          `It was not found out whether ${value} exists: ${verdict.why}`,
        );
      }
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
      context.output('unverified', verdict?.why ?? '');
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
