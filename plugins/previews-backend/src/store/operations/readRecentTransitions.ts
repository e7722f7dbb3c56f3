import { Transition } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { TransitionRow } from '../tables';

/** The newest transitions of all previews, in the order in which they happened. */
export async function readRecentTransitions(
  knex: Knex,
  limit: number,
): Promise<Transition[]> {
  const rows = await knex<TransitionRow>('transitions')
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'preview_id', 'document');
  return rows.reverse().map(row => ({
    ...JSON.parse(row.document),
    id: String(row.id),
    previewId: row.preview_id,
  }));
}
