import { InputError, NotFoundError } from '@backstage/errors';
import { type Document, isMap, isScalar, isSeq, Scalar } from 'yaml';
import {
  editYaml,
  readDocuments,
  scalarText,
  valuesOf,
  type YamlText,
} from '../edit/yamlText';

/** The key whose line makes a release: of an Argo CD Application, or of a Kustomization. */
export type ReleaseLine = 'targetRevision' | 'newTag';

/** What the line pins. */
export type ReleasePin =
  | {
      line: 'targetRevision';
      /** Of the source whose revision it is. */
      repositoryUrl: string;
      /** The source is a chart of a registry, so the revision is a version of it. */
      isChart: boolean;
    }
  | {
      line: 'newTag';
      /** With its registry, without tag and digest; what the Kustomization renames it to. */
      image: string;
    };

/** What was promoted. */
export interface Promotion {
  pin: ReleasePin;
  text: string;
  /** Whether it was not that already. */
  changed: boolean;
  /** What the line said before. */
  previous: string;
}

type Path = (string | number)[];

interface Place {
  path: Path;
  /** What tells it from others of the file. */
  name: string;
  pin: ReleasePin;
}

const FLOATING = new Set(['HEAD', 'head', 'latest', 'main', 'master', '*']);
const REVISION = /^(?!.*(?:\.\.|\/\/))[A-Za-z0-9][A-Za-z0-9._/+-]*$/;
const TAG = /^\w[\w.-]{0,127}(?:@sha256:[0-9a-f]{64})?$/;
const DIGEST = /@sha256:[0-9a-f]{64}$/;

function checkValue(line: ReleaseLine, value: string): void {
  if (FLOATING.has(value)) {
    throw new InputError(
      `${line} would be "${value}", which moves: a release is pinned`,
    );
  }
  if (!(line === 'newTag' ? TAG : REVISION).test(value)) {
    throw new InputError(
      line === 'newTag'
        ? `newTag is a tag, with "@sha256:" and a digest or without, not "${value}"`
        : `targetRevision is a tag, a commit or the version of a chart, not "${value}"`,
    );
  }
}

/** Places in an Application that name a revision, with the repository each is of. */
function revisionsOf(document: Document): Place[] {
  const sources = document.getIn(['spec', 'sources']);
  const paths: Path[] = [
    ['spec', 'source'],
    ...(isSeq(sources)
      ? sources.items.map((_, index) => ['spec', 'sources', index])
      : []),
  ];
  return paths
    .filter(path => document.hasIn([...path, 'targetRevision']))
    .map(path => {
      const repositoryUrl = String(document.getIn([...path, 'repoURL']));
      const isChart =
        document.hasIn([...path, 'chart']) || repositoryUrl.startsWith('oci:');
      return {
        path: [...path, 'targetRevision'],
        name: repositoryUrl,
        pin: { line: 'targetRevision', repositoryUrl, isChart },
      };
    });
}

/** Places in a Kustomization that name a tag, with the image each is of. */
function tagsOf(document: Document): Place[] {
  const images = document.getIn(['images']);
  return (isSeq(images) ? images.items : []).flatMap((item, index) =>
    isMap(item) && item.has('newTag')
      ? {
          path: ['images', index, 'newTag'],
          name: String(item.get('name')),
          pin: {
            line: 'newTag',
            image: String(item.get('newName') ?? item.get('name')),
          },
        }
      : [],
  );
}

function findPlace(options: {
  file: YamlText;
  documents: Document[];
  line: ReleaseLine;
  application?: string;
  of?: string;
}): Place & { index: number } {
  const { file, documents, line, application, of } = options;
  const kind = line === 'newTag' ? 'Kustomization' : 'Application';
  const kindName = line === 'newTag' ? 'a Kustomization' : 'an Application';
  const places = documents
    .map((document, index) => ({ document, index }))
    .filter(
      ({ document }) =>
        isMap(document.contents) &&
        // A kustomization.yaml may leave its kind out.
        (document.get('kind') ?? 'Kustomization') === kind &&
        (application === undefined ||
          document.getIn(['metadata', 'name']) === application),
    )
    .flatMap(({ document, index }) =>
      (line === 'newTag' ? tagsOf(document) : revisionsOf(document)).map(
        place => ({ index, ...place }),
      ),
    )
    .filter(({ name }) => of === undefined || name === of);
  if (places.length === 1) {
    return places[0];
  }
  if (places.length === 0) {
    throw new NotFoundError(
      `${file.path} has no ${line} of ${
        [application, of].filter(Boolean).join(', ') || kindName
      }`,
    );
  }
  throw new InputError(
    `${file.path} has several lines with ${line}: say which is meant of ${places
      .map(({ name }) => name)
      .join(', ')}`,
  );
}

function changedLines(before: string, after: string): number {
  const old = before.split('\n');
  const now = after.split('\n');
  return old.length === now.length
    ? now.filter((text, index) => text !== old[index]).length
    : Infinity;
}

function spelled(node: Scalar, value: string): string {
  if (node.type === Scalar.QUOTE_DOUBLE) {
    return JSON.stringify(value);
  }
  return node.type === Scalar.QUOTE_SINGLE ? `'${value}'` : scalarText(value);
}

function withIn(value: unknown, path: Path, leaf: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    return leaf;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === key ? withIn(item, rest, leaf) : item,
    );
  }
  const object = value as Record<string, unknown>;
  return { ...object, [key]: withIn(object[key], rest, leaf) };
}

/**
 * Changes the one line that makes a release; so its merge request is read at a glance, and reverting it
 * takes the release back.
 *
 * @throws InputError when the value moves, several lines could be meant, or more than one line would change
 * @throws NotFoundError when the file has no such line
 */
export function promoteLine(options: {
  file: YamlText;
  line: ReleaseLine;
  value: string;
  /** Name of the Application, where the file has several. */
  application?: string;
  /** `repoURL` of the source, or name of the image, where there are several. */
  of?: string;
}): Promotion {
  const { file, line, value, application, of } = options;
  checkValue(line, value);
  const documents = readDocuments(file);
  const { index, path, pin } = findPlace({
    file,
    documents,
    line,
    application,
    of,
  });
  const node = documents[index].getIn(path, true);
  if (!isScalar(node) || !node.range) {
    throw new InputError(
      `${file.path}: ${path.join('.')} is not one value, so it is not one line`,
    );
  }
  const previous = String(node.value ?? '');
  if (previous === value) {
    return { pin, text: file.text, changed: false, previous };
  }
  const digest = [...path.slice(0, -1), 'digest'];
  if (line === 'newTag' && documents[index].hasIn(digest)) {
    throw new InputError(
      `${file.path} pins the image by a digest on a line of its own, which wins over its tag: write both as newTag: tag@sha256:…`,
    );
  }
  if (DIGEST.test(previous) && !DIGEST.test(value)) {
    throw new InputError(
      `${file.path} pins the image by its digest: "${value}" has none`,
    );
  }
  const [start, end] = node.range;
  const expected = valuesOf(file, documents);
  expected[index] = withIn(expected[index], path, value);
  const text = editYaml({
    file,
    expected,
    candidates: [
      file.text.slice(0, start) + spelled(node, value) + file.text.slice(end),
    ],
    edit: parsed => parsed[index].setIn(path, value),
    byHand: `set ${path.join('.')}`,
  });
  if (changedLines(file.text, text) !== 1) {
    throw new InputError(
      `${file.path}: more than one line would change; write ${line} on one line of its own first`,
    );
  }
  return { pin, text, changed: true, previous };
}
