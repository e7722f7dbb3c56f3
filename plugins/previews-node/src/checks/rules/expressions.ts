import { AnyCheck, check } from '../check';
import { PreviewSet } from '../previewSets';
import {
  COMMIT_PARAMETERS,
  movesTheDot,
  PARAMETERS,
  parametersOf,
  withValues,
} from '../templates';
import { Path, textAt, textsAt, textsBelow } from '../values';

const TEMPLATE: Path = ['spec', 'template'];

interface Expression {
  at: Path;
  text: string;
}

/** Every text of a set that is rendered: of the template, the patch, the values. */
function* expressionsOf(set: PreviewSet): Generator<Expression> {
  for (const { text, path } of textsBelow(set.template, TEMPLATE)) {
    yield { at: path, text };
  }
  if (set.patch !== '') {
    yield { at: ['spec', 'templatePatch'], text: set.patch };
  }
  for (const { pullRequest, path: start } of set.generators) {
    const path = [...start, 'values'];
    for (const { text, path: at } of textsBelow(pullRequest.values, path)) {
      yield { at, text };
    }
  }
}

/** Tags of images: parameters of Helm by name, values by key, and those in a text. */
function* tagsOf(set: PreviewSet): Generator<Expression & { name: string }> {
  for (const { text, path } of textsBelow(set.template, TEMPLATE)) {
    const key = String(path.at(-1));
    const inHelm = path.includes('helm');
    if (inHelm && key === 'value' && path.at(-3) === 'parameters') {
      const name = textAt(set.on.object, ...path.slice(0, -1), 'name');
      if (/tag$/i.test(name)) {
        yield { at: path, text, name };
      }
    } else if (inHelm && key === 'values') {
      for (const [line, name] of text.matchAll(/^\s*(\w*tag):.*$/gim)) {
        yield { at: path, text: line.trim(), name };
      }
    } else if (inHelm && /tag$/i.test(key)) {
      yield { at: path, text, name: key };
    }
  }
}

/** Whether a tag is filled in by something that stays when the commit changes. */
function staysTheSame(text: string, set: PreviewSet): boolean {
  const parameters = parametersOf(withValues(text, set), set);
  return (
    parameters.length > 0 &&
    parameters.every(
      name => PARAMETERS.includes(name) && !COMMIT_PARAMETERS.includes(name),
    )
  );
}

function unknownKeys(text: string, set: PreviewSet): string[] {
  if (set.goTemplate && movesTheDot(text)) {
    return [];
  }
  return parametersOf(text, set).filter(
    name =>
      !PARAMETERS.includes(name) &&
      !(set.goTemplate && name === 'labels') &&
      !(
        name.startsWith('values.') &&
        Object.keys(set.values).some(key => `values.${key}` === name)
      ),
  );
}

/** What the templates of sets say. */
export const expressionChecks: AnyCheck[] = [
  check('SevenCharacterTag', ({ previewSets }) =>
    previewSets.flatMap(set => {
      const first = [...expressionsOf(set)].find(({ text }) =>
        parametersOf(text, set).includes('head_short_sha_7'),
      );
      return first
        ? [{ on: set.on, at: first.at, value: first.text, params: {} }]
        : [];
    }),
  ),
  check('TagWithoutCommit', ({ previewSets }) =>
    previewSets.flatMap(set =>
      [...tagsOf(set)]
        .filter(({ text }) => staysTheSame(text, set))
        .map(({ at, text, name }) => ({
          on: set.on,
          at,
          value: text,
          params: { name },
        })),
    ),
  ),
  check('MissingKeyTolerated', ({ previewSets }) =>
    previewSets
      .filter(
        ({ on, goTemplate }) =>
          goTemplate &&
          !textsAt(on.object, 'spec', 'goTemplateOptions').includes(
            'missingkey=error',
          ),
      )
      .map(({ on }) => ({ on, at: ['spec', 'goTemplateOptions'], params: {} })),
  ),
  check('TemplateKeyUnknown', ({ previewSets }) =>
    previewSets
      // Other generators give parameters of their own.
      .filter(({ generators }) => generators.every(({ isAlone }) => isAlone))
      .flatMap(set => {
        const expressions = [
          ...expressionsOf(set),
          ...set.generators.map(({ project, path }) => ({
            at: [...path, 'gitlab', 'project'],
            text: project,
          })),
        ];
        const unknown = expressions
          .map(expression => ({
            ...expression,
            keys: unknownKeys(expression.text, set),
          }))
          .filter(({ keys }) => keys.length > 0);
        if (unknown.length === 0) {
          return [];
        }
        const [{ at, text }] = unknown;
        const keys = [...new Set(unknown.flatMap(item => item.keys))];
        return [
          {
            on: set.on,
            at,
            value: text,
            params: {
              keys: keys.map(key =>
                set.goTemplate && !key.startsWith('(')
                  ? `.${key}`
                  : key.replace(/[()]/g, ''),
              ),
            },
          },
        ];
      }),
  ),
];
