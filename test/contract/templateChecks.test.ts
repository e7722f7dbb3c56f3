import {
  CheckedManifest,
  CheckInput,
  runReadinessChecks,
} from '@previews/backstage-plugin-previews-node';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/**
 * What the onboarding template writes, as it is committed and rendered under
 * test/golden, has to be ready for previews by the portal's own checks.
 */
const references = join(__dirname, '../golden/references');

const ENVIRONMENTS = [
  { tier: 'preview', name: 'preview' },
  { tier: 'dev', name: 'dev' },
  { tier: 'prod', name: 'prod' },
] as const;

function objectsOf(path: string): object[] {
  return parseAllDocuments(readFileSync(path, 'utf8'))
    .map(document => document.toJS() as object | null)
    .filter(object => object !== null);
}

function manifestsOf(
  path: string,
  environment?: CheckedManifest['environment'],
): CheckedManifest[] {
  return objectsOf(path).map(object => ({
    source: { path },
    object,
    ...(environment && { environment }),
  }));
}

/** A set-up as the template writes it for one choice of options. */
function setUpOf(name: string): CheckInput {
  const root = join(references, name);
  const argocd = join(root, 'written/gitops/argocd/shop');
  const pipeline = 'written/service/.gitlab/previews.gitlab-ci.yml';
  return {
    manifests: [
      ...readdirSync(argocd).flatMap(file => manifestsOf(join(argocd, file))),
      ...ENVIRONMENTS.flatMap(environment =>
        manifestsOf(
          join(root, 'rendered', `${environment.name}.yaml`),
          environment,
        ),
      ),
    ],
    files: [
      { path: pipeline, text: readFileSync(join(root, pipeline), 'utf8') },
    ],
    context: { service: 'shop', project: 'web/shop', projectId: 42 },
  };
}

describe('what the onboarding template writes', () => {
  const names = readdirSync(references);

  it.each(names)('%s is ready for previews', name => {
    const results = runReadinessChecks(setUpOf(name));
    expect(
      results.map(({ id, subject, evidence }) => ({ id, subject, evidence })),
    ).toEqual([]);
  });

  it.each(names)('%s would be found to lack what is taken from it', name => {
    const { manifests, files, context } = setUpOf(name);
    const without = JSON.parse(
      JSON.stringify(manifests)
        .replaceAll('"readinessProbe"', '"formerProbe"')
        .replaceAll('"readOnlyRootFilesystem":true', '"former":true')
        .replaceAll('"pullRequestState":"opened",', '')
        .replaceAll('"NetworkPolicy"', '"FormerPolicy"')
        .replaceAll('preview-mr-42-*', '*')
        .replaceAll('"prune":true', '"prune":false'),
    ) as CheckInput['manifests'];
    const ids = runReadinessChecks({
      manifests: without,
      files,
      context,
    }).map(({ id }) => id);
    expect([...new Set(ids)].sort()).toEqual([
      'NetworkPolicyMissing',
      'ProjectDestinationsOpen',
      'PruneOff',
      'ReadinessProbeMissing',
      'RootFileSystemWritable',
      'StateUnset',
    ]);
  });
});
