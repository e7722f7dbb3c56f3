import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const COMMON = '@previews/backstage-plugin-previews-common';

const sources = ['.', 'rules'].flatMap(folder =>
  readdirSync(join(__dirname, folder))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => join(folder, name)),
);

/** The checks run in a browser as well as in a backend, and twice alike. */
it.each(sources)('%s imports nothing of a backend and reads no clock', path => {
  const text = readFileSync(join(__dirname, path), 'utf8');
  const packages = [...text.matchAll(/from '([^.'][^']*)'/g)].map(
    ([, name]) => name,
  );
  expect(packages.filter(name => name !== COMMON)).toEqual([]);
  expect(text).not.toMatch(
    /\bnew Date\(\)|\bDate\.now\b|\bMath\.random\b|\bprocess\.|\bBuffer\b|\bfetch\(/,
  );
});
