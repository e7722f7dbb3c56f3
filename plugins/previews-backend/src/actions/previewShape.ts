import { Preview } from '@previews/backstage-plugin-previews-common';
import type { z } from 'zod/v3';

/** What every action says of a preview. */
export function previewShape(zod: typeof z) {
  return {
    id: zod.string().describe('Id of the preview'),
    project: zod.string().describe('Full path of the GitLab project'),
    iid: zod.number().describe('Number of the merge request in its project'),
    title: zod.string(),
    author: zod.string().describe('GitLab username'),
    mergeRequestUrl: zod.string().optional(),
    entityRefs: zod.array(zod.string()),
    phase: zod
      .string()
      .describe('One word for its state, such as Live, Building or Failed'),
    message: zod
      .string()
      .optional()
      .describe('Why it is not plainly live, in one sentence'),
    urls: zod.array(zod.string()).describe('Addresses of the environment'),
    stale: zod
      .array(zod.string())
      .describe('Sources whose facts are older than they should be'),
  };
}

export function toShape(preview: Preview) {
  const { id, mergeRequest, entityRefs, phase, message, urls, stale } = preview;
  return {
    id,
    project: mergeRequest.project,
    iid: mergeRequest.iid,
    title: mergeRequest.title,
    author: mergeRequest.author.username,
    ...(mergeRequest.webUrl && { mergeRequestUrl: mergeRequest.webUrl }),
    entityRefs,
    phase,
    ...(message && { message }),
    urls: urls.map(({ url }) => url),
    stale,
  };
}
