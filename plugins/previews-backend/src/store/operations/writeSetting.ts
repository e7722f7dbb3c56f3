import { Knex } from 'knex';
import { SettingRow } from '../tables';

export async function writeSetting(
  knex: Knex,
  setting: SettingRow,
): Promise<void> {
  await knex<SettingRow>('settings').insert(setting).onConflict('name').merge();
}
