import { Document, isMap, isScalar, type Node } from 'yaml';

/** A document of YAML with the comments that explain it. */
export interface CommentedDocument {
  value: object;
  /** Above the document. */
  comment?: string;
  /** Above single keys, by their path: `spec.template.spec`. */
  notes?: Record<string, string>;
}

function asComment(text: string): string {
  return text
    .split('\n')
    .map(line => ` ${line}`)
    .join('\n');
}

function annotate(document: Document, path: string, text: string): void {
  const keys = path.split('.');
  const last = keys.pop();
  const parent = document.getIn(
    keys.map(key => (/^\d+$/.test(key) ? Number(key) : key)),
    true,
  ) as Node | undefined;
  const pair =
    isMap(parent) &&
    parent.items.find(({ key }) => isScalar(key) && key.value === last);
  if (!pair || !isScalar(pair.key)) {
    throw new Error(`No ${path} to write a note above`);
  }
  pair.key.commentBefore = asComment(text);
}

/** Documents of YAML as people like to read them: comments kept, long lines left alone. */
export function toYaml(...documents: CommentedDocument[]): string {
  return documents
    .map(({ value, comment, notes = {} }) => {
      const document = new Document(value, {
        aliasDuplicateObjects: false,
        // What reads it decides by the older rules that `yes` is true, and `1e10` a number.
        compat: 'yaml-1.1',
      });
      if (comment) {
        document.commentBefore = asComment(comment);
      }
      for (const [path, text] of Object.entries(notes)) {
        annotate(document, path, text);
      }
      return document.toString({ lineWidth: 0, singleQuote: false });
    })
    .join('---\n');
}
