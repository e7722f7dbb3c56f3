import { InputError } from '@backstage/errors';
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { matchesGlob } from './glob';
import {
  columnOf,
  editYaml,
  endOf,
  insertLines,
  isFlow,
  lineEndOf,
  nextLine,
  pairOf,
  readDocuments,
  scalarText,
  valuesOf,
} from './yamlText';

/** Where GitLab looks for the pipeline of a project that does not say otherwise. */
export const PIPELINE_FILE = '.gitlab-ci.yml';

const DEFAULT_STAGES = ['.pre', 'build', 'test', 'deploy', '.post'];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A local file as GitLab finds it: from the root of the repository. */
function bare(path: string): string {
  return path.replace(/^\.?\/+/, '');
}

function includes(entry: unknown, path: string): boolean {
  const local = isRecord(entry) ? entry.local : entry;
  return (
    typeof local === 'string' &&
    !/^https?:/.test(local) &&
    matchesGlob(bare(local), bare(path))
  );
}

function checkStage(options: {
  path: string;
  value: Record<string, unknown>;
  stage: string;
}): void {
  const { path, value, stage } = options;
  const isNamed =
    Array.isArray(value.stages) &&
    value.stages.every(item => typeof item === 'string');
  // Without stages of its own it has the usual ones, or those of what it includes.
  const isUsual = value.stages === undefined && value.include === undefined;
  const stages = isNamed ? value.stages : DEFAULT_STAGES;
  if (
    (isNamed || isUsual) &&
    !['.pre', '.post', ...(stages as string[])].includes(stage)
  ) {
    throw new InputError(
      `${path} has no stage "${stage}", which the jobs of previews are in; it has ${(
        stages as string[]
      )
        .filter(item => !item.startsWith('.'))
        .join(', ')}`,
    );
  }
}

/** After the comments below the last value, before what ends the document. */
function endOfDocument(text: string, contents: Node | null): number {
  let position = contents ? nextLine(text, endOf(contents)) : 0;
  while (position < text.length) {
    const next = nextLine(text, position + 1);
    const line = text.slice(position, next).trim();
    const isDocumentStart = !contents && (line === '---' || /^%/.test(line));
    if (line !== '' && !line.startsWith('#') && !isDocumentStart) {
      break;
    }
    position = next;
  }
  return position;
}

function withNewKey(text: string, contents: Node | null, item: string) {
  const position = endOfDocument(text, contents);
  const lines = ['include:', `  - ${item}`];
  const isApart = position === 0 || /\n\r?\n$/.test(text.slice(0, position));
  return [
    insertLines({ text, position, lines: isApart ? lines : ['', ...lines] }),
    insertLines({ text, position, lines }),
  ];
}

/** Adds to what `include` has: a list, or one entry that becomes the first of a list. */
function withItem(
  text: string,
  pair: Pair<Node, Node | null>,
  item: string,
): string[] {
  const { key, value, srcToken } = pair;
  const column = columnOf(text, key.range?.[0] ?? 0);
  const lineEnd = lineEndOf(text);
  const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  if (!value || !colon) {
    return [];
  }
  const flowItem = `{ local: ${JSON.stringify(item.slice('local: '.length))} }`;
  if (isSeq(value) && isFlow(value)) {
    const last = value.items.at(-1) as Node | undefined;
    const position = last ? endOf(last) : (value.range?.[0] ?? 0) + 1;
    return [
      `${text.slice(0, position)}${last ? ', ' : ''}${flowItem}${text.slice(
        position,
      )}`,
    ];
  }
  if (isSeq(value)) {
    const token = value.srcToken;
    // Comments behind the last item are items of their own to the parser.
    const start =
      token?.type === 'block-seq'
        ? token.items
            .flatMap(entry => entry.start)
            .findLast(({ type }) => type === 'seq-item-ind')
        : undefined;
    if (!start) {
      return [];
    }
    const indent = ' '.repeat(columnOf(text, start.offset));
    return [
      insertLines({
        text,
        position: nextLine(text, endOf(value)),
        lines: [`${indent}- ${item}`],
      }),
    ];
  }
  const dash = `${' '.repeat(column)}  - `;
  const end = endOf(value);
  if (isMap(value) && !isFlow(value)) {
    const start = text.lastIndexOf('\n', value.range?.[0] ?? 0) + 1;
    const last = nextLine(text, end);
    const indented = text
      .slice(start, last)
      .split('\n')
      .map((line, index) => {
        if (index === 0) {
          return dash + line.trimStart();
        }
        return line.trim() === '' ? line : `  ${line}`;
      })
      .join('\n');
    const first = columnOf(text, value.range?.[0] ?? 0);
    // Deeper lines are two further in than the dash says where it was not two from its key.
    const shift = dash.length - 2 - first;
    if (shift !== 0) {
      return [];
    }
    return [
      insertLines({
        text: text.slice(0, start) + indented + text.slice(last),
        position: start + indented.length,
        lines: [dash + item],
      }),
    ];
  }
  const after = colon.offset + 1;
  const entry = text.slice(after, end).trim();
  if (entry.includes('\n')) {
    return [];
  }
  const listed = `${text.slice(0, after)}${lineEnd}${dash}${entry}`;
  const rest = text.slice(end);
  return [
    insertLines({
      text: listed + rest,
      position: nextLine(listed + rest, listed.length),
      lines: [dash + item],
    }),
  ];
}

/**
 * Adds one local file to what a pipeline includes; everything else stays to the letter. A pipeline that
 * includes it already, by a wildcard too, is left alone; where there is none, one is made.
 *
 * @throws InputError when the file is no YAML, lacks the stage, or cannot be edited without
 * changing more
 */
export function addInclude(options: {
  /** The pipeline as it is; absent where there is none. */
  text?: string;
  /** Its path, for messages; that of GitLab's default where it is left out. */
  path?: string;
  /** The file to include, from the root of the repository. */
  include: string;
  /** The stage of its jobs, which the pipeline must have. */
  stage?: string;
}): { text: string; changed: boolean } {
  const { text = '', path = PIPELINE_FILE, include, stage } = options;
  const file = { path, text };
  const documents = readDocuments(file);
  const values = valuesOf(file, documents);
  // What comes before the last document is a header, which declares inputs.
  const index = Math.max(documents.length - 1, 0);
  const value = values[index] ?? {};
  const byHand = `add "- local: ${include}" to its include`;
  if (!isRecord(value)) {
    throw new InputError(`${path} is no pipeline: it is not a map`);
  }
  if (stage !== undefined) {
    checkStage({ path, value, stage });
  }
  const present = value.include ?? [];
  const entries = Array.isArray(present) ? present : [present];
  if (entries.some(entry => includes(entry, include))) {
    return { text, changed: false };
  }
  const contents = documents[index]?.contents ?? null;
  const pair = pairOf(contents, 'include');
  const node = pair?.value ?? null;
  if (Array.isArray(present) && isAlias(node)) {
    throw new InputError(
      `${path} takes its include from elsewhere by an alias; ${byHand}`,
    );
  }
  if (node?.tag === '!reference') {
    throw new InputError(`${path} includes by a !reference; ${byHand}`);
  }
  const added = { local: include };
  const item = `local: ${scalarText(include)}`;
  const isEmpty = !pair || (isScalar(node) && node.value === null) || !node;
  const expected = [...values];
  expected[index] = { ...value, include: [...entries, added] };
  const changed = editYaml({
    file,
    expected,
    candidates: candidates(),
    edit: parsed => {
      const document = parsed[index];
      const list = document?.get('include', true);
      if (isSeq(list)) {
        list.add(document.createNode(added));
      } else {
        document?.set(
          'include',
          document.createNode(list && !isEmpty ? [list, added] : [added]),
        );
      }
    },
    byHand,
  });
  return { text: changed, changed: true };

  function candidates(): string[] {
    if (!pair) {
      return isFlow(contents) ? [] : withNewKey(text, contents, item);
    }
    if (isEmpty) {
      const indent = ' '.repeat(columnOf(text, pair.key.range?.[0] ?? 0));
      return [
        insertLines({
          text,
          position: nextLine(text, pair.key.range?.[1] ?? 0),
          lines: [`${indent}  - ${item}`],
        }),
      ];
    }
    return withItem(text, pair, item);
  }
}
