import { Knex } from 'knex';

/**
 * All refs that a preview has or had, or that an entity claims. Links are kept as
 * long as statistics, many of them to few refs, and neither engine skips from one
 * value of an index to the next by itself: each step of the recursion asks for the
 * least ref above the last one, which is one look into the index. Minimum and
 * comparison go by the collation of the column, as its index does.
 */
const DISTINCT_OF_PREVIEWS = `
  select min(entity_ref) as entity_ref from preview_entities
  union all
  select (
    select min(preview_entities.entity_ref) from preview_entities
    where preview_entities.entity_ref > refs.entity_ref
  ) from refs where refs.entity_ref is not null`;

export async function readEntityRefs(knex: Knex): Promise<string[]> {
  const rows: { entity_ref: string }[] = await knex
    .withRecursive('refs', ['entity_ref'], knex.raw(DISTINCT_OF_PREVIEWS))
    .from('refs')
    .whereNotNull('entity_ref')
    .select('entity_ref')
    .union(knex('entity_claims').select('entity_ref'))
    .orderBy('entity_ref');
  return rows.map(row => row.entity_ref);
}
