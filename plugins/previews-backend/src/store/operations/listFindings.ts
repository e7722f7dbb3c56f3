import {
  Finding,
  FindingSeverity,
} from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { StoredFinding } from '../../model';
import { inStatements, storableText } from '../dialect';
import { FindingPage, FindingQuery, FindingView } from '../PreviewStore';
import { decodeCursor, encodeCursor } from '../query/cursor';
import { whereVisible } from '../query/visibility';
import { FindingRow } from '../tables';

const CURSOR_KIND = 'findings';

/** Ids of findings that concern a preview which the caller may see. */
function visibleLinks(knex: Knex, view: FindingView): Knex.QueryBuilder {
  const links = knex('finding_previews');
  whereVisible(links, {
    knex,
    visibility: view.visibility,
    id: 'finding_previews.preview_id',
  });
  return links;
}

function selectFindings(
  knex: Knex,
  query: Omit<FindingQuery, 'limit' | 'cursor'>,
  view: FindingView,
): Knex.QueryBuilder {
  const { entityRef, previewId, types, state = 'open' } = query;
  const rows = knex('findings');
  if (state !== 'all') {
    rows[state === 'open' ? 'whereNull' : 'whereNotNull'](
      'findings.resolved_at',
    );
  }
  if (types?.length) {
    rows.whereIn('findings.type', [...types]);
  }
  if (!view.everything) {
    rows.whereIn('findings.id', visibleLinks(knex, view).select('finding_id'));
  }
  if (previewId !== undefined) {
    rows.whereIn(
      'findings.id',
      visibleOr(knex, view)
        .where('finding_previews.preview_id', storableText(previewId))
        .select('finding_id'),
    );
  }
  if (entityRef !== undefined) {
    rows.whereIn(
      'findings.id',
      visibleOr(knex, view)
        .whereIn(
          'finding_previews.preview_id',
          knex('preview_entities')
            .select('preview_id')
            .where('entity_ref', storableText(entityRef)),
        )
        .select('finding_id'),
    );
  }
  return rows;
}

function visibleOr(knex: Knex, view: FindingView): Knex.QueryBuilder {
  return view.everything ? knex('finding_previews') : visibleLinks(knex, view);
}

/** Findings as the caller sees them: without what belongs to previews that are hidden. */
async function shown(
  knex: Knex,
  rows: readonly Pick<FindingRow, 'document'>[],
  view: FindingView,
): Promise<Finding[]> {
  const findings = rows.map(
    ({ document }) => (JSON.parse(document) as StoredFinding).finding,
  );
  if (view.everything) {
    return findings;
  }
  const visible = new Set<string>();
  for (const ids of inStatements(findings.map(({ id }) => id))) {
    const links = await visibleLinks(knex, view)
      .whereIn('finding_id', ids)
      .distinct('preview_id');
    links.forEach((link: { preview_id: string }) =>
      visible.add(link.preview_id),
    );
  }
  return findings.map(finding => ({
    ...finding,
    previewIds: finding.previewIds.filter(id => visible.has(id)),
    evidence: finding.evidence.filter(
      ({ previewId }) => previewId === undefined || visible.has(previewId),
    ),
  }));
}

/** The newest first. */
export async function listFindings(
  knex: Knex,
  query: FindingQuery,
  view: FindingView,
): Promise<FindingPage> {
  const page = selectFindings(knex, query, view)
    .orderBy([
      { column: 'findings.opened_at', order: 'desc' },
      { column: 'findings.id', order: 'asc' },
    ])
    .limit(query.limit + 1);
  if (query.cursor !== undefined) {
    const [openedAt, id] = decodeCursor(query.cursor, {
      kind: CURSOR_KIND,
      types: ['number', 'string'],
    });
    page.where(after =>
      after
        .where('findings.opened_at', '<', openedAt)
        .orWhere(same =>
          same
            .where('findings.opened_at', openedAt)
            .andWhere('findings.id', '>', id),
        ),
    );
  }
  const [rows, [{ count }]] = await Promise.all([
    page.select('findings.id', 'findings.opened_at', 'findings.document'),
    selectFindings(knex, query, view).count({ count: '*' }),
  ]);
  const kept: FindingRow[] = rows.slice(0, query.limit);
  const last = kept[kept.length - 1];
  return {
    items: await shown(knex, kept, view),
    totalItems: Number(count),
    ...(last &&
      rows.length > kept.length && {
        nextCursor: encodeCursor(CURSOR_KIND, [
          Number(last.opened_at),
          last.id,
        ]),
      }),
  };
}

export async function getFinding(
  knex: Knex,
  id: string,
  view: FindingView,
): Promise<Finding | undefined> {
  const rows = await selectFindings(knex, { state: 'all' }, view)
    .where('findings.id', id)
    .select('findings.document');
  const [finding] = await shown(knex, rows, view);
  return finding;
}

export async function countFindingsBySeverity(
  knex: Knex,
  query: Pick<FindingQuery, 'entityRef'>,
  view: FindingView,
): Promise<Partial<Record<FindingSeverity, number>>> {
  const rows = await selectFindings(knex, query, view)
    .groupBy('findings.severity')
    .select('findings.severity')
    .count({ count: '*' });
  return Object.fromEntries(
    rows.map(({ severity, count }: { severity: string; count: number }) => [
      severity,
      Number(count),
    ]),
  );
}
