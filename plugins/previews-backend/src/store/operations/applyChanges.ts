import { Preview } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { PreviewChange } from '../../model';
import { inStatements } from '../dialect';
import { PreviewRow } from '../tables';
import { clustersOf, entitiesOf, toMilliseconds, toRow } from '../toRow';

/** Writes what a table links the previews to, where that is not what it was. */
async function replaceLinks(
  transaction: Knex.Transaction,
  options: {
    table: 'preview_entities' | 'preview_clusters';
    column: 'entity_ref' | 'cluster';
    changes: readonly PreviewChange[];
    linksOf: (preview: Preview) => string[];
  },
): Promise<void> {
  const { table, column, changes, linksOf } = options;
  const changed = changes.flatMap(({ before, stored: { preview } }) => {
    const links = linksOf(preview);
    const isSame =
      before !== undefined &&
      // Storable text has no NUL.
      linksOf(before.preview).join('\0') === links.join('\0');
    return isSame ? [] : [{ id: preview.id, links }];
  });
  for (const some of inStatements(changed)) {
    // Spans keep the links of a preview that was deleted, and its MR may come back.
    await transaction(table)
      .whereIn(
        'preview_id',
        some.map(({ id }) => id),
      )
      .delete();
  }
  const rows = changed.flatMap(({ id, links }) =>
    links.map(link => ({ preview_id: id, [column]: link })),
  );
  for (const some of inStatements(rows)) {
    await transaction(table).insert(some);
  }
}

/**
 * Writes previews, one change of each, and their transitions. Runs within
 * {@link withLease}, so that what is stored is what the changes say was before.
 *
 * @param firstVersion - of as many as there are changes, which nothing has had before.
 */
export async function applyChanges(
  transaction: Knex.Transaction,
  changes: readonly PreviewChange[],
  options: { firstVersion: number },
): Promise<void> {
  const rows: PreviewRow[] = changes.map(({ stored }, index) => ({
    ...toRow(stored),
    version: options.firstVersion + index,
  }));
  for (const some of inStatements(rows)) {
    await transaction<PreviewRow>('previews')
      .insert(some)
      .onConflict('id')
      .merge();
  }
  await replaceLinks(transaction, {
    table: 'preview_entities',
    column: 'entity_ref',
    changes,
    linksOf: entitiesOf,
  });
  await replaceLinks(transaction, {
    table: 'preview_clusters',
    column: 'cluster',
    changes,
    linksOf: clustersOf,
  });
  const transitions = changes.flatMap(({ stored, transitions: made }) =>
    made.map(transition => ({
      preview_id: stored.preview.id,
      at: toMilliseconds(transition.at),
      document: JSON.stringify(transition),
    })),
  );
  for (const some of inStatements(transitions)) {
    await transaction('transitions').insert(some);
  }
}
