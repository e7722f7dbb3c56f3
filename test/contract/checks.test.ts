import { checkIds } from '@previews/backstage-plugin-previews-common';
import {
  CheckedManifest,
  runReadinessChecks,
} from '@previews/backstage-plugin-previews-node';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

/**
 * ApplicationSets and other objects that other projects recorded, each file through
 * the readiness checks. What has to be found is told by the text of the file, not by
 * its name: another folder of the same shape works as well.
 */
const folder = resolve(
  process.env.PREVIEWS_CASES ?? join(__dirname, '../../../shared/cases'),
);
const data = join(folder, 'data');

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap(entry => {
      const path = join(directory, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .filter(path => /\.(ya?ml|json)$/.test(path))
    .sort();
}

function manifestsOf(path: string): CheckedManifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map(document => ({
    source: { cluster: 'recorded' },
    object: document.toJS() as unknown,
  }));
}

/** The text of a file without its comments. */
function bareText(path: string): string {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map(line => line.replace(/(?:^|\s)#.*$/, ''))
    .join('\n');
}

/** For some checks the words in a set that are the same as what they find. */
const WORDS: [id: string, isWritten: (text: string) => boolean][] = [
  ['StateUnset', text => !/pullRequestState: *['"]?(?!all)\w/.test(text)],
  ['ProjectByPath', text => /\n +project: ['"]?[^<\s]+\//.test(text)],
  ['NamespaceCreatedBySync', text => text.includes('CreateNamespace=true')],
  ['SevenCharacterTag', text => text.includes('head_short_sha_7')],
  [
    'MissingKeyTolerated',
    text => /goTemplate: true/.test(text) && !text.includes('missingkey=error'),
  ],
  ['RequeueUnset', text => !text.includes('requeueAfterSeconds')],
  [
    'RequeueLong',
    text => Number(/requeueAfterSeconds: (\d+)/.exec(text)?.[1]) > 300,
  ],
  ['DefaultProject', text => /\n {6}project: default/.test(text)],
  ['LostRepositoryDeletesAll', text => /RepoNotFoundError: true/.test(text)],
  [
    'ResourcesPreserved',
    text => /preserveResourcesOnDeletion: true/.test(text),
  ],
];

describe('readiness checks of recorded cases', () => {
  if (!existsSync(data)) {
    it('are not there: PREVIEWS_CASES names no folder with data', () => {
      process.stdout.write(
        `No recorded cases in ${folder}: nothing to check.\n`,
      );
      expect(process.env.PREVIEWS_CASES).toBeUndefined();
    });
    return;
  }

  const files = filesBelow(data);
  const sets = files.filter(path =>
    /^kind: ApplicationSet$/m.test(bareText(path)),
  );
  const generatesPreviews = (path: string) =>
    /\bpullRequest:\s*\n\s+gitlab:/.test(bareText(path));
  const verdicts: string[] = [];

  afterAll(() => {
    process.stdout.write(`${verdicts.join('\n')}\n`);
  });

  it('has ApplicationSets of both sorts to check', () => {
    expect(sets.some(generatesPreviews)).toBe(true);
    expect(sets.some(path => !generatesPreviews(path))).toBe(true);
  });

  it.each(files.map(path => [relative(data, path), path]))(
    '%s is checked without a failure, and with evidence',
    (_, path) => {
      const results = runReadinessChecks({ manifests: manifestsOf(path) });
      for (const { id, evidence, message, fix } of results) {
        expect(checkIds).toContain(id);
        expect(evidence.path).not.toBe('');
        expect(message).toMatch(/\S.+\.$/);
        expect(fix).toMatch(/\S.+\.$/);
      }
    },
  );

  it.each(
    sets
      .filter(path => !generatesPreviews(path))
      .map(path => [relative(data, path), path]),
  )('%s is no set of previews of GitLab, and is left alone', (_, path) => {
    expect(runReadinessChecks({ manifests: manifestsOf(path) })).toEqual([]);
  });

  it.each(
    sets.filter(generatesPreviews).map(path => [relative(data, path), path]),
  )('%s is found to lack what its text lacks, and no more', (name, path) => {
    const text = bareText(path);
    const results = runReadinessChecks({ manifests: manifestsOf(path) });
    const ids = new Set<string>(results.map(({ id }) => id));
    verdicts.push(`${name}: ${[...ids].join(', ') || 'ready'}`);
    expect(Object.fromEntries(WORDS.map(([id]) => [id, ids.has(id)]))).toEqual(
      Object.fromEntries(WORDS.map(([id, isWritten]) => [id, isWritten(text)])),
    );
  });

  it('are found to have no error in what only says what Argo CD can do', () => {
    const references = sets.filter(path =>
      /^ {4}spec: \{\}$/m.test(bareText(path)),
    );
    for (const path of references) {
      expect(
        runReadinessChecks({ manifests: manifestsOf(path) }).filter(
          ({ severity }) => severity !== 'info',
        ),
      ).toEqual([]);
    }
  });
});
