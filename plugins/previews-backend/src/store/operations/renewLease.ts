import { Knex } from 'knex';
import { databaseTime } from '../dialect';
import { LeaseTerm } from '../PreviewStore';
import { LeaseRow } from '../tables';
import { LEASE_NAME } from './acquireLease';

/**
 * A term that ran out may still be renewed while nobody else took it: the epoch,
 * not the time, is what keeps two writers apart.
 */
export async function renewLease(
  knex: Knex,
  term: LeaseTerm,
  options: { durationSeconds: number },
): Promise<boolean> {
  const renewed = await knex<LeaseRow>('lease')
    .where({ name: LEASE_NAME, holder: term.holder, epoch: term.epoch })
    .update({
      expires_at: knex.raw('? + ?', [
        databaseTime(knex),
        Math.round(options.durationSeconds * 1000),
      ]),
    } as unknown as Partial<LeaseRow>);
  return renewed > 0;
}
