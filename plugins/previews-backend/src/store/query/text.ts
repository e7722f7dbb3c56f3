import { Knex } from 'knex';
import { storableText } from '../dialect';

const SHORTEST_SHA = 4;
const LONGEST_SHA = 64;

/** Makes `%` and `_` mean themselves; used with `ESCAPE '\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, character => `\\${character}`);
}

function whereLike(
  query: Knex.QueryBuilder,
  options: { column: string; pattern: string },
): void {
  query.orWhereRaw(`?? like ? escape '\\'`, [options.column, options.pattern]);
}

/**
 * Case-insensitive search over title, source branch, author and host, over the
 * iid (`!7` or `7`, the whole number) and over the start of the head's SHA.
 * Lower case is made here and when rows are written: SQLite's own knows only ASCII.
 */
export function whereTextMatches(query: Knex.QueryBuilder, text: string): void {
  const wanted = storableText(text).trim().toLowerCase();
  if (wanted === '') {
    return;
  }
  query.where(anyOf => {
    whereLike(anyOf, {
      column: 'previews.search',
      pattern: `%${escapeLike(wanted)}%`,
    });
    const iid = /^!?(\d{1,15})$/.exec(wanted);
    if (iid) {
      anyOf.orWhere('previews.iid', Number(iid[1]));
    }
    if (
      /^[0-9a-f]+$/.test(wanted) &&
      wanted.length >= SHORTEST_SHA &&
      wanted.length <= LONGEST_SHA
    ) {
      whereLike(anyOf, {
        column: 'previews.head_sha',
        pattern: `${wanted}%`,
      });
    }
  });
}
