import { Knex } from 'knex';
import { UnreadSince } from '../PreviewStore';
import { SETTING_UNREAD_SINCE, SettingRow } from '../tables';
import { writeSetting } from './writeSetting';

export async function readUnreadSince(knex: Knex): Promise<UnreadSince> {
  const row = await knex<SettingRow>('settings')
    .where({ name: SETTING_UNREAD_SINCE })
    .first('value');
  return row ? JSON.parse(row.value) : {};
}

/** Runs within {@link withLease}. */
export async function writeUnreadSince(
  transaction: Knex.Transaction,
  unread: UnreadSince,
): Promise<void> {
  await writeSetting(transaction, {
    name: SETTING_UNREAD_SINCE,
    value: JSON.stringify(unread),
  });
}
