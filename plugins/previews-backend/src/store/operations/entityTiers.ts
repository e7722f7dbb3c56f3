import { TierState } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { StoredTiers } from '../../model';
import { inStatements, storableText } from '../dialect';
import { EntityTiersRow } from '../tables';

export async function readTiers(
  knex: Knex,
  entityRef: string,
): Promise<TierState[]> {
  const row = await knex<EntityTiersRow>('entity_tiers')
    .where('entity_ref', storableText(entityRef))
    .first('document');
  return row ? JSON.parse(row.document) : [];
}

export async function readAllTiers(knex: Knex): Promise<StoredTiers[]> {
  const rows = await knex<EntityTiersRow>('entity_tiers').select('*');
  return rows.map(row => ({
    entityRef: row.entity_ref,
    tiers: JSON.parse(row.document),
  }));
}

/** Replaces those of entities, and forgets those without any. Runs within {@link withLease}. */
export async function applyTiers(
  transaction: Knex.Transaction,
  changes: readonly StoredTiers[],
): Promise<void> {
  const gone = changes.filter(({ tiers }) => tiers.length === 0);
  for (const refs of inStatements(
    gone.map(({ entityRef }) => storableText(entityRef)),
  )) {
    await transaction<EntityTiersRow>('entity_tiers')
      .whereIn('entity_ref', refs)
      .delete();
  }
  const rows = changes
    .filter(({ tiers }) => tiers.length > 0)
    .map(
      ({ entityRef, tiers }): EntityTiersRow => ({
        entity_ref: storableText(entityRef),
        document: JSON.stringify(tiers),
      }),
    );
  for (const some of inStatements(rows)) {
    await transaction<EntityTiersRow>('entity_tiers')
      .insert(some)
      .onConflict('entity_ref')
      .merge();
  }
}
