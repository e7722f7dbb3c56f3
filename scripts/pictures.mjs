// Takes the pictures in docs/images anew: `node scripts/pictures.mjs`, after
// `yarn build:app`, with the Node.js that the portal runs on.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(join(root, 'package.json'));
const { status } = spawnSync(
  process.execPath,
  [
    '--require',
    require.resolve('@backstage/cli/config/nodeTransform.cjs'),
    join(root, 'test/pictures/takePictures.ts'),
  ],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
