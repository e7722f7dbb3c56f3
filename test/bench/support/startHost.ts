import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knexFactory, { Knex } from 'knex';
import { stringify } from 'yaml';
import { DatabasePreviewStore } from '../../../plugins/previews-backend/src/store';
import {
  decideAll,
  defaultSettings,
} from '../../../plugins/previews-backend/src/reconcile';
import { NOW } from '../../../plugins/previews-backend/src/testing/world';
import { freePort } from '../../support/freePort';
import { startReplica } from '../../support/startReplica';
import { waitFor } from '../../support/waitFor';
import { organisation } from '../organisation';
import { benchDatabase } from './organisations';

const SERVICE = 'service-1000';
const CHUNK = 200;

/** The entity whose previews are looked at. */
export const ENTITY = `component:default/${SERVICE}`;

/** A portal with a catalog of one entity, users and permissions, and many previews. */
export interface Host {
  url: string;
  /** Token of the guest, as the browser has it. */
  token: string;
  stop(): Promise<void>;
}

/** Fills the store, and keeps the lease: there is nothing that could be read again. */
async function fill(
  knex: Knex,
  options: { size: number; mergeRequestsPerProject: number },
) {
  const { size, mergeRequestsPerProject } = options;
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
  await store.applyClaims(term, [
    {
      entityRef: ENTITY,
      project: {
        host: 'gitlab.example.com',
        path: `group/${SERVICE}`,
        id: 1000,
      },
      applicationSets: [],
      sources: ['gitlab:gitlab.example.com', 'cluster:main'],
      problems: [],
    },
  ]);
  const { decisions } = decideAll({
    world: organisation(size, { mergeRequestsPerProject }),
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
async function fillDatabase(
  databasePrefix: string,
  options: { size: number; mergeRequestsPerProject: number },
) {
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
    await fill(knex, options);
  } finally {
    await knex.destroy();
  }
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

/** Starts a host portal on a database that is full already. */
export async function startHost(options: {
  /** Previews that are stored. */
  size: number;
  /** How many of them the entity has at most. */
  mergeRequestsPerProject: number;
}): Promise<Host> {
  const databasePrefix = `bench_${randomBytes(4).toString('hex')}_`;
  await fillDatabase(databasePrefix, options);
  const folder = await mkdtemp(join(tmpdir(), 'previews-host-'));
  const file = join(folder, 'catalog-info.yaml');
  await writeFile(
    file,
    stringify({
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: {
        name: SERVICE,
        annotations: { 'gitlab.com/project-slug': `group/${SERVICE}` },
      },
      spec: { type: 'service', lifecycle: 'production', owner: 'guests' },
    }),
  );
  const port = await freePort();
  const replica = await startReplica({
    name: 'host',
    port,
    platform: {
      gitlab: { url: 'http://gitlab.example.com', token: 'unused' },
      clusters: [],
    },
    database: benchDatabase(),
    databasePrefix,
    entities: [],
    script: { file: join(__dirname, 'host.ts'), nodeOptions: [] },
    config: {
      app: {
        title: 'Previews',
        packages: 'all',
        extensions: [
          { 'page:catalog': { config: { path: '/' } } },
          { 'entity-content:previews': { config: { group: false } } },
          'entity-card:previews/overview',
        ],
      },
      auth: { environment: 'development', providers: { guest: {} } },
      permission: { enabled: true },
      catalog: {
        processingInterval: { minutes: 10 },
        locations: [{ type: 'file', target: file }],
      },
    },
  });
  const stop = async () => {
    await replica.kill();
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    const token = await guestToken(url);
    await waitFor('the entity to be in the catalog', async () => {
      const response = await fetch(
        `${url}/api/catalog/entities/by-name/component/default/${SERVICE}`,
        { headers: { authorization: `Bearer ${token}` } },
      );
      return response.ok ? true : undefined;
    });
    return { url, token, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
