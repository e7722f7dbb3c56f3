import { Knex } from 'knex';
import { IssuanceChanges } from '../../model';
import { inStatements } from '../dialect';
import { IssuanceRow, SETTING_CERTIFICATE_BUDGET } from '../tables';
import { toMilliseconds } from '../toRow';
import { writeSetting } from './writeSetting';

/** Keeps the first of each record; runs within {@link withLease}. */
export async function applyIssuances(
  transaction: Knex.Transaction,
  { records, memory, forgetBefore }: IssuanceChanges,
): Promise<void> {
  const rows = records.map(
    (record): IssuanceRow => ({
      id: record.id,
      at: toMilliseconds(record.at),
      preview_id: record.previewId ?? null,
      document: JSON.stringify(record),
    }),
  );
  for (const some of inStatements(rows)) {
    await transaction<IssuanceRow>('certificate_issuances')
      .insert(some)
      .onConflict('id')
      .ignore();
  }
  if (forgetBefore !== undefined) {
    await transaction<IssuanceRow>('certificate_issuances')
      .where('at', '<', toMilliseconds(forgetBefore))
      .delete();
  }
  if (memory) {
    await writeSetting(transaction, {
      name: SETTING_CERTIFICATE_BUDGET,
      value: JSON.stringify(memory),
    });
  }
}
