import { Knex } from 'knex';
import { BudgetMemory, IssuanceRecord } from '../../model';
import { storableText } from '../dialect';
import { Visibility } from '../PreviewStore';
import { whereVisible } from '../query/visibility';
import { IssuanceRow, SETTING_CERTIFICATE_BUDGET, SettingRow } from '../tables';

/** All records that are kept, oldest first, and what is remembered besides. */
export async function readIssuances(
  knex: Knex,
): Promise<{ records: IssuanceRecord[]; memory?: BudgetMemory }> {
  const [rows, setting] = await Promise.all([
    knex<IssuanceRow>('certificate_issuances')
      .orderBy('at')
      .orderBy('id')
      .select('document'),
    knex<SettingRow>('settings')
      .where({ name: SETTING_CERTIFICATE_BUDGET })
      .first('value'),
  ]);
  return {
    records: rows.map(({ document }) => JSON.parse(document)),
    ...(setting && { memory: JSON.parse(setting.value) }),
  };
}

/** Ids of the previews with a record that the caller may see. */
export async function readIssuancePreviews(
  knex: Knex,
  query: { entityRef?: string },
  visibility: Visibility,
): Promise<Set<string>> {
  const rows = knex<IssuanceRow>('certificate_issuances')
    .whereNotNull('certificate_issuances.preview_id')
    .distinct('certificate_issuances.preview_id');
  whereVisible(rows, {
    knex,
    visibility,
    id: 'certificate_issuances.preview_id',
  });
  if (query.entityRef !== undefined) {
    rows.whereIn(
      'certificate_issuances.preview_id',
      knex('preview_entities')
        .select('preview_id')
        .where('entity_ref', storableText(query.entityRef)),
    );
  }
  const found = await rows;
  return new Set(found.flatMap(row => row.preview_id ?? []));
}
