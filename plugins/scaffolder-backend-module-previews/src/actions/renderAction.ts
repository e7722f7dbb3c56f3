import type { ScmIntegrationRegistry } from '@backstage/integration';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';
import { refuseHidden } from '../edit';
import {
  onboardingInputSchema,
  type OnboardingInput,
  parseOnboardingInput,
  refuseConflicts,
  renderOnboarding,
} from '../render';
import { branchName } from './branchName';
import { WorkspaceFolder } from './workspace';

/** Id of the action. */
export const RENDER_ACTION = 'previews:gitops:render';

const examples = [
  {
    description: 'Render everything with a wildcard certificate and Helm',
    example: stringify({
      steps: [
        {
          id: 'skeleton',
          action: 'fetch:plain',
          input: { url: './skeleton', targetPath: 'skeleton' },
        },
        {
          id: 'render',
          action: RENDER_ACTION,
          name: 'Render the files',
          input: {
            values: {
              service: 'shop',
              project: { id: 42, path: 'web/shop' },
              gitlabUrl: 'https://gitlab.example.com',
              gitops: {
                repositoryUrl: 'https://gitlab.example.com/platform/gitops.git',
                project: 'platform/gitops',
              },
              image: 'registry.example.com/web/shop',
              domain: 'example.com',
              token: {
                secretStore: 'platform',
                remoteKey: 'gitlab/previews',
                expiresOn: '2027-03-01',
              },
            },
          },
        },
      ],
    }),
  },
];

/**
 * The action `previews:gitops:render`: writes what onboarding renders into two folders of the
 * workspace, one for each repository. It talks to nobody, so that a dry run shows everything.
 */
export function createRenderAction(options: {
  integrations: ScmIntegrationRegistry;
  /** The time, for what must not have expired; the clock's by default. */
  now?: () => Date;
}) {
  const { now = () => new Date() } = options;
  const insecureGitLabs = options.integrations.gitlab
    .list()
    .map(({ config }) => config.baseUrl.replace(/\/+$/, ''))
    .filter(baseUrl => baseUrl.startsWith('http:'));
  return createTemplateAction({
    id: RENDER_ACTION,
    description:
      'Renders what gives a service its previews, for the GitOps repository and for its own',
    examples,
    supportsDryRun: true,
    schema: {
      input: {
        values: () =>
          onboardingInputSchema.describe('What the form of onboarding asked'),
        skeletonPath: z =>
          z
            .string()
            .optional()
            .describe('Folder with the skeleton; skeleton by default'),
        gitopsPath: z =>
          z
            .string()
            .optional()
            .describe('Folder for the GitOps repository; gitops by default'),
        servicePath: z =>
          z
            .string()
            .optional()
            .describe(
              'Folder for the repository of the service; service by default',
            ),
        repositoryPath: z =>
          z
            .string()
            .optional()
            .describe(
              'Folder that the GitOps repository was fetched to, to tell whether anything changes in it and whether the project has previews by it already',
            ),
      },
      output: {
        branchName: z =>
          z.string().describe('Branch that is named after the content'),
        changed: z =>
          z
            .boolean()
            .describe(
              'Whether the GitOps repository lacks any of it; true where it was not fetched',
            ),
        files: z =>
          z
            .array(
              z.object({
                repository: z.enum(['gitops', 'service']),
                path: z.string(),
              }),
            )
            .describe('What was written, by the paths in its repository'),
        checklist: z =>
          z.string().describe('Markdown of what is left to do by hand'),
        checklistPath: z =>
          z.string().describe('Path of the same in the GitOps repository'),
      },
    },
    async handler(context) {
      const { workspacePath, logger } = context;
      const {
        values,
        skeletonPath = 'skeleton',
        gitopsPath = 'gitops',
        servicePath = 'service',
        repositoryPath,
      } = context.input;
      const folder = (path: string) =>
        WorkspaceFolder.of({ workspacePath, path });
      const input = parseOnboardingInput(values, {
        insecureGitLabs,
        now: now(),
      });
      const files = renderOnboarding({
        input,
        skeleton: await folder(skeletonPath).readAll(),
      });
      const gitops = files.filter(({ repository }) => repository === 'gitops');
      const isChanged =
        repositoryPath === undefined ||
        (await differs({
          repository: folder(repositoryPath),
          input,
          files: gitops,
        }));
      await folder(gitopsPath).write(gitops);
      await folder(servicePath).write(
        files.filter(({ repository }) => repository === 'service'),
      );
      logger.info(
        `Rendered ${files.length} files for ${input.service}: ${gitops.length} for ${input.gitops.project}`,
      );
      const checklist = gitops.find(({ path }) =>
        path.endsWith('/checklist.md'),
      );
      context.output(
        'branchName',
        branchName({
          purpose: 'onboard',
          service: input.service,
          files: gitops,
        }),
      );
      context.output('changed', isChanged);
      context.output(
        'files',
        files.map(({ repository, path }) => ({ repository, path })),
      );
      context.output('checklist', checklist?.content ?? '');
      context.output('checklistPath', checklist?.path ?? '');
    },
  });
}

/**
 * Whether a repository lacks any of the files; refuses those that it would hide, and to onboard once more
 * what has previews by other files.
 */
async function differs(options: {
  repository: WorkspaceFolder;
  input: OnboardingInput;
  files: readonly { path: string; content: string }[];
}): Promise<boolean> {
  const { repository, input, files } = options;
  const present = await Promise.all(
    files.map(async ({ path }) => ({
      path,
      content: await repository.read(path),
    })),
  );
  refuseHidden({
    paths: present
      .filter(({ content }) => content === undefined)
      .map(({ path }) => path),
    ignoreFiles: await repository.readAll(['**/.gitignore']),
  });
  refuseConflicts({
    input,
    files,
    present: [
      ...(await repository.readAll(['**/*.yaml', '**/*.yml'])),
      ...present.flatMap(({ path, content }) =>
        content === undefined ? [] : { path, content },
      ),
    ],
  });
  return files.some(({ content }, index) => content !== present[index].content);
}
