import { Phase } from '@previews/backstage-plugin-previews-common';
import { Knex } from 'knex';
import { BigInteger } from '../tables';

/** Of all previews, seen by nobody in particular. */
export async function countByPhase(
  knex: Knex,
): Promise<Partial<Record<Phase, number>>> {
  const rows: { phase: Phase; count: BigInteger }[] = await knex('previews')
    .groupBy('phase')
    .select('phase')
    .count({ count: '*' });
  return Object.fromEntries(
    rows.map(({ phase, count }) => [phase, Number(count)]),
  );
}
