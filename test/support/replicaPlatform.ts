import { Entity } from '@backstage/catalog-model';
import { Simulator } from 'simulator';
import { DatabaseConnection } from './startReplica';

/** The PostgreSQL of these tests, or the way to it that listens on a port. */
export function postgresConnection(port?: number): DatabaseConnection {
  const { BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING: postgres } =
    process.env;
  if (!postgres) {
    throw new Error(
      'These tests need PostgreSQL: the root test script starts one; by hand run "node scripts/postgres.mjs" and set BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING',
    );
  }
  const url = new URL(postgres);
  return {
    host: '127.0.0.1',
    port: port ?? Number(url.port),
    user: url.username,
    password: url.password,
  };
}

/** A component for each project of a simulator. */
export function componentsOf(
  simulator: Simulator,
  projects: readonly string[],
): Entity[] {
  const instance = new URL(simulator.gitlab.url).host;
  return projects.map(project => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: project.replace(/.*\//, ''),
      annotations: {
        'gitlab.com/project-slug': project,
        'gitlab.com/instance': instance,
      },
    },
  }));
}
