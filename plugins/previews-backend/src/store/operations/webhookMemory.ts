import { Knex } from 'knex';
import { WebhookMemory } from '../../model';
import { SETTING_WEBHOOKS, SettingRow } from '../tables';
import { writeSetting } from './writeSetting';

export async function readWebhooks(
  knex: Knex,
): Promise<WebhookMemory | undefined> {
  const row = await knex<SettingRow>('settings')
    .where({ name: SETTING_WEBHOOKS })
    .first('value');
  return row && JSON.parse(row.value);
}

/** Runs within {@link withLease}. */
export async function writeWebhooks(
  transaction: Knex.Transaction,
  memory: WebhookMemory,
): Promise<void> {
  await writeSetting(transaction, {
    name: SETTING_WEBHOOKS,
    value: JSON.stringify(memory),
  });
}
