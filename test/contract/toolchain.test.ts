import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const SCRIPTS = resolve(__dirname, '../../scripts');
const STATE = 'node_modules/.yarn-state.yml';

/** Stands for npx with Yarn: notes what it is asked for, and installs or fails as it is told. */
const NPX = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
const asked = process.argv.slice(process.argv.indexOf('yarn') + 1);
appendFileSync('asked', asked.join(' ') + '\\n');
if (asked[0] === 'install') {
  if (existsSync('cannot-install')) {
    process.exit(7);
  }
  mkdirSync('node_modules', { recursive: true });
  writeFileSync('${STATE}', 'what is installed\\n');
}
`;

const INSTALL = 'install --immutable';
const RUN = 'run simulator faults';

describe('with-toolchain', () => {
  let root: string;

  const at = (path: string) => join(root, path);
  const write = (path: string, text: string) => writeFileSync(at(path), text);

  /** Runs a command, and tells what was asked of Yarn for it. */
  async function run(): Promise<{ code: number; asked: string[] }> {
    write('asked', '');
    const code = await new Promise<number>(done => {
      execFile(
        process.execPath,
        [at('scripts/with-toolchain.mjs'), 'simulator', 'faults'],
        {
          env: {
            // The fake needs the Node.js of this test.
            PATH: [at('bin'), dirname(process.execPath), process.env.PATH].join(
              delimiter,
            ),
          },
        },
        error => done(error ? Number(error.code) : 0),
      );
    });
    const asked = readFileSync(at('asked'), 'utf8').split('\n').slice(0, -1);
    return { code, asked };
  }

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'previews-toolchain-'));
    cpSync(SCRIPTS, at('scripts'), { recursive: true });
    await mkdir(at('bin'));
    await writeFile(at('bin/npx'), NPX, { mode: 0o755 });
    await mkdir(at('packages/app'), { recursive: true });
    await mkdir(at('test'));
    write(
      'package.json',
      JSON.stringify({ workspaces: ['packages/*', 'plugins/*', 'test'] }),
    );
    write('packages/app/package.json', '{}');
    write('test/package.json', '{}');
    write('yarn.lock', 'locked\n');
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('installs in a fresh clone, and not again where nothing has changed', async () => {
    expect(await run()).toEqual({ code: 0, asked: [INSTALL, RUN] });
    expect(await run()).toEqual({ code: 0, asked: [RUN] });
    expect(await run()).toEqual({ code: 0, asked: [RUN] });
  });

  it('installs where somebody else has, and nobody knows what', async () => {
    await mkdir(at('node_modules'));
    write(STATE, 'something\n');
    expect((await run()).asked).toEqual([INSTALL, RUN]);
  });

  it.each<[string, () => unknown]>([
    ['the lock file changed', () => write('yarn.lock', 'locked anew\n')],
    [
      'the root asks for other packages',
      () => write('package.json', '{"workspaces":["packages/*","test"]}'),
    ],
    [
      'a workspace of a folder asks for other packages',
      () => write('packages/app/package.json', '{"dependencies":{}}'),
    ],
    [
      'a workspace by its name asks for other packages',
      () => write('test/package.json', '{"dependencies":{}}'),
    ],
    [
      'a workspace is new',
      async () => {
        await mkdir(at('plugins/new'), { recursive: true });
        write('plugins/new/package.json', '{}');
      },
    ],
    [
      'a workspace is gone',
      () => rmSync(at('packages/app'), { recursive: true }),
    ],
    [
      'Yarn is set up otherwise',
      () => write('.yarnrc.yml', 'nodeLinker: pnp\n'),
    ],
    ['something else was installed since', () => write(STATE, 'more\n')],
    ['what Yarn noted is gone', () => rmSync(at(STATE))],
    [
      'what was installed is gone',
      () => rmSync(at('node_modules'), { recursive: true }),
    ],
  ])('installs again, once, when %s', async (_, change) => {
    await run();
    await change();
    expect((await run()).asked).toEqual([INSTALL, RUN]);
    expect((await run()).asked).toEqual([RUN]);
  });

  it('runs nothing where the install fails, and tries it again the next time', async () => {
    await run();
    write('yarn.lock', 'locked anew\n');
    write('cannot-install', '');
    expect(await run()).toEqual({ code: 7, asked: [INSTALL] });
    rmSync(at('cannot-install'));
    expect((await run()).asked).toEqual([INSTALL, RUN]);
  });
});
