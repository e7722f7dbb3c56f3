import { Knex } from 'knex';
import { inStatements, storableText } from '../dialect';
import { StoredEntityChecks } from '../PreviewStore';
import { EntityChecksRow } from '../tables';

/** Runs within {@link withLease}. */
export async function applyEntityChecks(
  transaction: Knex.Transaction,
  changes: {
    put: readonly StoredEntityChecks[];
    removed: readonly string[];
  },
): Promise<void> {
  for (const refs of inStatements(changes.removed.map(storableText))) {
    await transaction<EntityChecksRow>('entity_checks')
      .whereIn('entity_ref', refs)
      .delete();
  }
  const rows = changes.put.map(
    ({ entityRef, checks }): EntityChecksRow => ({
      entity_ref: storableText(entityRef),
      errors: checks.counts.error ?? 0,
      warnings: checks.counts.warning ?? 0,
      infos: checks.counts.info ?? 0,
      document: JSON.stringify(checks),
    }),
  );
  for (const some of inStatements(rows)) {
    await transaction<EntityChecksRow>('entity_checks')
      .insert(some)
      .onConflict('entity_ref')
      .merge();
  }
}
