import { ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Simulator } from 'simulator';
import { stringify } from 'yaml';
import { waitFor } from './waitFor';

const ROOT = resolve(__dirname, '../..');

/** The host portal in a process of its own, as `npm start` runs it, on the built app. */
export interface Portal {
  url: string;
  /** Asks the portal's own API as the guest that the browser is. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Resolves when the catalog has the entity of this kind, in the default namespace. */
  untilInCatalog(kind: string, name: string): Promise<void>;
  /** Resolves when the entity is in the catalog and leads to its project. */
  untilOnboarded(component: string): Promise<void>;
  /** What the backend wrote to its log so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Where the events ingress of a portal on this port takes GitLab's webhooks. */
export const WEBHOOK_SECRET = 'e2e-webhook-secret';

export async function startPortal(options: {
  simulator: Simulator;
  port: number;
  /** Further configuration, merged over the rest. */
  config?: Record<string, unknown>;
}): Promise<Portal> {
  await ensureApp();
  const { port, simulator } = options;
  const url = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'previews-portal-'));
  const files = [
    join(ROOT, 'app-config.yaml'),
    join(folder, 'e2e.yaml'),
    join(folder, 'own.yaml'),
  ];
  const templates = await copyTemplates({
    folder,
    host: new URL(simulator.gitlab.url).host,
  });
  await writeFile(
    files[1],
    stringify(configFor({ url, port, simulator, templates })),
  );
  await writeFile(files[2], stringify(options.config ?? {}));

  const child = spawn(
    process.execPath,
    [
      '--require',
      require.resolve('@backstage/cli/config/nodeTransform.cjs'),
      join(ROOT, 'packages/backend/src/index.ts'),
      ...files.flatMap(file => ['--config', file]),
    ],
    {
      cwd: join(ROOT, 'packages/backend'),
      env: { ...process.env, NODE_ENV: 'development', LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let log = '';
  child.stdout.on('data', data => (log += data));
  child.stderr.on('data', data => (log += data));
  const stop = async () => {
    await stopChild(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitFor(
      'the portal to come up',
      async () => {
        if (child.exitCode !== null) {
          throw new Error(`The portal ended with ${child.exitCode}`);
        }
        const response = await fetch(`${url}/.backstage/health/v1/readiness`);
        return response.ok ? true : undefined;
      },
      { timeoutMilliseconds: 90_000 },
    );
  } catch (error) {
    await stop();
    throw new Error(`The portal did not come up:\n${log}`, { cause: error });
  }
  wakeSignals(port);
  const fetchAsGuest = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${await guestToken(url)}`);
    return fetch(`${url}${path}`, { ...init, headers });
  };
  return {
    url,
    fetch: fetchAsGuest,
    untilInCatalog: async (kind, name) => {
      await waitFor(`the ${kind} ${name} to be in the catalog`, async () => {
        const entity = await fetchAsGuest(
          `/api/catalog/entities/by-name/${kind}/default/${name}`,
        );
        return entity.ok ? true : undefined;
      });
    },
    untilOnboarded: async component => {
      await waitFor(`${component} to be onboarded`, async () => {
        const entity = await fetchAsGuest(
          `/api/catalog/entities/by-name/component/default/${component}`,
        );
        const summary = await fetchAsGuest(
          `/api/previews/v1/entities/component/default/${component}/summary`,
        );
        return entity.ok &&
          summary.ok &&
          ((await summary.json()) as { project?: string }).project
          ? true
          : undefined;
      });
    },
    log: () => log,
    stop,
  };
}

/** The signals backend never answers its first WebSocket, which should not be the browser's. */
function wakeSignals(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/signals`);
  socket.addEventListener('error', () => {});
  setTimeout(() => socket.close(), 1000);
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

function configFor(options: {
  url: string;
  port: number;
  simulator: Simulator;
  /** Files of templates. */
  templates: string[];
}) {
  const { url, port, simulator, templates } = options;
  const { gitlab, clusters } = simulator;
  const host = new URL(gitlab.url).host;
  return {
    app: { baseUrl: url },
    backend: {
      baseUrl: url,
      listen: { port, host: '127.0.0.1' },
      cors: { origin: url },
    },
    integrations: {
      gitlab: [
        {
          host,
          baseUrl: gitlab.url,
          apiBaseUrl: `${gitlab.url}/api/v4`,
          // May write, for the templates.
          token: 'glpat-simulated-scaffolder',
        },
      ],
    },
    catalog: {
      processingInterval: { seconds: 2 },
      locations: [
        ...[...gitlab.state.projects.values()].map(project => ({
          type: 'url',
          target: `${gitlab.url}/${project.pathWithNamespace}/-/blob/main/catalog-info.yaml`,
        })),
        ...templates.map(target => ({
          type: 'file',
          target,
          rules: [{ allow: ['Template'] }],
        })),
      ],
    },
    previews: {
      gitlab: [{ host, token: gitlab.token, webhookSecrets: [WEBHOOK_SECRET] }],
      clusters: clusters.map(cluster => ({
        name: cluster.name,
        url: cluster.url,
        token: cluster.token,
      })),
      schedule: {
        gitlabPoll: { seconds: 2 },
        gitlabStaleAfter: { seconds: 8 },
        catalogPoll: { seconds: 2 },
      },
    },
  };
}

/** The templates with pickers that offer the simulated GitLab where it is. */
async function copyTemplates(options: {
  folder: string;
  host: string;
}): Promise<string[]> {
  const copy = join(options.folder, 'templates');
  await cp(join(ROOT, 'templates'), copy, { recursive: true });
  return Promise.all(
    ['onboard-service', 'promote-release'].map(async name => {
      const file = join(copy, name, 'template.yaml');
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replaceAll('127.0.0.1:7081', options.host));
      return file;
    }),
  );
}

/** Builds the app when there is none yet; the root test script builds it afresh. */
async function ensureApp(): Promise<void> {
  if (!existsSync(join(ROOT, 'packages/app/dist/index.html'))) {
    await promisify(execFile)('yarn', ['build:app'], {
      cwd: ROOT,
      maxBuffer: 64 * 1024 * 1024,
    });
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = new Promise<void>(done => child.once('exit', () => done()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(timer);
}
