import { PreviewSort } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { PreviewRow } from '../tables';
import { CursorValue, decodeCursor, encodeCursor } from './cursor';

interface OrderTerm {
  column: 'attention' | 'activity_at' | 'created_at' | 'iid' | 'id';
  direction: 'asc' | 'desc';
}

/** Ends with the id in every order: rows that tie keep their places between pages. */
const orders: Record<PreviewSort, readonly OrderTerm[]> = {
  attention: order('attention', 'asc', true),
  '-attention': order('attention', 'desc', true),
  activity: order('activity_at', 'asc'),
  '-activity': order('activity_at', 'desc'),
  created: order('created_at', 'asc'),
  '-created': order('created_at', 'desc'),
  iid: order('iid', 'asc'),
  '-iid': order('iid', 'desc'),
};

function order(
  column: OrderTerm['column'],
  direction: OrderTerm['direction'],
  thenLatestActivity = false,
): OrderTerm[] {
  return [
    { column, direction },
    ...(thenLatestActivity
      ? [{ column: 'activity_at', direction: 'desc' } as const]
      : []),
    { column: 'id', direction: 'asc' },
  ];
}

/** Orders the rows, and leaves out those up to the cursor. */
export function orderFrom(
  query: Knex.QueryBuilder,
  options: { sort: PreviewSort; cursor?: string },
): void {
  const terms = orders[options.sort];
  for (const { column, direction } of terms) {
    query.orderBy(`previews.${column}`, direction);
  }
  if (options.cursor === undefined) {
    return;
  }
  const values = decodeCursor(options.cursor, {
    kind: options.sort,
    types: terms.map(({ column }) => (column === 'id' ? 'string' : 'number')),
  });
  // A row comes after the cursor's when it is behind in the first column that
  // differs. Written out, because the columns run in different directions.
  query.where(anyOf => {
    for (let last = 0; last < terms.length; last += 1) {
      anyOf.orWhere(allOf => {
        for (let index = 0; index < last; index += 1) {
          allOf.where(`previews.${terms[index].column}`, values[index]);
        }
        allOf.where(
          `previews.${terms[last].column}`,
          terms[last].direction === 'asc' ? '>' : '<',
          values[last],
        );
      });
    }
  });
}

export function cursorAfter(row: PreviewRow, sort: PreviewSort): string {
  const values = orders[sort].map(
    ({ column }): CursorValue =>
      column === 'id' ? row.id : Number(row[column]),
  );
  return encodeCursor(sort, values);
}
