import { Knex } from 'knex';
import { inStatements } from '../dialect';
import { EntityClaim } from '../PreviewStore';
import { EntityClaimRow } from '../tables';

/** Runs within {@link withLease}. */
export async function replaceEntityClaims(
  transaction: Knex.Transaction,
  claims: readonly EntityClaim[],
): Promise<void> {
  const stored = new Map(
    (await transaction<EntityClaimRow>('entity_claims').select()).map(row => [
      row.entity_ref,
      row.claim,
    ]),
  );
  const wanted = new Map(
    claims.map(claim => [claim.entityRef, JSON.stringify(claim)]),
  );
  for (const refs of inStatements(
    [...stored.keys()].filter(ref => !wanted.has(ref)),
  )) {
    await transaction('entity_claims').whereIn('entity_ref', refs).delete();
  }
  const changed = [...wanted]
    .filter(([entityRef, claim]) => stored.get(entityRef) !== claim)
    .map(([entityRef, claim]) => ({ entity_ref: entityRef, claim }));
  for (const some of inStatements(changed)) {
    await transaction('entity_claims')
      .insert(some)
      .onConflict('entity_ref')
      .merge();
  }
}
