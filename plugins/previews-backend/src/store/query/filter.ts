import { Knex } from 'knex';
import { storableText } from '../dialect';
import { PreviewQuery, Visibility } from '../PreviewStore';
import { whereTextMatches } from './text';
import { whereVisible } from './visibility';

/**
 * The rows that a query selects among those that the caller may see. `except`
 * names the filter that a count of its own values has to ignore.
 */
export function selectPreviews(
  knex: Knex,
  options: {
    query: PreviewQuery;
    visibility: Visibility;
    except?: 'phases' | 'author';
  },
): Knex.QueryBuilder {
  const { query, visibility, except } = options;
  const rows = knex('previews');
  whereVisible(rows, { knex, visibility });

  if (query.entityRef !== undefined) {
    rows.whereIn(
      'previews.id',
      knex('preview_entities')
        .select('preview_id')
        .where('entity_ref', storableText(query.entityRef)),
    );
  }
  if (query.cluster !== undefined) {
    rows.whereIn(
      'previews.id',
      knex('preview_clusters')
        .select('preview_id')
        .where('cluster', storableText(query.cluster)),
    );
  }
  if (query.project !== undefined) {
    rows.where('previews.project', storableText(query.project));
  }
  if (query.draft !== undefined) {
    rows.where('previews.draft', query.draft);
  }
  if (query.author !== undefined && except !== 'author') {
    rows.where('previews.author', storableText(query.author));
  }
  if (query.text !== undefined) {
    whereTextMatches(rows, query.text);
  }
  if (except !== 'phases') {
    if (query.phases?.length) {
      rows.whereIn('previews.phase', query.phases);
    } else if (!query.includeEnded) {
      rows.where('previews.listed', true);
    }
  }
  return rows;
}
