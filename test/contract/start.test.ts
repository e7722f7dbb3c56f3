import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { resolve } from 'node:path';

const START = resolve(__dirname, '../../scripts/start.mjs');

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
      timeout: 20_000,
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
});
