import { createServer } from 'node:net';

/** Below what systems give to connections and to whoever asks for any port. */
const FIRST = 20_000;
const WORKERS = 8;
const PORTS_OF_WORKER = 1_500;

const ownFirst =
  FIRST + (Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS) * PORTS_OF_WORKER;
let next = Math.floor(Math.random() * PORTS_OF_WORKER);

/**
 * A port on the loopback interface that nobody listens on now, and that nobody takes
 * who does not name it: it may be left and taken again. Each is given once.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_OF_WORKER; tries += 1) {
    const port = ownFirst + next;
    next = (next + 1) % PORTS_OF_WORKER;
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Error('There is no free port');
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
