import { InputError, NotFoundError } from '@backstage/errors';
import { type Document, isMap, isScalar, type Node } from 'yaml';
import {
  columnOf,
  editYaml,
  endOf,
  insertLines,
  isFlow,
  nextLine,
  pairOf,
  readDocuments,
  scalarText,
  valuesOf,
  type YamlText,
} from './yamlText';

/** Where the catalog usually finds the entities of a repository. */
export const CATALOG_FILE = 'catalog-info.yaml';

interface EntityValue {
  kind: string;
  metadata: { name: string; annotations?: Record<string, unknown> | null };
}

function isEntity(value: unknown): value is EntityValue {
  const entity = value as Partial<EntityValue> & { apiVersion?: unknown };
  return (
    typeof entity === 'object' &&
    entity !== null &&
    typeof entity.apiVersion === 'string' &&
    typeof entity.kind === 'string' &&
    typeof entity.metadata?.name === 'string'
  );
}

/** The one entity that is meant; several that could be are a question, not a guess. */
function findEntity(
  file: YamlText,
  values: unknown[],
  wanted?: { kind?: string; name?: string },
): number {
  const entities = values.flatMap((value, index) =>
    isEntity(value)
      ? [{ index, kind: value.kind, name: value.metadata.name }]
      : [],
  );
  const kind = (wanted?.kind ?? 'Component').toLowerCase();
  const ofKind = entities.filter(entity => entity.kind.toLowerCase() === kind);
  const named = ofKind.filter(
    ({ name }) => wanted?.name === undefined || name === wanted.name,
  );
  if (named.length === 1) {
    return named[0].index;
  }
  const those = entities
    .map(entity => `${entity.kind} ${entity.name}`)
    .join(', ');
  throw named.length === 0
    ? new NotFoundError(
        `${file.path} has no ${kind} ${wanted?.name ?? ''}`.trimEnd() +
          (those ? `; it has ${those}` : ''),
      )
    : new InputError(
        `${file.path} has several entities: say which is meant of ${those}`,
      );
}

function candidatesFor(
  text: string,
  document: Document,
  added: [string, string][],
): string[] {
  const metadata = pairOf(document.contents, 'metadata')?.value;
  const pair = pairOf(metadata, 'annotations');
  const node = pair?.value ?? null;
  const linesAt = (column: number) =>
    added.map(
      ([key, value]) =>
        `${' '.repeat(column)}${scalarText(key)}: ${scalarText(value)}`,
    );
  if (!isMap<Node, Node | null>(metadata) || isFlow(metadata)) {
    return [];
  }
  if (isMap<Node, Node | null>(node) && isFlow(node)) {
    const pairs = added
      .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(', ');
    const last = node.items.at(-1);
    const position = last
      ? endOf(last.value ?? last.key)
      : (node.range?.[0] ?? 0) + 1;
    return [
      `${text.slice(0, position)}${
        last ? `, ${pairs}` : ` ${pairs} `
      }${text.slice(position)}`,
    ];
  }
  if (isMap<Node, Node | null>(node) && node.items.length > 0) {
    return [
      insertLines({
        text,
        position: nextLine(text, endOf(node)),
        lines: linesAt(columnOf(text, node.items[0].key.range?.[0] ?? 0)),
      }),
    ];
  }
  const first = metadata.items[0]?.key.range?.[0] ?? 0;
  const column = columnOf(text, first);
  if (pair) {
    return [
      insertLines({
        text,
        position: nextLine(text, pair.key.range?.[1] ?? 0),
        lines: linesAt(column + 2),
      }),
    ];
  }
  return [
    insertLines({
      text,
      position: nextLine(text, endOf(metadata)),
      lines: [`${' '.repeat(column)}annotations:`, ...linesAt(column + 2)],
    }),
  ];
}

/**
 * Adds annotations to an entity of a file; everything else stays to the letter. What is there already
 * with the same value is left alone.
 *
 * @throws InputError when one of them is there with another value, which is not overwritten
 * @throws NotFoundError when the file has no such entity
 */
export function addAnnotations(options: {
  text: string;
  /** Its path, for messages; the usual one where it is left out. */
  path?: string;
  annotations: Record<string, string>;
  /** Which entity, where the file has several; a Component where no kind is given. */
  entity?: { kind?: string; name?: string };
}): { text: string; changed: boolean } {
  const { text, path = CATALOG_FILE, annotations, entity } = options;
  const file = { path, text };
  const documents = readDocuments(file);
  const values = valuesOf(file, documents);
  const index = findEntity(file, values, entity);
  const value = values[index] as EntityValue;
  const present = value.metadata.annotations ?? {};
  const different = Object.entries(annotations).filter(
    ([key, wanted]) =>
      Object.hasOwn(present, key) && String(present[key]) !== wanted,
  );
  if (different.length > 0) {
    throw new InputError(
      `${path} has other annotations already, which are not overwritten: ${different
        .map(([key, wanted]) => `${key} is "${present[key]}", not "${wanted}"`)
        .join('; ')}`,
    );
  }
  const added = Object.entries(annotations).filter(
    ([key]) => !Object.hasOwn(present, key),
  );
  if (added.length === 0) {
    return { text, changed: false };
  }
  const byHand = `add the annotations ${added.map(([key]) => key).join(', ')}`;
  const expected = [...values];
  expected[index] = {
    ...value,
    metadata: {
      ...value.metadata,
      annotations: { ...present, ...Object.fromEntries(added) },
    },
  };
  const changed = editYaml({
    file,
    expected,
    candidates: candidatesFor(text, documents[index], added),
    edit: parsed => {
      const document = parsed[index];
      const where = ['metadata', 'annotations'];
      const old = document.getIn(where, true);
      if (old === undefined || (isScalar(old) && old.value === null)) {
        document.setIn(where, document.createNode({}));
      }
      const map = document.getIn(where, true);
      if (isMap(map)) {
        added.forEach(([key, wanted]) => map.set(key, wanted));
      }
    },
    byHand,
  });
  return { text: changed, changed: true };
}
