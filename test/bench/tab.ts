// The page of an entity's tab, 50 rows of all that is stored, over HTTP from a
// backend with a real catalog, permissions and users; and in the same run a route
// that does no more than the same checks and one `SELECT 1`.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knexFactory, { Knex } from 'knex';
import { stringify } from 'yaml';
import { DatabasePreviewStore } from '../../plugins/previews-backend/src/store';
import {
  decideAll,
  defaultSettings,
} from '../../plugins/previews-backend/src/reconcile';
import { NOW } from '../../plugins/previews-backend/src/testing/world';
import { freePort } from '../support/freePort';
import { startReplica } from '../support/startReplica';
import { waitFor } from '../support/waitFor';
import { organisation } from './organisation';
import { benchDatabase, percentile, run } from './support/organisations';
import { report, SIZES } from './report';

const SERVICE = 'service-1000';
const ENTITY = `component:default/${SERVICE}`;
const ROWS = 50;
const ROUNDS = 200;
const WARM_UP = 50;
const CHUNK = 200;
const BUDGET_RATIO = 2;

/** Fills the store, and keeps the lease: there is nothing that could be read again. */
async function fill(knex: Knex, size: number) {
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
  const readAt = new Date().toISOString();
  await store.applySources(
    term,
    (['gitlab', 'cluster'] as const).map(kind => ({
      id: kind === 'gitlab' ? 'gitlab:gitlab.example.com' : 'cluster:main',
      kind,
      name: kind === 'gitlab' ? 'gitlab.example.com' : 'main',
      status: 'fresh' as const,
      lastCompleteAt: readAt,
      errors: [],
      notes: [],
    })),
    { readAt },
  );
  const { decisions } = decideAll({
    world: organisation(size, { mergeRequestsPerProject: 2 * ROWS }),
    stored: new Map(),
    settings: defaultSettings,
    isClaimAllowed: () => true,
    now: NOW,
  });
  const changes = [...decisions.values()].map(({ change }) => change);
  for (let start = 0; start < changes.length; start += CHUNK) {
    await store.apply(term, changes.slice(start, start + CHUNK));
  }
  await knex.raw('ANALYZE');
}

/** Makes the database that the plugin will have, full of previews. */
async function fillDatabase(databasePrefix: string, size: number) {
  const connection = { ...benchDatabase(), database: 'postgres' };
  const name = `${databasePrefix}previews`;
  const admin = knexFactory({ client: 'pg', connection });
  await admin.raw('CREATE DATABASE ??', [name]);
  await admin.destroy();
  const knex = knexFactory({
    client: 'pg',
    connection: { ...connection, database: name },
  });
  try {
    await fill(knex, size);
  } finally {
    await knex.destroy();
  }
}

interface Answer {
  milliseconds: number;
  status: number;
  bytes: number;
}

/** An answer to its last byte, as a browser asks for it. */
function ask(
  url: string,
  options: { agent: Agent; token: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = {
      authorization: `Bearer ${options.token}`,
      'accept-encoding': 'gzip',
    };
    get(url, { agent: options.agent, headers }, response => {
      let bytes = 0;
      response.on('data', data => (bytes += data.length));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          milliseconds: performance.now() - startedAt,
          status: response.statusCode ?? 0,
          bytes,
        }),
      );
    }).on('error', reject);
  });
}

async function guestToken(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/guest/refresh`, {
    method: 'POST',
  });
  const { backstageIdentity } = (await response.json()) as {
    backstageIdentity: { token: string };
  };
  return backstageIdentity.token;
}

async function compare(url: string, size: number) {
  const agent = new Agent({ keepAlive: true });
  const token = await guestToken(url);
  const targets = {
    tab: `${url}/api/previews/v1/previews?entityRef=${ENTITY}&limit=${ROWS}`,
    plain: `${url}/api/plain?entityRef=${ENTITY}`,
    remembering: `${url}/api/plain?entityRef=${ENTITY}&remember`,
  };
  await waitFor('the entity to be in the catalog', async () => {
    const { status } = await ask(targets.plain, { agent, token });
    return status === 200 ? true : undefined;
  });
  const taken: Record<keyof typeof targets, number[]> = {
    tab: [],
    plain: [],
    remembering: [],
  };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const which of ['tab', 'plain', 'remembering'] as const) {
      const answer = await ask(targets[which], { agent, token });
      if (answer.status !== 200) {
        throw new Error(`${targets[which]} answered ${answer.status}`);
      }
      if (round >= 0) {
        taken[which].push(answer.milliseconds);
      }
    }
  }
  agent.destroy();
  const tab = percentile(taken.tab, 0.5);
  const plain = percentile(taken.plain, 0.5);
  const remembering = percentile(taken.remembering, 0.5);
  report({
    name: 'tab-p50',
    size,
    figure: tab,
    unit: 'ms',
    ratio: tab / plain,
    budget: BUDGET_RATIO,
  });
  report({
    name: 'tab-p50-over-remembered-checks',
    size,
    figure: tab,
    unit: 'ms',
    ratio: tab / remembering,
  });
}

async function measure(size: number) {
  const databasePrefix = `bench_${randomBytes(4).toString('hex')}_`;
  await fillDatabase(databasePrefix, size);
  const folder = await mkdtemp(join(tmpdir(), 'previews-tab-'));
  const file = join(folder, 'catalog-info.yaml');
  await writeFile(
    file,
    stringify({
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: { name: SERVICE },
      spec: { type: 'service', lifecycle: 'production', owner: 'guests' },
    }),
  );
  const port = await freePort();
  const host = await startReplica({
    name: 'host',
    port,
    platform: {
      gitlab: { url: 'http://gitlab.example.com', token: 'unused' },
      clusters: [],
    },
    database: benchDatabase(),
    databasePrefix,
    entities: [],
    script: { file: join(__dirname, 'support', 'host.ts'), nodeOptions: [] },
    config: {
      auth: { environment: 'development', providers: { guest: {} } },
      permission: { enabled: true },
      catalog: {
        processingInterval: { minutes: 10 },
        locations: [{ type: 'file', target: file }],
      },
    },
  });
  try {
    await compare(`http://127.0.0.1:${port}`, size);
  } finally {
    await host.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

run(async () => {
  for (const size of SIZES) {
    await measure(size);
  }
});
