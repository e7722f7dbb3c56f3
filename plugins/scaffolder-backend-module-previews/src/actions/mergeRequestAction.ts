import type { ScmIntegrationRegistry } from '@backstage/integration';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';
import {
  connectGitLab,
  parseRepositoryUrl,
  plainText,
  readProject,
} from '../gitlab';
import { FilePublisher, type Publication } from '../publish';
import { WorkspaceFolder } from './workspace';

/** Id of the action. */
export const MERGE_REQUEST_ACTION = 'previews:gitlab:merge-request';

const examples = [
  {
    description: 'Propose the rendered files to the GitOps repository',
    example: stringify({
      steps: [
        {
          id: 'gitops',
          action: MERGE_REQUEST_ACTION,
          name: 'Open the merge request',
          input: {
            repoUrl: 'gitlab.example.com?owner=platform&repo=gitops',
            sourcePath: 'gitops',
            branchName: '${{ steps.render.output.branchName }}',
            title: 'Previews for shop',
            description: 'Gives every merge request of shop an environment.',
            token: '${{ secrets.USER_OAUTH_TOKEN }}',
          },
        },
      ],
    }),
  },
];

function summaryOf(options: {
  publication: Publication;
  path: string;
  isDryRun: boolean;
}): string {
  const { publication, path, isDryRun } = options;
  const { outcome, branch, mergeRequest, superseded, changes } = publication;
  if (outcome === 'none') {
    return `${path} has all of it already, so there is no merge request to open`;
  }
  const number = `!${mergeRequest?.iid}`;
  if (outcome === 'found') {
    return `The merge request ${number} of ${path} is open and has this already`;
  }
  const files = `${changes.length} ${changes.length === 1 ? 'file' : 'files'}`;
  const older = superseded.map(({ iid }) => `!${iid}`).join(', ');
  const update = older && `, as an update of ${older}`;
  if (isDryRun) {
    return outcome === 'reopened'
      ? `Would reopen the merge request ${number} of ${path} with ${files}${update}`
      : `Would open a merge request of ${files} from ${branch} in ${path}${update}`;
  }
  return outcome === 'reopened'
    ? `Reopened the merge request ${number} of ${path} with ${files}${update}`
    : `Opened the merge request ${number} of ${files} in ${path}${update}`;
}

/**
 * The action `previews:gitlab:merge-request`: proposes the files of a folder to a repository. Where
 * they are there already it does nothing, and where they are proposed already it hands back that merge
 * request; so a task that failed half-way is simply run again.
 */
export function createMergeRequestAction(options: {
  integrations: ScmIntegrationRegistry;
}) {
  const { integrations } = options;
  return createTemplateAction({
    id: MERGE_REQUEST_ACTION,
    description:
      'Opens a merge request with the files of a folder, or hands back the one that is open for them',
    examples,
    supportsDryRun: true,
    schema: {
      input: {
        repoUrl: z =>
          z
            .string()
            .min(1)
            .describe('Repository, as the RepoUrlPicker writes it'),
        sourcePath: z =>
          z
            .string()
            .min(1)
            .describe(
              'Folder with the files that the repository shall have; only these are written',
            ),
        branchName: z =>
          z
            .string()
            .regex(
              /^(?!.*(\.\.|\/\/|\.lock$))[A-Za-z0-9][A-Za-z0-9._/-]*$/,
              'is no name of a branch',
            )
            .describe('Branch that is named after the content of the files'),
        targetBranchName: z =>
          z
            .string()
            .optional()
            .describe('Branch that they are proposed to; else the default one'),
        title: z =>
          z
            .string()
            .min(1)
            .describe('Title of the merge request and of its commit'),
        description: z =>
          z.string().optional().describe('Its description, in Markdown'),
        namesSuperseded: z =>
          z
            .boolean()
            .optional()
            .describe(
              'Names open merge requests for the same purpose with other content; true by default',
            ),
        token: z =>
          z
            .string()
            .optional()
            .describe(
              'OAuth token of the person who asks; else the one of the integration',
            ),
      },
      output: {
        outcome: z =>
          z
            .enum(['none', 'found', 'opened', 'reopened'])
            .describe(
              'What became of it; none where the repository has all of it. In a dry run, what would be done',
            ),
        mergeRequestUrl: z =>
          z
            .string()
            .optional()
            .describe('Address of the merge request, where there is one'),
        mergeRequestIid: z =>
          z.number().optional().describe('Its number in the project'),
        branchName: z => z.string().describe('Branch that it is from'),
        superseded: z =>
          z
            .array(z.string())
            .describe('Addresses of those that it proposes an update of'),
        summary: z => z.string().describe('The same in one sentence'),
      },
    },
    async handler(context) {
      const { workspacePath, logger, input, isDryRun = false } = context;
      const { title, description = '', branchName } = input;
      const files = await WorkspaceFolder.of({
        workspacePath,
        path: input.sourcePath,
      }).readAll();
      const { host, path } = parseRepositoryUrl(input.repoUrl);
      const connection = connectGitLab({
        integrations,
        host,
        token: input.token,
      });
      const project = await readProject({
        connection,
        idOrPath: path,
        branch: input.targetBranchName,
      });
      const publication = await new FilePublisher({
        connection,
        project,
        isDryRun,
      }).publish({
        files,
        branchName,
        title: plainText(title),
        description,
        namesSuperseded: input.namesSuperseded ?? true,
      });
      publication.changes.forEach(change =>
        logger.info(`${change.action} ${change.path}`),
      );
      const summary = summaryOf({ publication, path: project.path, isDryRun });
      logger.info(summary);
      context.output('outcome', publication.outcome);
      context.output('mergeRequestUrl', publication.mergeRequest?.url);
      context.output('mergeRequestIid', publication.mergeRequest?.iid);
      context.output('branchName', publication.branch);
      context.output(
        'superseded',
        publication.superseded.map(({ url }) => url),
      );
      context.output('summary', summary);
    },
  });
}
