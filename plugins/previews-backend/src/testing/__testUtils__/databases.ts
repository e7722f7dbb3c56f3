import { TestDatabaseId, TestDatabases } from '@backstage/backend-test-utils';
import { Knex } from 'knex';

/** The engines that the plugin promises to work on. */
export const supportedDatabases: readonly TestDatabaseId[] = [
  'SQLITE_3',
  'POSTGRES_18',
];

/** Empty databases to run the same tests on. */
export interface EmptyDatabases {
  eachSupportedId(): [TestDatabaseId][];
  /** An empty database; what an earlier test of the file made is gone. */
  init(id: TestDatabaseId): Promise<Knex>;
}

/**
 * Databases to run the same tests on. It fails where an engine is missing: a test
 * that is silently left out proves nothing.
 *
 * A file has one database on PostgreSQL and empties it for each test: creating
 * and dropping one costs more than most tests do.
 */
export function createTestDatabases(): EmptyDatabases {
  const databases = TestDatabases.create({ ids: [...supportedDatabases] });
  for (const id of supportedDatabases) {
    if (!databases.supports(id)) {
      throw new Error(
        `Tests need the database ${id}. The root test script starts PostgreSQL; for a run by hand start "node scripts/postgres.mjs" and set BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING to the URL that it prints.`,
      );
    }
  }
  let postgres: Promise<Knex> | undefined;
  return {
    eachSupportedId: () => databases.eachSupportedId(),
    async init(id) {
      if (id === 'SQLITE_3') {
        return databases.init(id);
      }
      postgres ??= databases.init(id);
      const knex = await postgres;
      await knex.raw('DROP SCHEMA public CASCADE');
      await knex.raw('CREATE SCHEMA public');
      return knex;
    },
  };
}

/** The database service of a test, over one logical database. */
export function databaseServiceOf(knex: Knex): {
  getClient(): Promise<Knex>;
} {
  return { getClient: async () => knex };
}
