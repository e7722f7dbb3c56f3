// Whether the dependencies that are installed are those that the workspace asks for.
// Asking Yarn takes a dozen seconds and fills the screen with warnings, so what was
// installed is noted in a file that goes with it: `node_modules` has both or neither.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = 'node_modules';
const NOTE = join(MODULES, '.previews-installed');
/** Yarn's own record of what is in `node_modules`: it differs after an install that is not noted. */
const STATE = join(MODULES, '.yarn-state.yml');

/** Folders of a workspace pattern, which is a folder, or all that are in one. */
function foldersOf(root, pattern) {
  if (!pattern.endsWith('/*')) {
    return [pattern];
  }
  const parent = pattern.slice(0, -'/*'.length);
  return existsSync(join(root, parent))
    ? readdirSync(join(root, parent))
        .sort()
        .map(name => join(parent, name))
    : [];
}

/** What decides on the dependencies, and what Yarn made of it; undefined where nothing is installed. */
function fingerprint(root) {
  if (!existsSync(join(root, STATE))) {
    return undefined;
  }
  const { workspaces } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const hash = createHash('sha256');
  // Some packages are built for the machine.
  hash.update(`${process.platform} ${process.arch}\n`);
  const files = [
    STATE,
    'yarn.lock',
    '.yarnrc.yml',
    'package.json',
    ...workspaces
      .flatMap(pattern => foldersOf(root, pattern))
      .map(folder => join(folder, 'package.json')),
  ];
  for (const file of files) {
    if (existsSync(join(root, file))) {
      const content = readFileSync(join(root, file));
      hash.update(`${file} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

/** Whether nothing has changed since `noteInstalled`. When in doubt it has. */
export function isInstalled(root) {
  const known = fingerprint(root);
  return (
    known !== undefined &&
    existsSync(join(root, NOTE)) &&
    readFileSync(join(root, NOTE), 'utf8') === known
  );
}

/** To be called after an install that went well. */
export function noteInstalled(root) {
  const known = fingerprint(root);
  if (known !== undefined) {
    writeFileSync(join(root, NOTE), known);
  }
}
