import { InputError } from '@backstage/errors';
import type {
  CheckedFile,
  CheckedManifest,
} from '@previews/backstage-plugin-previews-node';
import { parseAllDocuments } from 'yaml';
import type { RepositoryFile } from '../edit';

/**
 * Folders of charts and overlays: what stands in them is no whole object until Helm or Kustomize has
 * rendered it, with the image that the environment names.
 */
function unrenderedFolders(files: readonly RepositoryFile[]): string[] {
  return files
    .map(({ path }) => /^(.*\/|)(?:Chart|kustomization)\.yaml$/.exec(path)?.[1])
    .filter(folder => folder !== undefined);
}

function documentsOf({ path, content }: RepositoryFile): unknown[] {
  return parseAllDocuments(content, { merge: true }).map(document => {
    if (document.errors.length > 0) {
      throw new InputError(
        `${path} is no valid YAML: ${document.errors[0].message}`,
      );
    }
    return document.toJS() as unknown;
  });
}

/**
 * What of a GitOps repository can be judged as it is: all manifests that neither Helm nor
 * Kustomize has to render first.
 *
 * @throws InputError that names the file that is no YAML
 */
export function manifestsOf(
  files: readonly RepositoryFile[],
): CheckedManifest[] {
  const unrendered = unrenderedFolders(files);
  return files
    .filter(
      ({ path }) =>
        /\.ya?ml$/.test(path) &&
        !unrendered.some(folder => path.startsWith(folder)),
    )
    .flatMap(file =>
      documentsOf(file)
        .filter(object => typeof object === 'object' && object !== null)
        .map(object => ({ source: { path: file.path }, object })),
    );
}

/** What of a service's repository is judged: its pipelines and how its image is built. */
export function checkedFilesOf(
  files: readonly RepositoryFile[],
): CheckedFile[] {
  return files
    .filter(({ path }) => /gitlab-ci\.ya?ml$|(?:^|\/)Dockerfile/.test(path))
    .map(({ path, content }) => ({ path, text: content }));
}
