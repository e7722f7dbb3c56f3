import { BackstageCredentials } from '@backstage/backend-plugin-api';
import { ActionsRegistryService } from '@backstage/backend-plugin-api/alpha';
import { InputError, NotFoundError } from '@backstage/errors';
import { phases } from '@previews/backstage-plugin-previews-common';
import { PreviewsService } from '../api';
import { previewShape, toShape } from './previewShape';
import { readOnly } from './readOnly';

const TRANSITIONS_SHOWN = 20;
/** A number is looked for among those that begin with it. */
const SAME_NUMBERS = 200;

interface Named {
  id?: string;
  project?: string;
  iid?: number;
}

export function registerExplainPreview(options: {
  actionsRegistry: ActionsRegistryService;
  service: PreviewsService;
}): void {
  const { actionsRegistry, service } = options;
  actionsRegistry.register({
    name: 'explain-preview',
    title: 'Explain a preview',
    description:
      'Explains the state of one preview environment: every checked condition in the order of its life, and what happened last. Name it by its id, or by project and merge request number.',
    attributes: readOnly,
    schema: {
      input: zod =>
        zod.object({
          id: zod
            .string()
            .regex(/^[a-z0-9-]+$/)
            .max(100)
            .optional()
            .describe('Id, as list-previews gives it'),
          project: zod
            .string()
            .min(1)
            .max(1000)
            .optional()
            .describe('Full path of the project, together with iid'),
          iid: zod
            .number()
            .int()
            .min(1)
            .optional()
            .describe('Number of the merge request, together with project'),
        }),
      output: zod =>
        zod.object({
          ...previewShape(zod),
          phaseSince: zod.string().describe('ISO 8601'),
          headSha: zod.string().optional(),
          runningCommit: zod.string().optional(),
          conditions: zod.array(
            zod.object({
              type: zod.string(),
              status: zod.enum(['True', 'False', 'Unknown']),
              reason: zod.string(),
              message: zod.string(),
              since: zod.string().describe('ISO 8601'),
            }),
          ),
          findings: zod
            .array(
              zod.object({
                type: zod.string(),
                severity: zod.string(),
                message: zod.string(),
                since: zod.string().describe('ISO 8601'),
              }),
            )
            .describe(
              'Where it differs from what its merge request would lead to',
            ),
          timeline: zod
            .array(zod.object({ at: zod.string(), message: zod.string() }))
            .describe('What happened last, newest first'),
        }),
    },
    async action({ input, credentials }) {
      const id = input.id ?? (await findId(service, input, credentials));
      const [{ body: answer }, { body: timeline }] = await Promise.all([
        service.get(id, { credentials }),
        service.timeline(id, { limit: TRANSITIONS_SHOWN }, { credentials }),
      ]);
      const { preview } = answer;
      const { headSha } = preview.mergeRequest;
      const { running } = preview.commit;
      return {
        output: {
          ...toShape(preview),
          phaseSince: preview.phaseSince,
          ...(headSha && { headSha }),
          ...(running && { runningCommit: running }),
          conditions: [
            ...preview.conditions,
            ...(preview.furtherConditions ?? []),
          ].map(({ type, status, reason, message, since }) => ({
            type,
            status,
            reason,
            message,
            since,
          })),
          findings: answer.findings.map(
            ({ type, severity, message, since }) => ({
              type,
              severity,
              message,
              since,
            }),
          ),
          timeline: timeline.items.map(({ at, message }) => ({ at, message })),
        },
      };
    },
  });
}

async function findId(
  service: PreviewsService,
  { project, iid }: Named,
  credentials: BackstageCredentials,
): Promise<string> {
  if (project === undefined || iid === undefined) {
    throw new InputError("Either 'id', or 'project' and 'iid' are needed");
  }
  const { body } = await service.list(
    { project, q: `!${iid}`, phase: [...phases], limit: SAME_NUMBERS },
    { credentials },
  );
  const found = body.items.filter(
    ({ mergeRequest }) => mergeRequest.iid === iid,
  );
  if (found.length === 0) {
    throw new NotFoundError(`No preview of ${project}!${iid}`);
  }
  if (found.length > 1) {
    throw new InputError(
      `Several GitLab hosts have ${project}!${iid}; name one of the ids ${found
        .map(({ id }) => id)
        .join(', ')}`,
    );
  }
  return found[0].id;
}
