import { SourceState } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { SETTING_SOURCES_READ_AT, SettingRow, SourceStateRow } from '../tables';

export async function readSources(
  knex: Knex,
): Promise<{ items: SourceState[]; readAt?: string }> {
  const [rows, readAt] = await Promise.all([
    knex<SourceStateRow>('source_states').orderBy('position').select('state'),
    knex<SettingRow>('settings')
      .where({ name: SETTING_SOURCES_READ_AT })
      .first('value'),
  ]);
  return {
    items: rows.map(row => JSON.parse(row.state)),
    ...(readAt && { readAt: readAt.value }),
  };
}
