import { Knex } from 'knex';
import { storableText } from '../dialect';
import { EntityClaim } from '../PreviewStore';
import { EntityClaimRow } from '../tables';

export async function readClaim(
  knex: Knex,
  entityRef: string,
): Promise<EntityClaim | undefined> {
  const row = await knex<EntityClaimRow>('entity_claims')
    .where('entity_ref', storableText(entityRef))
    .first('claim');
  return row && JSON.parse(row.claim);
}
