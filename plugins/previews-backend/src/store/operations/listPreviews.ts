import { Phase } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { PreviewPage, PreviewQuery, Visibility } from '../PreviewStore';
import { selectPreviews } from '../query/filter';
import { cursorAfter, orderFrom } from '../query/order';
import { BigInteger, PreviewRow } from '../tables';

const MOST_AUTHORS = 200;

interface Counted {
  phase: Phase;
  listed: boolean | 0 | 1;
  count: BigInteger;
  newest: BigInteger;
  /** As text: it may be larger than a JavaScript number holds exactly. */
  sum: string;
}

/** One scan gives the counts by phase, the total and what the version tag is made of. */
async function countByPhase(
  knex: Knex,
  query: PreviewQuery,
  visibility: Visibility,
): Promise<Counted[]> {
  return selectPreviews(knex, { query, visibility, except: 'phases' })
    .groupBy('previews.phase', 'previews.listed')
    .select('previews.phase', 'previews.listed')
    .count({ count: '*' })
    .max({ newest: 'previews.version' })
    .select({ sum: knex.raw('cast(sum(previews.version) as text)') });
}

function isSelected(counted: Counted, query: PreviewQuery): boolean {
  return query.phases?.length
    ? query.phases.includes(counted.phase)
    : Boolean(query.includeEnded || counted.listed);
}

/**
 * Versions are unique and only grow, so that a change raises the maximum, and a
 * row that goes lowers count and sum.
 */
function versionTagOf(selected: readonly Counted[]): string {
  const count = selected.reduce((sum, row) => sum + Number(row.count), 0);
  const newest = Math.max(0, ...selected.map(row => Number(row.newest)));
  const sum = selected.reduce((total, row) => total + BigInt(row.sum), 0n);
  return `${count}.${newest}.${sum}`;
}

async function readAuthors(
  knex: Knex,
  query: PreviewQuery,
  visibility: Visibility,
): Promise<string[]> {
  const rows: { author: string }[] = await selectPreviews(knex, {
    query,
    visibility,
    except: 'author',
  })
    .distinct('previews.author')
    .orderBy('previews.author')
    .limit(MOST_AUTHORS);
  return rows.map(({ author }) => author);
}

async function readPage(
  knex: Knex,
  query: PreviewQuery,
  visibility: Visibility,
): Promise<Pick<PreviewPage, 'items' | 'nextCursor'>> {
  const page = selectPreviews(knex, { query, visibility });
  orderFrom(page, query);
  const rows: PreviewRow[] = await page
    .limit(query.limit + 1)
    .select(
      ...[
        'id',
        'attention',
        'activity_at',
        'created_at',
        'iid',
        'document',
      ].map(column => `previews.${column}`),
    );
  const shown = rows.slice(0, query.limit);
  const more = rows.length > shown.length && shown.length > 0;
  return {
    items: shown.map(row => JSON.parse(row.document)),
    ...(more && {
      nextCursor: cursorAfter(shown[shown.length - 1], query.sort),
    }),
  };
}

export async function listPreviews(
  knex: Knex,
  query: PreviewQuery,
  visibility: Visibility,
): Promise<PreviewPage> {
  // The version tag is read before the rows: a change in between gives a newer
  // row an older tag, and the caller asks once more. The other way round an old
  // row would keep a new tag for good.
  const counted = await countByPhase(knex, query, visibility);
  const [page, authors] = await Promise.all([
    readPage(knex, query, visibility),
    readAuthors(knex, query, visibility),
  ]);

  const phaseCounts: PreviewPage['phaseCounts'] = {};
  for (const row of counted) {
    if (row.listed || query.includeEnded !== false) {
      phaseCounts[row.phase] =
        (phaseCounts[row.phase] ?? 0) + Number(row.count);
    }
  }
  const selected = counted.filter(row => isSelected(row, query));
  return {
    ...page,
    totalItems: selected.reduce((sum, row) => sum + Number(row.count), 0),
    phaseCounts,
    authors,
    versionTag: versionTagOf(selected),
  };
}
