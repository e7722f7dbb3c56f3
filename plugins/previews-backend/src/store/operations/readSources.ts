import { SourceState } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import {
  SETTING_RECONCILED_AT,
  SETTING_SOURCES_READ_AT,
  SettingRow,
  SourceStateRow,
} from '../tables';

export async function readSources(knex: Knex): Promise<{
  items: SourceState[];
  readAt?: string;
  reconciledAt?: string;
}> {
  const [rows, settings] = await Promise.all([
    knex<SourceStateRow>('source_states').orderBy('position').select('state'),
    knex<SettingRow>('settings')
      .whereIn('name', [SETTING_SOURCES_READ_AT, SETTING_RECONCILED_AT])
      .select('name', 'value'),
  ]);
  const valueOf = (setting: string) =>
    settings.find(({ name }) => name === setting)?.value;
  const readAt = valueOf(SETTING_SOURCES_READ_AT);
  const reconciledAt = valueOf(SETTING_RECONCILED_AT);
  return {
    items: rows.map(row => JSON.parse(row.state)),
    ...(readAt && { readAt }),
    ...(reconciledAt && { reconciledAt }),
  };
}
