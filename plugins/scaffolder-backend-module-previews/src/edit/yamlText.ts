import { InputError } from '@backstage/errors';
import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  type Node,
  type Pair,
  parseAllDocuments,
  stringify,
} from 'yaml';

/** A file of YAML as somebody wrote it. */
export interface YamlText {
  /** Its path, for messages. */
  path: string;
  text: string;
}

/**
 * The documents of a file. Tags that only GitLab knows, such as `!reference`, are left as they are.
 *
 * @throws InputError that names the file and the first mistake in it
 */
export function readDocuments({ path, text }: YamlText): Document[] {
  const documents = parseAllDocuments(text, {
    keepSourceTokens: true,
    merge: true,
    logLevel: 'error',
  });
  const list = Array.isArray(documents) ? [...documents] : [];
  const [error] = list.flatMap(document => document.errors);
  if (error) {
    throw new InputError(`${path} is no valid YAML: ${error.message}`);
  }
  return list;
}

/** What the documents say, with nothing shared between aliases. */
export function valuesOf(file: YamlText, documents: Document[]): unknown[] {
  try {
    return documents.map(document =>
      JSON.parse(JSON.stringify(document.toJS()) ?? 'null'),
    );
  } catch (error) {
    throw new InputError(`${file.path} cannot be read`, error);
  }
}

/** The line end that the file uses most. */
export function lineEndOf(text: string): string {
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > text.split('\n').length - 1 ? '\r\n' : '\n';
}

/** A text as a scalar of YAML that every reader takes for a text. */
export function scalarText(value: string): string {
  return stringify(value, {
    singleQuote: true,
    lineWidth: 0,
    compat: 'yaml-1.1',
  }).trim();
}

/** The pair of a key. */
export function pairOf(
  node: unknown,
  key: string,
): Pair<Node, Node | null> | undefined {
  return isMap<Node, Node | null>(node)
    ? node.items.find(item => isScalar(item.key) && item.key.value === key)
    : undefined;
}

/** Whether a collection is written with brackets. */
export function isFlow(node: unknown): boolean {
  return isCollection(node) && Boolean(node.flow);
}

/** Where a node's own text ends, without comments and empty lines after it. */
export function endOf(node: Node): number {
  if (isCollection(node) && !node.flow && node.items.length > 0) {
    const last = node.items.at(-1) as Node | Pair<Node, Node | null>;
    return 'key' in last ? endOf(last.value ?? last.key) : endOf(last);
  }
  return node.range?.[1] ?? 0;
}

/** Start of the line after the one that a position is in; the end where there is none. */
export function nextLine(text: string, position: number): number {
  if (position > 0 && text[position - 1] === '\n') {
    return position;
  }
  const end = text.indexOf('\n', position);
  return end === -1 ? text.length : end + 1;
}

/** How far a position is from the start of its line. */
export function columnOf(text: string, position: number): number {
  return position - (text.lastIndexOf('\n', position - 1) + 1);
}

/** Puts lines, which have no line ends, before a position that begins a line. */
export function insertLines(options: {
  text: string;
  position: number;
  lines: string[];
}): string {
  const { text, position, lines } = options;
  const lineEnd = lineEndOf(text);
  const before = text.slice(0, position);
  const gap = before === '' || before.endsWith('\n') ? '' : lineEnd;
  return `${before}${gap}${lines
    .map(line => line + lineEnd)
    .join('')}${text.slice(position)}`;
}

function printed(documents: Document[], lineEnd: string): string {
  return documents
    .map((document, index) => {
      if (index > 0 && document.directives) {
        document.directives.docStart = true;
      }
      return document.toString({ lineWidth: 0, flowCollectionPadding: true });
    })
    .join('')
    .replace(/\n/g, lineEnd);
}

/**
 * Takes the first of several ways to edit a file after which it says what it shall, and nothing else
 * than before. Edits of the text come first, since they leave everything else to the letter; where none
 * will do, the document is edited and printed, which keeps comments and order.
 *
 * @throws InputError when no way changes only that
 */
export function editYaml(options: {
  file: YamlText;
  /** What its documents shall say. */
  expected: unknown[];
  /** Texts to try, the best first. */
  candidates: string[];
  /** The same edit of the documents. */
  edit: (documents: Document[]) => void;
  /** What to do by hand when it cannot be done here. */
  byHand: string;
}): string {
  const { file, expected, candidates, edit, byHand } = options;
  const isExpected = (text: string) => {
    try {
      const changed = { path: file.path, text };
      return isDeepStrictEqual(
        valuesOf(changed, readDocuments(changed)),
        expected,
      );
    } catch {
      // A candidate that is no YAML is only one that does not do.
      return false;
    }
  };
  const found = candidates.find(isExpected);
  if (found !== undefined) {
    return found;
  }
  const documents = readDocuments(file);
  edit(documents);
  const text = printed(documents, lineEndOf(file.text));
  if (!isExpected(text)) {
    throw new InputError(
      `${file.path} cannot be edited without changing more than it should; ${byHand}`,
    );
  }
  return text;
}
