import { InputError } from '@backstage/errors';
import { addAnnotations, CATALOG_FILE } from './addAnnotations';
import { addInclude, PIPELINE_FILE } from './addInclude';
import { findHidingRule, type IgnoreFile } from './ignoreRules';
import { scalarText } from './yamlText';

/** A file of a repository. */
export interface RepositoryFile {
  path: string;
  content: string;
}

/** An entity for a repository that has none. */
export interface NewEntity {
  name: string;
  /** Reference of the group or user. */
  owner: string;
}

function newCatalogFile(entity: NewEntity): string {
  return [
    'apiVersion: backstage.io/v1alpha1',
    'kind: Component',
    'metadata:',
    `  name: ${scalarText(entity.name)}`,
    'spec:',
    '  type: service',
    '  lifecycle: production',
    `  owner: ${scalarText(entity.owner)}`,
    '',
  ].join('\n');
}

/**
 * What is changed in the repository of a service: its pipeline includes the jobs of previews, and its
 * entity says which project it is.
 *
 * @returns only the files that are new or differ; none when all is done already
 * @throws InputError when something would be overwritten, or is hidden by a `.gitignore`
 */
export function editService(options: {
  /** Content of a file of the repository; undefined where there is none. */
  read: (path: string) => string | undefined;
  ignoreFiles: readonly IgnoreFile[];
  /** Files that are written whole. */
  files: readonly RepositoryFile[];
  /** The one of these that the pipeline includes. */
  include: string;
  /** The stage of its jobs. */
  stage?: string;
  annotations: Record<string, string>;
  entity?: { kind?: string; name?: string };
  /** Made where there is no entity's file. */
  newEntity?: NewEntity;
  pipelinePath?: string;
  catalogPath?: string;
}): RepositoryFile[] {
  const {
    read,
    files,
    pipelinePath = PIPELINE_FILE,
    catalogPath = CATALOG_FILE,
  } = options;
  const pipeline = addInclude({
    text: read(pipelinePath),
    path: pipelinePath,
    include: options.include,
    stage: options.stage,
  });
  const present = read(catalogPath);
  if (present === undefined && !options.newEntity) {
    throw new InputError(
      `The repository has no ${catalogPath}: say who owns the service, so that it can be made`,
    );
  }
  const entity = addAnnotations({
    text: present ?? newCatalogFile(options.newEntity!),
    path: catalogPath,
    annotations: options.annotations,
    entity: present === undefined ? undefined : options.entity,
  });
  const changed = [
    ...files,
    { path: pipelinePath, content: pipeline.text },
    { path: catalogPath, content: entity.text },
  ].filter(({ path, content }) => read(path) !== content);
  refuseHidden({
    // What Git tracks already is not hidden any more.
    paths: changed
      .map(({ path }) => path)
      .filter(path => read(path) === undefined),
    ignoreFiles: options.ignoreFiles,
  });
  return changed;
}

/**
 * Refuses new files that a `.gitignore` of the repository hides.
 *
 * @throws InputError that names each file, the rule and its line
 */
export function refuseHidden(options: {
  paths: readonly string[];
  ignoreFiles: readonly IgnoreFile[];
}): void {
  const { paths, ignoreFiles } = options;
  const hidden = paths
    .map(path => findHidingRule({ path, ignoreFiles }))
    .filter(rule => rule !== undefined);
  if (hidden.length > 0) {
    throw new InputError(
      `Files would be hidden: ${hidden
        .map(
          ({ hidden: file, path, line, rule }) =>
            `${file} by "${rule}" (${path}, line ${line})`,
        )
        .join('; ')}. Add rules that begin with "!"`,
    );
  }
}
