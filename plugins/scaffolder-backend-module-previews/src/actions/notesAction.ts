import type { ScmIntegrationRegistry } from '@backstage/integration';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';
import { plainText } from '../gitlab';
import {
  readMergeRequests,
  type ReleaseContent,
  ReleaseNotKnown,
  releaseNotes,
  ReleaseReader,
} from '../promote';
import { readForRelease } from './readForRelease';

/** Id of the action. */
export const NOTES_ACTION = 'previews:release:notes';

const examples = [
  {
    description: 'Tell what was merged between two tags',
    example: stringify({
      steps: [
        {
          id: 'notes',
          action: NOTES_ACTION,
          name: 'Read what is in it',
          input: {
            service: 'shop',
            line: 'targetRevision',
            path: 'argocd/shop/application-prod.yaml',
            previous: '${{ steps.promote.output.previous }}',
            value: 'shop-v1.5.0',
            unverified: '${{ steps.promote.output.unverified }}',
            entity: '${{ steps.entity.output.entity }}',
            gitopsRepository: 'gitlab.example.com?owner=platform&repo=gitops',
          },
        },
      ],
    }),
  },
];

/**
 * The action `previews:release:notes`: writes the description of a release with the merge requests
 * between what was out and what comes. What cannot be read is said to be unknown, and holds up no release.
 */
export function createNotesAction(options: {
  integrations: ScmIntegrationRegistry;
}) {
  const { integrations } = options;
  return createTemplateAction({
    id: NOTES_ACTION,
    description:
      'Reads from GitLab what was merged between two releases, and writes it down',
    examples,
    supportsDryRun: true,
    schema: {
      input: {
        service: z => z.string().min(1).describe('Name of the service'),
        line: z =>
          z
            .enum(['targetRevision', 'newTag'])
            .describe('The line that makes the release'),
        path: z =>
          z
            .string()
            .min(1)
            .describe('Path of its file in the GitOps repository'),
        previous: z => z.string().describe('What the line said before'),
        value: z => z.string().min(1).describe('What it says now'),
        entity: z =>
          z
            .any()
            .describe(
              'The Component as catalog:fetch puts it out: its project is where merge requests are looked for first',
            ),
        gitopsRepository: z =>
          z
            .string()
            .min(1)
            .describe('GitOps repository, as the RepoUrlPicker writes it'),
        mergeRequests: z =>
          z
            .union([z.string(), z.array(z.unknown())])
            .optional()
            .describe(
              'Instead of what GitLab knows: a title on each line, or JSON as GitLab lists merge requests',
            ),
        unverified: z =>
          z
            .string()
            .optional()
            .describe(
              'Why it is not known whether the value exists, as the promotion puts it out; empty where it does',
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
        description: z =>
          z.string().describe('Description of the release, in Markdown'),
        mergeRequests: z =>
          z
            .array(
              z.object({
                iid: z.number().optional(),
                title: z.string(),
              }),
            )
            .describe('What is in it'),
      },
    },
    async handler(context) {
      const { input, logger } = context;
      const { service, previous, value, unverified, mergeRequests } = input;
      const read = (): Promise<ReleaseContent | ReleaseNotKnown> =>
        readForRelease({
          integrations,
          input,
          logger,
          read: ({ connection, ...projects }) =>
            new ReleaseReader(connection).read({ ...input, ...projects }),
        });
      const isListed = mergeRequests !== undefined && mergeRequests.length > 0;
      const content = isListed ? undefined : await read();
      const known =
        content === undefined || content instanceof ReleaseNotKnown
          ? readMergeRequests(isListed ? mergeRequests : undefined)
          : content.mergeRequests;
      logger.info(
        content instanceof ReleaseNotKnown
          ? `What was merged in between is not known: ${content.why}`
          : `${known.length} merge requests are in it`,
      );
      context.output(
        'mergeRequests',
        known.map(({ iid, title }) => ({ iid, title: plainText(title) })),
      );
      context.output(
        'description',
        releaseNotes({
          service,
          previous,
          value,
          unverified,
          mergeRequests: known,
          content,
        }),
      );
    },
  });
}
