import { TestDatabaseId, TestDatabases } from '@backstage/backend-test-utils';
import { Knex } from 'knex';

/** The engines that the plugin promises to work on. */
export const supportedDatabases: readonly TestDatabaseId[] = [
  'SQLITE_3',
  'POSTGRES_18',
];

/**
 * Databases to run the same tests on. It fails where an engine is missing: a test
 * that is silently left out proves nothing.
 */
export function createTestDatabases(): TestDatabases {
  const databases = TestDatabases.create({ ids: [...supportedDatabases] });
  for (const id of supportedDatabases) {
    if (!databases.supports(id)) {
      throw new Error(
        `Tests need the database ${id}. The root test script starts PostgreSQL; for a run by hand start "node scripts/postgres.mjs" and set BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING to the URL that it prints.`,
      );
    }
  }
  return databases;
}

/** The database service of a test, over one logical database. */
export function databaseServiceOf(knex: Knex): {
  getClient(): Promise<Knex>;
} {
  return { getClient: async () => knex };
}
