import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { Knex } from 'knex';

export const migrationsDirectory = resolvePackagePath(
  '@previews/backstage-plugin-previews-backend',
  'migrations',
);

/** Brings the schema to this version. Knex lets one replica do it at a time. */
export async function applyMigrations(knex: Knex): Promise<void> {
  await knex.migrate.latest({ directory: migrationsDirectory });
}
