import { ActionsRegistryService } from '@backstage/backend-plugin-api/alpha';
import { sourceReadPermission } from '@previews/backstage-plugin-previews-common';
import { PreviewsService } from '../api';
import { readOnly } from './readOnly';

export function registerListSources(options: {
  actionsRegistry: ActionsRegistryService;
  service: PreviewsService;
}): void {
  const { actionsRegistry, service } = options;
  actionsRegistry.register({
    name: 'list-sources',
    title: 'List sources of previews',
    description:
      'Lists the GitLab hosts and clusters that previews are read from, with their freshness and what is wrong with them.',
    attributes: readOnly,
    visibilityPermission: sourceReadPermission,
    schema: {
      input: zod => zod.object({}),
      output: zod =>
        zod.object({
          sources: zod.array(
            zod.object({
              id: zod.string(),
              kind: zod.string(),
              name: zod.string(),
              status: zod.enum(['fresh', 'stale', 'failing', 'pending']),
              lastCompleteAt: zod
                .string()
                .optional()
                .describe('ISO 8601; when it was last read completely'),
              errors: zod.array(
                zod.object({
                  reason: zod.string(),
                  message: zod.string(),
                  subject: zod.string().optional(),
                  since: zod.string().describe('ISO 8601'),
                }),
              ),
              notes: zod.array(zod.string()),
            }),
          ),
        }),
    },
    async action({ credentials }) {
      const { body } = await service.sources({ credentials });
      return {
        output: {
          sources: body.items.map(
            ({ id, kind, name, status, lastCompleteAt, errors, notes }) => ({
              id,
              kind,
              name,
              status,
              ...(lastCompleteAt && { lastCompleteAt }),
              errors: errors.map(({ reason, message, subject, since }) => ({
                reason,
                message,
                ...(subject && { subject }),
                since,
              })),
              notes: notes.map(({ message }) => message),
            }),
          ),
        },
      };
    },
  });
}
