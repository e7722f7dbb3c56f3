import { Knex } from 'knex';
import { SETTING_VERSION, SettingRow } from '../tables';

/**
 * Takes versions that nothing has had and nothing else will have; runs within
 * {@link withLease}, which lets one at a time.
 *
 * @returns the first of them.
 */
export async function takeVersions(
  transaction: Knex.Transaction,
  count: number,
): Promise<number> {
  const setting = await transaction<SettingRow>('settings')
    .where({ name: SETTING_VERSION })
    .first('value');
  const last = Number(setting?.value ?? 0);
  await transaction<SettingRow>('settings')
    .where({ name: SETTING_VERSION })
    .update({ value: String(last + count) });
  return last + 1;
}
