import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

const ROOT = resolve(__dirname, '../..');

/** Versions by package, as the lock file resolves them. */
function lockedVersions(): Map<string, Set<string>> {
  const lock = parse(readFileSync(resolve(ROOT, 'yarn.lock'), 'utf8'), {
    maxAliasCount: 0,
  }) as Record<string, { version: string }>;
  const versions = new Map<string, Set<string>>();
  for (const [descriptors, { version }] of Object.entries(lock)) {
    const name = /^(@?[^@]+)@/.exec(descriptors)?.[1];
    if (name !== undefined) {
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
  }
  return versions;
}

/** A library of pure functions that Backstage 1.55 itself asks for in two lines. */
const ASKED_FOR_TWICE = new Set(['@backstage/filter-predicates']);

describe('the lock file', () => {
  it('has one copy of each Backstage package, which do not work side by side', () => {
    const doubled = [...lockedVersions()]
      .filter(
        ([name, versions]) =>
          name.startsWith('@backstage/') &&
          !ASKED_FOR_TWICE.has(name) &&
          versions.size > 1,
      )
      .map(([name, versions]) => `${name}: ${[...versions].join(', ')}`);
    expect(doubled).toEqual([]);
  });

  it('has one copy of React and of Material UI', () => {
    const versions = lockedVersions();
    for (const name of [
      'react',
      'react-dom',
      '@material-ui/core',
      '@material-ui/styles',
    ]) {
      expect({ name, versions: [...(versions.get(name) ?? [])] }).toEqual({
        name,
        versions: [expect.any(String)],
      });
    }
  });
});
