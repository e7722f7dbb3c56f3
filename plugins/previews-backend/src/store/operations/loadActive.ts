import { Knex } from 'knex';
import { StoredPreview } from '../../model';
import { PreviewRow } from '../tables';
import { fromRow } from '../toRow';

export async function loadActive(knex: Knex): Promise<StoredPreview[]> {
  const rows = await knex<PreviewRow>('previews')
    .where('listed', true)
    .orderBy('id')
    .select('host', 'project_id', 'iid', 'document', 'memory');
  return rows.map(fromRow);
}
