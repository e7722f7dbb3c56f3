import { Knex } from 'knex';
import { FindingChanges, StoredFinding } from '../../model';
import { inStatements } from '../dialect';
import { FindingRow } from '../tables';
import { toMilliseconds } from '../toRow';

function toRow(stored: StoredFinding): FindingRow {
  const { id, type, severity, since, resolvedAt } = stored.finding;
  return {
    id,
    type,
    severity,
    opened_at: toMilliseconds(since),
    resolved_at: resolvedAt === undefined ? null : toMilliseconds(resolvedAt),
    document: JSON.stringify(stored),
  };
}

/**
 * Writes what a pass changed of the findings, and what it remembers of the sets.
 * Runs within {@link withLease}.
 */
export async function applyFindings(
  transaction: Knex.Transaction,
  changes: FindingChanges,
): Promise<void> {
  const { put, resolved, sets, forgottenSets } = changes;
  for (const some of inStatements([...put, ...resolved].map(toRow))) {
    await transaction<FindingRow>('findings')
      .insert(some)
      .onConflict('id')
      .merge();
  }
  for (const ids of inStatements(put.map(({ finding }) => finding.id))) {
    await transaction('finding_previews').whereIn('finding_id', ids).delete();
  }
  const links = put.flatMap(({ finding: { id, previewIds } }) =>
    previewIds.map(previewId => ({ finding_id: id, preview_id: previewId })),
  );
  for (const some of inStatements(links)) {
    await transaction('finding_previews').insert(some);
  }
  for (const some of inStatements(
    sets.map(set => ({
      reference: set.reference,
      document: JSON.stringify(set),
    })),
  )) {
    await transaction('generated_sets')
      .insert(some)
      .onConflict('reference')
      .merge();
  }
  for (const references of inStatements(forgottenSets)) {
    await transaction('generated_sets')
      .whereIn('reference', references)
      .delete();
  }
}
