import { Knex } from 'knex';

export async function readEntityRefs(knex: Knex): Promise<string[]> {
  const rows: { entity_ref: string }[] = await knex('preview_entities')
    .select('entity_ref')
    .union(knex('entity_claims').select('entity_ref'))
    .orderBy('entity_ref');
  return rows.map(row => row.entity_ref);
}
