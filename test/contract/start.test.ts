import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SCRIPTS = resolve(__dirname, '../../scripts');
const START = join(SCRIPTS, 'start.mjs');
const PROCESSES = pathToFileURL(join(SCRIPTS, 'processes.mjs')).href;

/** Waits for its grace, as development servers do whose parent is gone. */
const DEAF = `
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {});
}
setInterval(() => {}, 1000);
console.log('started');
`;

/** As `start.mjs`, with one process that does not end by itself. */
const STARTER = `
import { processesIn } from '${PROCESSES}';
processesIn('.', { grace: 300 }).start(process.execPath, ['-e', ${JSON.stringify(
  DEAF,
)}]);
`;

describe('npm start', () => {
  const servers: Server[] = [];

  afterEach(async () => {
    await Promise.all(
      servers.splice(0).map(
        server =>
          new Promise<void>(done => {
            server.close(() => done());
          }),
      ),
    );
  });

  /** Takes a port, if nobody has it already: a portal may be running beside the tests. */
  async function take(port: number) {
    const server = createServer();
    const isOurs = await new Promise<boolean>(done => {
      server.once('error', () => done(false));
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
        done(true),
      );
    });
    if (isOurs) {
      servers.push(server);
    }
  }

  /** Runs it until it ends, or for as long as it takes to see that it does not. */
  async function started(): Promise<{ code: number | null; said: string }> {
    const child = spawn(process.execPath, [START], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 50_000,
    });
    const said: string[] = [];
    [child.stdout, child.stderr].forEach(stream =>
      stream.setEncoding('utf8').on('data', text => said.push(text)),
    );
    const code = await new Promise<number | null>((done, fail) => {
      child.once('error', fail);
      child.once('close', done);
    });
    return { code, said: said.join('') };
  }

  it('starts nothing where ports are taken, names each, and says what to do', async () => {
    await take(7081);
    await take(7084);
    const { code, said } = await started();
    expect(said).toMatch(/^The portal cannot start:\n/);
    expect(said).toContain('port 7081, of the simulated GitLab, is taken');
    expect(said).toContain('port 7084, of the simulated Route 53, is taken');
    expect(said).toContain('If another "npm start" is running');
    expect(said).not.toContain('ready');
    expect(code).toBe(1);
  });

  it('names the port of the portal itself', async () => {
    await take(7007);
    const { code, said } = await started();
    expect(said).toContain("port 7007, of the portal's backend, is taken");
    expect(code).toBe(1);
  });

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
    'leaves nothing behind, however often it gets %s',
    async signal => {
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', STARTER],
        { stdio: ['ignore', 'pipe', 'inherit'], timeout: 50_000 },
      );
      await once(child.stdout, 'data');
      // Closed is the output only once nobody is left who could write to it.
      const closed = once(child, 'close');
      // npm, npx and Yarn each pass on what the group has got already.
      const again = setInterval(() => child.kill(signal), 20);
      child.kill(signal);
      expect(await closed).toEqual([0, null]);
      clearInterval(again);
    },
  );
});
