import { Knex } from 'knex';
import { PreviewRow, TransitionRow } from '../tables';
import { toMilliseconds } from '../toRow';

/**
 * A timeline is kept whole as long as its preview is; what is left of one whose
 * preview went goes by its own age. Runs within {@link withLease}.
 */
export async function deleteEndedBefore(
  transaction: Knex.Transaction,
  time: string,
): Promise<number> {
  const before = toMilliseconds(time);
  const ended = () =>
    transaction<PreviewRow>('previews').where('ended_at', '<', before);
  for (const table of ['preview_entities', 'preview_clusters']) {
    await transaction(table)
      .whereIn('preview_id', ended().select('id'))
      .delete();
  }
  const previews = await ended().delete();
  const transitions = await transaction<TransitionRow>('transitions')
    .where('at', '<', before)
    .whereNotExists(
      transaction('previews')
        .select(transaction.raw('1'))
        .whereRaw('previews.id = transitions.preview_id'),
    )
    .delete();
  return previews + transitions;
}
