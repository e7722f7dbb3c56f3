import { FindingType } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';

/** Findings that are not over, of all previews. */
export async function countFindings(
  knex: Knex,
): Promise<Partial<Record<FindingType, number>>> {
  const rows: { type: string; count: number | string }[] = await knex(
    'findings',
  )
    .whereNull('resolved_at')
    .groupBy('type')
    .select('type')
    .count({ count: '*' });
  return Object.fromEntries(
    rows.map(({ type, count }) => [type, Number(count)]),
  );
}
