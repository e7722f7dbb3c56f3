import { Knex } from 'knex';
import { ObservationGap } from '../../model';
import { inStatements, storableText } from '../dialect';
import { ObservationGapRow } from '../tables';
import { toMilliseconds } from '../toRow';

/** Runs within {@link withLease}. */
export async function insertGaps(
  transaction: Knex.Transaction,
  gaps: readonly ObservationGap[],
): Promise<void> {
  const rows: ObservationGapRow[] = gaps.map(gap => ({
    scope: storableText(gap.scope),
    started_at: toMilliseconds(gap.startedAt),
    ended_at: toMilliseconds(gap.endedAt),
  }));
  for (const some of inStatements(rows)) {
    await transaction<ObservationGapRow>('observation_gaps').insert(some);
  }
}
