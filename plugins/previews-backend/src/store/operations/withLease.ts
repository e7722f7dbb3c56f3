import { Knex } from 'knex';
import { idleLimit } from '../dialect';
import { LeaseLostError } from '../LeaseLostError';
import { LeaseTerm } from '../PreviewStore';
import { LeaseRow } from '../tables';
import { LEASE_NAME } from './acquireLease';

/**
 * Runs writes in a transaction that holds the lease's row. A replica that lost
 * its turn finds another epoch there and writes nothing; one that is about to
 * lose it makes the next holder wait until its writes are committed; one that stops
 * halfway, or whose connection goes nowhere, is ended by the database, so that nobody
 * waits for it longer than for a lease. The lease's row is always locked first, which
 * keeps writers free of deadlocks.
 *
 * SQLite has no row locks and needs none: it has one connection.
 *
 * @throws LeaseLostError
 */
export async function withLease<T>(
  knex: Knex,
  term: LeaseTerm,
  write: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return knex.transaction(async transaction => {
    const lease = await transaction<LeaseRow>('lease')
      .where({ name: LEASE_NAME })
      .forUpdate()
      .first('holder', 'epoch', ...idleLimit(transaction));
    if (lease?.holder !== term.holder || Number(lease.epoch) !== term.epoch) {
      throw new LeaseLostError(
        `The lease of epoch ${term.epoch} is held by another replica now`,
      );
    }
    return write(transaction);
  });
}
