import type { CheckedObject } from './SetUp';
import { TemplateSyntax } from './templates';
import {
  JsonObject,
  objectAt,
  objectsAt,
  Path,
  textAt,
  textsBelow,
  valueAt,
} from './values';

/** Argo CD allows two levels; a hostile set may have more. */
const MAXIMUM_DEPTH = 8;

/** A pull request generator over GitLab, with its place in the set. */
export interface PreviewGenerator {
  path: Path;
  pullRequest: JsonObject;
  gitlab: JsonObject;
  /** Number or path, possibly a template. */
  project: string;
  /** Whether no other generator adds parameters. */
  isAlone: boolean;
}

/** An ApplicationSet that generates previews of merge requests. */
export interface PreviewSet extends TemplateSyntax {
  on: CheckedObject;
  generators: readonly PreviewGenerator[];
  template: JsonObject;
  /** Rendered and merged over the template; not YAML by itself. */
  patch: string;
  /** Name of the Applications; empty where the set is an excerpt. */
  name: string;
  /** Namespace of the previews. */
  namespace: string;
}

function findGenerators(
  object: JsonObject,
  where: { path: Path; isAlone: boolean; depth: number },
): PreviewGenerator[] {
  return objectsAt(object, ...where.path).flatMap(({ object: child, path }) => {
    const pullRequest = objectAt(child, 'pullRequest');
    const gitlab = objectAt(pullRequest, 'gitlab');
    const own = Object.hasOwn(pullRequest, 'gitlab')
      ? [
          {
            path: [...path, 'pullRequest'],
            pullRequest,
            gitlab,
            project: textAt(gitlab, 'project'),
            isAlone: where.isAlone,
          },
        ]
      : [];
    const below =
      where.depth < MAXIMUM_DEPTH
        ? ['matrix', 'merge'].flatMap(name =>
            findGenerators(object, {
              path: [...path, name, 'generators'],
              isAlone: false,
              depth: where.depth + 1,
            }),
          )
        : [];
    return [...own, ...below];
  });
}

function valuesOf(generators: readonly PreviewGenerator[]) {
  const values: Record<string, string> = {};
  for (const { pullRequest } of generators) {
    for (const { text, path } of textsBelow(objectAt(pullRequest, 'values'))) {
      values[path.join('.')] = text;
    }
  }
  return values;
}

/** The set itself, if it generates previews from GitLab; else nothing. */
export function findPreviewSets(on: CheckedObject): PreviewSet[] {
  const { object, group } = on;
  if (group !== 'argoproj.io') {
    return [];
  }
  const generators = findGenerators(object, {
    path: ['spec', 'generators'],
    isAlone: true,
    depth: 0,
  });
  if (generators.length === 0) {
    return [];
  }
  const template = objectAt(object, 'spec', 'template');
  return [
    {
      on,
      generators,
      goTemplate: valueAt(object, ['spec', 'goTemplate']) === true,
      values: valuesOf(generators),
      template,
      patch: textAt(object, 'spec', 'templatePatch'),
      name: textAt(template, 'metadata', 'name'),
      namespace: textAt(template, 'spec', 'destination', 'namespace'),
    },
  ];
}
