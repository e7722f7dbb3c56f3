// Wall time of the first fill of an empty database, deciding and writing, on SQLite
// and on PostgreSQL; and of an entity's page of 50 rows from the full one.
import knexFactory, { Knex } from 'knex';
import { randomBytes } from 'node:crypto';
import {
  decideAll,
  defaultSettings,
} from '../../plugins/previews-backend/src/reconcile';
import { DatabasePreviewStore } from '../../plugins/previews-backend/src/store';
import { NOW } from '../../plugins/previews-backend/src/testing/world';
import { organisation } from './organisation';
import { report, SIZES, wallSeconds } from './report';

const CHUNK = 200;
const PAGES = 50;

async function fill(knex: Knex, engine: string, size: number) {
  const store = await DatabasePreviewStore.create({
    database: { getClient: async () => knex },
  });
  const term = await store.acquireLease({
    holder: 'bench',
    durationSeconds: 3600,
  });
  if (!term) {
    throw new Error('The lease is not free');
  }
  const world = organisation(size);
  const filled = await wallSeconds(async () => {
    const { decisions } = decideAll({
      world,
      stored: new Map(),
      settings: defaultSettings,
      isClaimAllowed: () => true,
      now: NOW,
    });
    const changes = [...decisions.values()].map(({ change }) => change);
    for (let start = 0; start < changes.length; start += CHUNK) {
      await store.apply(term, changes.slice(start, start + CHUNK));
    }
  });
  report({
    name: `cold-fill-${engine}`,
    size,
    figure: filled.seconds,
    ...(size === 10_000 && { budget: 15 }),
    unit: 's',
  });

  const list = () =>
    store.list(
      {
        entityRef: 'component:default/service-1000',
        sort: 'attention',
        limit: 50,
      },
      { withoutEntity: true },
    );
  await list();
  const seconds: number[] = [];
  for (let page = 0; page < PAGES; page += 1) {
    seconds.push((await wallSeconds(list)).seconds);
  }
  seconds.sort((a, b) => a - b);
  report({
    name: `entity-rows-${engine}`,
    size,
    figure: seconds[PAGES / 2] * 1000,
    unit: 'ms',
  });
}

async function main() {
  const url = process.env.BENCH_POSTGRES_URL;
  if (!url) {
    throw new Error('Run it by "yarn bench", which starts PostgreSQL');
  }
  for (const size of SIZES) {
    const sqlite = knexFactory({
      client: 'better-sqlite3',
      connection: ':memory:',
      useNullAsDefault: true,
    });
    await fill(sqlite, 'sqlite', size);
    await sqlite.destroy();

    const admin = knexFactory({ client: 'pg', connection: url });
    const name = `bench_${randomBytes(4).toString('hex')}`;
    await admin.raw('CREATE DATABASE ??', [name]);
    await admin.destroy();
    const target = new URL(url);
    target.pathname = `/${name}`;
    const postgres = knexFactory({ client: 'pg', connection: target.href });
    await fill(postgres, 'postgres', size);
    await postgres.destroy();
  }
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
