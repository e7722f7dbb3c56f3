import { Transition } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { decodeCursor, encodeCursor } from '../query/cursor';
import { TransitionRow } from '../tables';

const CURSOR_KIND = 'timeline';

/** Newest first. */
export async function readTimeline(
  knex: Knex,
  previewId: string,
  options: { limit: number; cursor?: string },
): Promise<{ items: Transition[]; nextCursor?: string }> {
  const query = knex<TransitionRow>('transitions')
    .where('preview_id', previewId)
    .orderBy('id', 'desc')
    .limit(options.limit + 1);
  if (options.cursor !== undefined) {
    const [before] = decodeCursor(options.cursor, {
      kind: CURSOR_KIND,
      types: ['number'],
    });
    query.where('id', '<', before);
  }
  const rows = await query.select('id', 'document');
  const shown = rows.slice(0, options.limit);
  const last = shown[shown.length - 1];
  return {
    items: shown.map(row => ({
      ...JSON.parse(row.document),
      id: String(row.id),
      previewId,
    })),
    ...(last &&
      rows.length > shown.length && {
        nextCursor: encodeCursor(CURSOR_KIND, [Number(last.id)]),
      }),
  };
}
