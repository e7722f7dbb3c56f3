import { Knex } from 'knex';
import { MergeRequestKey, previewIdOf, StoredPreview } from '../../model';
import { inStatements } from '../dialect';
import { PreviewRow } from '../tables';
import { fromRow } from '../toRow';

export async function loadByKeys(
  knex: Knex,
  keys: readonly MergeRequestKey[],
): Promise<StoredPreview[]> {
  const found: StoredPreview[] = [];
  for (const ids of inStatements([...new Set(keys.map(previewIdOf))])) {
    const rows = await knex<PreviewRow>('previews')
      .whereIn('id', ids)
      .select('host', 'project_id', 'iid', 'document', 'memory');
    found.push(...rows.map(fromRow));
  }
  return found;
}
