import { Knex } from 'knex';
import { Span } from '../../model';
import { inStatements, storableText } from '../dialect';
import { SpanRow } from '../tables';
import { toMilliseconds } from '../toRow';

/** Keeps the first of each; runs within {@link withLease}, with the changes that ended them. */
export async function insertSpans(
  transaction: Knex.Transaction,
  spans: readonly Span[],
): Promise<void> {
  const rows: SpanRow[] = spans.map(span => ({
    preview_id: span.previewId,
    kind: span.kind,
    started_at: toMilliseconds(span.startedAt),
    ended_at: toMilliseconds(span.endedAt),
    host: storableText(span.host),
    project_id: span.projectId,
    project: storableText(span.project),
    imprecise: span.imprecise,
    stages: JSON.stringify(span.stages),
  }));
  for (const some of inStatements(rows)) {
    await transaction<SpanRow>('spans')
      .insert(some)
      .onConflict(['preview_id', 'kind', 'started_at'])
      .ignore();
  }
}
