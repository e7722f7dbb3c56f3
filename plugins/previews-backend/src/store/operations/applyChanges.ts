import { Knex } from 'knex';
import { PreviewChange, StoredPreview } from '../../model';
import { inStatements, storableText } from '../dialect';
import { PreviewRow, SETTING_VERSION, SettingRow } from '../tables';
import { clustersOf, toMilliseconds, toRow } from '../toRow';

async function readDigests(
  transaction: Knex.Transaction,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for (const some of inStatements(ids)) {
    const rows = await transaction<PreviewRow>('previews')
      .whereIn('id', some)
      .select('id', 'digest');
    for (const { id, digest } of rows) {
      digests.set(id, digest);
    }
  }
  return digests;
}

/** Versions are given under the lease's lock, so that no two rows share one. */
async function takeVersions(
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

async function replaceLinks(
  transaction: Knex.Transaction,
  options: {
    table: 'preview_entities' | 'preview_clusters';
    /** Previews that may have links already. */
    known: readonly string[];
    rows: readonly object[];
  },
): Promise<void> {
  for (const ids of inStatements(options.known)) {
    await transaction(options.table).whereIn('preview_id', ids).delete();
  }
  for (const rows of inStatements(options.rows)) {
    await transaction(options.table).insert(rows);
  }
}

/**
 * Writes the previews that differ from what is stored, and all transitions.
 * Runs within {@link withLease}.
 */
export async function applyChanges(
  transaction: Knex.Transaction,
  changes: readonly PreviewChange[],
): Promise<void> {
  // The last of several changes of one preview is its state.
  const newest = new Map<string, StoredPreview>(
    changes.map(({ stored }) => [stored.preview.id, stored]),
  );
  const digests = await readDigests(transaction, [...newest.keys()]);
  const changed = [...newest.values()]
    .map(stored => ({ stored, row: toRow(stored) }))
    .filter(({ row }) => digests.get(row.id) !== row.digest);

  if (changed.length > 0) {
    const firstVersion = await takeVersions(transaction, changed.length);
    const rows: PreviewRow[] = changed.map(({ row }, index) => ({
      ...row,
      version: firstVersion + index,
    }));
    for (const some of inStatements(rows)) {
      await transaction<PreviewRow>('previews')
        .insert(some)
        .onConflict('id')
        .merge();
    }
    const ids = changed.map(({ row }) => row.id);
    await replaceLinks(transaction, {
      table: 'preview_entities',
      // Spans keep the links of a preview that was deleted, and its MR may come back.
      known: ids,
      rows: changed.flatMap(({ stored: { preview } }) =>
        [...new Set(preview.entityRefs)].map(entityRef => ({
          preview_id: preview.id,
          entity_ref: storableText(entityRef),
        })),
      ),
    });
    await replaceLinks(transaction, {
      table: 'preview_clusters',
      known: ids.filter(id => digests.has(id)),
      rows: changed.flatMap(({ stored: { preview } }) =>
        clustersOf(preview).map(cluster => ({
          preview_id: preview.id,
          cluster,
        })),
      ),
    });
  }

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
