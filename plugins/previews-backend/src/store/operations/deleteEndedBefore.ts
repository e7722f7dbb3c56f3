import { Knex } from 'knex';
import {
  FindingRow,
  ObservationGapRow,
  PreviewRow,
  TransitionRow,
} from '../tables';
import { toMilliseconds } from '../toRow';

/**
 * A timeline is kept whole as long as its preview is; what is left of one whose
 * preview went goes by its own age. Spans stay for statistics, and with them the
 * links to the entities that say who may see them. Runs within {@link withLease}.
 */
export async function deleteEndedBefore(
  transaction: Knex.Transaction,
  time: string,
): Promise<number> {
  const before = toMilliseconds(time);
  const ended = () =>
    transaction<PreviewRow>('previews').where('ended_at', '<', before);
  await transaction('preview_entities')
    .whereIn('preview_id', ended().select('id'))
    .whereNotExists(
      transaction('spans')
        .select(transaction.raw('1'))
        .whereRaw('spans.preview_id = preview_entities.preview_id'),
    )
    .delete();
  await transaction('preview_clusters')
    .whereIn('preview_id', ended().select('id'))
    .delete();
  await transaction<ObservationGapRow>('observation_gaps')
    .where('ended_at', '<', before)
    .delete();
  const over = () =>
    transaction<FindingRow>('findings').where('resolved_at', '<', before);
  await transaction('finding_previews')
    .whereIn('finding_id', over().select('id'))
    .delete();
  const findings = await over().delete();
  const previews = await ended().delete();
  const transitions = await transaction<TransitionRow>('transitions')
    .where('at', '<', before)
    .whereNotExists(
      transaction('previews')
        .select(transaction.raw('1'))
        .whereRaw('previews.id = transitions.preview_id'),
    )
    .delete();
  return previews + transitions + findings;
}
