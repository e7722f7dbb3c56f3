import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Onboarding, type Environment } from './support/onboarding';
import { referenceCases } from './support/onboardingCases';

/**
 * The references are committed, so that a change of the template shows as a change of what it renders.
 * `UPDATE_GOLDEN=true` writes them anew; read the difference before committing it.
 */
const REFERENCES = join(__dirname, 'references');
const update = process.env.UPDATE_GOLDEN === 'true';
const environments: Environment[] = ['preview', 'dev', 'prod'];

/** What a case is held to: what is written, and what the tools make of it. */
async function outputOf(onboarding: Onboarding): Promise<Map<string, string>> {
  const output = new Map<string, string>();
  for (const { repository, path, content } of onboarding.files) {
    // Templates are in the skeleton as they are written.
    if (!/\/chart\/(templates\/|values\.schema\.json)/.test(path)) {
      output.set(`written/${repository}/${path}`, content);
    }
  }
  for (const environment of environments) {
    const { code, error, output: text } = await onboarding.render(environment);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    output.set(`rendered/${environment}.yaml`, text);
  }
  return output;
}

async function referenceOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  const paths = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      paths.map(async path => {
        const name = relative(folder, path).split(sep).join('/');
        return [name, await readFile(path, 'utf8')] as const;
      }),
    ),
  );
}

async function write(folder: string, files: Map<string, string>) {
  await rm(folder, { recursive: true, force: true });
  for (const [path, content] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}

describe.each(Object.entries(referenceCases))('%s', (name, { request }) => {
  let onboarding: Onboarding;

  beforeAll(async () => {
    onboarding = await Onboarding.create(request);
  });

  afterAll(() => onboarding.remove());

  it('writes and renders what is committed', async () => {
    const folder = join(REFERENCES, name);
    const output = await outputOf(onboarding);
    if (update) {
      await write(folder, output);
    }
    const reference = await referenceOf(folder);
    expect([...output.keys()].sort()).toEqual([...reference.keys()].sort());
    for (const [path, content] of output) {
      expect({ path, content }).toEqual({ path, content: reference.get(path) });
    }
  });

  if (name.startsWith('helm')) {
    it.each(environments)(
      'has a chart that Helm finds no fault with in %s',
      async environment => {
        const { code, stdout, stderr } = await onboarding.lint(environment);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(stdout).toContain('1 chart(s) linted, 0 chart(s) failed');
        expect(stdout).not.toMatch(/\[(WARNING|ERROR)\]/);
      },
    );
  }
});

it('keeps no reference of a case that is gone', async () => {
  expect((await readdir(REFERENCES)).sort()).toEqual(
    Object.keys(referenceCases).sort(),
  );
});
