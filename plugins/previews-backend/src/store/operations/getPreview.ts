import { Preview } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { Visibility } from '../PreviewStore';
import { whereVisible } from '../query/visibility';

export async function getPreview(
  knex: Knex,
  id: string,
  visibility: Visibility,
): Promise<{ preview: Preview; version: number } | undefined> {
  const query = knex('previews').where('previews.id', id);
  whereVisible(query, { knex, visibility });
  const row = await query.first('previews.document', 'previews.version');
  return (
    row && { preview: JSON.parse(row.document), version: Number(row.version) }
  );
}
