/** A parsed element: its text, and its children by name in order. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

/** What {@link renderXml} writes: text, or children, of which an array repeats its element. */
export type XmlContent =
  | string
  | number
  | boolean
  | undefined
  | { [name: string]: XmlContent | XmlContent[] };

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function unescapeText(text: string): string {
  return text.replace(/&(#x?)?([0-9a-z]+);/gi, (whole, numeric, body) => {
    if (numeric) {
      return String.fromCodePoint(
        parseInt(body, numeric.length === 2 ? 16 : 10),
      );
    }
    return ENTITIES[body] ?? whole;
  });
}

function renderElement(name: string, content: XmlContent): string {
  if (content === undefined) {
    return '';
  }
  return `<${name}>${renderContent(content)}</${name}>`;
}

function renderContent(content: XmlContent): string {
  if (content === null || typeof content !== 'object') {
    return escapeText(String(content));
  }
  return Object.entries(content)
    .map(([name, value]) =>
      (Array.isArray(value) ? value : [value])
        .map(entry => renderElement(name, entry))
        .join(''),
    )
    .join('');
}

/** A document with one root. */
export function renderXml(options: {
  root: string;
  namespace: string;
  content: XmlContent;
}): string {
  const { root, namespace, content } = options;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">${
    content === undefined ? '' : renderContent(content)
  }</${root}>`;
}

/**
 * Reads a document of elements and text; attributes, comments and the like are passed over.
 *
 * @throws SyntaxError when its tags do not match
 */
export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: '', text: '', children: [] };
  const open = [root];
  for (const [, tag, text] of document.matchAll(/<([^>]*)>|([^<]+)/g)) {
    const current = open[open.length - 1];
    if (text !== undefined) {
      current.text += unescapeText(text);
    } else if (tag.startsWith('/')) {
      if (open.length === 1 || current.name !== tag.slice(1).trim()) {
        throw new SyntaxError(`Unexpected </${tag.slice(1)}>`);
      }
      open.pop();
    } else if (!/^[?!]/.test(tag)) {
      const element: XmlElement = {
        name: tag.replace(/\/$/, '').trim().split(/\s/)[0],
        text: '',
        children: [],
      };
      current.children.push(element);
      if (!tag.endsWith('/')) {
        open.push(element);
      }
    }
  }
  if (open.length !== 1 || root.children.length !== 1) {
    throw new SyntaxError('The document does not end');
  }
  return root.children[0];
}

/** The first child of a name. */
export function child(
  element: XmlElement | undefined,
  name: string,
): XmlElement | undefined {
  return element?.children.find(candidate => candidate.name === name);
}

/** The text of the first child of a name. */
export function childText(
  element: XmlElement | undefined,
  name: string,
): string | undefined {
  return child(element, name)?.text;
}
