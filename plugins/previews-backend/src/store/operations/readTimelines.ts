import { Transition } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { inStatements } from '../dialect';
import { TransitionRow } from '../tables';

/** Whole timelines by preview id, in the order in which things happened. */
export async function readTimelines(
  knex: Knex,
  ids: readonly string[],
): Promise<Map<string, Transition[]>> {
  const timelines = new Map<string, Transition[]>();
  for (const some of inStatements(ids)) {
    const rows = await knex<TransitionRow>('transitions')
      .whereIn('preview_id', some)
      .orderBy('id')
      .select('id', 'preview_id', 'document');
    for (const row of rows) {
      const timeline = timelines.get(row.preview_id) ?? [];
      timeline.push({
        ...JSON.parse(row.document),
        id: String(row.id),
        previewId: row.preview_id,
      });
      timelines.set(row.preview_id, timeline);
    }
  }
  return timelines;
}
