import { randomBytes } from 'node:crypto';
import { Knex } from 'knex';
import { SETTING_SIGNAL_SECRET, SettingRow } from '../tables';

const SECRET_BYTES = 32;

/**
 * The key that signal channels are named with. The first replica that asks makes
 * it; all others find it.
 */
export async function readSignalSecret(knex: Knex): Promise<string> {
  await knex<SettingRow>('settings')
    .insert({
      name: SETTING_SIGNAL_SECRET,
      value: randomBytes(SECRET_BYTES).toString('base64'),
    })
    .onConflict('name')
    .ignore();
  const setting = await knex<SettingRow>('settings')
    .where({ name: SETTING_SIGNAL_SECRET })
    .first('value');
  if (!setting) {
    throw new Error('The key of the signal channels could not be stored');
  }
  return setting.value;
}
