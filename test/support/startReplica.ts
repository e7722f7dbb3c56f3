import { ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Entity } from '@backstage/catalog-model';
import { JsonObject } from '@backstage/types';
import { PreviewsClient } from '@previews/backstage-plugin-previews-common';
import { stringify } from 'yaml';
import { waitFor } from './waitFor';

const ROOT = resolve(__dirname, '../..');
const TOKEN = 'replica-test-token-of-a-service';
const WEBHOOK_SECRET = 'replica-webhook-secret';

export interface DatabaseConnection {
  host: string;
  port: number;
  user: string;
  password: string;
}

/** A replica of the backend in its own process. */
export interface Replica {
  name: string;
  client: PreviewsClient;
  /** A body as it is sent: the client keeps an answer in which nothing but times has changed. */
  fetchText(path: string): Promise<string>;
  /** Whether its last word was that it reconciles. */
  isWriter(): boolean;
  /** Of its last turn to reconcile, 0 before the first; later turns have higher ones. */
  epoch(): number;
  log(): string;
  process: ChildProcess;
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>;
  /** Lets it end by itself, as a rolling update does. */
  shutDown(): Promise<void>;
  /** `SIGSTOP` and `SIGCONT`. */
  pause(): void;
  goOn(): void;
}

/** What a replica reads; a simulator is one. */
export interface Platform {
  gitlab: { url: string; token: string };
  clusters: { name: string; url: string; token: string }[];
}

export interface ReplicaOptions {
  name: string;
  port: number;
  platform: Platform;
  database: DatabaseConnection;
  /** Prefix of the databases' names; replicas of one portal have the same. */
  databasePrefix: string;
  entities: Entity[];
  /** Merged over a schedule of seconds. */
  schedule?: JsonObject;
  /** Added to the rest of the configuration, or instead of parts of it. */
  config?: JsonObject;
  /** What runs instead of `replica.ts`, with which options of Node.js before it. */
  script?: { file: string; nodeOptions: string[] };
}

/** Where GitLab sends its webhooks to a replica, and with which secret. */
export function webhookOf(port: number): { url: string; secret: string } {
  return {
    url: `http://127.0.0.1:${port}/api/events/http/previews-gitlab`,
    secret: WEBHOOK_SECRET,
  };
}

export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const { name, port } = options;
  const url = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), `previews-${name}-`));
  const file = join(folder, 'config.yaml');
  const own = join(folder, 'own.yaml');
  const entities = join(folder, 'entities.json');
  await writeFile(file, stringify(configOf(url, options)));
  await writeFile(own, stringify(options.config ?? {}));
  await writeFile(entities, JSON.stringify(options.entities));
  const script = options.script ?? {
    file: join(__dirname, 'replica.ts'),
    nodeOptions: [],
  };
  const child = spawn(
    process.execPath,
    [
      ...script.nodeOptions,
      '--require',
      require.resolve('@backstage/cli/config/nodeTransform.cjs'),
      script.file,
      '--config',
      file,
      '--config',
      own,
    ],
    {
      cwd: ROOT,
      // Backstage's scheduler keeps no house under NODE_ENV=test.
      env: {
        ...process.env,
        NODE_ENV: 'development',
        REPLICA_ENTITIES: entities,
      },
      // The channel is for scripts that answer messages.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let log = '';
  child.stdout?.on('data', data => (log += data));
  child.stderr?.on('data', data => (log += data));
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    await endChild(child, signal);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitFor(`${name} to come up`, () => isReady(url, child), {
      timeoutMilliseconds: 90_000,
    });
  } catch (error) {
    await end('SIGKILL');
    throw new Error(`${name} did not come up:\n${log}`, { cause: error });
  }
  return {
    name,
    client: new PreviewsClient({
      discoveryApi: { getBaseUrl: async () => `${url}/api/previews` },
      fetchApi: { fetch: (target, init) => fetchAsService(target, init) },
    }),
    fetchText: async path =>
      (await fetchAsService(`${url}/api/previews${path}`)).text(),
    isWriter: () =>
      log.lastIndexOf('This instance reconciles previews') >
      log.lastIndexOf('does not reconcile previews any more'),
    epoch: () =>
      Number(
        [...log.matchAll(/reconciles previews, epoch (\d+)/g)].at(-1)?.[1] ?? 0,
      ),
    log: () => log,
    process: child,
    kill: () => end('SIGKILL'),
    shutDown: () => end('SIGTERM'),
    pause: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
  };
}

async function isReady(
  url: string,
  child: ChildProcess,
): Promise<true | undefined> {
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(`It ended with ${child.exitCode ?? child.signalCode}`);
  }
  const response = await fetch(`${url}/.backstage/health/v1/readiness`);
  return response.ok ? true : undefined;
}

function fetchAsService(
  target: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${TOKEN}`);
  return fetch(target, { ...init, headers });
}

async function endChild(
  child: ChildProcess,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  // Its last words come after its exit.
  const ended = new Promise<void>(done => child.once('close', () => done()));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}

function configOf(url: string, options: ReplicaOptions) {
  const { port, platform, database } = options;
  const { gitlab, clusters } = platform;
  const host = new URL(gitlab.url).host;
  return {
    app: { baseUrl: url },
    backend: {
      baseUrl: url,
      listen: { port, host: '127.0.0.1' },
      database: {
        client: 'pg',
        prefix: options.databasePrefix,
        connection: database,
        // Waiting for a connection that was cut must end.
        knexConfig: { acquireConnectionTimeout: 5_000 },
      },
      auth: {
        externalAccess: [
          {
            type: 'static',
            options: { token: TOKEN, subject: 'replica-test' },
          },
        ],
      },
    },
    integrations: {
      gitlab: [
        { host, baseUrl: gitlab.url, apiBaseUrl: `${gitlab.url}/api/v4` },
      ],
    },
    previews: {
      gitlab: [{ host, token: gitlab.token, webhookSecrets: [WEBHOOK_SECRET] }],
      clusters: clusters.map(({ name, url: clusterUrl, token }) => ({
        name,
        url: clusterUrl,
        token,
      })),
      schedule: {
        gitlabPoll: { seconds: 1 },
        gitlabStaleAfter: { seconds: 5 },
        ...options.schedule,
      },
      catalog: { projectClaims: 'any' },
    },
  };
}
