import {
  CheckSeverity,
  EntityChecks,
} from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { storableText } from '../dialect';
import { EntityChecksRow } from '../tables';

export async function readEntityChecks(
  knex: Knex,
  entityRef: string,
): Promise<EntityChecks | undefined> {
  const row = await knex<EntityChecksRow>('entity_checks')
    .where('entity_ref', storableText(entityRef))
    .first('document');
  return row && JSON.parse(row.document);
}

export async function readCheckedEntities(knex: Knex): Promise<string[]> {
  const rows = await knex<EntityChecksRow>('entity_checks').select(
    'entity_ref',
  );
  return rows.map(row => row.entity_ref);
}

/** Of all entities; sums are texts in PostgreSQL, and null without rows. */
export async function countChecks(
  knex: Knex,
): Promise<Record<CheckSeverity, number>> {
  const [row] = await knex<EntityChecksRow>('entity_checks')
    .sum({ error: 'errors' })
    .sum({ warning: 'warnings' })
    .sum({ info: 'infos' });
  return {
    error: Number(row.error ?? 0),
    warning: Number(row.warning ?? 0),
    info: Number(row.info ?? 0),
  };
}
