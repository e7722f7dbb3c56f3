// Tells which ports cannot be listened on, by listening on each for a moment.
import { createServer } from 'node:net';

function problemOf({ port, host }) {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', error => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => resolve(undefined));
    });
  });
}

/**
 * Those of some listeners that could not be started now.
 *
 * @template {{ port: number, host: string }} L
 * @param {L[]} listeners with the addresses that they would listen on
 * @returns {Promise<(L & { problem: string })[]>} `problem` is an error code such as EADDRINUSE
 */
export async function unusablePorts(listeners) {
  const found = await Promise.all(
    listeners.map(async listener => ({
      ...listener,
      problem: await problemOf(listener),
    })),
  );
  return found.filter(({ problem }) => problem !== undefined);
}
