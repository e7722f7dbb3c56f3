import { Knex } from 'knex';
import { databaseTime } from '../dialect';
import { LeaseTerm } from '../PreviewStore';
import { LeaseRow } from '../tables';

export const LEASE_NAME = 'writer';

/**
 * One conditional UPDATE is the claim: of two replicas that try at once, the
 * second sees the row of the first and changes nothing.
 */
export async function acquireLease(
  knex: Knex,
  options: { holder: string; durationSeconds: number },
): Promise<LeaseTerm | undefined> {
  const { holder, durationSeconds } = options;
  const time = databaseTime(knex);
  const [row] = await knex<LeaseRow>('lease')
    .where({ name: LEASE_NAME })
    .andWhere(free =>
      free.where('holder', holder).orWhere('expires_at', '<=', time),
    )
    .update({
      holder,
      epoch: knex.raw('case when holder = ? then epoch else epoch + 1 end', [
        holder,
      ]),
      expires_at: knex.raw('? + ?', [time, Math.round(durationSeconds * 1000)]),
    } as unknown as Partial<LeaseRow>)
    .returning(['holder', 'epoch']);
  return row && { holder: row.holder, epoch: Number(row.epoch) };
}
