import { Knex } from 'knex';
import { Span } from '../../model';
import { storableText } from '../dialect';
import { SpanQuery, Visibility } from '../PreviewStore';
import { whereVisible } from '../query/visibility';
import { SpanRow } from '../tables';
import { toMilliseconds } from '../toRow';

/** Spans that ended in the range, of previews that the caller may see, oldest first. */
export async function readSpans(
  knex: Knex,
  query: SpanQuery,
  visibility: Visibility,
): Promise<Span[]> {
  const rows = knex<SpanRow>('spans')
    .where('spans.ended_at', '>=', toMilliseconds(query.from))
    .andWhere('spans.ended_at', '<', toMilliseconds(query.to))
    .orderBy('spans.ended_at')
    .select();
  whereVisible(rows, { knex, visibility, id: 'spans.preview_id' });
  if (query.entityRef !== undefined) {
    rows.whereIn(
      'spans.preview_id',
      knex('preview_entities')
        .select('preview_id')
        .where('entity_ref', storableText(query.entityRef)),
    );
  }
  const found: SpanRow[] = await rows;
  return found.map(row => ({
    previewId: row.preview_id,
    host: row.host,
    projectId: Number(row.project_id),
    project: row.project,
    kind: row.kind as Span['kind'],
    startedAt: new Date(Number(row.started_at)).toISOString(),
    endedAt: new Date(Number(row.ended_at)).toISOString(),
    imprecise: Boolean(row.imprecise),
    stages: JSON.parse(row.stages),
  }));
}
