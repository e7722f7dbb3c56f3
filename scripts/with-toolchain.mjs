// Runs a root script with the Node.js and Yarn that this workspace is built for,
// from whatever Node.js (20 or later) and npm the machine has. The npm packages
// "node" and "@yarnpkg/cli-dist" carry both, so that nothing is installed globally.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled, noteInstalled } from './installed.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [script, ...rest] = process.argv.slice(2);
if (!script) {
  console.error(
    'usage: node scripts/with-toolchain.mjs <root script> [arguments]',
  );
  process.exit(2);
}

const NODE_MAJOR = 24;
const YARN_VERSION = '4.18.1';

function hasToolchain() {
  if (Number(process.versions.node.split('.')[0]) !== NODE_MAJOR) {
    return false;
  }
  return process.env.npm_config_user_agent?.startsWith(`yarn/${YARN_VERSION}`);
}

function yarn(args) {
  const windows = process.platform === 'win32';
  const [command, commandArgs] = hasToolchain()
    ? ['yarn', args]
    : [
        'npx',
        [
          '--yes',
          `--package=node@${NODE_MAJOR}`,
          `--package=@yarnpkg/cli-dist@${YARN_VERSION}`,
          '--',
          'yarn',
          ...args,
        ],
      ];
  const result = spawnSync(command, commandArgs, {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
    env: { ...process.env, COREPACK_ENABLE_STRICT: '0' },
  });
  if (result.error) {
    console.error(`Could not run ${command}: ${result.error.message}`);
    process.exit(1);
  }
  return result.status ?? 1;
}

if (!isInstalled(root)) {
  const status = yarn(['install', '--immutable']);
  if (status !== 0) {
    process.exit(status);
  }
  noteInstalled(root);
}
process.exit(yarn(['run', script, ...rest]));
