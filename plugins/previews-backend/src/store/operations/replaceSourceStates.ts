import { SourceState } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { inStatements } from '../dialect';
import { SETTING_SOURCES_READ_AT, SourceStateRow } from '../tables';
import { writeSetting } from './writeSetting';

/** Runs within {@link withLease}. */
export async function replaceSourceStates(
  transaction: Knex.Transaction,
  states: readonly SourceState[],
  options: { readAt: string },
): Promise<void> {
  const stored = new Map(
    (await transaction<SourceStateRow>('source_states').select()).map(row => [
      row.id,
      row,
    ]),
  );
  const rows = states.map((state, position) => ({
    id: state.id,
    position,
    state: JSON.stringify(state),
  }));
  const kept = new Set(rows.map(row => row.id));
  for (const ids of inStatements(
    [...stored.keys()].filter(id => !kept.has(id)),
  )) {
    await transaction('source_states').whereIn('id', ids).delete();
  }
  const changed = rows.filter(row => {
    const before = stored.get(row.id);
    return before?.state !== row.state || before.position !== row.position;
  });
  for (const some of inStatements(changed)) {
    await transaction('source_states').insert(some).onConflict('id').merge();
  }
  await writeSetting(transaction, {
    name: SETTING_SOURCES_READ_AT,
    value: options.readAt,
  });
}
