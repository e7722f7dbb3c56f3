import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { runReadinessChecks } from '@previews/backstage-plugin-previews-node';
import { stringify } from 'yaml';
import { checkedFilesOf, manifestsOf } from './manifestsOf';
import { WorkspaceFolder } from './workspace';

/** Id of the action. */
export const VALIDATE_ACTION = 'previews:gitops:validate';

const examples = [
  {
    description: 'Check what was rendered before anything is published',
    example: stringify({
      steps: [
        {
          id: 'validate',
          action: VALIDATE_ACTION,
          name: 'Check the files',
          input: { service: 'shop', projectId: 42, project: 'web/shop' },
        },
      ],
    }),
  },
];

/**
 * The action `previews:gitops:validate`: the readiness checks of the portal over files of the
 * workspace. Errors stop the task with every one of them; the rest is logged and handed on.
 */
export function createValidateAction() {
  return createTemplateAction({
    id: VALIDATE_ACTION,
    description:
      'Runs the readiness checks of previews over files, and stops at errors',
    examples,
    supportsDryRun: true,
    schema: {
      input: {
        service: z => z.string().optional().describe('Name of the service'),
        projectId: z =>
          z
            .number()
            .int()
            .positive()
            .optional()
            .describe('Numeric id of its project'),
        project: z =>
          z.string().optional().describe('Full path of its project'),
        gitopsPath: z =>
          z
            .string()
            .optional()
            .describe(
              'Folder with files of the GitOps repository; gitops by default',
            ),
        servicePath: z =>
          z
            .string()
            .optional()
            .describe(
              'Folder with files of the repository of the service; service by default',
            ),
      },
      output: {
        results: z =>
          z
            .array(
              z.object({
                check: z.string(),
                severity: z.string(),
                path: z.string(),
                message: z.string(),
                fix: z.string(),
              }),
            )
            .describe('What was found that does not stop anything'),
      },
    },
    async handler(context) {
      const { workspacePath, logger } = context;
      const {
        service,
        projectId,
        project,
        gitopsPath = 'gitops',
        servicePath = 'service',
      } = context.input;
      const read = (path: string) =>
        WorkspaceFolder.of({ workspacePath, path }).readAll();
      const results = runReadinessChecks({
        manifests: manifestsOf(await read(gitopsPath)),
        files: checkedFilesOf(await read(servicePath)),
        context: { service, projectId, project },
      }).map(({ id, severity, subject, message, fix }) => ({
        check: id,
        severity,
        path: subject.path ?? subject.name,
        message,
        fix,
      }));
      const errors = results.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) {
        throw new InputError(
          `The files are not ready for previews:\n${errors
            .map(
              ({ check, path, message, fix }) =>
                `- ${check} in ${path}: ${message} ${fix}`,
            )
            .join('\n')}`,
        );
      }
      results.forEach(({ check, path, message, fix }) =>
        logger.warn(`${check} in ${path}: ${message} ${fix}`),
      );
      context.output('results', results);
    },
  });
}
