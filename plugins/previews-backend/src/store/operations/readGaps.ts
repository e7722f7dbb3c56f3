import { Knex } from 'knex';
import { ObservationGap } from '../../model';
import { ObservationGapRow } from '../tables';

export async function readGaps(knex: Knex): Promise<ObservationGap[]> {
  const rows = await knex<ObservationGapRow>('observation_gaps')
    .orderBy('ended_at')
    .select();
  return rows.map(row => ({
    scope: row.scope,
    startedAt: new Date(Number(row.started_at)).toISOString(),
    endedAt: new Date(Number(row.ended_at)).toISOString(),
  }));
}
