import { Knex } from 'knex';
import { LeaseTerm } from '../PreviewStore';
import { LeaseRow } from '../tables';
import { LEASE_NAME } from './acquireLease';

/** Lets another replica take over at once; nothing happens when the term is over. */
export async function releaseLease(knex: Knex, term: LeaseTerm): Promise<void> {
  await knex<LeaseRow>('lease')
    .where({ name: LEASE_NAME, holder: term.holder, epoch: term.epoch })
    .update({ holder: '', expires_at: 0 });
}
