import { ActionsRegistryService } from '@backstage/backend-plugin-api/alpha';
import { phases } from '@previews/backstage-plugin-previews-common';
import { PreviewsService } from '../api';
import { previewShape, toShape } from './previewShape';
import { readOnly } from './readOnly';

export function registerListPreviews(options: {
  actionsRegistry: ActionsRegistryService;
  service: PreviewsService;
}): void {
  const { actionsRegistry, service } = options;
  actionsRegistry.register({
    name: 'list-previews',
    title: 'List previews',
    description:
      'Lists the preview environments of GitLab merge requests, those that need a person first. Environments that are gone are left out unless their phase is asked for.',
    attributes: readOnly,
    schema: {
      input: zod =>
        zod.object({
          entityRef: zod
            .string()
            .min(1)
            .max(800)
            .optional()
            .describe('Only of this entity, such as component:default/shop'),
          phases: zod
            .array(zod.enum(phases))
            .min(1)
            .optional()
            .describe('Only in these phases'),
          project: zod
            .string()
            .min(1)
            .max(1000)
            .optional()
            .describe('Only of this project, by its full path'),
          author: zod
            .string()
            .min(1)
            .max(255)
            .optional()
            .describe('Only of merge requests of this GitLab username'),
          text: zod
            .string()
            .max(200)
            .optional()
            .describe(
              'Free text over title, branch, author, number (!7) and SHA',
            ),
          limit: zod
            .number()
            .int()
            .min(1)
            .max(200)
            .optional()
            .describe('At most so many; 50 where absent'),
          cursor: zod
            .string()
            .min(1)
            .max(500)
            .optional()
            .describe('nextCursor of the answer before'),
        }),
      output: zod =>
        zod.object({
          previews: zod.array(zod.object(previewShape(zod))),
          totalItems: zod.number().describe('Of all pages'),
          nextCursor: zod.string().optional(),
        }),
    },
    async action({ input, credentials }) {
      const { phases: phase, text, ...filters } = input;
      const { body } = await service.list(
        { ...filters, ...(phase && { phase }), ...(text && { q: text }) },
        { credentials },
      );
      return {
        output: {
          previews: body.items.map(toShape),
          totalItems: body.totalItems,
          ...(body.nextCursor && { nextCursor: body.nextCursor }),
        },
      };
    },
  });
}
