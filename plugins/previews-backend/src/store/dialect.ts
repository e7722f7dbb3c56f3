import { Knex } from 'knex';

/**
 * Rows of one INSERT and names of one IN. SQLite turns a multi-row insert into a
 * compound SELECT of at most 500 terms, and both engines limit the variables of
 * one statement (32,766 and 65,535).
 */
const ROWS_PER_STATEMENT = 200;

/** Longer lists go into one JSON variable instead of a variable each. */
const VARIABLES_PER_LIST = 100;

export function isPostgres(knex: Knex): boolean {
  return knex.client.config.client === 'pg';
}

/**
 * The clock of the database, in milliseconds since 1970: the one clock that all
 * replicas share. In PostgreSQL `now()` would stand still within a transaction.
 */
export function databaseTime(knex: Knex): Knex.Raw {
  return isPostgres(knex)
    ? knex.raw('(extract(epoch from clock_timestamp()) * 1000)::bigint')
    : knex.raw("cast(unixepoch('subsec') * 1000 as integer)");
}

/** Longer than any pause between two statements of a transaction, shorter than a lease. */
const IDLE_LIMIT_MILLISECONDS = 10_000;

/**
 * Columns for the statement that takes a lock: with them PostgreSQL ends the
 * transaction when its client says nothing for a while, and gives the lock back. A
 * client that is stopped, or cut off without a word, would keep it as long as the
 * connection seems to live, which may be hours.
 */
export function idleLimit(transaction: Knex.Transaction): Knex.Raw[] {
  return isPostgres(transaction)
    ? [
        transaction.raw(
          "set_config('idle_in_transaction_session_timeout', ?, true)",
          [String(IDLE_LIMIT_MILLISECONDS)],
        ),
      ]
    : [];
}

export async function readDatabaseTime(knex: Knex): Promise<number> {
  const [row] = await knex.select({ time: databaseTime(knex) });
  return Number(row.time);
}

/** `column IN values`, for lists of any length. */
export function whereInList(
  query: Knex.QueryBuilder,
  options: { knex: Knex; column: string; values: readonly string[] },
): void {
  const { knex, column, values } = options;
  if (values.length <= VARIABLES_PER_LIST) {
    query.whereIn(column, values);
    return;
  }
  query.whereRaw(
    isPostgres(knex)
      ? '?? in (select jsonb_array_elements_text(?::jsonb))'
      : '?? in (select value from json_each(?))',
    [column, JSON.stringify(values)],
  );
}

/** Parts of a list that fit into one statement each. */
export function* inStatements<T>(values: readonly T[]): Generator<T[]> {
  for (let start = 0; start < values.length; start += ROWS_PER_STATEMENT) {
    yield values.slice(start, start + ROWS_PER_STATEMENT);
  }
}

/**
 * Text as both engines take it: PostgreSQL refuses NUL characters, which hostile
 * titles may have. Documents need no care: JSON escapes them.
 */
export function storableText(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u0000/g, '');
}
